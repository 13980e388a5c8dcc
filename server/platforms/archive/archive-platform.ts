/** The platform port on top of the archive: its indexes serve every operation. */
import type { Archive } from './archive.ts';
import type { UserIdentity } from './user-directory.ts';
import { isMissing, nextAfterEnd, positionIn } from '../bounded-page.ts';
import {
  backgroundOf,
  community,
  engagement,
  mentionedUsers,
  space,
  tweetFull,
  tweetShort,
  userInfo,
} from './views.ts';
import { ViewCache } from './view-cache.ts';
import type { DurableArchive } from './durable-archive.ts';
import { rankCommunity } from './community-ranking.ts';
import { Relation, type Member, type RelationReader } from '../../collections/relation.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { newestFirst, type TimelineReader } from '../../collections/timeline.ts';
import type { Schemas } from '../../contract/operations.ts';
import type { BoundedPageRequest, Page, PageRequest, Position } from '../../contract/page.ts';
import { notFound, ServiceError, unavailable } from '../../contract/service-error.ts';
import { StoreError } from '../../ports/storage.ts';
import {
  allExcept,
  type CommunityMember,
  type GoneTweet,
  type KnownUser,
  type Platform,
  type TweetBackground,
  type TweetSnapshot,
  type UserRef,
} from '../../ports/platform.ts';
import type { EntityCounts, RecordSource } from '../../ports/record-source.ts';
import { contextFrom, documentOf, type TweetDocument } from '../../search/document.ts';
import type { Query } from '../../search/language/syntax-tree.ts';
import { atUri, collections, isDid } from '../../domain/at-uri.ts';
import { postId } from '../../domain/tid.ts';
import type { PostAddress } from '../../text/post-address.ts';

/** The number of newest replies that are ranked and of newest posts that are scanned, which bounds the cost. */
const maxRankedReplies = 2000;
const maxScannedPosts = 500;

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];

/** Everything is in memory, so no method waits and no method reads the signal of its caller. `unlike` waits for the disk. */
export class ArchivePlatform implements Platform, RecordSource {
  readonly capabilities = allExcept({});
  readonly #archive: Archive;
  readonly #durable: Pick<DurableArchive, 'unlike'>;
  readonly #views: ViewCache;

  constructor(durable: Pick<DurableArchive, 'archive' | 'unlike'>) {
    this.#archive = durable.archive;
    this.#durable = durable;
    this.#views = new ViewCache(durable.archive);
  }

  revision(): number {
    return this.#archive.version;
  }

  async userInfo(ref: UserRef): Promise<Schemas['UserInfo']> {
    const { id, username } = this.#knownUser(ref);
    if (id === undefined) throw notFound(`the id of user ${username ?? ''}`);
    return userInfo(this.#views.userById(id), this.#archive.user(id));
  }

  async lastTweets(ref: UserRef, includeReplies: boolean, page: BoundedPageRequest): Promise<Page<Tweet>> {
    const { byAuthor, postsByAuthor } = this.#archive;
    const list = listFor(includeReplies ? byAuthor : postsByAuthor, this.#knownUser(ref).id);
    return this.#fullPage(timelinePage(this.#archive, list, page));
  }

  async highlights(ref: UserRef, page: PageRequest): Promise<Page<Tweet>> {
    const { id } = this.#knownUser(ref);
    const list = this.#withPinned(id, listFor(this.#archive.highlights, id));
    return this.#fullPage(relationPage(list, page, ({ id }) => this.#archive.ordinal(id)));
  }

  /** The highlights with the pinned post of an account of Bluesky, which has no other highlights. */
  #withPinned(userId: string | undefined, highlights: RelationReader | undefined): RelationReader | undefined {
    const { did, pinned_tweet_ids: pinned = [] } =
      (userId === undefined ? undefined : this.#archive.user(userId)) ?? {};
    if (did === undefined || pinned.length === 0) return highlights;
    const all = new Relation();
    for (const { id, at } of highlights?.members() ?? []) all.add(id, at);
    for (const id of pinned) {
      const ordinal = this.#archive.ordinal(id);
      if (ordinal !== undefined && !all.has(id)) all.add(id, this.#archive.createdAt(ordinal));
    }
    return all;
  }

  async followings(ref: UserRef, page: BoundedPageRequest): Promise<Page<Schemas['User']>> {
    const list = listFor(this.#archive.follows, this.#knownUser(ref).id);
    return relationPage(list, page, ({ id }) => this.#views.userById(id));
  }

  async mentions(ref: UserRef, span: { since: number; until: number }, page: PageRequest): Promise<Page<TweetShort>> {
    const timelines = this.#archive.mentionsOf(this.#knownUser(ref));
    return this.#shortPage(mergedPage(this.#archive, timelines, page, span));
  }

  async replies(tweetId: string, page: BoundedPageRequest): Promise<Page<Tweet>> {
    this.#requireTweet(tweetId);
    return this.#fullPage(timelinePage(this.#archive, this.#archive.replies.get(tweetId), page));
  }

  async retweeters(tweetId: string, page: BoundedPageRequest): Promise<Page<Schemas['User']>> {
    this.#requireTweet(tweetId);
    return relationPage(this.#archive.retweeters.get(tweetId), page, ({ id }) => this.#views.userById(id));
  }

  async search(query: Query, order: 'Latest' | 'Top', page: PageRequest): Promise<Page<TweetShort>> {
    if (order === 'Top') await this.#archive.index.prepareTop();
    return this.#shortPage(this.#archive.index.search(query, order, page));
  }

  async discover(communityId: string, page: PageRequest): Promise<Page<TweetShort>> {
    this.#requireCommunity(communityId);
    return this.#shortPage(rankCommunity(this.#archive, communityId, page));
  }

  async communityMedia(communityId: string, page: PageRequest): Promise<Page<TweetShort>> {
    this.#requireCommunity(communityId);
    return this.#shortPage(timelinePage(this.#archive, this.#archive.communityMedia.get(communityId), page));
  }

  async communitiesOf(username: string, page: PageRequest): Promise<Page<Schemas['Community']>> {
    const { id: userId } = this.#knownUser({ username });
    if (userId === undefined) return { items: [], next: null };
    const memberships = this.#archive.memberships.get(userId);
    const isOfBluesky = this.#archive.users.get(userId)?.did !== undefined;
    // An empty list would say that the user is in none.
    if (isOfBluesky && (memberships?.size ?? 0) === 0) throw new ServiceError(501, 'Bluesky has no communities');
    return relationPage(memberships, page, ({ id }) => community(this.#archive, id, userId));
  }

  async space(id: string): Promise<Schemas['Space']> {
    const record = this.#archive.spaces.get(id);
    if (record === undefined) throw notFound(`space ${id}`);
    return space(this.#archive, record);
  }

  async unlike(tweetId: string): Promise<boolean> {
    if (!this.#archive.liked(tweetId)) this.#requireTweet(tweetId);
    try {
      return await this.#durable.unlike(tweetId);
    } catch (error) {
      if (error instanceof StoreError)
        throw Object.assign(unavailable('the archive cannot be written now', 60), { cause: error });
      throw error;
    }
  }

  async tweet(id: string): Promise<Tweet> {
    return this.#views.tweetFull(this.#requireTweet(id));
  }

  async user(ref: UserRef): Promise<KnownUser> {
    const { id, username } = this.#knownUser(ref);
    return { id, username };
  }

  async thread(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    const start = this.#requireTweet(tweetId);
    // Imported data can contain cycles.
    const seen = new Set([start]);
    const thread: Tweet[] = [];
    let at = this.#parentOf(start);
    for (; at !== undefined && !seen.has(at) && thread.length < limit; at = this.#parentOf(at)) {
      seen.add(at);
      thread.push(this.#views.tweetFull(at));
    }
    return thread.reverse();
  }

  async topReplies(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    this.#requireTweet(tweetId);
    return this.#newest(this.#archive.replies.get(tweetId), maxRankedReplies)
      .map((ordinal) => ({ ordinal, engagement: this.#archive.engagement(ordinal) }))
      .sort((a, b) => b.engagement - a.engagement)
      .slice(0, limit)
      .map(({ ordinal }) => this.#views.tweetFull(ordinal));
  }

  async comparableTweets(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    const ordinal = this.#requireTweet(tweetId);
    const { author_id, in_reply_to_id } = this.#archive.tweet(ordinal);
    const isReply = in_reply_to_id !== undefined;
    const { byAuthor, postsByAuthor } = this.#archive;
    return this.#newest((isReply ? byAuthor : postsByAuthor).get(author_id), maxScannedPosts)
      .filter((each) => {
        const { in_reply_to_id: answered, retweeted_tweet_id: repeated } = this.#archive.tweet(each);
        return each !== ordinal && repeated === undefined && (answered !== undefined) === isReply;
      })
      .slice(0, limit)
      .map((each) => this.#views.tweetFull(each));
  }

  async continuation(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    let at: number | undefined = this.#requireTweet(tweetId);
    const author = this.#archive.authorId(at);
    const seen = new Set([at]);
    while (at !== undefined && seen.size <= limit) {
      at = this.#oldestReply(at, (reply) => this.#archive.authorId(reply) === author && !seen.has(reply));
      if (at !== undefined) seen.add(at);
    }
    return [...seen].slice(1).map((each) => this.#views.tweetFull(each));
  }

  async backgrounds(ids: readonly string[]): Promise<readonly (TweetBackground | undefined)[]> {
    return ids.map((id) => {
      const tweet = this.tweetRecord(id);
      return tweet && backgroundOf(tweet);
    });
  }

  snapshots(ids: readonly string[]): readonly (TweetSnapshot | GoneTweet | undefined)[] {
    return ids.map((id) => {
      const ordinal = this.#archive.ordinal(id);
      return ordinal === undefined ? this.#goneTweet(id) : new ArchiveSnapshot(this.#archive, id, ordinal);
    });
  }

  hasCommunity(id: string): boolean {
    return this.#archive.communities.has(id);
  }

  communityOf(communityId: string, userId: string): CommunityMember {
    return {
      username: this.#archive.user(userId)?.username,
      community: community(this.#archive, communityId, userId),
    };
  }

  async tweetIdAt({ repository, rkey }: PostAddress): Promise<string> {
    const did = isDid(repository) ? repository : this.#archive.userByName(repository)?.did;
    const uri = atUri({ did: did ?? repository, collection: collections.post, rkey });
    const id = postId(uri, (each) => this.#archive.addressOf(each));
    if (did === undefined || this.#archive.ordinal(id) === undefined || this.#archive.addressOf(id) !== uri)
      throw notFound(`tweet ${uri}`);
    return id;
  }

  termFrequency(term: string): number {
    return this.#archive.index.frequency(term);
  }

  entityCounts(): EntityCounts {
    const { size, users, communities, spaces } = this.#archive;
    return { tweet: size, user: users.size, community: communities.size, space: spaces.size };
  }

  *records(): Generator<ArchiveRecord, void> {
    for (const change of this.#archive.changes())
      if (change.kind !== 'unlike' && change.kind !== 'delete') yield change;
  }

  tweetRecord(id: string): ArchivedTweet | undefined {
    const ordinal = this.#archive.ordinal(id);
    return ordinal === undefined ? undefined : this.#archive.tweet(ordinal);
  }

  /** The tombstone of a tweet that the archive had. */
  #goneTweet(id: string): GoneTweet | undefined {
    const tweet = this.#archive.tombstone(id)?.tweet;
    return (
      tweet && {
        isGone: true,
        authorId: tweet.author_id,
        authorUsername: this.#archive.user(tweet.author_id)?.username,
        mentions: mentionedUsers(this.#archive, tweet.mentions),
        inReplyToId: tweet.in_reply_to_id,
        communityId: tweet.community_id,
      }
    );
  }

  #fullPage(page: Page<number>): Page<Tweet> {
    return { ...page, items: page.items.map(this.#views.tweetFull) };
  }

  #shortPage(page: Page<number>): Page<TweetShort> {
    return { ...page, items: page.items.map(this.#views.tweetShort) };
  }

  /** Throws 404 for a user that no record of the archive names. */
  #knownUser(ref: UserRef): UserIdentity {
    const user = this.#archive.findUser(ref);
    if (user === undefined) throw notFound('username' in ref ? `user ${ref.username}` : `user with id ${ref.user_id}`);
    return user;
  }

  #requireTweet(id: string): number {
    const ordinal = this.#archive.ordinal(id);
    if (ordinal === undefined) throw notFound(`tweet ${id}`);
    return ordinal;
  }

  #requireCommunity(id: string): void {
    if (!this.#archive.communities.has(id)) throw notFound(`community ${id}`);
  }

  #parentOf(ordinal: number): number | undefined {
    const id = this.#archive.tweet(ordinal).in_reply_to_id;
    return id === undefined ? undefined : this.#archive.ordinal(id);
  }

  /** The oldest reply that passes the test, of the oldest `maxRankedReplies`. */
  #oldestReply(ordinal: number, test: (reply: number) => boolean): number | undefined {
    const replies = this.#archive.replies.get(this.#archive.id(ordinal).toString());
    return replies?.sorted(this.#archive.order).slice(0, maxRankedReplies).find(test);
  }

  #newest(timeline: TimelineReader | undefined, limit: number): number[] {
    return timeline === undefined ? [] : [...timeline.sorted(this.#archive.order).slice(-limit).reverse()];
  }
}

/**
 * Reads the archive when a member is used, so a snapshot that waits for a slow connection costs nothing and shows the
 * state of the moment when it is sent.
 */
class ArchiveSnapshot implements TweetSnapshot {
  readonly isGone = false;
  readonly #archive: Archive;
  readonly #id: string;
  /** The ordinal of the tweet at a version of the archive: most events read several members at one version. */
  #found: number;
  #version: number;

  constructor(archive: Archive, id: string, ordinal: number) {
    this.#archive = archive;
    this.#id = id;
    this.#found = ordinal;
    this.#version = archive.version;
  }

  get authorId(): string {
    return this.#record.author_id;
  }

  get authorUsername(): string | undefined {
    return this.#archive.user(this.authorId)?.username;
  }

  get mentions(): readonly KnownUser[] {
    return mentionedUsers(this.#archive, this.#record.entities?.mentions);
  }

  get inReplyToId(): string | undefined {
    return this.#record.in_reply_to_id;
  }

  get communityId(): string | undefined {
    return this.#record.community_id;
  }

  get includedIds(): readonly string[] {
    const { quoted_tweet_id: quoted, retweeted_tweet_id: retweeted } = this.#record;
    return [quoted, retweeted].filter((id) => id !== undefined);
  }

  full(): Tweet {
    return tweetFull(this.#archive, this.#ordinal);
  }

  short(): TweetShort {
    return tweetShort(this.#archive, this.#ordinal);
  }

  engagement(): Schemas['WsEngagement'] {
    return engagement(this.#archive, this.#ordinal);
  }

  document(): TweetDocument {
    return documentOf(this.#record, contextFrom(this.#archive));
  }

  /** The ordinal of the tweet. Throws 404 if it was deleted meanwhile. */
  get #ordinal(): number {
    const { version } = this.#archive;
    if (this.#version === version && !this.#archive.isGone(this.#found)) return this.#found;
    const ordinal = this.#archive.ordinal(this.#id);
    if (ordinal === undefined) throw notFound(`tweet ${this.#id}`);
    this.#found = ordinal;
    this.#version = version;
    return ordinal;
  }

  get #record(): ArchivedTweet {
    return this.#archive.tweet(this.#ordinal);
  }
}

/** The archive as a platform, and as a source of records. */
export const archivePlatform = (durable: Pick<DurableArchive, 'archive' | 'unlike'>): ArchivePlatform =>
  new ArchivePlatform(durable);

/** The list of a key; undefined if the key is undefined, as for a user whose id or username is unknown. */
const listFor = <List>(lists: { get(key: string): List | undefined }, key: string | undefined): List | undefined =>
  key === undefined ? undefined : lists.get(key);

const always = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** A page of a timeline, newest first. */
const timelinePage = (archive: Archive, timeline: TimelineReader | undefined, page: BoundedPageRequest): Page<number> =>
  mergedPage(archive, timeline === undefined ? [] : [timeline], page, always);

/** A page of several timelines, newest first, each tweet once; `span` is [since, until) in milliseconds. */
function mergedPage(
  archive: Archive,
  timelines: readonly TimelineReader[],
  page: BoundedPageRequest,
  span: { since: number; until: number },
): Page<number> {
  const after = page.after === undefined ? undefined : positionIn(page.after);
  const afterId = after === undefined ? 0n : BigInt(after.id);
  const isBefore = (ordinal: number): boolean =>
    archive.createdAt(ordinal) < span.until && (after === undefined || archive.isOlder(ordinal, after.at, afterId));
  const { order } = archive.tweets;
  const items: number[] = [];
  let last: number | undefined;
  const end = (): Position => [archive.createdAt(last ?? 0), String(archive.id(last ?? 0))];
  for (const ordinal of newestFirst(
    timelines.map((timeline) => timeline.upTo(order, isBefore)),
    order,
  )) {
    if (archive.createdAt(ordinal) < span.since || isMissing(page, archive.createdAt(ordinal))) break;
    if (items.length === page.limit) return { items, next: end() };
    items.push(ordinal);
    last = ordinal;
  }
  return { items, next: nextAfterEnd(page, last === undefined ? undefined : end()) };
}

/** A page of a relation, newest first. Skips members without an item. */
function relationPage<Item>(
  relation: RelationReader | undefined,
  page: BoundedPageRequest,
  item: (member: Member) => Item | undefined,
): Page<Item> {
  if (relation === undefined) return { items: [], next: nextAfterEnd(page, undefined) };
  const items: Item[] = [];
  let last: Member | undefined;
  for (const member of relation.newestFirst(page.after === undefined ? undefined : positionIn(page.after))) {
    if (isMissing(page, member.at)) break;
    const next = item(member);
    if (next === undefined) continue;
    // Reads one item ahead to detect the last page.
    if (last !== undefined && items.length === page.limit) return { items, next: [last.at, last.id] };
    items.push(next);
    last = member;
  }
  return { items, next: nextAfterEnd(page, last && [last.at, last.id]) };
}
