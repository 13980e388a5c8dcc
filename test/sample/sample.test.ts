// Not in `npm run test:fast`: it makes the whole sample.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { entitiesOf } from '../../server/formats/text.ts';
import archive from '../../generated/archive.json' with { type: 'json' };
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { from, sampleRecords, until } from '../../scripts/sample/main.ts';
import type { ArchiveRecord, ArchivedTweet } from '../../server/domain/records.ts';
import { recognise } from '../../server/import/recognise.ts';

const records = sampleRecords();
const of = <Kind extends ArchiveRecord['kind']>(kind: Kind): Extract<ArchiveRecord, { kind: Kind }>[] =>
  records.filter((record): record is Extract<ArchiveRecord, { kind: Kind }> => record.kind === kind);
const tweets = of('tweet').map(({ tweet }) => tweet);
const ids = new Set(tweets.map(({ id }) => id));
const people = new Set(of('user').map(({ user }) => user.id));
const communities = new Set(of('community').map(({ community }) => community.id));

test('the sample is deterministic, and the bundled file is up to date', () => {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  expect(
    sampleRecords()
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  ).toBe(text);
  expect(gunzipSync(readFileSync(new URL('../../generated/sample.jsonl.gz', import.meta.url))).toString()).toBe(text);
});

test('every record belongs to the native format', () => {
  const refused = records
    .flatMap((record) => recognise(structuredClone(record)))
    .filter((element) => 'reason' in element);
  expect(refused).toEqual([]);
});

test('every record is valid by the spec of the native format', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(openapi, 'https://spec.example/openapi.yaml');
  ajv.addSchema(archive, 'https://spec.example/archive.yaml');
  const validate = ajv.getSchema('https://spec.example/archive.yaml#/components/schemas/ArchiveRecord')!;
  expect(records.filter((record) => !validate(record))).toEqual([]);
  expect(validate({ kind: 'like' })).toBe(false);
});

test('an id contains the time of its tweet, except for the fixed ids of the examples', () => {
  const differ = tweets.filter(
    ({ id, created_at }) => Number((BigInt(id) >> 22n) + 1288834974657n) !== Date.parse(created_at),
  );
  expect(differ.map(({ id }) => id)).toEqual(['1', '2', '3', '5', '9'].map((last) => `189000000000000000${last}`));
  expect(tweets.map(({ created_at }) => created_at).filter((time) => Date.parse(time) >= until)).toEqual([]);
  expect(tweets.filter(({ created_at }) => Date.parse(created_at) < from).length).toBeLessThan(60);
});

test('replies, quotes and retweets are later than their originals', () => {
  const at = new Map(tweets.map(({ id, created_at }) => [id, Date.parse(created_at)]));
  const early = tweets.filter((tweet) =>
    [tweet.in_reply_to_id, tweet.quoted_tweet_id, tweet.retweeted_tweet_id].some(
      (id) => id !== undefined && at.get(id)! >= at.get(tweet.id)!,
    ),
  );
  expect(early).toEqual([]);
});

test('usernames are unique and have valid lengths', () => {
  const usernames = of('user').map(({ user }) => user.username);
  expect(usernames.filter((username) => !/^[A-Za-z0-9_]{1,15}$/.test(username))).toEqual([]);
  expect(new Set(usernames.map((username) => username.toLowerCase())).size).toBe(usernames.length);
});

test('every address is in a reserved or unassigned range', () => {
  const hosts = JSON.stringify(records).match(/https?:\/\/[^/"\s]+/g)!;
  expect(hosts.filter((host) => !/(\.example|[/.]example\.org)$/.test(host))).toEqual([]);
});

test('the examples of the contract return many results', () => {
  const mira = '4200000001';
  const build = '1890000000000000001';
  expect(of('user').map(({ user }) => [user.id, user.username, user.name])).toEqual(
    expect.arrayContaining([
      [mira, 'mira_codes', 'Mira Holt'],
      ['4200000002', 'tom_sails', 'Tom Abara'],
    ]),
  );
  expect(of('highlight').filter(({ user_id }) => user_id === mira).length).toBeGreaterThan(3);
  expect(of('follow').filter(({ follower_id }) => follower_id === mira).length).toBeGreaterThan(20);
  expect(of('membership').filter(({ user_id }) => user_id === mira).length).toBeGreaterThan(2);
  expect(of('retweet').filter(({ tweet_id }) => tweet_id === build).length).toBeGreaterThan(20);
  expect(tweets.filter(({ in_reply_to_id }) => in_reply_to_id === build).length).toBeGreaterThan(10);
  expect(tweets.filter(({ text }) => text.includes('@mira_codes')).length).toBeGreaterThan(20);
  const { examples } = openapi.components as unknown as {
    examples: { QuotesPage: { value: { quotes: { id: string; text: string; created_at: string }[] } } };
  };
  const { id, text, created_at } = examples.QuotesPage.value.quotes[0]!;
  expect(tweets.filter(({ quoted_tweet_id }) => quoted_tweet_id === build)).toEqual([
    expect.objectContaining({ id, text, created_at, author_id: '4200000002' }),
  ]);
  expect(of('like').map(({ tweet_id }) => tweet_id)).toContain(build);
  expect(tweets.some(({ community_id, media }) => community_id === '1700000000000000001' && media)).toBe(true);
  expect(of('space').map(({ space }) => [space.id, space.host_id])).toContainEqual(['1vSampleSpace1', mira]);
});

test('all references of records are resolved', () => {
  const missing: string[] = [];
  const need = (known: Set<string>, id: string | undefined, what: string): void => {
    if (id !== undefined && !known.has(id)) missing.push(`${what} ${id}`);
  };
  for (const tweet of tweets) {
    need(people, tweet.author_id, 'author');
    need(ids, tweet.in_reply_to_id, 'replied');
    need(ids, tweet.quoted_tweet_id, 'quoted');
    need(ids, tweet.retweeted_tweet_id, 'retweeted');
    need(ids, tweet.conversation_id, 'conversation');
    need(communities, tweet.community_id, 'community');
  }
  for (const { user } of of('user')) for (const id of user.pinned_tweet_ids ?? []) need(ids, id, 'pinned');
  for (const { follower_id, following_id } of of('follow'))
    for (const id of [follower_id, following_id]) need(people, id, 'follow');
  for (const { tweet_id, user_id } of [...of('retweet'), ...of('highlight')]) {
    need(ids, tweet_id, 'tweet');
    need(people, user_id, 'user');
  }
  for (const { tweet_id } of of('like')) need(ids, tweet_id, 'liked');
  for (const { community_id, user_id } of of('membership')) {
    need(communities, community_id, 'community');
    need(people, user_id, 'member');
  }
  for (const { space } of of('space'))
    for (const id of [space.host_id, ...space.speaker_ids!]) need(people, id, 'speaker');
  expect(missing).toEqual([]);
  expect(ids.size).toBe(tweets.length);
});

describe('the sample has', () => {
  const having = (passes: (tweet: ArchivedTweet) => unknown): number => tweets.filter(passes).length;
  const byId = new Map(tweets.map((tweet) => [tweet.id, tweet]));
  const depth = (tweet: ArchivedTweet): number =>
    tweet.in_reply_to_id === undefined ? 0 : 1 + depth(byId.get(tweet.in_reply_to_id)!);
  test.each<[string, number, () => number]>([
    ['tweets', 3000, () => tweets.length],
    ['authors', 80, () => new Set(tweets.map(({ author_id }) => author_id)).size],
    ['languages', 12, () => new Set(tweets.map(({ lang }) => lang)).size],
    ['replies', 700, () => having((tweet) => tweet.in_reply_to_id)],
    ['quotes', 60, () => having((tweet) => tweet.quoted_tweet_id)],
    ['retweets that are tweets', 200, () => having((tweet) => tweet.retweeted_tweet_id)],
    ['photos', 150, () => having((tweet) => tweet.media?.some(({ type }) => type === 'photo'))],
    ['videos', 50, () => having((tweet) => tweet.media?.some(({ type, video_url }) => type === 'video' && video_url))],
    ['animations', 25, () => having((tweet) => tweet.media?.some(({ type }) => type === 'animated_gif'))],
    ['cards', 50, () => having((tweet) => tweet.card)],
    ['articles', 20, () => having((tweet) => tweet.article)],
    ['cashtags', 60, () => having(({ text }) => entitiesOf(text).cashtags.length > 0)],
    ['mentions', 500, () => having(({ text }) => entitiesOf(text).mentions.length > 0)],
    ['community tweets', 300, () => having((tweet) => tweet.community_id)],
    ['hashtags', 300, () => having(({ text }) => entitiesOf(text).hashtags.length > 0)],
    ['links', 50, () => having(({ text }) => entitiesOf(text).urls.length > 0)],
    ['contract addresses', 10, () => having(({ text }) => /0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{40,44}/i.test(text))],
    ['places', 30, () => having((tweet) => tweet.place)],
    ['sensitive posts', 3, () => having((tweet) => tweet.possibly_sensitive)],
    ['levels of replies', 5, () => Math.max(...tweets.map(depth))],
    [
      'different texts of first posts',
      1000,
      () =>
        new Set(tweets.filter((tweet) => !tweet.in_reply_to_id && !tweet.retweeted_tweet_id).map(({ text }) => text))
          .size,
    ],
    ['communities', 12, () => communities.size],
    ['join policies', 3, () => new Set(of('community').map(({ community }) => community.join_policy)).size],
    ['roles', 3, () => new Set(of('membership').map(({ role }) => role)).size],
    ['states of spaces', 3, () => new Set(of('space').map(({ space }) => space.state)).size],
    ['likes', 50, () => of('like').length],
  ])('%s: at least %i', (_what, least, count) => {
    expect(count()).toBeGreaterThanOrEqual(least);
  });

  test('no count is lower than the number of its records', () => {
    const count = (key: (tweet: ArchivedTweet) => string | undefined): Map<string, number> => {
      const counted = new Map<string, number>();
      for (const tweet of tweets) {
        const id = key(tweet);
        if (id !== undefined) counted.set(id, (counted.get(id) ?? 0) + 1);
      }
      return counted;
    };
    const repliesTo = count((tweet) => tweet.in_reply_to_id);
    const quotesOf = count((tweet) => tweet.quoted_tweet_id);
    const retweetsOf = count((tweet) => tweet.retweeted_tweet_id);
    for (const { tweet_id } of of('retweet')) retweetsOf.set(tweet_id, (retweetsOf.get(tweet_id) ?? 0) + 1);
    for (const tweet of tweets) {
      expect(tweet.retweet_count).toBeGreaterThanOrEqual(retweetsOf.get(tweet.id) ?? 0);
      expect(tweet.reply_count).toBeGreaterThanOrEqual(repliesTo.get(tweet.id) ?? 0);
      expect(tweet.quote_count).toBeGreaterThanOrEqual(quotesOf.get(tweet.id) ?? 0);
    }
  });
});
