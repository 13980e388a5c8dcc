/**
 * The steps of the replay. Every second step copies the next tweet of the sample. The steps between them add likes and
 * views, edit tweets, or add members to communities.
 */
import type { Archive } from '../platforms/archive/archive.ts';
import type { counts } from '../domain/records.ts';
import { type ArchivedTweet, type ArchiveRecord } from '../domain/records.ts';
import { entitiesOf } from '../import/formats/text.ts';
import { createCopies, extended } from './copies.ts';

export interface Timeline {
  /** The number of steps of the whole replay. */
  readonly steps: number;
  /**
   * The records of a step; `now` in milliseconds since the epoch. The caller applies the records of each step to the
   * archive before the next call.
   */
  step(number: number, now: number): ArchiveRecord[];
}

/**
 * The examples of the contract keep their ids, so that a subscription to one receives replies and engagement events.
 */
const exampleIds = /^18900000000000000\d\d$/;

/** The shares of edits and joins among the steps between two copies. */
const [edits, joins] = [0.05, 0.05];
/** The share of likes for examples instead of copies. */
const exampleShare = 0.2;

type Growth = Partial<Record<(typeof counts)[number], number>>;
const tweetsOf = (records: readonly ArchiveRecord[]): ArchivedTweet[] =>
  records.flatMap((record) => (record.kind === 'tweet' ? [record.tweet] : []));

/** Distributes the tweets in conversations of the examples, which are all from one day, evenly among the others. */
function inOrder(tweets: readonly ArchivedTweet[]): ArchivedTweet[] {
  const isOfExample = ({ conversation_id: conversation }: ArchivedTweet): boolean =>
    conversation !== undefined && exampleIds.test(conversation);
  const others = tweets.filter((tweet) => !isOfExample(tweet));
  const exampleTweets = tweets.filter(isOfExample);
  const every = Math.ceil(others.length / (exampleTweets.length + 1));
  return others
    .flatMap((tweet, index) =>
      index % every === every - 1 && exampleTweets.length > 0 ? [tweet, exampleTweets.shift()!] : [tweet],
    )
    .concat(exampleTweets);
}

/** Creates the steps of a replay; `random` returns numbers in [0, 1). */
export function createTimeline(sample: readonly ArchiveRecord[], archive: Archive, random: () => number): Timeline {
  const tweets = tweetsOf(sample);
  const examples = tweets
    .filter(({ id }) => exampleIds.test(id) && archive.ordinal(id) !== undefined)
    .map(({ id }) => id);
  const originals = inOrder(tweets.filter(({ id }) => !exampleIds.test(id)));
  const copies = createCopies(originals, archive);
  const randomBelow = (bound: number): number => Math.floor(random() * bound);
  const pick = <T>(items: readonly T[]): T | undefined => items[randomBelow(items.length)];

  /** A record of an existing tweet with increased counts. */
  function withGrowth(id: string | undefined, growth: Growth, now: number): ArchiveRecord[] {
    const ordinal = id === undefined ? undefined : archive.ordinal(id);
    if (ordinal === undefined) return [];
    const tweet = archive.tweet(ordinal);
    const more = Object.fromEntries(
      Object.entries(growth).map(([name, by]) => [name, (tweet[name as keyof Growth] ?? 0) + by]),
    );
    return [{ kind: 'tweet', tweet: { ...tweet, ...more, observed_at: new Date(now).toISOString() } }];
  }

  function tweetStep(index: number, now: number): ArchiveRecord[] {
    const tweet = copies.copy(index, now);
    return [
      { kind: 'tweet', tweet },
      ...withGrowth(tweet.in_reply_to_id, { reply_count: 1, view_count: 1 }, now),
      ...withGrowth(tweet.quoted_tweet_id, { quote_count: 1, view_count: 1 }, now),
      ...withGrowth(tweet.retweeted_tweet_id, { retweet_count: 1, view_count: 1 }, now),
    ];
  }

  function likeStep(now: number): ArchiveRecord[] {
    const isExample = random() < exampleShare;
    // Prefers new tweets, and gives only few tweets many likes.
    const newest = copies.recent.at(-1 - Math.floor(random() ** 2 * copies.recent.length));
    const likes = 1 + Math.floor(random() ** 6 * 40);
    const growth = {
      like_count: likes,
      view_count: likes * (5 + randomBelow(40)),
      bookmark_count: randomBelow(3) === 0 ? 1 : 0,
      retweet_count: randomBelow(4) === 0 ? 1 : 0,
    };
    return withGrowth(isExample ? pick(examples) : newest, growth, now);
  }

  function editStep(now: number): ArchiveRecord[] {
    const ordinal = archive.ordinal(pick(copies.recent) ?? '');
    if (ordinal === undefined) return [];
    const tweet = archive.tweet(ordinal);
    const text = extended(tweet.text, ' (edited)');
    return [
      {
        kind: 'tweet',
        tweet: { ...tweet, text, entities: entitiesOf(text), observed_at: new Date(now).toISOString() },
      },
    ];
  }

  function joinStep(now: number): ArchiveRecord[] {
    const communities = [...archive.communities.values()];
    // The examples of the contract subscribe to this user: they should receive an event soon.
    const user = random() < 0.3 ? archive.userByName('mira_codes') : pick([...archive.users.values()]);
    const community = user && pick(communities.filter(({ id }) => archive.role(id, user.id) === undefined));
    if (user === undefined || community === undefined) return likeStep(now);
    return [
      { kind: 'community', community: { ...community, member_count: (community.member_count ?? 0) + 1 } },
      {
        kind: 'membership',
        community_id: community.id,
        user_id: user.id,
        role: 'member',
        created_at: new Date(now).toISOString(),
      },
    ];
  }

  return {
    steps: originals.length * 2,

    step(number, now) {
      if (number % 2 === 0) return tweetStep(number / 2, now);
      const chance = random();
      return chance < edits ? editStep(now) : chance < edits + joins ? joinStep(now) : likeStep(now);
    },
  };
}
