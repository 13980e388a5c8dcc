// Written by `npm run generate` from spec/. Do not edit.
import type { ValidateFunction } from 'ajv';
import type { components } from './archive.ts';

type ArchiveRecord = components['schemas']['ArchiveRecord'];
/** Validators of the records of an archive, by kind: a reason speaks of that kind alone. */
export const records: { readonly [Kind in ArchiveRecord['kind']]: ValidateFunction<Extract<ArchiveRecord, { kind: Kind }>> };
