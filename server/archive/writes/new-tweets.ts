/**
 * New tweets that nothing concerns: neither the tables nor the other changes of their group. Their rows and events follow from the records
 * alone, so they need no archive in memory, which would only add them.
 */
import { among, given, sql, type Integer, type RunSql } from '../sql.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import { requireShape, type Change, type SnapshotChange, type TweetChange } from '../rules/change.ts';
import { scrubKeysOf } from '../rules/geo-scrubs.ts';
import { requireReadable } from '../rules/tweet-changes.ts';
import { fromDatabaseId, idsOf, textsOf } from '../content/database-id.ts';

/** The changes of a group that only add a tweet. The others do not depend on them. Rejects with StoreError. */
export async function newTweetsOf(run: RunSql, group: readonly Change[]): Promise<ReadonlySet<Change>> {
  const found = new Set<Change>();
  const { tweets, repeated } = namesOf(group);
  const candidates = tweets.filter((change) => isIndependent(change.tweet, repeated) && isUsable(change));
  if (candidates.length === 0) return found;
  const concerned = await concernedBy(run, candidates);
  for (const change of candidates) if (!concerned.has(change.tweet)) found.add(change);
  // A record of a tweet that is there can name another author, so its retweeter is not known here.
  const retweeted = new Set(tweets.flatMap((each) => (found.has(each) ? [] : (each.tweet.retweeted_tweet_id ?? []))));
  if (retweeted.size > 0)
    for (const change of candidates) if (retweeted.has(change.tweet.retweeted_tweet_id ?? '')) found.delete(change);
  return found;
}

/** The retweeter of a new native retweet. */
export const retweetOf = (tweet: ArchivedTweet): SnapshotChange[] =>
  tweet.retweeted_tweet_id === undefined
    ? []
    : [
        {
          kind: 'retweet',
          tweet_id: tweet.retweeted_tweet_id,
          user_id: tweet.author_id,
          created_at: tweet.created_at,
        },
      ];

const pairOf = (tweetId: string, userId: string): string => `${tweetId} ${userId}`;

/** The tweets of a group, and what several of its changes name: the ids of tweets, and retweeters with their tweets. */
function namesOf(group: readonly Change[]): { tweets: TweetChange[]; repeated: ReadonlySet<string> } {
  const tweets: TweetChange[] = [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const name = (key: string): void => void (seen.has(key) ? repeated.add(key) : seen.add(key));
  for (const change of group) {
    if (change.kind === 'tweet') {
      const { id, author_id: author, retweeted_tweet_id: retweeted } = change.tweet;
      name(id);
      if (retweeted !== undefined) name(pairOf(retweeted, author));
      tweets.push(change);
    } else if (change.kind === 'like') repeated.add(change.tweet_id);
    else if (change.kind === 'retweet') repeated.add(pairOf(change.tweet_id, change.user_id));
    else if (!withoutTweets.has(change.kind)) return { tweets: [], repeated };
  }
  return { tweets, repeated };
}

/** The kinds of changes that neither change tweets nor depend on them. */
const withoutTweets: ReadonlySet<Change['kind']> = new Set([
  ...(['user', 'follow', 'unfollow', 'highlight', 'membership'] as const),
  ...(['community', 'space', 'place', 'list', 'list_member'] as const),
]);

/** Without leading zeros: several texts could otherwise mean one row. */
const isCanonical = (id: string): boolean => /^(?:0|[1-9]\d{0,18})$/.test(id);

const isIndependent = (
  { id, author_id: author, retweeted_tweet_id: retweeted }: ArchivedTweet,
  repeated: ReadonlySet<string>,
): boolean =>
  isCanonical(id) &&
  isCanonical(author) &&
  !repeated.has(id) &&
  (retweeted === undefined || (isCanonical(retweeted) && !repeated.has(pairOf(retweeted, author))));

/** Whether the archive could add the tweet. The reason for the others comes from the archive itself. */
function isUsable(change: TweetChange): boolean {
  try {
    requireShape(change);
    requireReadable(change.tweet);
    return true;
  } catch {
    return false;
  }
}

/** Which kinds of removals the tables have: most archives have few or none, and a look-up costs the same in an empty table. */
async function removalsIn(run: RunSql) {
  const [row] = await run<Record<'tombstones' | 'withdrawn' | 'scrubs', Integer | boolean>>(
    sql`SELECT EXISTS (SELECT 1 FROM social_data.tombstone) AS tombstones,
      EXISTS (SELECT 1 FROM social_data.withdrawn) AS withdrawn, EXISTS (SELECT 1 FROM social_data.geo_scrub) AS scrubs`,
  );
  const has = (kind: keyof NonNullable<typeof row>): boolean => Boolean(row?.[kind]);
  return { tombstones: has('tombstones'), withdrawn: has('withdrawn'), scrubs: has('scrubs') };
}

/** The tweets that the tables have or had, whose author or place is removed, or whose retweeter the tables know. */
async function concernedBy(run: RunSql, changes: readonly TweetChange[]): Promise<ReadonlySet<ArchivedTweet>> {
  const tweets = changes.map(({ tweet }) => tweet);
  const retweets = tweets.filter((tweet) => tweet.retweeted_tweet_id !== undefined);
  const retweeted = retweets.map((tweet) => tweet.retweeted_tweet_id ?? '');
  const ids = idsOf(tweets.map(({ id }) => id));
  const used = await run<{ id: Integer }>(
    sql`SELECT id FROM social_data.tweet WHERE ${among('id', ids)}
      UNION ALL SELECT id FROM social_data.tombstone WHERE ${among('id', ids)}`,
  );
  const has = await removalsIn(run);
  const removed =
    retweeted.length === 0 || !has.tombstones
      ? []
      : await run<{ id: Integer }>(
          sql`SELECT id FROM social_data.tombstone WHERE ${among('id', idsOf(new Set(retweeted)))}`,
        );
  const authors = has.withdrawn
    ? await run<{ id: Integer }>(
        sql`SELECT user_id AS id FROM social_data.withdrawn
          WHERE ${among('user_id', idsOf(new Set(tweets.map(({ author_id: author }) => author))))}`,
      )
    : [];
  const scrubs = has.scrubs
    ? await run<{ key: string }>(
        sql`SELECT key FROM social_data.geo_scrub WHERE ${among('key', textsOf(new Set(tweets.flatMap(scrubKeysOf))))}`,
      )
    : [];
  const pairs =
    retweets.length === 0
      ? []
      : await run<{ tweet_id: Integer; user_id: Integer }>(
          sql`SELECT r.tweet_id, r.user_id
            FROM ${given({ tweet_id: idsOf(retweeted), user_id: idsOf(retweets.map(({ author_id: author }) => author)) })}
            JOIN social_data.retweet r ON r.tweet_id = given.tweet_id AND r.user_id = given.user_id`,
        );
  if (used.length + removed.length + authors.length + scrubs.length + pairs.length === 0) return new Set();
  const idsIn = (rows: readonly { id: Integer }[]): Set<string> => new Set(rows.map(({ id }) => fromDatabaseId(id)));
  const [isUsed, isRemoved, isWithdrawn] = [idsIn(used), idsIn(removed), idsIn(authors)];
  const isScrubbed = new Set(scrubs.map(({ key }) => key));
  const isKnown = new Set(pairs.map((pair) => pairOf(fromDatabaseId(pair.tweet_id), fromDatabaseId(pair.user_id))));
  return new Set(
    tweets.filter((tweet) => {
      const { id, author_id: author, retweeted_tweet_id: target } = tweet;
      return (
        isUsed.has(id) ||
        isWithdrawn.has(author) ||
        scrubKeysOf(tweet).some((key) => isScrubbed.has(key)) ||
        (target !== undefined && (isRemoved.has(target) || isKnown.has(pairOf(target, author))))
      );
    }),
  );
}
