/** The native format: records of spec/archive.yaml, validated against the schema. */
import archive from '../../generated/archive.json' with { type: 'json' };
import { records } from '../../generated/records.js';
import type { ArchivedPlace, ArchiveRecord } from '../domain/records.ts';
import { nearest } from '../text/nearest-name.ts';
import { requirementOf } from '../contract/requirement.ts';
import { fields, timestamp, type Fields, type Recognised } from './recognised.ts';
import { entitiesOf } from './text.ts';

/** The kinds of records. */
export const kinds = Object.keys(records) as readonly ArchiveRecord['kind'][];
/** The maximum size of a record as JSON in UTF-8, in bytes. */
const maxBytes = archive.components.schemas.ArchiveRecord['x-max-bytes'];
/** The maximum number of UTF-8 bytes of a UTF-16 code unit. */
const bytesPerUnit = 3;
/** The maximum length of the time of an observation with the name of its member. */
const maxObservedAt = 100;
const times = ['at', 'created_at', 'observed_at', 'scheduled_start', 'started_at', 'ended_at'];
/** Whether a time has the format of the archive, as `2026-03-04T05:06:07.000Z`. */
const isCanonical = (time: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time);

export const isNative = (value: Fields): boolean => typeof value.kind === 'string';

/** The record of a value; `checkedJson` checks its size. `isWholeValue`: the value is not an element of an input value. */
export function native(value: Fields, isWholeValue: boolean): Recognised {
  if (typeof value.kind !== 'string' || !Object.hasOwn(records, value.kind)) {
    return { reason: `unknown kind '${String(value.kind).slice(0, 30)}': expected one of ${kinds.join(', ')}` };
  }
  const record = value as unknown as ArchiveRecord;
  const { kind } = record;
  const invalid = schemaError(record);
  if (invalid !== undefined) return { reason: invalid };
  const isStored =
    hasStoredTimes(value) &&
    hasStoredTimes(fields(value[kind])) &&
    (record.kind !== 'tweet' || record.tweet.entities !== undefined);
  if (isStored) return { records: [record], isWhole: isWholeValue };
  const reason = normaliseAllTimes(kind, value);
  if (reason !== undefined) return { reason };
  if (record.kind === 'tweet') record.tweet.entities ??= entitiesOf(record.tweet.text);
  return { records: [record] };
}

/**
 * The JSON of a record of the native format, from the text that it was parsed from, so that it is not printed again. `observedAt`: the time
 * of the observation of a tweet or a profile that has none in the text. Undefined for a text that does not start with the kind and no blanks, as the
 * records of the journal do, and for one that may be too large.
 */
export function reusedJson(text: string, { kind }: ArchiveRecord, observedAt: string | undefined): string | undefined {
  if (
    !text.startsWith(`{"kind":"${kind}","`) ||
    text.includes('\n') ||
    (text.length + maxObservedAt) * bytesPerUnit > maxBytes
  )
    return undefined;
  if (observedAt === undefined) return text;
  return text.endsWith('}}') ? `${text.slice(0, -2)},"observed_at":${JSON.stringify(observedAt)}}}` : undefined;
}

function withKindFirst({ kind, ...members }: ArchiveRecord): object {
  return { kind, ...members };
}

/** The JSON of a record, which starts with the kind, or the reason why it is too large. */
export function checkedJson(record: ArchiveRecord): { readonly json: string } | { readonly reason: string } {
  const json = JSON.stringify(Object.keys(record)[0] === 'kind' ? record : withKindFirst(record));
  if (json.length * bytesPerUnit <= maxBytes || Buffer.byteLength(json) <= maxBytes) return { json };
  return { reason: `${record.kind} record must have at most ${maxBytes} bytes` };
}

/**
 * The first error of a record with its path, as in `tweet.created_at must be a time …`; undefined for a valid record.
 * Checks all limits of spec/archive.yaml, including the size of the whole record.
 */
export const validationError = (record: ArchiveRecord): string | undefined => schemaError(record) ?? sizeError(record);

/**
 * As `validationError`, for a record of a program that may not know the format of times in the archive: converts them.
 * Modifies the record.
 */
export function normaliseRecord(record: ArchiveRecord): string | undefined {
  const { kind } = record;
  if (!Object.hasOwn(records, kind)) return 'unknown kind';
  return schemaError(record) ?? normaliseAllTimes(kind, fields(record)) ?? sizeError(record);
}

function sizeError(record: ArchiveRecord): string | undefined {
  const checked = checkedJson(record);
  return 'reason' in checked ? checked.reason : undefined;
}

/** As `validationError`, without the size of the whole record. */
export function schemaError(record: ArchiveRecord): string | undefined {
  const { kind } = record;
  const validate = records[kind];
  if (validate(record)) return record.kind === 'place' ? boxError(record.place) : undefined;
  const [error] = validate.errors ?? [];
  if (error === undefined) return `${kind} record is not valid`;
  const { instancePath, keyword, params } = error;
  const path = instancePath.slice(1).replaceAll('/', '.');
  const member = (name: unknown): string =>
    `${path === '' ? `${kind} record: ` : `${path}.`}${String(name).slice(0, 30)}`;
  if (keyword === 'required') return `${member(params.missingProperty)} is missing`;
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    const best = nearest(name, Object.keys(error.parentSchema?.['properties'] ?? {}));
    return `${member(name)} is not known${best === undefined ? '' : `: did you mean '${best}'?`}`;
  }
  return `${path === '' ? `${kind} record` : path} ${requirementOf(error)}`;
}

/** The error of a bounding box that the schema cannot express. */
function boxError({ bounding_box: box }: ArchivedPlace): string | undefined {
  if (box === undefined || box[1] <= box[3]) return undefined;
  return 'place.bounding_box must be west, south, east, north: south is greater than north';
}

const hasStoredTimes = (members: Fields): boolean =>
  times.every((name) => typeof members[name] !== 'string' || isCanonical(members[name]));

const normaliseAllTimes = (kind: string, record: Fields): string | undefined =>
  normaliseTimes(kind, record) ?? normaliseTimes(kind, fields(record[kind]), `${kind}.`);

/** Converts the times to UTC with milliseconds; returns an error for an unusable time, such as a leap second. */
function normaliseTimes(kind: string, members: Record<string, unknown>, path = ''): string | undefined {
  for (const name of times) {
    const time = members[name];
    if (typeof time !== 'string' || isCanonical(time)) continue;
    const written = timestamp(time);
    if (written === undefined) return `${path}${name} of a ${kind} is not a valid time`;
    members[name] = written;
  }
  return undefined;
}
