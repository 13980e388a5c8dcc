/**
 * Bluesky: posts, threads and profiles as the AppView answers them, and records as repositories have them. The conversion is
 * that of the live source.
 */
import { collections, isDid, postUri, readAtUri } from '../domain/at-uri.ts';
import type { ArchiveRecord } from '../domain/records.ts';
import { postId } from '../domain/tid.ts';
import { defaultBlobUrls } from './bluesky/embeds.ts';
import { accountId } from './bluesky/ids.ts';
import { isSignedInOnly, isWithheld, viewLabels } from './bluesky/labels.ts';
import { userOfRecord, userOfView } from './bluesky/profiles.ts';
import {
  followOf,
  subjectOfRepost,
  tweetOfPost,
  tweetOfRepost,
  type MappingContext,
  type RepositoryRecord,
} from './bluesky/records.ts';
import { readPostView, type PostOfView } from './bluesky/views.ts';
import { fields, isFields, list, timestamp, type Fields, type Recognised } from './recognised.ts';

/** The view of a post, also that of a quoted one. */
const isPost = (value: Fields): boolean =>
  String(value.uri).startsWith('at://') && isDid(fields(value.author).did) && isFields(value.record ?? value.value);
/** An item of a feed, or a node of a thread. */
const isItem = (value: Fields): boolean => isFields(value.post) && isPost(value.post);
const isProfile = (value: Fields): boolean => isDid(value.did) && typeof value.handle === 'string';
/** A record of a repository. */
const isRecord = ({ uri, value }: Fields): boolean =>
  String(uri).startsWith('at://') && isFields(value) && typeof value.$type === 'string' && !isFields(value.post);
/** What stands in the place of a post that the reader of the answer may not see, or that does not exist. */
const missing = /^app\.bsky\.(?:feed\.defs#(?:notFound|blocked)Post|unspecced\.defs#threadItem(?:NotFound|Blocked))$/;
const missingReason = 'a post that does not exist any more, or that the reader of this answer may not see';
const isMissing = ({ $type }: Fields): boolean => typeof $type === 'string' && missing.test($type);
/** Who an account follows, or who follows it. */
const isFollows = (value: Fields): boolean =>
  isFields(value.subject) &&
  isProfile(value.subject) &&
  (Array.isArray(value.follows) || Array.isArray(value.followers));
/** The accounts that reposted a post. */
const isReposts = (value: Fields): boolean => postUri(value.uri) !== undefined && Array.isArray(value.repostedBy);

const forms = [isItem, isPost, isRecord, isFollows, isReposts, isProfile, isMissing];

export const isBluesky = (value: Fields): boolean => forms.some((is) => is(value));

/**
 * The elements of a value: several of a thread and of a list of accounts. `seenAt`: the time of the observation, in milliseconds
 * since the epoch.
 */
export function bluesky(value: Fields, seenAt: number): Recognised[] {
  const context = contextOf(value);
  if (isItem(value)) return itemElements(value, seenAt, context);
  if (isPost(value)) return [postElement(value, seenAt, context)];
  if (isRecord(value)) return [recordElement(value, seenAt, context)];
  if (isFollows(value)) return followElements(value, seenAt, context);
  if (isReposts(value)) return repostElements(value, seenAt, context);
  if (isProfile(value)) return [profileElement(value, seenAt, context)];
  return [{ reason: missingReason }];
}

/** The handles of the accounts in a value. Read only where a reply or a mention needs one. */
function contextOf(value: Fields): MappingContext {
  let handles: Map<string, string> | undefined;
  const find = (): Map<string, string> => {
    const found = new Map<string, string>();
    const open: unknown[] = [value];
    while (open.length > 0) {
      const next = open.pop();
      if (typeof next !== 'object' || next === null) continue;
      const { did, handle } = fields(next);
      if (isDid(did) && typeof handle === 'string' && handle !== 'handle.invalid') found.set(did, handle.toLowerCase());
      for (const each of Object.values(next)) open.push(each);
    }
    return found;
  };
  return {
    blobUrls: defaultBlobUrls,
    // The archive rejects a record whose id another one has.
    idOf: (uri) => postId(uri, () => undefined),
    handleOf: (did) => (handles ??= find()).get(did),
  };
}

/** The time of an observation that shows a view: not before the platform had it. */
const observedAt = (view: Fields, seenAt: number): number =>
  Math.max(seenAt, Date.parse(timestamp(view.indexedAt) ?? '') || 0);

const readPost = (view: unknown, seenAt: number, context: MappingContext): PostOfView | undefined =>
  isFields(view) && isPost(view) ? readPostView(view, observedAt(view, seenAt), context) : undefined;

/** Why a post is not for the archive, by the rules of the live source. */
function hiddenReason({ isWithheld: withheld, isSignedInOnly: signedInOnly }: PostOfView): string | undefined {
  if (withheld) return 'a post that the moderation of the platform has removed';
  return signedInOnly ? signedInOnlyReason : undefined;
}
const signedInOnlyReason = 'its account asks to be shown only to people who are signed in to the platform';

/** A post with its author, where it may be shown, and with the post that it quotes. */
function recordsOf(post: PostOfView | undefined, seenAt: number, context: MappingContext): ArchiveRecord[] {
  if (post === undefined || hiddenReason(post) !== undefined) return [];
  const quoted = readPost(post.quotedView, seenAt, context);
  return [
    { kind: 'user', user: post.author },
    ...recordsOf(quoted, seenAt, context),
    { kind: 'tweet', tweet: post.tweet },
  ];
}

function postElement(view: Fields, seenAt: number, context: MappingContext): Recognised {
  const post = readPost(view, seenAt, context);
  if (post === undefined) return { reason: 'a post of Bluesky without a usable address, author or text' };
  const reason = hiddenReason(post);
  return reason === undefined ? { records: recordsOf(post, seenAt, context) } : { reason };
}

/** The post of a feed item, with the posts that it answers, or its repost; or the posts of a thread. */
function itemElements(item: Fields, seenAt: number, context: MappingContext): Recognised[] {
  const elements: Recognised[] = [];
  // A thread has any depth.
  const nodes: unknown[] = [item];
  while (nodes.length > 0) {
    const node = fields(nodes.pop());
    if (isMissing(node)) elements.push({ reason: missingReason, place: node });
    if (!isItem(node)) continue;
    const element = postElement(fields(node.post), seenAt, context);
    const { root, parent } = fields(node.reply);
    const around = [root, parent].flatMap((view) => recordsOf(readPost(view, seenAt, context), seenAt, context));
    const reposted = 'records' in element ? repostRecords(node, seenAt, context) : [];
    elements.push(
      'records' in element
        ? { records: [...around, ...element.records, ...reposted] }
        : { ...element, place: fields(node.post) },
    );
    nodes.push(...list(node.replies).toReversed(), node.parent);
  }
  return elements;
}

/** The repost of a feed item, and who reposted; empty where the post itself is in the feed. */
function repostRecords({ post, reason }: Fields, seenAt: number, context: MappingContext): ArchiveRecord[] {
  const { $type, by, uri, indexedAt } = fields(reason);
  if ($type !== 'app.bsky.feed.defs#reasonRepost') return [];
  const now = observedAt(fields(reason), seenAt);
  const user = userOfView(fields(by), 'basic', now, context);
  const original = readPost(post, seenAt, context);
  if (user?.did === undefined || original === undefined || isHiddenView(fields(by), now)) return [];
  const at = timestamp(indexedAt);
  const address = readAtUri(uri);
  const records: ArchiveRecord[] = [{ kind: 'user', user }];
  // Answers of earlier versions do not name the repost.
  if (address?.did !== user.did || typeof uri !== 'string')
    return [...records, retweet(original.tweet.id, user.id, at)];
  const repost = { uri, did: user.did, record: { createdAt: indexedAt }, seenAt: now };
  return [...records, { kind: 'tweet', tweet: tweetOfRepost(repost, original.tweet, context) }];
}

const retweet = (tweet_id: string, user_id: string, created_at: string | undefined): ArchiveRecord => ({
  kind: 'retweet',
  tweet_id,
  user_id,
  ...(created_at === undefined ? {} : { created_at }),
});

function isHiddenView(view: Fields, now: number): boolean {
  const labels = viewLabels(view, now);
  return isWithheld(labels) || isSignedInOnly(labels);
}

function profileElement(view: Fields, seenAt: number, context: MappingContext): Recognised {
  const form = 'followersCount' in view || 'postsCount' in view ? 'detailed' : 'basic';
  const now = observedAt(view, seenAt);
  const user = userOfView(view, form, now, context);
  if (user === undefined) return { reason: 'a profile of Bluesky without a usable DID' };
  return isHiddenView(view, now) ? { reason: signedInOnlyReason } : { records: [{ kind: 'user', user }] };
}

/** The records of a profile among others. */
const profileRecords = (view: Fields, seenAt: number, context: MappingContext): ArchiveRecord[] => {
  const element = profileElement(view, seenAt, context);
  return 'records' in element ? element.records : [];
};

/** One element for each followed account or follower. */
function followElements({ subject, follows, followers }: Fields, seenAt: number, context: MappingContext) {
  const own = fields(subject);
  const ownRecords = profileRecords(own, seenAt, context);
  const ownId = accountId(String(own.did));
  const follow = (other: Fields, isFollowed: boolean): Recognised => {
    if (!isDid(other.did)) return { reason: 'a profile of Bluesky without a usable DID' };
    const [follower_id, following_id] = isFollowed ? [ownId, accountId(other.did)] : [accountId(other.did), ownId];
    const records = [...ownRecords.splice(0), ...profileRecords(other, seenAt, context)];
    return { records: [...records, { kind: 'follow', follower_id, following_id }] };
  };
  const elements = [
    ...list(follows).map((other) => follow(other, true)),
    ...list(followers).map((other) => follow(other, false)),
  ];
  return ownRecords.length === 0 ? elements : [...elements, { records: ownRecords }];
}

/** One element for each account that reposted. */
const repostElements = ({ uri, repostedBy }: Fields, seenAt: number, context: MappingContext): Recognised[] =>
  list(repostedBy).map((view): Recognised => {
    const element = profileElement(view, seenAt, context);
    if ('reason' in element) return element;
    const reposted = retweet(context.idOf(postUri(uri)!), accountId(String(view.did)), undefined);
    return { records: [...element.records, reposted] };
  });

/** A record of a repository. Likes are those of the service's own account, as in other exports of an account. */
function recordElement({ uri, value }: Fields, seenAt: number, context: MappingContext): Recognised {
  const address = readAtUri(uri);
  if (address === undefined) return { reason: 'a record of Bluesky without a usable address' };
  const { did, collection } = address;
  const entry: RepositoryRecord = { uri: String(uri), did, record: fields(value), seenAt };
  const record = recordOf(entry, collection, context);
  if (record !== undefined) return { records: [record] };
  return { reason: convertible.has(collection) ? `${collection}: not usable` : `${collection}: not imported` };
}

const like = 'app.bsky.feed.like';
const convertible = new Set<string>([
  collections.post,
  collections.repost,
  collections.follow,
  collections.profile,
  like,
]);

function recordOf(entry: RepositoryRecord, collection: string, context: MappingContext): ArchiveRecord | undefined {
  const { uri, did, record } = entry;
  if (collection === collections.follow) return followOf(entry);
  if (collection === collections.profile) return profileOf(entry, context);
  if (collection === collections.post) {
    const tweet = postUri(uri) === undefined ? undefined : tweetOfPost(entry, context)?.tweet;
    return tweet && { kind: 'tweet', tweet };
  }
  const subject = subjectOfRepost(record);
  if (subject === undefined) return undefined;
  const created_at = timestamp(record.createdAt);
  if (collection === collections.repost) return retweet(context.idOf(subject), accountId(did), created_at);
  if (collection !== like) return undefined;
  return { kind: 'like', tweet_id: context.idOf(subject), ...(created_at === undefined ? {} : { created_at }) };
}

/**
 * The profile of a repository. It does not have the handle, and is the oldest observation of the account: any other one has
 * the handle, which must stay.
 */
function profileOf({ did, record }: RepositoryRecord, context: MappingContext): ArchiveRecord | undefined {
  const id = accountId(did);
  const handle = context.handleOf(did) ?? `${id.slice(0, 12)}.invalid`;
  const user = userOfRecord(record, { id, username: handle, did }, 0, context);
  return { kind: 'user', user };
}
