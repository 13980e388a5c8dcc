// Tests server/archive/reads/tweet-snapshots.ts and server/archive/search/resolved-condition.ts.
/** What the event stream gets of tweets: those that are there, those that are gone, and those that cannot be read. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { snapshotsOf } from '../../../server/archive/reads/tweet-snapshots.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { RunSql } from '../../../server/archive/sql.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { options } from '../../support/call-options.ts';
import { openArchiveOf, type ServiceArchive } from '../../support/stored-archive.ts';

const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: at, author_id: '1', ...more },
});
const mentions = [{ username: 'Tom' }, { username: 'old', id: '3' }, { username: 'unknown' }];
const entities = { mentions, hashtags: [], cashtags: [], urls: [] };
const place = (id: string, more: object): Change => ({ kind: 'place', place: { id, ...more } });
const list = (id: string, owner_id: string): Change => ({ kind: 'list', list: { id, owner_id, slug: 'Press' } });
const member = (list_id: string, user_id: string): Change => ({ kind: 'list_member', list_id, user_id });

const changes: readonly Change[] = [
  ...['1', '2', '3'].map((id): Change => ({
    kind: 'user',
    user: { id, username: ['mira', 'tom', 'zoe'][Number(id) - 1]! },
  })),
  place('rome', { full_name: 'Rome, Italy', country_code: 'IT', bounding_box: [12.4, 41.8, 12.6, 42] }),
  place('oslo', { name: 'Oslo', country_code: 'NO' }),
  ...[list('801', '2'), list('802', '9'), member('801', '1'), member('802', '4'), member('803', '5')],
  tweet('10', { in_reply_to_id: '30', community_id: '70', entities }),
  tweet('11', { author_id: '7', quoted_tweet_id: '31', place: 'Naples, Italy' }),
  tweet('12', { author_id: '4', coordinates: { longitude: 12.5, latitude: 41.9 } }),
  tweet('13', { author_id: '5', place_id: 'oslo', expanded_urls: ['https://news.example/a'] }),
  tweet('14', { author_id: '2', place_id: 'rome' }),
  tweet('15', { author_id: '2', place_id: 'rome', coordinates: { longitude: 10.7, latitude: 59.9 } }),
  tweet('20', { in_reply_to_id: '30', community_id: '70', entities }),
  tweet('21', { author_id: '7' }),
  ...[tweet('30', { author_id: '2' }), tweet('31', { author_id: '3' })],
  ...['20', '21', '31', '40'].map((tweet_id): Change => ({ kind: 'delete', tweet_id, at })),
];
let archive: ServiceArchive;
beforeAll(async () => void (archive = await openArchiveOf(changes)));
afterAll(() => archive.close());

const everyId = ['10', '11', '12', '13', '14', '15', '30'];
const relations = {
  ...{ authorId: '1', authorUsername: 'mira', inReplyToId: '30', communityId: '70' },
  mentions: [
    { username: 'Tom', id: '2' },
    { username: 'old', id: '3' },
    { username: 'unknown', id: undefined },
  ],
};
const nothing = { authorUsername: undefined, inReplyToId: undefined, communityId: undefined, mentions: [] };

test('a tweet has its people, its relations and the tweets that it includes', async () => {
  const [whole, bare] = await archive.platform.snapshots(['10', '11']);
  expect(whole).toMatchObject({ isGone: false, ...relations, includedIds: [] });
  expect(bare).toMatchObject({ isGone: false, ...nothing, authorId: '7', includedIds: ['31'] });
  if (whole?.isGone !== false) throw new Error('the tweet is gone');
  expect(whole.full()).toEqual(await archive.platform.tweet('10'));
  expect(whole.short()).toMatchObject({ id: '10', author: { username: 'mira' } });
  expect(whole.engagement()).toMatchObject({ tweet_id: '10', like_count: 0, view_count: 0 });
});

test('a tweet that is gone has what stays of it; one that never was here has nothing', async () => {
  expect(await archive.platform.snapshots(['20', '40', '21', '99', 'no id', '20'])).toEqual([
    { isGone: true, ...relations },
    undefined,
    { isGone: true, ...nothing, authorId: '7' },
    ...[undefined, undefined, { isGone: true, ...relations }],
  ]);
  expect(await archive.platform.snapshots(['no id'])).toEqual([undefined]);
});

describe('the document of a tweet matches the queries that find it:', () => {
  test.each<[string, string[]]>([
    ['near:rome', ['14', '15']],
    ['near:rome within:1km', ['12', '14']],
    ['near:oslo', ['13']],
    ['near:oslo within:5km', ['13']],
    ['near:naples', ['11']],
    ['place:rome', ['14', '15']],
    ['place_country:it', ['14', '15']],
    ['place_country:no', ['13']],
    ['point_radius:[12.5 41.9 100km]', ['12', '14']],
    // The circle is as wide and as high as the box of the place, but has not its corners.
    ['point_radius:[12.5 41.9 12km]', ['12']],
    ['point_radius:[10.7 59.9 10km]', ['15']],
    ['has:geo', ['11', '12', '13', '14', '15']],
    ['-place:rome has:geo', ['11', '12', '13']],
    ['within_time:9999d has:geo -from:tom', ['11', '12', '13']],
    ['within_time:1s', []],
    ['since_id:12 max_id:14', ['13', '14']],
    ['url:news', ['13']],
    ['url:tom', []],
    ['list:801', ['10']],
    ['list:tom/press', ['10']],
    ['list:802', ['12']],
    ['list:803', ['13']],
    ['from:tom', ['14', '15', '30']],
    ['from:4', ['12']],
    ['quoted_user_id:3', ['11']],
    ['to:tom', ['10']],
    ['mira', ['10']],
  ])('%s', async (text, ids) => {
    const query = parse(text);
    const found = await archive.platform.search(query, 'Latest', { after: undefined, limit: 50 }, options);
    expect(found.items.map(({ id }) => id).toSorted()).toEqual(ids);
    // Each alone: another tweet must not lend it what it needs.
    const snapshots = await Promise.all(everyId.map(async (id) => (await archive.platform.snapshots([id]))[0]));
    const isMatch = compileQuery(query);
    const matched = everyId.filter((_, index) => {
      const snapshot = snapshots[index]!;
      return !snapshot.isGone && matches(isMatch, snapshot.document(), Date.now());
    });
    expect(matched).toEqual(ids);
  });
});

describe('where the database fails', () => {
  /** Reads the tables, of which the record of one tweet is damaged. */
  const damaged: RunSql = async <Row extends object>(statement: Parameters<RunSql>[0]) => {
    const rows = await archive.engine.run<Row & { document?: string }>(statement);
    return rows.map((row) => (row.document?.includes('text 12') === true ? { ...row, document: '{' } : row));
  };

  test('a damaged tweet throws what is wrong when it is used, and holds up no other one', async () => {
    const [broken, whole, gone] = await snapshotsOf(damaged, ['12', '10', '20']);
    expect([broken?.isGone, whole?.authorId, gone?.isGone]).toEqual([false, '1', true]);
    expect(() => broken?.authorId).toThrow(SyntaxError);
  });

  test('the whole call fails where the tables cannot be read', async () => {
    const lost = async (): Promise<never> => {
      throw new StoreError('the connection was lost');
    };
    await expect(snapshotsOf(lost, ['10', '12'])).rejects.toThrow('the connection was lost');
  });
});
