/** A history of an archive with records of all kinds of version 1.2, always the same. */
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { random } from '../../support/random.ts';

/** What happens to an archive, one after the other. */
export type Step =
  | {
      readonly kind: 'import';
      readonly fingerprint: string;
      readonly values: number;
      readonly done: boolean;
      readonly records: readonly ArchiveRecord[];
    }
  | { readonly kind: 'live'; readonly records: readonly ArchiveRecord[] }
  | { readonly kind: 'unlike'; readonly tweet_id: string }
  | { readonly kind: 'evict'; readonly tweet_ids: readonly string[]; readonly user_ids: readonly string[] }
  | { readonly kind: 'purge' };

export const users = Array.from({ length: 40 }, (_, index) => String(1000 + index));
export const communities = ['901', '902', '903'];
export const tweetId = (index: number): string => String(1_890_000_000_000_000_000n + BigInt(index) * 4_194_304n);
const tweets = 2_000;
const start = Date.parse('2026-01-05T00:00:00Z');
const timeOf = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
const words = [
  'coffee',
  'code',
  'night',
  'run',
  'beans',
  'harbour',
  'storm',
  '#release',
  '$BTC',
  'ÅNGSTRÖM',
  '日本語',
  'café',
];

const below = random(20_260_105);
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
const chance = (percent: number): boolean => below(100) < percent;

function tweetOf(index: number): ArchivedTweet {
  const other = tweetId(below(Math.max(1, index)));
  const mention = pick(users);
  const text = Array.from({ length: 3 + below(9) }, () => pick(words)).join(' ');
  return {
    id: tweetId(index),
    text: chance(20) ? `${text} @u${mention}` : text,
    created_at: timeOf(Math.floor(index / 3)),
    author_id: pick(users),
    ...(chance(70) && {
      like_count: below(500),
      retweet_count: below(50),
      reply_count: below(9),
      quote_count: below(5),
    }),
    ...(chance(15) && { in_reply_to_id: other, conversation_id: other }),
    ...(chance(5) && { quoted_tweet_id: other }),
    ...(chance(6) && { retweeted_tweet_id: other }),
    ...(chance(25) && { community_id: pick(communities) }),
    ...(chance(10) && { media: [{ type: 'photo' as const, url: `https://images.example/${index}.jpg` }] }),
    ...(chance(5) && { coordinates: { longitude: below(360) - 180, latitude: below(180) - 90 } }),
    ...(chance(5) && { place_id: 'p1' }),
    ...(chance(30) && { lang: pick(['en', 'ja', 'fr']) }),
    ...(chance(50) && { observed_at: timeOf(tweets + below(1_000)) }),
  };
}

const userOf = (id: string, version: number): ArchiveRecord => ({
  kind: 'user',
  user: {
    id,
    username: `u${id}`,
    name: `User ${id} ${version}`,
    followers_count: version,
    observed_at: timeOf(version),
  },
});

function relations(): ArchiveRecord[] {
  const records: ArchiveRecord[] = [];
  for (const id of users) {
    for (let n = 0; n < 4; n++)
      records.push({ kind: 'follow', follower_id: id, following_id: pick(users), created_at: timeOf(below(900)) });
    records.push({ kind: 'highlight', user_id: id, tweet_id: tweetId(below(tweets)), created_at: timeOf(below(900)) });
    if (chance(60))
      records.push({
        kind: 'membership',
        community_id: pick(communities),
        user_id: id,
        role: pick(['member', 'admin']),
      });
    records.push({ kind: 'list_member', list_id: pick(['801', '802']), user_id: id });
    records.push({ kind: 'retweet', tweet_id: tweetId(below(tweets)), user_id: id, created_at: timeOf(below(900)) });
    records.push({ kind: 'like', tweet_id: tweetId(below(tweets)), created_at: timeOf(below(900)) });
  }
  return records;
}

const entities: ArchiveRecord[] = [
  ...communities.map((id): ArchiveRecord => ({ kind: 'community', community: { id, name: `Community ${id}` } })),
  {
    kind: 'space',
    space: { id: 's1', title: 'Beans', state: 'ended', host_id: '1001', created_at: timeOf(3), speaker_ids: ['1002'] },
  },
  { kind: 'place', place: { id: 'p1', name: 'Cape Town', country_code: 'ZA', bounding_box: [18, -34, 19, -33] } },
  { kind: 'list', list: { id: '801', owner_id: '1003', slug: 'press' } },
  { kind: 'list', list: { id: '802', owner_id: '1004', slug: 'friends' } },
];

/** One to eight records as a live source has them. */
function liveRecords(index: number): ArchiveRecord[] {
  return Array.from({ length: 1 + below(8) }, (_, place): ArchiveRecord => {
    const known = tweetId(below(index));
    switch (below(10)) {
      case 0:
        return { kind: 'delete', tweet_id: known, at: timeOf(3_000 + place) };
      case 1:
        return {
          kind: 'follow',
          follower_id: pick(users),
          following_id: pick(users),
          created_at: timeOf(below(2_000)),
        };
      case 2:
        return { kind: 'unfollow', follower_id: pick(users), following_id: pick(users), at: timeOf(below(2_000)) };
      case 3:
        return { kind: 'unretweet', tweet_id: known, user_id: pick(users), at: timeOf(below(2_000)) };
      case 4:
        return userOf(pick(users), below(2_000));
      case 5:
      case 6:
        // New counts, some of them older than those of the archive.
        return { kind: 'tweet', tweet: { ...tweetOf(below(index)), observed_at: timeOf(tweets + below(3_000)) } };
      default:
        return { kind: 'tweet', tweet: tweetOf(index + place) };
    }
  });
}

/** What comes after the history: new counts, new tweets and deletions. */
export const lastRecords = (): ArchiveRecord[] => [
  ...Array.from({ length: 60 }, (_, n): ArchiveRecord => ({
    kind: 'tweet',
    tweet: { ...tweetOf(n * 7), like_count: 600 + n, observed_at: timeOf(9_000 + n) },
  })),
  ...Array.from({ length: 40 }, (_, n): ArchiveRecord => ({ kind: 'tweet', tweet: tweetOf(tweets + 200 + n) })),
  ...Array.from({ length: 10 }, (_, n): ArchiveRecord => ({
    kind: 'delete',
    tweet_id: tweetId(300 + n),
    at: timeOf(9_000),
  })),
];

export function history(): Step[] {
  const steps: Step[] = [];
  const inputs = (fingerprint: string, all: readonly ArchiveRecord[]): void => {
    for (let from = 0; from < all.length; from += 150) {
      const records = all.slice(from, from + 150);
      const values = from + records.length;
      steps.push({ kind: 'import', fingerprint, values, done: values === all.length, records });
    }
  };
  inputs('in-1', [...entities, ...users.map((id) => userOf(id, 1))]);
  const half = tweets / 2;
  inputs(
    'in-2',
    Array.from({ length: half }, (_, index): ArchiveRecord => ({ kind: 'tweet', tweet: tweetOf(index) })),
  );
  inputs('in-3', relations());
  steps.push({ kind: 'unlike', tweet_id: tweetId(5) });
  for (let index = half; index < tweets; index += 5) {
    steps.push({ kind: 'live', records: liveRecords(index) });
    if (index === half + 300) steps.push({ kind: 'purge' });
    if (index === half + 400)
      steps.push({ kind: 'live', records: [{ kind: 'withdraw', user_id: '1010', at: timeOf(3_500) }] });
    if (index === half + 500)
      steps.push({ kind: 'live', records: [{ kind: 'withdraw', user_id: '1011', at: timeOf(3_600) }] });
    if (index === half + 600) {
      const records: ArchiveRecord[] = [
        { kind: 'reinstate', user_id: '1010' },
        { kind: 'restore', tweet_id: tweetId(3) },
      ];
      steps.push({ kind: 'live', records });
      inputs(
        'in-4',
        Array.from({ length: 200 }, (_, n): ArchiveRecord => ({ kind: 'tweet', tweet: tweetOf(n) })),
      );
    }
    if (index === half + 700)
      steps.push({ kind: 'evict', tweet_ids: [tweetId(50), tweetId(51), tweetId(52)], user_ids: ['1030'] });
  }
  // Another program wrote it: the archive sets it aside.
  const unusable = { kind: 'space', space: { id: 's2', title: 'No time', state: 'live', host_id: '1001' } };
  steps.push({ kind: 'live', records: [unusable as unknown as ArchiveRecord] });
  return steps;
}
