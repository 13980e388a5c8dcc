/** Collects the conversation around a tweet from the platform. */
import type { Schemas } from '../contract/operations.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Subject } from '../ports/assistant-provider.ts';
import type { CallOptions, Platform, TweetBackground } from '../ports/platform.ts';
import { parse } from '../search/language/parse.ts';

type Tweet = Schemas['Tweet'];
type Post = Schemas['TweetShort'];

/** Limits of the conversation, which together bound the reads and the text of one question. */
const maxThreadLength = 20;
const maxReplies = 60;
const maxAuthored = 50;
const maxContinuation = 20;
/** Levels below the direct replies, the posts of a level whose replies are read, and the replies that a level has. */
const maxLevels = 3;
const maxParents = 90;
const maxLevel = 100;
const maxQuotes = 20;
const maxLinked = 3;
/** Later posts of the author that are looked at, and those that are kept. */
const maxLaterRead = 50;
const maxLater = 12;

type SubjectSource = Pick<
  Platform,
  'tweet' | 'thread' | 'topReplies' | 'comparableTweets' | 'continuation' | 'backgrounds' | 'search' | 'userInfo'
>;

/** A tweet with its conversation: see `Subject`. Throws ServiceError 404. */
export async function subjectOf(platform: SubjectSource, tweetId: string, options: CallOptions): Promise<Subject> {
  const find = (query: string, order: 'Latest' | 'Top', limit: number): Promise<readonly Post[]> =>
    orNothing<readonly Post[]>([], async () => {
      const { items } = await platform.search(parse(query), order, { after: undefined, limit }, options);
      return items;
    });
  const [tweet, thread, replies, authored, continuation, quotes] = await Promise.all([
    platform.tweet(tweetId, options),
    platform.thread(tweetId, maxThreadLength, options),
    platform.topReplies(tweetId, maxReplies, options),
    platform.comparableTweets(tweetId, maxAuthored, options),
    platform.continuation(tweetId, maxContinuation, options),
    find(`quoted_tweet_id:${tweetId} include:nativeretweets`, 'Top', maxQuotes),
  ]);
  const known = new Set([tweetId, ...[...thread, ...replies, ...continuation].map(({ id }) => id)]);
  const laterRead = laterPosts(tweet, authored, find);
  const [below, belowLater, later, linked, profile] = await Promise.all([
    repliesBelow([...continuation, ...quotes, ...replies], known, find),
    laterRead.then((posts) => repliesBelow(posts, known, find)),
    laterRead,
    linkedPosts(platform, tweet, options),
    profileOf(platform, tweet, options),
  ]);
  const deeperReplies = [...new Map([...below, ...belowLater].map((post) => [post.id, post])).values()];
  const nested = [tweet.quoted_tweet, tweet.retweeted_tweet].filter((each) => each !== null);
  const posts = [
    tweet,
    ...nested,
    ...thread,
    ...replies,
    ...authored,
    ...continuation,
    ...quotes,
    ...deeperReplies,
    ...later,
  ];
  const backgrounds = await backgroundsOf(
    platform,
    [...posts, ...linked].map(({ id }) => id),
    options,
  );
  const inConversation = new Set([...known, ...deeperReplies.map(({ id }) => id)]);
  return {
    ...{ tweet, thread, replies, authored, continuation, quotes, deeperReplies, linked, profile, backgrounds },
    later: later.filter(({ id }) => !inConversation.has(id)),
  };
}

type Find = (query: string, order: 'Latest' | 'Top', limit: number) => Promise<readonly Post[]>;

/** The replies to the replies, level by level. One search reads a level, by the ids of the posts above it. */
async function repliesBelow(first: readonly Post[], known: ReadonlySet<string>, find: Find): Promise<Post[]> {
  const found = new Map<string, Post>();
  let parents = first.map(({ id }) => id);
  for (let level = 0; level < maxLevels && parents.length > 0; level++) {
    const query = parents.slice(0, maxParents).map((id) => `in_reply_to_tweet_id:${id}`);
    const posts = (await find(query.join(' OR '), 'Latest', maxLevel)).filter(
      ({ id }) => !known.has(id) && !found.has(id),
    );
    for (const post of posts) found.set(post.id, post);
    parents = posts.map(({ id }) => id);
  }
  return [...found.values()];
}

/** The later posts of the author that share a hashtag, a link or rare words with the tweet, newest first. */
async function laterPosts(tweet: Tweet, authored: readonly Tweet[], find: Find): Promise<Post[]> {
  const about = tweet.retweeted_tweet ?? tweet;
  if (tweet.author.username === '') return [];
  // Loaded at the first question, because the lists of words take time that a start does not have.
  const { sharedSubject } = await import('./shared-subject.ts');
  const shared = sharedSubject(about, authored);
  if (shared.terms.length === 0) return [];
  const isLater = (post: Post): boolean =>
    post.id !== tweet.id && post.created_at > tweet.created_at && shared.isOn(post);
  // Where the newest posts of the author reach back to the tweet, they have all later ones: no search is needed.
  const oldest = authored.at(-1)?.created_at ?? '';
  if (authored.length < maxAuthored || oldest < tweet.created_at) return authored.filter(isLater).slice(0, maxLater);
  const since = Math.floor(Date.parse(tweet.created_at) / 1000);
  const query = `from:${tweet.author.username} since_time:${since} (${shared.terms.join(' OR ')})`;
  return (await find(query, 'Latest', maxLaterRead)).filter(isLater).slice(0, maxLater);
}

/** The posts of the platform that the tweet links to, without the quoted one. */
async function linkedPosts(platform: SubjectSource, tweet: Tweet, options: CallOptions): Promise<Tweet[]> {
  const known = new Set([tweet.id, tweet.quoted_tweet?.id, tweet.retweeted_tweet?.id]);
  const ids = tweet.entities.urls
    .flatMap(({ url, display_url }) => [url, display_url])
    .flatMap((url) => /(?:twitter|x)\.com\/\w+\/status\/(\d{1,19})/i.exec(url)?.[1] ?? [])
    .filter((id) => !known.has(id));
  const posts = await Promise.all(
    [...new Set(ids)]
      .slice(0, maxLinked)
      .map((id) => orNothing<Tweet | undefined>(undefined, () => platform.tweet(id, options))),
  );
  return posts.filter((post) => post !== undefined);
}

const profileOf = (platform: SubjectSource, { author }: Tweet, options: CallOptions): Promise<Subject['profile']> =>
  orNothing<Subject['profile']>(undefined, async () => (await platform.userInfo({ user_id: author.id }, options)).user);

/** The statuses of a query without a meaning, of an unknown user or tweet, and of an unsupported operation. */
const emptyStatuses = new Set([400, 404, 501]);

/** What a read returns, or `nothing` if the platform has no such thing. Throws ServiceError while it cannot answer. */
export async function orNothing<Value>(nothing: Value, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && emptyStatuses.has(error.status)) return nothing;
    throw error;
  }
}

/** The backgrounds of tweets by id; none for a tweet that the platform does not have. */
export async function backgroundsOf(
  platform: Pick<SubjectSource, 'backgrounds'>,
  given: readonly string[],
  options: CallOptions,
): Promise<Map<string, TweetBackground>> {
  const ids = [...new Set(given)];
  const found = await platform.backgrounds(ids, options);
  return new Map(ids.flatMap((id, index) => (found[index] === undefined ? [] : [[id, found[index]] as const])));
}
