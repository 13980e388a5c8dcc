/** The history of accounts from the AppView: for a new target, and to reconcile after events may have been missed. */
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { fields, text, timestamp, type Fields } from '../../formats/recognised.ts';
import type { HistoryRequest, LiveBatch } from '../../ports/live-source.ts';
import { collections, isDid, readAtUri, postUri } from '../../domain/at-uri.ts';
import { DeclinedRequest, maxPerRequest } from './api.ts';
import { maxBatchRecords } from './delivery.ts';
import { isSignedInOnly, isWithheld, viewLabels } from '../../formats/bluesky/labels.ts';
import { withKnownRecords, type PartsWithRecords, type SourceParts } from './options.ts';
import { userOfView } from '../../formats/bluesky/profiles.ts';
import { tweetOfRepost } from '../../formats/bluesky/records.ts';
import { accountId } from '../../formats/bluesky/ids.ts';
import { readPostView, refreshedTweet, type PostOfView } from '../../formats/bluesky/views.ts';

/** An account whose history is read. */
export interface Account {
  readonly did: string;
  readonly id: string;
}

/** What a history has shown of an account. */
export interface Span {
  readonly uris: Set<string>;
  /** The time of the oldest tweet in milliseconds since the epoch; -Infinity where the history is complete. */
  from: number;
}

/** The history of several accounts, one after the other. */
export async function* historyOf(
  parts: SourceParts,
  dids: readonly string[],
  request: HistoryRequest,
): AsyncGenerator<LiveBatch, void> {
  for (let from = 0; from < dids.length; from += maxPerRequest) {
    const some = dids.slice(from, from + maxPerRequest);
    const found = await parts.api.profiles(some, request.signal);
    const views = new Map(found.map((view) => [view.did, view]));
    for (const did of some) {
      request.signal.throwIfAborted();
      const view = views.get(did);
      const account = { did, id: accountId(did) };
      if (view === undefined) {
        if (request.reconcile) yield* unavailableAccount(parts, account, request.signal);
        continue;
      }
      const records = profileRecords(await withKnownRecords(parts, [did, view]), account, view);
      yield* batch(parts, records, {});
      if (!records.some(({ kind }) => kind === 'user')) continue;
      yield* pinnedPost(parts, view, request.signal);
      yield* accountHistory(parts, account, request);
    }
  }
}

/** The pinned post of a profile, which can be older than the history that is read. */
async function* pinnedPost(parts: SourceParts, view: Fields, signal: AbortSignal): AsyncGenerator<LiveBatch, void> {
  const uri = postUri(fields(view.pinnedPost).uri);
  if (uri === undefined || (await withKnownRecords(parts, [uri])).known.knows(uri)) return;
  const [found] = await parts.api.posts([uri], signal);
  if (found === undefined) return;
  const partsWithRecords = await withKnownRecords(parts, [found]);
  const post = readPostView(found, parts.clock.now(), partsWithRecords.context);
  if (post?.uri === uri) yield* batch(parts, otherPost(partsWithRecords, post), {});
}

/** The withdrawal of an account that the platform no longer shows, after a second request. */
async function* unavailableAccount(
  parts: SourceParts,
  { did, id }: Account,
  signal: AbortSignal,
): AsyncGenerator<LiveBatch, void> {
  const { known } = await withKnownRecords(parts, [did]);
  if (!known.hasAnythingOf(id) || (await parts.api.profiles([did], signal)).length > 0) return;
  yield* batch(parts, [withdrawal(id, parts.clock.now())], { account: 1 });
}

/** The profile of an account; its withdrawal where it asks not to be shown in public. */
function profileRecords(parts: PartsWithRecords, { id, did }: Account, view: Fields): ArchiveRecord[] {
  const { known, clock, context } = parts;
  if (isHidden(parts, view)) return known.hasAnythingOf(id) ? [withdrawal(id, clock.now())] : [];
  const user = userOfView(view, 'detailed', clock.now(), context);
  const isOther = known.profile(id)?.did !== undefined && known.profile(id)?.did !== did;
  if (user === undefined || isOther) return [];
  return [...(known.isWithdrawn(id) ? [{ kind: 'reinstate', user_id: id } as const] : []), { kind: 'user', user }];
}

/** Whether an account must not be shown: it asks for it, or moderation removed it. */
export function isHidden({ clock, includesSignedInOnly }: SourceParts, profile: Fields): boolean {
  const labels = viewLabels(profile, clock.now());
  return isWithheld(labels) || (isSignedInOnly(labels) && !includesSignedInOnly);
}

export const withdrawal = (user_id: string, at: number): ArchiveRecord => ({
  kind: 'withdraw',
  user_id,
  at: new Date(at).toISOString(),
});

export async function* accountHistory(
  parts: SourceParts,
  account: Account,
  request: HistoryRequest,
): AsyncGenerator<LiveBatch, void> {
  const { signal, reconcile, limit } = request;
  const span: Span = { uris: new Set(), from: Number.POSITIVE_INFINITY };
  let cursor: string | undefined;
  for (let left = limit; left > 0;) {
    const page = await parts.api.authorFeed(account.did, cursor, signal);
    const items = page.items.slice(0, left);
    left -= items.length;
    const partsWithRecords = await withKnownRecords(parts, items);
    const records = items.flatMap((item) => feedRecords(partsWithRecords, account, item, span));
    yield* batch(parts, records, { post: records.filter(({ kind }) => kind === 'tweet').length });
    ({ cursor } = page);
    if (cursor === undefined && items.length === page.items.length) span.from = Number.NEGATIVE_INFINITY;
    if (cursor === undefined || page.items.length === 0) break;
  }
  if (reconcile) {
    const removed = await removals(parts, account, span, signal);
    if (removed.length > 0) yield* batch(parts, removed, { delete: removed.length });
  }
  const follows = await followRecords(parts, account.did, signal);
  for (let from = 0; from < (follows?.length ?? 0); from += maxBatchRecords)
    yield* batch(parts, follows?.slice(from, from + maxBatchRecords) ?? [], {});
}

/** The records of an item of an author feed: the post or repost, and the posts and accounts that belong to it. */
export function feedRecords(parts: PartsWithRecords, { did, id }: Account, item: Fields, span: Span): ArchiveRecord[] {
  const { clock, context, recent, known } = parts;
  const now = clock.now();
  const post = readPostView(fields(item.post), now, context);
  if (post === undefined) return [];
  const reason = fields(item.reason);
  const records: ArchiveRecord[] = [];
  const parent = readPostView(fields(fields(item.reply).parent), now, context);
  const quoted = post.quotedView && readPostView(post.quotedView, now, context);
  for (const other of [parent, quoted]) if (other !== undefined) records.push(...otherPost(parts, other));
  const ownUri = reason.$type === 'app.bsky.feed.defs#reasonRepost' ? text(reason.uri) : post.uri;
  if (ownUri === post.uri && post.tweet.author_id === id) {
    records.push(...newOrChanged(parts, post));
    see(span, ownUri, post.tweet);
  } else if (ownUri !== undefined && readAtUri(ownUri)?.did === did) {
    records.push(...otherPost(parts, post));
    const seenAt = Math.min(Date.parse(timestamp(reason.indexedAt) ?? '') || now, now);
    const original = known.tweetAt(post.uri) ?? post.tweet;
    const record = { createdAt: reason.indexedAt };
    const repost = tweetOfRepost({ uri: ownUri, did, record, seenAt }, original, context);
    if (!isShown(parts, post) || recent.isDeleted(ownUri)) return records;
    if (!known.knows(ownUri)) records.push({ kind: 'tweet', tweet: repost });
    see(span, ownUri, known.tweetAt(ownUri) ?? repost);
  }
  return records;
}

function see(span: Span, uri: string, tweet: ArchivedTweet): void {
  span.uris.add(uri);
  span.from = Math.min(span.from, Date.parse(tweet.created_at));
}

/** Whether a post may be in the archive. */
export const isShown = ({ recent, known, includesSignedInOnly }: PartsWithRecords, post: PostOfView): boolean =>
  !post.isWithheld &&
  (!post.isSignedInOnly || includesSignedInOnly) &&
  !known.isWithdrawn(post.author.id) &&
  !recent.isDeleted(post.uri);

/** A post of another account, and the account, where the archive does not have them. */
export function otherPost(parts: PartsWithRecords, post: PostOfView): ArchiveRecord[] {
  const { known } = parts;
  const profile = known.profile(post.author.id);
  if (!isShown(parts, post) || known.knows(post.uri)) return [];
  if (profile?.did !== undefined && profile.did !== post.author.did) return [];
  const author: ArchiveRecord[] = profile === undefined ? [{ kind: 'user', user: post.author }] : [];
  return [...author, { kind: 'tweet', tweet: post.tweet }];
}

/** A post of the account itself: the whole where it is new, and otherwise only a state that differs. */
function newOrChanged(parts: PartsWithRecords, post: PostOfView): ArchiveRecord[] {
  if (!isShown(parts, post)) return [];
  const held = parts.known.tweetAt(post.uri);
  if (held === undefined)
    return parts.known.isRemoved(post.tweet.id, post.author.id) ? [] : [{ kind: 'tweet', tweet: post.tweet }];
  const tweet = refreshedTweet(held, post);
  return tweet === undefined ? [] : [{ kind: 'tweet', tweet }];
}

/** Delivers a batch, and remembers its records when the consumer has taken it. */
async function* batch(
  { recent }: SourceParts,
  records: readonly ArchiveRecord[],
  events: Record<string, number>,
): AsyncGenerator<LiveBatch, void> {
  yield { records, events };
  for (const record of records) recent.note(record);
}

/** Maximum number of reposts that are checked one by one. */
const maxCheckedReposts = 500;

/** Deletions of the tweets that the archive has in the span of a history and the platform has not. */
async function removals(
  { api, recent, clock }: SourceParts,
  { id }: Account,
  span: Span,
  signal: AbortSignal,
): Promise<ArchiveRecord[]> {
  const missing: ArchivedTweet[] = [];
  for await (const tweet of recent.tweetsOf(id)) {
    if (Date.parse(tweet.created_at) < span.from) break;
    if (tweet.uri !== undefined && !span.uris.has(tweet.uri) && recent.isSettled(tweet)) missing.push(tweet);
  }
  const gone = await absentPosts(api, missing, 2, signal);
  const reposts = missing.filter(({ uri = '' }) => readAtUri(uri)?.collection === collections.repost);
  for (const repost of reposts.slice(0, maxCheckedReposts))
    if (!(await api.hasRecord(repost.uri ?? '', signal))) gone.push(repost);
  return gone.map((tweet) => deletion(tweet, clock.now()));
}

/** The removal of a tweet that the archive holds. With the address, so that the id stays taken. */
export const deletion = (
  { id, uri }: Pick<ArchivedTweet, 'id' | 'uri'>,
  at: number,
  reason: 'deleted' | 'withheld' = 'deleted',
): ArchiveRecord => ({
  kind: 'delete',
  tweet_id: id,
  ...(uri === undefined ? {} : { uri }),
  at: new Date(at).toISOString(),
  reason,
});

/** The posts among these tweets that the platform does not have in any of `rounds` requests. */
export async function absentPosts(
  api: Pick<SourceParts['api'], 'posts'>,
  tweets: readonly ArchivedTweet[],
  rounds: number,
  signal: AbortSignal,
): Promise<ArchivedTweet[]> {
  let absent = tweets.filter(({ uri = '' }) => readAtUri(uri)?.collection === collections.post);
  for (let round = 0; round < rounds; round++) {
    const candidates = absent;
    absent = [];
    for (let from = 0; from < candidates.length; from += maxPerRequest) {
      const some = candidates.slice(from, from + maxPerRequest);
      const views = await api.posts(
        some.map(({ uri = '' }) => uri),
        signal,
      );
      const found = new Set(views.map(({ uri }) => uri));
      absent.push(...some.filter(({ uri }) => !found.has(uri)));
    }
  }
  return absent;
}

/**
 * The follows of an account that the archive does not have, with the profiles of the followed accounts, and the end of those
 * that the platform does not have. Undefined where the list cannot be read as a whole.
 */
export async function followRecords(
  parts: SourceParts,
  did: string,
  signal: AbortSignal,
): Promise<ArchiveRecord[] | undefined> {
  const { api, recent, clock, observer } = parts;
  const follower_id = accountId(did);
  const views = await api.follows(did, signal).catch((error: unknown) => {
    if (error instanceof DeclinedRequest) return undefined;
    throw error;
  });
  if (views === undefined) {
    observer.rejected('follows not listed');
    return undefined;
  }
  const now = new Date(clock.now()).toISOString();
  const { known, context } = await withKnownRecords(parts, views);
  const held = new Set(await recent.followings(follower_id));
  // The view of a follow has no time. A follow that is new compared with the held ones can end an earlier `unfollow`.
  const since = held.size === 0 ? {} : { created_at: now };
  const records: ArchiveRecord[] = [];
  for (const view of views) {
    if (!isDid(view.did)) continue;
    const following_id = accountId(view.did);
    const user = userOfView(view, 'basic', clock.now(), context);
    if (!isHidden(parts, view) && known.profile(following_id) === undefined && user !== undefined)
      records.push({ kind: 'user', user });
    if (!held.delete(following_id) && recent.isFollowSettled(follower_id, following_id))
      records.push({ kind: 'follow', follower_id, following_id, ...since });
  }
  for (const following_id of held)
    if (recent.isFollowSettled(follower_id, following_id))
      records.push({ kind: 'unfollow', follower_id, following_id, at: now });
  return records;
}
