/** Detects the format of an input value by its content, and converts it to records. */
import { bluesky, isBluesky } from '../formats/bluesky.ts';
import { collected, isCollected } from '../formats/collected.ts';
import { isMastodon, mastodon } from '../formats/mastodon.ts';
import { withFiles } from './archive-media.ts';
import type { MediaNames } from './input-file.ts';
import { isNative, native, schemaError } from '../formats/native.ts';
import type { NoteTexts } from '../formats/note-tweets.ts';
import {
  isDescription,
  isDetails,
  isPersonal,
  isRelation,
  ownerOfDetails,
  ownerRecord,
  personal,
  relation,
  type Owner,
} from '../formats/personal.ts';
import { fields, isFields, list, type Fields, type JsonPlace, type Recognised } from '../formats/recognised.ts';
import { isNotice, notice } from '../formats/notices.ts';
import { isV1, v1 } from '../formats/v1.ts';
import { isV2Response, isV2Element, v2Response, v2Element } from '../formats/v2.ts';
import { isWeb, web } from '../formats/web.ts';
import { parseExactly } from './exact-json.ts';

const unknown =
  'not recognised: neither a native record, nor a tweet, user, space or community of Twitter v1.1, X API v2 or the web pages of X, nor a post or profile of Bluesky or Mastodon';
const notAnObject = 'not a JSON object';

/**
 * The maximum nesting depth of lists and wrappers: `{name: {tweets: [tweet]}}` in an array is the deepest known input.
 */
const maxDepth = 4;

/** What is known about the archive that a value is from. */
interface Origin {
  /** The owner of the personal archive; undefined for other inputs. */
  readonly owner: Owner | undefined;
  /** The whole texts of the owner's long tweets. */
  readonly notes?: NoteTexts;
  /** The stored media files of the tweets. */
  readonly media?: MediaNames;
  /** The time of the observation, RFC 3339; the present time if absent. */
  readonly seenAt?: string;
}

/**
 * The elements of a value, each with its records or the reason why it has none. A list counts as its elements. So does
 * an API response or another object around lists of recognised elements. Every other value is one element. Does not check the
 * size of records: see `checkedJson`.
 */
export function recognise(value: unknown, origin: Origin = { owner: undefined }): Recognised[] {
  return elementsOf(value, origin, maxDepth);
}

function elementsOf(value: unknown, origin: Origin, depth: number): Recognised[] {
  if (Array.isArray(value))
    return depth === 0 ? [{ reason: unknown, place: value }] : listElements(value, origin, depth);
  return isFields(value)
    ? objectElements(value, origin, depth).map((element) => placed(element, value))
    : [{ reason: notAnObject }];
}

function listElements(values: readonly unknown[], origin: Origin, depth: number): Recognised[] {
  // A message of gallery-dl: its type as a number, the address of a file, and the metadata.
  const isMessage = typeof values[0] === 'number' && values.length <= 3 && isFields(values.at(-1));
  return values.flatMap((value, index) =>
    isMessage && index < values.length - 1
      ? []
      : elementsOf(value, origin, depth - 1).map((element) => placed(element, { list: values, index })),
  );
}

/** Names the place of an element without records, unless an inner one is known. */
const placed = (element: Recognised, place: JsonPlace): Recognised =>
  'reason' in element && element.place === undefined ? { ...element, place } : element;

function objectElements(value: Fields, origin: Origin, depth: number): Recognised[] {
  if (isNative(value)) return [native(value, depth === maxDepth)];
  if (isPersonal(value) && origin.owner !== undefined)
    return [validated(filed(personal(value, origin.owner, origin.notes), origin))];
  if (isDetails(value)) return [validated(details(value))];
  if (isDescription(value)) return [{ reason: 'describes a personal archive, and contains nothing of it' }];
  if (isRelation(value)) return [validated(relation(value, origin.owner))];
  if (isBluesky(value)) return bluesky(value, timeOf(origin)).map(validated);
  if (isMastodon(value)) return mastodon(value).map((element) => validated(filed(element, origin)));
  if (isHar(value)) return list(fields(value.log).entries).flatMap((each) => exchange(each, origin));
  if (isExchange(value)) return exchange(value, origin);
  // A row of twitter-web-exporter with all metadata.
  if (isFields(value.metadata) && isWeb(value.metadata)) return web(value.metadata).map(validated);
  if (isCollected(value)) return [validated(collected(value))];
  if (isV1(value)) return [validated(v1(value))];
  if (isNotice(value)) return [validated(notice(value))];
  if (isWeb(value)) return web(value).map(validated);
  if (isV2Response(value)) return responseElements(value, origin, depth);
  if (isV2Element(value)) return [validated(v2Element(value))];
  const inner = depth === 0 ? [] : Object.values(value).flatMap((member) => memberElements(member, origin, depth - 1));
  return inner.length > 0 ? inner : [{ reason: unknown }];
}

/** An element whose tweets name their stored files. */
const filed = (element: Recognised, { media }: Origin): Recognised =>
  'records' in element && media !== undefined
    ? { records: element.records.map((record) => withFiles(record, media)) }
    : element;

const timeOf = ({ seenAt }: Origin): number => Date.parse(seenAt ?? '') || Date.now();

function details(value: Fields): Recognised {
  const owner = ownerOfDetails(value);
  return owner === undefined
    ? { reason: 'the profile of a personal archive without id or screen_name' }
    : { records: [ownerRecord(owner)] };
}

/** Whether a value is a HAR file, which browsers save, or an exchange in one (http://www.softwareishard.com/blog/har-12-spec). */
const isHar = (value: Fields): boolean => Array.isArray(fields(value.log).entries);
const isExchange = (value: Fields): boolean => isFields(value.request) && isFields(fields(value.response).content);

/** The elements of the answer in an exchange, which has the answer as a text. One without usable elements counts as one value. */
function exchange(value: Fields, origin: Origin): Recognised[] {
  const content = fields(fields(value.response).content);
  const encoding = content.encoding === 'base64' ? 'base64' : 'utf8';
  const body = Buffer.from(typeof content.text === 'string' ? content.text : '', encoding).toString();
  let elements: Recognised[] = [];
  try {
    JSON.parse(body);
    // A text in the value: its ids can be numbers, too.
    elements = elementsOf(parseExactly(body).value, origin, maxDepth);
  } catch {
    // A page, a picture, or an answer that the browser did not save.
  }
  return elements.some((element) => 'records' in element)
    ? elements.map((element) =>
        'reason' in element ? { reason: element.reason, place: value } : { ...element, isWhole: false },
      )
    : [{ reason: 'a recorded exchange without tweets or users', place: value }];
}

/** The elements of a v2 response, or of another wrapper with a member `data`. */
function responseElements(value: Fields, origin: Origin, depth: number): Recognised[] {
  const response = v2Response(value).map(validated);
  if (response.some((element) => 'records' in element) || depth === 0) return response;
  const inner = memberElements(value.data, origin, depth - 1);
  return inner.some((element) => 'records' in element) ? inner : response;
}

/** The elements of a member of a wrapper; empty if none of them is recognised. */
function memberElements(member: unknown, origin: Origin, depth: number): Recognised[] {
  if (typeof member !== 'object' || member === null) return [];
  const elements = elementsOf(member, origin, depth);
  const isForeign = (element: Recognised): boolean =>
    'reason' in element && (element.reason === unknown || element.reason === notAnObject);
  return elements.every(isForeign) ? [] : elements;
}

/** Validates records from other formats against the schema of the native format: the contract depends on it. Not their size. */
function validated(element: Recognised): Recognised {
  if ('reason' in element) return element;
  for (const record of element.records) {
    const reason = schemaError(record);
    if (reason !== undefined) return { reason };
  }
  return element;
}
