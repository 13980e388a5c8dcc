/** The native format: records as spec/archive.yaml describes them, checked against it. */
import { records } from '../../../generated/records.js';
import type { ArchiveRecord } from '../../archive/records.ts';
import { fields, timestamp, type Fields, type Recognised } from './recognised.ts';
import { entitiesOf } from './text.ts';

const kinds = Object.keys(records);
const times = ['created_at', 'observed_at', 'scheduled_start', 'started_at', 'ended_at'];
/** A time as the archive writes it. */
const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const isNative = (value: Fields): boolean => typeof value.kind === 'string';

export function native(value: Fields): Recognised {
  if (typeof value.kind !== 'string' || !Object.hasOwn(records, value.kind)) {
    return { reason: `unknown kind '${String(value.kind).slice(0, 30)}': expected one of ${kinds.join(', ')}` };
  }
  const record = value as unknown as ArchiveRecord;
  const { kind } = record;
  const reason = whyInvalid(record) ?? writeTimes(kind, value) ?? writeTimes(kind, fields(value[kind]), `${kind}.`);
  if (reason !== undefined) return { reason };
  if (record.kind === 'tweet') record.tweet.entities ??= entitiesOf(record.tweet.text);
  return { records: [record] };
}

/** The first thing that is wrong with a record, by its path: `tweet.created_at must match format "date-time"`; else undefined. */
export function whyInvalid(record: ArchiveRecord): string | undefined {
  const { kind } = record;
  const validate = records[kind];
  if (validate(record)) return undefined;
  const { instancePath, message, params } = validate.errors![0]!;
  const place = instancePath.slice(1).replaceAll('/', '.') || `${kind} record`;
  const extra = 'additionalProperty' in params ? `: '${String(params.additionalProperty).slice(0, 30)}'` : '';
  return `${place} ${message}${extra}`;
}

/** Writes the times in UTC with milliseconds; returns what is wrong with one that no clock shows, such as a leap second. */
function writeTimes(kind: string, members: Record<string, unknown>, path = ''): string | undefined {
  for (const name of times) {
    const time = members[name];
    if (typeof time !== 'string' || canonical.test(time)) continue;
    const written = timestamp(time);
    if (written === undefined) return `${path}${name} of a ${kind} is not a time that can be kept`;
    members[name] = written;
  }
  return undefined;
}
