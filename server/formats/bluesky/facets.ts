/** The entities of a post: its facets, whose positions count bytes of UTF-8, and its tags. */
import type { Schemas } from '../../contract/operations.ts';
import { fields, list, type Fields } from '../recognised.ts';
import { entitiesOf as entitiesInText } from '../text.ts';
import { isDid, isHandle } from '../../domain/at-uri.ts';
import { accountId } from './ids.ts';

/** The current handle of an account; undefined if it is unknown. */
export type HandleOf = (did: string) => string | undefined;

/** Maximum number of facets that are read. */
const maxFacets = 1000;
const maxLinkLength = 8192;
/** The limits of spec/archive.yaml for a mention. */
const maxUsername = 100;

/** A web address; undefined for any other scheme, such as `javascript:`. */
export function webUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxLinkLength || !URL.canParse(value)) return undefined;
  return /^https?:$/.test(new URL(value).protocol) ? value : undefined;
}

interface Facet {
  readonly start: number;
  /** The part of the text; undefined where the position is not valid. */
  readonly slice: string;
  readonly features: readonly Fields[];
}

/** The facets with a valid position, in the order of the text. */
function readFacets(text: string, record: Fields): Facet[] {
  const all = list(record.facets).slice(0, maxFacets);
  if (all.length === 0) return [];
  const bytes = Buffer.from(text);
  const facets = all.flatMap((facet): Facet[] => {
    const { byteStart: start, byteEnd: end } = fields(facet.index);
    if (!Number.isInteger(start) || !Number.isInteger(end)) return [];
    if (Number(start) < 0 || Number(start) >= Number(end) || Number(end) > bytes.length) return [];
    const slice = bytes.subarray(Number(start), Number(end)).toString();
    return [{ start: Number(start), slice, features: list(facet.features) }];
  });
  return facets.toSorted((a, b) => a.start - b.start);
}

/** A mention by the handle that the text names, or by the account's current one where the text has another form. */
function mentionOf(did: string, slice: string, handleOf: HandleOf): Schemas['Mention'][] {
  const written = slice.replace(/^[@＠]/, '').toLowerCase();
  const id = accountId(did);
  const username = isHandle(written) ? written : (handleOf(did) ?? `${id.slice(0, 12)}.invalid`);
  return username.length > maxUsername ? [] : [{ username, id }];
}

/** The entities of a post record. */
export function entitiesOf(text: string, record: Fields, handleOf: HandleOf): Schemas['Entities'] {
  const mentions: Schemas['Mention'][] = [];
  const urls: Schemas['UrlEntity'][] = [];
  const hashtags = new Set<string>();
  const cashtags = new Set<string>(text.includes('$') ? entitiesInText(text).cashtags : []);
  const addTag = (value: unknown): void => {
    const tag = typeof value === 'string' ? value.trim() : '';
    const name = tag.replace(/^[#$＃]/, '');
    if (name !== '' && name.length <= 1000) (tag.startsWith('$') ? cashtags : hashtags).add(name);
  };
  for (const { slice, features } of readFacets(text, record)) {
    for (const feature of features) {
      const url = webUrl(feature.uri);
      if (feature.$type === 'app.bsky.richtext.facet#mention' && isDid(feature.did))
        mentions.push(...mentionOf(feature.did, slice, handleOf));
      else if (feature.$type === 'app.bsky.richtext.facet#link' && url !== undefined)
        urls.push({ url, display_url: slice.includes('\uFFFD') ? url : slice });
      else if (feature.$type === 'app.bsky.richtext.facet#tag') addTag(feature.tag);
    }
  }
  if (Array.isArray(record.tags)) for (const tag of record.tags.slice(0, maxFacets)) addTag(tag);
  return { mentions, hashtags: [...hashtags], cashtags: [...cashtags], urls };
}
