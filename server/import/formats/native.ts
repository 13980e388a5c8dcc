/** The native format: records as spec/archive.yaml describes them, checked against it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import archive from '../../../generated/archive.json' with { type: 'json' };
import openapi from '../../../generated/openapi.json' with { type: 'json' };
import type { ArchiveRecord } from '../../archive/records.ts';
import type { Fields, Recognised } from './recognised.ts';
import { entitiesOf } from './text.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(archive, 'archive.yaml').addSchema(openapi, 'openapi.yaml');

const kinds = ['user', 'tweet', 'follow', 'retweet', 'highlight', 'like', 'community', 'membership', 'space'] as const;
const validators = new Map<unknown, ValidateFunction<unknown>>(
  kinds.map((kind) => [kind, ajv.compile({ $ref: `archive.yaml#/components/schemas/${kind[0]!.toUpperCase()}${kind.slice(1)}Record` })]),
);

export const isNative = (value: Fields): boolean => typeof value.kind === 'string';

export function native(value: Fields): Recognised {
  const validate = validators.get(value.kind);
  if (validate === undefined) return { reason: `unknown kind '${String(value.kind)}': expected one of ${kinds.join(', ')}` };
  const { kind } = value;
  if (!validate(value)) return { reason: explain(String(kind), validate) };
  const record = value as unknown as ArchiveRecord;
  if (record.kind === 'tweet' && record.tweet.entities === undefined) record.tweet.entities = entitiesOf(record.tweet.text);
  return { records: [record] };
}

/** The first thing that is wrong, by its path: `tweet.created_at must match format "date-time"`. */
function explain(kind: string, validate: ValidateFunction): string {
  const { instancePath, message, params } = validate.errors![0]!;
  const place = instancePath.slice(1).replaceAll('/', '.') || `${kind} record`;
  const extra = 'additionalProperty' in params ? `: '${String(params.additionalProperty)}'` : '';
  return `${place} ${message}${extra}`;
}
