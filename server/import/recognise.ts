/** Tells by its content what a value of an input is, and takes it apart. */
import { isNative, native, whyInvalid } from './formats/native.ts';
import { isPersonal, personal, type Owner } from './formats/personal.ts';
import { isFields, type Fields, type Recognised } from './formats/recognised.ts';
import { isV1, v1 } from './formats/v1.ts';
import { isV2Answer, isV2Element, v2Answer, v2Element } from './formats/v2.ts';

const unknown: Recognised = {
  reason: 'not recognised: neither a native record, nor a tweet, user, space or community of Twitter v1.1 or X API v2',
};
const noObject: Recognised = { reason: 'not a JSON object' };

/** So deep in lists and wrappers a tweet is looked for: `{name: {tweets: [tweet]}}` in an array is the deepest that was met. */
const deepest = 4;

/**
 * The elements of a value, each with its records or the reason why it has none. A list counts as its elements, and so does an
 * answer or any other object around lists of things that are recognised; everything else counts as one.
 */
export function recognise(value: unknown, owner?: Owner): Recognised[] {
  return elementsOf(value, owner, deepest);
}

function elementsOf(value: unknown, owner: Owner | undefined, depth: number): Recognised[] {
  if (Array.isArray(value))
    return depth === 0 ? [unknown] : value.flatMap((element) => elementsOf(element, owner, depth - 1));
  if (!isFields(value)) return [noObject];
  if (isNative(value)) return [native(value)];
  if (isPersonal(value) && owner !== undefined) return [valid(personal(value, owner))];
  if (isV1(value)) return [valid(v1(value))];
  if (isV2Answer(value)) return answerOf(value, owner, depth);
  if (isV2Element(value)) return [valid(v2Element(value))];
  const inside = depth === 0 ? [] : Object.values(value).flatMap((member) => membersOf(member, owner, depth - 1));
  return inside.length > 0 ? inside : [unknown];
}

/** The elements of an answer; or, where `data` is not what v2 has there, of a wrapper that is called so. */
function answerOf(value: Fields, owner: Owner | undefined, depth: number): Recognised[] {
  const answer = v2Answer(value).map(valid);
  if (answer.some((element) => 'records' in element) || depth === 0) return answer;
  const inside = membersOf(value.data, owner, depth - 1);
  return inside.some((element) => 'records' in element) ? inside : answer;
}

/** What a member of a wrapper holds; nothing, where nothing in it is recognised. */
function membersOf(member: unknown, owner: Owner | undefined, depth: number): Recognised[] {
  if (typeof member !== 'object' || member === null) return [];
  const elements = elementsOf(member, owner, depth);
  return elements.every((element) => element === unknown || element === noObject) ? [] : elements;
}

/** What another format is made into must be as good as a native record, or the archive could not answer it. */
function valid(element: Recognised): Recognised {
  if ('reason' in element) return element;
  for (const record of element.records) {
    const reason = whyInvalid(record);
    if (reason !== undefined) return { reason };
  }
  return element;
}
