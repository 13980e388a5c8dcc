/** Tells by its content what a value of an input is, and takes it apart. */
import { native, isNative } from './formats/native.ts';
import { isPersonal, personal, type Owner } from './formats/personal.ts';
import { fields, isFields, list, type Recognised } from './formats/recognised.ts';
import { isV1, v1 } from './formats/v1.ts';
import { isV2Answer, isV2Element, v2Answer, v2Element } from './formats/v2.ts';

/** What v1.1 answers wrap their lists in. */
const wrappers = ['statuses', 'users', 'results'] as const;

/** The elements of a value; an answer that holds a list counts as its elements, everything else as one. */
export function recognise(value: unknown, owner?: Owner): Recognised[] {
  if (Array.isArray(value)) return value.flatMap((element) => recognise(element, owner));
  if (!isFields(value)) return [{ reason: 'not a JSON object' }];
  if (isNative(value)) return [native(value)];
  if (isPersonal(value) && owner !== undefined) return [personal(value, owner)];
  if (isV1(value)) return [v1(value)];
  const wrapper = wrappers.find((name) => Array.isArray(value[name]));
  if (wrapper !== undefined) return list(value[wrapper]).flatMap((element) => recognise(element, owner));
  if (isV2Answer(value)) return v2Answer(value);
  if (isV2Element(value)) return [v2Element(value)];
  if (isFields(value.status) && isV1(fields(value.status))) return [v1(fields(value.status))];
  return [{ reason: 'not recognised: neither a native record, nor a tweet, user, space or community of Twitter v1.1 or X API v2' }];
}
