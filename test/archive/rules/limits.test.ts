// Not in `npm run test:fast`: it applies the largest records.
/** What a record may contain: every text and list is bounded, each bound holds, and what it allows can be applied. */
import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { follow, typesOf, within, type SchemaNode } from '../../../scripts/contract-tools/arbitrary/schema.ts';
import { validValues } from '../../../scripts/contract-tools/arbitrary/valid.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { native, validationError } from '../../../server/formats/native.ts';
import { recognise } from '../../../server/import/recognise.ts';
import { documentOf } from '../../../server/search/document.ts';
import { mostRecordBytes, placeOf, recordDocument } from './schema.ts';
import { inTurn, rounds, sampledFrom } from '../../support/rounds.ts';

const kinds = ['user', 'tweet', 'follow', 'retweet', 'highlight', 'like', 'community', 'membership', 'space'] as const;

/** Where in a value a schema stands: member names, and 0 for the items of a list. */
interface Spot {
  readonly path: readonly (string | 0)[];
  readonly place: SchemaNode;
  /** The keywords of all schemas that hold for the value there. */
  readonly keywords: {
    type?: unknown;
    maxLength?: number;
    maxItems?: number;
    pattern?: string;
    format?: string;
    enum?: unknown;
    const?: unknown;
    maximum?: number;
  };
}

/** Every place of a record at which a value may stand. */
function spots(place: SchemaNode, path: readonly (string | 0)[] = []): Spot[] {
  const target = follow(recordDocument, place);
  const both = [target, ...(target === place ? [] : [place])];
  const keywords = Object.assign({}, ...both.map(({ schema }) => schema)) as Spot['keywords'];
  const inside = new Map<string | 0, SchemaNode>();
  for (const each of both) {
    for (const [name, member] of Object.entries(each.schema.properties ?? {}))
      inside.set(name, within(each, member, 'properties', name));
    if (each.schema.items !== undefined) inside.set(0, within(each, each.schema.items, 'items'));
  }
  return [{ path, place, keywords }, ...[...inside].flatMap(([name, next]) => spots(next, [...path, name]))];
}

const id = '1';
const time = '2026-01-01T00:00:00.000Z';
const whole: Readonly<Record<string, object>> = {
  user: {
    kind: 'user',
    user: {
      id,
      username: 'u',
      name: 'n',
      description: 'd',
      location: 'l',
      profile_image: 'i',
      profile_banner: 'b',
      pinned_tweet_ids: [id],
    },
  },
  tweet: {
    kind: 'tweet',
    tweet: {
      id,
      text: 't',
      created_at: time,
      author_id: id,
      in_reply_to_username: 'u',
      lang: 'en',
      langs: ['en'],
      source: 's',
      place: 'p',
      expanded_urls: ['e'],
      media: [{ type: 'photo', url: 'u', expanded_url: 'e', video_url: 'v' }],
      card: { url: 'u', title: 't', description: 'd', image: 'i', domain: 'd' },
      article: { title: 't', text: 't' },
      card_name: 'c',
      poll: { options: [{ label: 'a' }, { label: 'b' }] },
      entities: {
        mentions: [{ username: 'u', name: 'n' }],
        hashtags: ['h'],
        cashtags: ['c'],
        urls: [{ url: 'u', display_url: 'd' }],
      },
    },
  },
  community: { kind: 'community', community: { id, name: 'n', description: 'd' } },
  place: {
    kind: 'place',
    place: {
      id,
      name: 'n',
      full_name: 'f',
      country: 'c',
      country_code: 'de',
      place_type: 'city',
      bounding_box: [0, 0, 1, 1],
    },
  },
  list: { kind: 'list', list: { id, owner_id: id, slug: 's', name: 'n', description: 'd' } },
  space: {
    kind: 'space',
    space: { id, title: 't', state: 'live', host_id: id, created_at: time, lang: 'en', speaker_ids: [id] },
  },
};

/** A copy of a value with another value at a path; the first item of a list on the path changes, the other items stay. */
function placed(value: unknown, [name, ...path]: readonly (string | 0)[], inner: unknown): unknown {
  if (name === undefined) return inner;
  if (name === 0) {
    const [first, ...rest] = value as unknown[];
    return [placed(first, path, inner), ...rest];
  }
  return { ...(value as object), [name]: placed((value as Record<string, unknown>)[name], path, inner) };
}
const at = (value: unknown, path: readonly (string | 0)[]): unknown =>
  path.reduce<unknown>((from, name) => (from as Record<string | 0, unknown>)[name], value);
const isBounded = ({ keywords: { maxLength, pattern, format } }: Spot): boolean =>
  maxLength !== undefined ||
  format !== undefined ||
  /\{\d+,\d+\}\)?\$$/.test(pattern ?? '') ||
  // Without a quantifier that has no end.
  (/^\^[^*+]*\$$/.test(pattern ?? '') && !/\{\d+,\}/.test(pattern ?? ''));

/** Applies records to an archive, and uses what they left there. */
function applyAll(records: readonly ArchiveRecord[]): void {
  const archive = new Archive();
  for (const record of records) archive.apply(record);
  const again = new Archive();
  const content = [...archive.changes()];
  for (const change of content) again.apply(change);
  expect([...again.changes()]).toHaveLength(content.length);
  for (const change of content)
    if (change.kind === 'tweet') documentOf(change.tweet, { user: () => undefined, authorOf: () => undefined });
}
const taken = (value: unknown): ArchiveRecord[] => {
  const result = native(value as never, true);
  if ('reason' in result) throw new Error(result.reason);
  return result.records;
};

test('every text, list and number of a record is bounded', () => {
  const unbounded = kinds.flatMap((kind) =>
    spots(placeOf(kind))
      .filter((spot) => {
        const { keywords } = spot;
        const types = typesOf(keywords as never);
        if (keywords.enum !== undefined || keywords.const !== undefined) return false;
        if (types.includes('object'))
          return (keywords as { additionalProperties?: unknown }).additionalProperties !== false;
        if (types.includes('array')) return keywords.maxItems === undefined;
        if (types.includes('string')) return !isBounded(spot);
        return types.includes('integer') && keywords.maximum === undefined;
      })
      .map(({ path }) => `${kind}: ${path.join('.')}`),
  );
  expect(unbounded).toEqual([]);
});

/** The longest value of a text that has a form of its own. */
const longest: Readonly<Record<string, (length: number) => string>> = {
  'user: user.username': (length) => 'a'.repeat(63).concat('.').repeat(4).slice(0, length),
  'user: user.did': (length) => 'did:web:'.padEnd(length, 'a'),
  'tweet: tweet.uri': (length) => `at://did:web:${'/app.bsky.feed.post/self'.padStart(length - 13, 'a')}`,
};

const bounds = Object.keys(whole).flatMap((kind) =>
  spots(placeOf(kind)).flatMap(({ path, keywords: { maxLength, maxItems } }) =>
    maxLength === undefined && maxItems === undefined
      ? []
      : [{ name: `${kind}: ${path.join('.')}`, kind, path, maxLength, maxItems }],
  ),
);

describe.each(bounds.map((bound, place) => ({ ...bound, place })))('$name', ({ name, kind, path, place, ...most }) => {
  const { maxLength, maxItems } = most;
  const record = (value: unknown): unknown => placed(structuredClone(whole[kind]), path, value);
  // A mark, a letter that folds to many, one of two code units, and what texts are read for.
  // Each place is filled with one of them, another one each day.
  const all = ['a', '!', '\u0301', '\ufdfa', '𝒂', '@a ', '#é', 'a.', '東'];
  const fillings = inTurn(all, 1, place + Number(process.env.TEST_TURN));

  test('accepts and applies its maximum, and rejects a larger value', () => {
    if (maxLength !== undefined) {
      const texts =
        longest[name] === undefined ? fillings.map((filling) => filling.repeat(maxLength)) : [longest[name](maxLength)];
      for (const each of texts) {
        const text = Array.from(each).slice(0, maxLength).join('');
        expect(Array.from(text)).toHaveLength(maxLength);
        if (Buffer.byteLength(text) < mostRecordBytes - 10_000) applyAll(taken(record(text)));
        else expect(() => taken(record(text))).toThrow(`must have at most ${mostRecordBytes} bytes`);
      }
      expect(() => taken(record('a'.repeat(maxLength + 1)))).toThrow(
        new RegExp(`${path.at(-1)} must have (?:at most|1 to) ${maxLength} characters`),
      );
    }
    if (maxItems !== undefined) {
      const item = (at(whole[kind], path) as unknown[])[0];
      const distinct = (n: number): unknown => {
        if (typeof item === 'string') return String(n);
        if (typeof item !== 'object' || item === null) return item;
        const [member] = ['username', 'label', 'url'].filter((each) => each in item);
        return { ...item, [member ?? 'url']: `u${n}` };
      };
      applyAll(taken(record(Array.from({ length: maxItems }, (_, n) => distinct(n)))));
      expect(() => taken(record(Array.from({ length: maxItems + 1 }, () => item)))).toThrow(
        new RegExp(`^${path.join('\\.')} must have .*\\b${maxItems} items`),
      );
    }
  });
});

test('every valid record can be applied, rewritten and returned', () => {
  const records = fc.oneof(...kinds.map((kind) => validValues(recordDocument, placeOf(kind))));
  fc.assert(
    fc.property(fc.array(records, { maxLength: 12 }), (values) => {
      const accepted = values.flatMap((value) => {
        const result = native(structuredClone(value) as never, true);
        // A time that no clock shows is the only thing that a schema cannot refuse.
        if ('reason' in result) expect(result.reason).toMatch(/is not a valid time/);
        return 'records' in result ? result.records : [];
      });
      applyAll(accepted);
    }),
    { numRuns: rounds(200) },
  );
});

describe('other formats', () => {
  const created_at = 'Thu Nov 03 08:50:26 +0000 2022';
  const user = {
    id_str: '7',
    screen_name: 'ann',
    name: 'n',
    description: 'd',
    location: 'l',
    profile_image_url_https: 'i',
    profile_banner_url: 'b',
    followers_count: 1,
  };
  const entities = {
    user_mentions: [{ screen_name: 'a', name: 'n', id_str: '2' }],
    hashtags: [{ text: 'h' }],
    symbols: [{ text: 's' }],
    urls: [{ url: 'u', expanded_url: 'e', display_url: 'd' }],
  };
  const v2Entities = {
    mentions: [{ username: 'a', id: '2' }],
    hashtags: [{ tag: 'h' }],
    cashtags: [{ tag: 's' }],
    urls: [
      {
        url: 'u',
        expanded_url: 'https://a.example',
        display_url: 'd',
        title: 't',
        description: 'd',
        images: [{ url: 'i' }],
      },
    ],
  };
  const bare = {
    id_str: '1',
    created_at,
    full_text: 't',
    lang: 'en',
    source: '<a href="x">s</a>',
    in_reply_to_screen_name: 'u',
    in_reply_to_user_id_str: '3',
  };
  const samples: [string, object, { id: string; username: string } | undefined][] = [
    [
      'a v1.1 status',
      {
        ...bare,
        user,
        entities,
        place: { full_name: 'p', id: '1' },
        extended_entities: { media: [{ type: 'photo', media_url_https: 'u', expanded_url: 'e' }] },
      },
      undefined,
    ],
    ['a v1.1 user', user, undefined],
    [
      'a v2 tweet',
      {
        id: '1',
        text: 't',
        author_id: '7',
        created_at: time,
        lang: 'en',
        source: 's',
        geo: { full_name: 'p' },
        entities: v2Entities,
        attachments: { media: [{ type: 'photo', url: 'u' }] },
      },
      undefined,
    ],
    [
      'a v2 user',
      { data: [{ id: '7', username: 'ann', name: 'n', description: 'd', location: 'l', profile_image_url: 'i' }] },
      undefined,
    ],
    [
      'a v2 space',
      {
        data: { id: '1', state: 'live', creator_id: '7', created_at: time, title: 't', lang: 'en', speaker_ids: ['7'] },
      },
      undefined,
    ],
    ['a v2 community', { data: { id: '1', name: 'n', description: 'd', member_count: 1 } }, undefined],
    ['a personal status', { tweet: { ...bare, entities } }, { id: '7', username: 'ann' }],
  ];
  /** Every path to a text in a value. */
  const texts = (value: unknown, path: (string | 0)[] = []): (string | 0)[][] => {
    if (typeof value === 'string') return [path];
    if (Array.isArray(value)) return texts(value[0], [...path, 0]);
    return typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => texts(member, [...path, name]))
      : [];
  };
  // All are longer than the largest text that a record may have, the first also than a whole record.
  const huge = [
    'a'.repeat(2_200_000),
    'é!'.repeat(200_000),
    '&amp;<a '.repeat(100_000),
    `https://a.example/${'b.'.repeat(200_000)}`,
  ];

  test.each(samples)('%s of any length has the same limits', (_name, sample, owner) => {
    expect(recognise(structuredClone(sample), { owner })).toEqual([{ records: expect.any(Array) }]);
    for (const [place, path] of texts(sample).entries()) {
      for (const text of sampledFrom(place, huge)) {
        for (const result of recognise(placed(structuredClone(sample), path, text), { owner })) {
          for (const record of 'records' in result ? result.records : [])
            expect(validationError(record)).toBeUndefined();
        }
      }
    }
  });
});
