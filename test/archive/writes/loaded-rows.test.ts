// Tests server/archive/writes/loaded-rows.ts, server/archive/content/content-rows.ts and server/engines/sqlite/content-loader.ts.
/** A migration: the content of one archive, loaded into empty tables, has the same rows and the same answers. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import { raw, sql, type RunSql } from '../../../server/archive/sql.ts';
import { segmentsOf } from '../../../server/archive/upkeep/contents.ts';
import { contentPages, type ContentPage } from '../../../server/archive/writes/loaded-rows.ts';
import { loadContent } from '../../../server/engines/sqlite/content-loader.ts';
import type { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { emptyArchiveFile, type EmptyArchiveFile } from '../../support/empty-archive-file.ts';
import { openArchiveOf, type ServiceArchive } from '../../support/stored-archive.ts';
import { contentIn } from '../engines.ts';

const [at, later] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: at, author_id: '1', ...more },
});
const list = (id: string, owner_id: string, slug?: string): Change => ({
  kind: 'list',
  list: { id, owner_id, ...(slug === undefined ? {} : { slug }) },
});
const follow = { follower_id: '1', following_id: '2' };
const mentioning = (...mentions: object[]): object => ({
  entities: { mentions, hashtags: [], cashtags: [], urls: [] },
});
/** They mention more users than are described at once. */
const crowd = Array.from({ length: 67 }, (_, part) => {
  const ids = Array.from({ length: 30 }, (_each, place) => String(5_000 + 30 * part + place));
  return tweet(`9${part}`, mentioning(...ids.map((id) => ({ username: `u${id}`, id }))));
});

const changes: readonly Change[] = [
  { kind: 'user', user: { id: '1', username: 'Mira', verified: true, did: 'did:plc:a', observed_at: at } },
  { kind: 'user', user: { id: '2', username: 'tom', is_blue_verified: true, did: 'none' } },
  { kind: 'community', community: { id: '70', name: 'Makers' } },
  {
    kind: 'space',
    space: { id: 's1', title: 'T', state: 'live', host_id: '1', speaker_ids: ['2', '1'], created_at: at },
  },
  { kind: 'space', space: { id: 's2', title: 'U', state: 'live', host_id: '2', created_at: at } },
  {
    kind: 'place',
    place: { id: 'p1', full_name: 'Rome, Italy', country_code: 'IT', bounding_box: [12.4, 41.8, 12.6, 42] },
  },
  { kind: 'place', place: { id: 'p2' } },
  ...[list('801', '1', 'Press'), list('802', '2'), list('803', '9')],
  tweet('10', { community_id: '70', like_count: 5, view_count: 0, observed_at: at }),
  tweet('11', { in_reply_to_id: '10', in_reply_to_username: 'Mira', place_id: 'p1' }),
  tweet('12', {
    quoted_tweet_id: '10',
    media: [{ type: 'photo', url: 'https://a.example/a.jpg' }],
    coordinates: { longitude: 12.5, latitude: 41.9 },
  }),
  tweet('13', { retweeted_tweet_id: '10', author_id: '3' }),
  tweet(
    '14',
    mentioning({ username: 'Tom' }, { username: 'x', id: 'no id' }, { username: 'ann', id: '4', name: 'Ann' }),
  ),
  ...crowd,
  tweet('15', { retweeted_tweet_id: '11', author_id: '3' }),
  tweet('16', { text: 'coffee', author_id: '2', place_id: 'p1' }),
  { kind: 'follow', ...follow, created_at: at },
  { kind: 'follow', ...follow, created_at: later },
  { kind: 'follow', follower_id: '2', following_id: '1' },
  { kind: 'unfollow', follower_id: '2', following_id: '3', at },
  { kind: 'unfollow', follower_id: '3', following_id: '1', at },
  { kind: 'follow', follower_id: '3', following_id: '1', created_at: later },
  { kind: 'retweet', tweet_id: '10', user_id: '4', created_at: later },
  { kind: 'unretweet', tweet_id: '10', user_id: '2', at },
  { kind: 'highlight', user_id: '1', tweet_id: '10', created_at: at },
  ...(['admin', 'moderator', 'member'] as const).map((role, index): Change => ({
    kind: 'membership',
    community_id: '70',
    user_id: String(index + 1),
    role,
  })),
  ...[
    { list_id: '801', user_id: '2' },
    { list_id: '802', user_id: '1' },
  ].map((member): Change => ({ kind: 'list_member', ...member, created_at: at })),
  { kind: 'like', tweet_id: '10', created_at: at },
  { kind: 'like', tweet_id: '12' },
  { kind: 'unlike', tweet_id: '12', at: Date.parse(later) },
  { kind: 'delete', tweet_id: '11', at },
  { kind: 'delete', tweet_id: '40', reason: 'withheld', uri: 'at://did:plc:a/app.bsky.feed.post/1', at: later },
  { kind: 'withdraw', user_id: '9', list_ids: ['804', '804'], at },
  { kind: 'scrub_geo', user_id: '1', tweet_id: '5', at },
];

/** The tables whose rows do not say when they arrived. */
const tables = [
  ...['mention', 'person', 'community', 'space', 'space_participant', 'place', 'place_term', 'list', 'tweet_like'],
  ...['follow', 'retweet', 'highlight', 'membership', 'list_member'],
  ...['tombstone', 'withdrawn', 'withdrawn_list', 'geo_scrub'],
];
async function rowsIn(run: RunSql): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await run<object>(sql`SELECT * FROM social_data.${raw(table)}`);
    found[table] = rows.map((row) => JSON.stringify(row)).toSorted();
  }
  return found;
}
const sortedContent = async (run: RunSql): Promise<string[]> =>
  (await contentIn({ run })).map((change) => JSON.stringify(change)).toSorted();

let archive: ServiceArchive;
let file: EmptyArchiveFile;
let database: SqliteDatabase;
beforeAll(async () => void (archive = await openArchiveOf(changes)));
afterAll(() => archive.close());
beforeEach(async () => {
  file = await emptyArchiveFile();
  ({ database } = file);
});
afterEach(() => file.dispose());

async function expectLoaded(): Promise<void> {
  const { run } = archive.engine;
  const rows = await rowsIn(run);
  expect(tables.filter((table) => rows[table]!.length === 0)).toEqual([]);
  expect(await rowsIn(database.runSql)).toEqual(rows);
  expect(await sortedContent(database.runSql)).toEqual(await sortedContent(run));
}

test('all rows are the same, also those of users whom only mentions describe', async () => {
  const reached: number[] = [];
  const count = await loadContent(database, contentPages(archive.engine.run), (each) => reached.push(each));
  expect([reached.at(-1), count]).toEqual([count, (await sortedContent(archive.engine.run)).length]);
  await expectLoaded();
});

test('the parts of the content can be loaded in any order', async () => {
  async function* parts(): AsyncGenerator<ContentPage, void> {
    const segments = [];
    for await (const segment of segmentsOf(archive.engine.run, 20)) segments.push(segment);
    for (const segment of segments.toReversed()) yield* contentPages(archive.engine.run, segment);
  }
  await loadContent(database, parts());
  await expectLoaded();
});

test('searches find the same tweets', async () => {
  const expected = {
    'text -from:mira': [],
    'from:tom': ['16'],
    'near:rome within:9km': ['16', '12'],
    'point_radius:[12.5 41.9 1km]': ['12'],
    'place:p1': ['16'],
    'quoted_user_id:1': ['12'],
    'filter:media': ['12'],
    'min_faves:5': ['10'],
    'filter:verified has:geo': ['12'],
    'filter:blue_verified': ['16'],
    'list:mira/press': ['16'],
    'list:802 has:media': ['12'],
  };
  await loadContent(database, contentPages(archive.engine.run));
  for (const search of [new SqliteSearch(database), archive.engine.search]) {
    const found: Record<string, readonly string[]> = {};
    for (const text of Object.keys(expected))
      found[text] = (await search.latest(parse(text), { after: undefined, limit: 9 }, Date.parse(later))).items;
    expect(found).toEqual(expected);
  }
});
