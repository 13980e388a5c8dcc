/** Collects the conversation around a tweet from the platform. */
import type { Schemas } from '../contract/operations.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Subject } from '../ports/assistant-provider.ts';
import type { CallOptions, Platform, TweetBackground, TweetConversation } from '../ports/platform.ts';
import { parse } from '../search/language/parse.ts';

type Tweet = Schemas['Tweet'];
type Post = Schemas['TweetShort'];

/** Limits of the conversation, which together bound the reads and the text of one question. */
const limits = { thread: 20, replies: 60, quotes: 20, authored: 50, continuation: 20 };
/** Levels below the direct replies, and the replies that a level has. */
const below = { levels: 3, limit: 100 };
const maxLinked = 3;
/** Later posts of the author that are looked at, and those that are kept. */
const maxLaterRead = 50;
const maxLater = 12;

type SubjectSource = Pick<Platform, 'conversation' | 'repliesBelow' | 'tweet' | 'backgrounds' | 'search' | 'userInfo'>;

/** A tweet with its conversation: see `Subject`. Throws ServiceError 404. */
export async function subjectOf(platform: SubjectSource, tweetId: string, options: CallOptions): Promise<Subject> {
  const around = await platform.conversation(tweetId, limits, options);
  const { tweet, thread, replies, quotes, authored, continuation } = around;
  const known = new Set([tweetId, ...[...thread, ...replies, ...continuation].map(({ id }) => id)]);
  const [later, linked, profile] = await Promise.all([
    laterPosts(platform, around, options),
    linkedPosts(platform, tweet, options),
    profileOf(platform, tweet, options),
  ]);
  const above = [...continuation, ...quotes, ...replies, ...later].map(({ id }) => id);
  const deeper = above.length === 0 ? [] : await platform.repliesBelow([...new Set(above)], below, options);
  const deeperReplies = deeper.filter(({ id }) => !known.has(id));
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

/** The later posts of the author that share a hashtag, a link or rare words with the tweet, newest first. */
async function laterPosts(
  platform: SubjectSource,
  { tweet, authored, replies, continuation }: TweetConversation,
  options: CallOptions,
): Promise<Post[]> {
  const about = tweet.retweeted_tweet ?? tweet;
  const isLater = ({ created_at }: Post): boolean => created_at > tweet.created_at;
  // Where the newest posts of the author reach back to the tweet, they have all later ones: no search is needed.
  const hasAll = authored.length < limits.authored || !authored.every(isLater);
  if (tweet.author.username === '' || (hasAll && !authored.some(isLater))) return [];
  // Loaded at the first question, because the lists of words take time that a start does not have.
  const { sharedSubject } = await import('./shared-subject.ts');
  const isOwn = ({ author }: Post): boolean => author.id === tweet.author.id;
  const said = [...continuation, ...replies.filter(isOwn)].map(({ text }) => text);
  const shared = sharedSubject(about, said, authored);
  if (shared.terms.length === 0) return [];
  const laterOn = (posts: readonly Post[]): Post[] =>
    posts.filter((post) => isLater(post) && shared.isOn(post)).slice(0, maxLater);
  if (hasAll) return laterOn(authored);
  const since = Math.floor(Date.parse(tweet.created_at) / 1000);
  const query = `from:${tweet.author.username} since_time:${since} (${shared.terms.join(' OR ')})`;
  const found = await orNothing<readonly Post[]>([], async () => {
    const page = { after: undefined, limit: maxLaterRead };
    return (await platform.search(parse(query), 'Latest', page, options)).items;
  });
  return laterOn(found);
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
