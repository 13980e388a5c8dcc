/**
 * The archive as a platform that fetches unknown users and tweets from a live platform at the first request for them, and
 * lists page by page. Every answer comes from the archive.
 */
import type { Schemas } from '../../contract/operations.ts';
import type { BoundedPageRequest, Page, PageRequest } from '../../contract/page.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { HeldArchive } from '../../ports/held-records.ts';
import type { FillSubject } from '../../ports/live-source.ts';
import type { CallOptions, KnownUser, Platform, TweetBackground, TweetRef, UserRef } from '../../ports/platform.ts';
import type { Query } from '../../domain/query.ts';
import type { PostAddress } from '../../domain/post-address.ts';
import type { FillCharge } from './fill-limit.ts';
import type { Filler } from './filler.ts';

/** The fetches of one request for a page: of a page without an item, and of one with fewer than the limit. */
const maxFills = { empty: 3, short: 2 } as const;

/** The follower reads the followings of an account that has at most so many. */
const maxFollowings = 10_000;

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];
type User = Schemas['User'];

/** Reads a page of the archive. */
type ReadPage<Item> = (page: BoundedPageRequest) => Promise<Page<Item>>;

export interface FillingPlatformParts {
  /** Its lists read `BoundedPageRequest`. */
  readonly archive: Platform;
  readonly held: HeldArchive;
  readonly filler: Filler;
  /** Whether the follower reads an account, so that the archive has everything that the account follows. */
  readonly isFollowed: (user: ArchivedUser) => boolean;
}

/** A request: its signal, and what it may fetch. */
interface Request {
  readonly options: CallOptions;
  readonly charge: FillCharge;
}

export class FillingPlatform implements Platform {
  readonly #archive: Platform;
  readonly #held: HeldArchive;
  readonly #filler: Filler;
  readonly #isFollowed: FillingPlatformParts['isFollowed'];
  /** The number of responses that are not what the next request could get. */
  #provisional = 0;

  constructor({ archive, held, filler, isFollowed }: FillingPlatformParts) {
    this.#archive = archive;
    this.#held = held;
    this.#filler = filler;
    this.#isFollowed = isFollowed;
  }

  get capabilities(): Platform['capabilities'] {
    return this.#archive.capabilities;
  }

  /** Also changes with each response that must not be cached. */
  revision(): number | undefined {
    const revision = this.#archive.revision();
    return revision === undefined ? undefined : revision + this.#filler.revision + this.#provisional;
  }

  async userInfo(ref: UserRef, options: CallOptions): Promise<Schemas['UserInfo']> {
    await this.#requireUser(ref, options);
    return this.#archive.userInfo(ref, options);
  }

  /** Fetches nothing: a fetch for each of many users would use up what the key of the caller may cause. */
  async users(refs: readonly UserRef[], options: CallOptions): Promise<readonly (User | undefined)[]> {
    return this.#archive.users(refs, options);
  }

  /** Fetches nothing, as `users`. */
  async tweets(refs: readonly TweetRef[], options: CallOptions): Promise<readonly (Tweet | undefined)[]> {
    return this.#archive.tweets(refs, options);
  }

  async lastTweets(ref: UserRef, replies: boolean, page: PageRequest, options: CallOptions): Promise<Page<Tweet>> {
    return this.#userList('tweets', ref, page, options, (bounded) =>
      this.#archive.lastTweets(ref, replies, bounded, options),
    );
  }

  async followings(ref: UserRef, page: PageRequest, options: CallOptions): Promise<Page<User>> {
    return this.#userList('followings', ref, page, options, (bounded) =>
      this.#archive.followings(ref, bounded, options),
    );
  }

  async replies(tweetId: string, page: PageRequest, options: CallOptions): Promise<Page<Tweet>> {
    return this.#tweetList('replies', tweetId, page, options, (bounded) =>
      this.#archive.replies(tweetId, bounded, options),
    );
  }

  async retweeters(tweetId: string, page: PageRequest, options: CallOptions): Promise<Page<User>> {
    return this.#tweetList('retweeters', tweetId, page, options, (bounded) =>
      this.#archive.retweeters(tweetId, bounded, options),
    );
  }

  /** Fetches the user, but no followers: an account can have millions, and no platform has them in the order of the follows. */
  async followers(ref: UserRef, page: PageRequest, options: CallOptions): Promise<Page<User>> {
    await this.#requireUser(ref, options);
    return this.#archive.followers(ref, page, options);
  }

  /** Fetches the tweet, but no quotes. */
  async quotes(tweetId: string, page: PageRequest, options: CallOptions): Promise<Page<Tweet>> {
    await this.#fillTweet(tweetId, this.#request(options));
    return this.#archive.quotes(tweetId, page, options);
  }

  async highlights(ref: UserRef, page: PageRequest, options: CallOptions): Promise<Page<Tweet>> {
    await this.#requireUser(ref, options);
    return this.#archive.highlights(ref, page, options);
  }

  async mentions(
    ref: UserRef,
    span: { since: number; until: number },
    page: PageRequest,
    options: CallOptions,
  ): Promise<Page<TweetShort>> {
    await this.#requireUser(ref, options);
    return this.#archive.mentions(ref, span, page, options);
  }

  async communitiesOf(username: string, page: PageRequest, options: CallOptions): Promise<Page<Schemas['Community']>> {
    await this.#requireUser({ username }, options);
    return this.#archive.communitiesOf(username, page, options);
  }

  liked(tweetId: string, options: CallOptions): Promise<boolean> {
    return this.#archive.liked(tweetId, options);
  }

  async unlike(tweetId: string, options: CallOptions): Promise<boolean> {
    return this.#archive.unlike(tweetId, options);
  }

  async search(
    query: Query,
    order: 'Latest' | 'Top',
    page: PageRequest,
    options: CallOptions,
  ): Promise<Page<TweetShort>> {
    return this.#archive.search(query, order, page, options);
  }

  counts(...call: Parameters<Platform['counts']>): ReturnType<Platform['counts']> {
    return this.#archive.counts(...call);
  }

  async discover(communityId: string, page: PageRequest, options: CallOptions): Promise<Page<TweetShort>> {
    return this.#archive.discover(communityId, page, options);
  }

  async communityMedia(communityId: string, page: PageRequest, options: CallOptions): Promise<Page<TweetShort>> {
    return this.#archive.communityMedia(communityId, page, options);
  }

  async communityInfo(id: string, options: CallOptions): Promise<Schemas['CommunityInfo']> {
    return this.#archive.communityInfo(id, options);
  }

  async space(id: string, options: CallOptions): Promise<Schemas['Space']> {
    return this.#archive.space(id, options);
  }

  async tweet(id: string, options: CallOptions): Promise<Tweet> {
    await this.#fillTweet(id, this.#request(options));
    return this.#archive.tweet(id, options);
  }

  async tweetIdAt(address: PostAddress, options: CallOptions): Promise<string> {
    try {
      return await this.#archive.tweetIdAt(address, options);
    } catch (error) {
      const subject = { kind: 'post', address } as const;
      if (!(error instanceof ServiceError) || error.status !== 404 || !(await this.#filler.includes(subject)))
        throw error;
      const { charge } = this.#request(options);
      await this.#filler.fill(subject, charge, options.signal);
      return this.#archive.tweetIdAt(address, options);
    }
  }

  async user(ref: UserRef, options: CallOptions): Promise<KnownUser> {
    await this.#requireUser(ref, options);
    return this.#archive.user(ref, options);
  }

  async thread(tweetId: string, limit: number, options: CallOptions): Promise<readonly Tweet[]> {
    await this.#fillThread(tweetId, limit, this.#request(options));
    return this.#archive.thread(tweetId, limit, options);
  }

  async continuation(tweetId: string, limit: number, options: CallOptions): Promise<readonly Tweet[]> {
    await this.#fillTweet(tweetId, this.#request(options));
    return this.#archive.continuation(tweetId, limit, options);
  }

  /** Fetches the thread, as `thread`. */
  async conversation(...call: Parameters<Platform['conversation']>): ReturnType<Platform['conversation']> {
    const [tweetId, { thread }, options] = call;
    await this.#fillThread(tweetId, thread, this.#request(options));
    return this.#archive.conversation(...call);
  }

  repliesBelow(...call: Parameters<Platform['repliesBelow']>): ReturnType<Platform['repliesBelow']> {
    return this.#archive.repliesBelow(...call);
  }

  present(...call: Parameters<Platform['present']>): ReturnType<Platform['present']> {
    return this.#archive.present(...call);
  }

  /** Fetches nothing: the ids are those of tweets that the caller has. */
  async backgrounds(ids: readonly string[], options: CallOptions): Promise<readonly (TweetBackground | undefined)[]> {
    return this.#archive.backgrounds(ids, options);
  }

  snapshots(ids: readonly string[], options: CallOptions): ReturnType<Platform['snapshots']> {
    return this.#archive.snapshots(ids, options);
  }

  hasCommunity(id: string, options: CallOptions): ReturnType<Platform['hasCommunity']> {
    return this.#archive.hasCommunity(id, options);
  }

  communityOf(communityId: string, userId: string, options: CallOptions): ReturnType<Platform['communityOf']> {
    return this.#archive.communityOf(communityId, userId, options);
  }

  #request(options: CallOptions): Request {
    return { options, charge: this.#filler.charge(options.keyId) };
  }

  async #userList<Item>(
    kind: 'tweets' | 'followings',
    ref: UserRef,
    page: PageRequest,
    options: CallOptions,
    read: ReadPage<Item>,
  ): Promise<Page<Item>> {
    const request = this.#request(options);
    try {
      await this.#fillUser(ref, request);
    } catch (error) {
      return this.#heldPage(page, read, error);
    }
    const userId = (await this.#held.identity(ref))?.id;
    return userId === undefined ? read(page) : this.#list({ kind, userId }, page, request, read);
  }

  async #tweetList<Item>(
    kind: 'replies' | 'retweeters',
    tweetId: string,
    page: PageRequest,
    options: CallOptions,
    read: ReadPage<Item>,
  ): Promise<Page<Item>> {
    const request = this.#request(options);
    await this.#fillTweet(tweetId, request);
    return this.#list({ kind, tweetId }, page, request, read);
  }

  /** A page of a list of which the archive may have a part only: fetches the next part where the page needs it. */
  async #list<Item>(
    subject: FillSubject,
    page: PageRequest,
    request: Request,
    read: ReadPage<Item>,
  ): Promise<Page<Item>> {
    if (!(await this.#filler.includes(subject)) || (await this.#isWhole(subject))) return read(page);
    const { options, charge } = request;
    if (page.after === undefined) await this.#renew(subject, request);
    for (let fills = 0; ; fills++) {
      const coverage = await this.#filler.coverage(subject);
      if (coverage !== undefined && coverage.next === undefined) return read(page);
      const bounded = { ...page, newerThan: coverage?.oldest ?? Number.NEGATIVE_INFINITY };
      const held = await read(bounded);
      if (coverage !== undefined && held.items.length === page.limit) return held;
      const isEmpty = held.items.length === 0 || coverage === undefined;
      if (fills >= (isEmpty ? maxFills.empty : maxFills.short)) return this.#asProvisional(held);
      try {
        if ((await this.#filler.fill(subject, charge, options.signal)) === 'absent')
          return this.#asProvisional(await read(page));
      } catch (error) {
        return this.#heldPage(page, async () => held, error);
      }
    }
  }

  /**
   * Fetches the newest tweets of a list again, some time after the last fetch. Not those of a followed account, and not the
   * members of a list: those of several fetches have no common order.
   */
  async #renew(subject: FillSubject, { options, charge }: Request): Promise<void> {
    if ((subject.kind !== 'tweets' && subject.kind !== 'replies') || !(await this.#filler.isStale(subject))) return;
    const author = subject.kind === 'tweets' ? await this.#profile(subject.userId) : undefined;
    if (author !== undefined && this.#isFollowed(author)) return;
    try {
      await this.#filler.fill(subject, charge, options.signal, 'newest');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#provisional++;
    }
  }

  /**
   * Reads a held tweet or account again where the last time is long ago and no follower keeps it current: it can have changed, or
   * be gone. When the platform is unavailable, the answer is what the archive has.
   */
  async #renewHeld(
    subject: Extract<FillSubject, { kind: 'held tweet' | 'held user' }>,
    { observed_at = '' }: Pick<ArchivedUser, 'observed_at'>,
    { options, charge }: Request,
  ): Promise<void> {
    const author = subject.kind === 'held user' ? subject.userId : (await this.#tweet(subject.tweetId))?.author_id;
    const profile = author === undefined ? undefined : await this.#profile(author);
    if (profile !== undefined && this.#isFollowed(profile)) return;
    try {
      await this.#filler.renew(subject, Date.parse(observed_at) || 0, charge, options.signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#provisional++;
    }
  }

  /** Whether the follower keeps a list whole. */
  async #isWhole(subject: FillSubject): Promise<boolean> {
    const user = subject.kind === 'followings' ? await this.#profile(subject.userId) : undefined;
    return user !== undefined && (user.following_count ?? 0) <= maxFollowings && this.#isFollowed(user);
  }

  /** What the archive has when the platform is unavailable: not the end of the list. Throws the error if it has nothing. */
  async #heldPage<Item>(page: PageRequest, read: ReadPage<Item>, error: unknown): Promise<Page<Item>> {
    if (!(error instanceof ServiceError)) throw error;
    const held = await read({ ...page, newerThan: Number.NEGATIVE_INFINITY }).catch((missing: unknown) => {
      throw missing instanceof ServiceError && missing.status === 404 ? error : missing;
    });
    if (held.items.length === 0) throw error;
    return this.#asProvisional(held);
  }

  /** Keeps a page out of the caches: the next request for it can get more, without a change of the archive. */
  #asProvisional<Item>(page: Page<Item>): Page<Item> {
    this.#provisional++;
    return page;
  }

  /** Fetches the profile of a user without one. An error matters only where the archive does not know the user. */
  async #requireUser(ref: UserRef, options: CallOptions): Promise<void> {
    try {
      await this.#fillUser(ref, this.#request(options));
    } catch (error) {
      if (!(error instanceof ServiceError) || (await this.#held.identity(ref)) === undefined) throw error;
      this.#provisional++;
    }
  }

  async #fillUser(ref: UserRef, request: Request): Promise<void> {
    const { options, charge } = request;
    const known = await this.#held.identity(ref);
    const id = known?.id ?? ('user_id' in ref ? ref.user_id : undefined);
    const held = id === undefined ? undefined : await this.#held.read({ tweets: [], users: [id] });
    const profile = id === undefined ? undefined : held?.profile(id);
    if (profile !== undefined) return this.#renewHeld({ kind: 'held user', userId: profile.id }, profile, request);
    if (id !== undefined && held?.isWithdrawn(id) === true) return;
    const username = 'username' in ref ? ref.username.replace(/^@/, '') : known?.username;
    const subject = { kind: 'user', id, username } as const;
    if (await this.#filler.includes(subject)) await this.#filler.fill(subject, charge, options.signal);
  }

  async #fillTweet(tweetId: string, request: Request): Promise<void> {
    const { options, charge } = request;
    const part = await this.#held.read({ tweets: [tweetId], users: [] });
    const held = part.tweet(tweetId);
    if (held !== undefined) return this.#renewHeld({ kind: 'held tweet', tweetId }, held, request);
    if (part.isRemoved(tweetId)) return;
    const reply = await this.#held.replyTo(tweetId);
    const subject = reply && ({ kind: 'tweet', tweetId, reply } as const);
    if (subject !== undefined && (await this.#filler.includes(subject)))
      await this.#filler.fill(subject, charge, options.signal);
  }

  /** Fetches a tweet, and what is missing of its nearest `limit` ancestors, at most `maxFills.empty` of them. */
  async #fillThread(tweetId: string, limit: number, request: Request): Promise<void> {
    await this.#fillTweet(tweetId, request);
    let fills = 0;
    let id = (await this.#tweet(tweetId))?.in_reply_to_id;
    for (let count = 0; id !== undefined && count < limit; count++) {
      const held = await this.#tweet(id);
      if (held === undefined && !(await this.#hasFilled(id, fills++, request))) return;
      id = (held ?? (await this.#tweet(id)))?.in_reply_to_id;
    }
  }

  async #hasFilled(tweetId: string, fills: number, request: Request): Promise<boolean> {
    if (fills >= maxFills.empty) return false;
    try {
      await this.#fillTweet(tweetId, request);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#provisional++;
    }
    return (await this.#tweet(tweetId)) !== undefined;
  }

  async #tweet(id: string): Promise<ArchivedTweet | undefined> {
    return (await this.#held.read({ tweets: [id], users: [] })).tweet(id);
  }

  async #profile(userId: string): Promise<ArchivedUser | undefined> {
    return (await this.#held.read({ tweets: [], users: [userId] })).profile(userId);
  }
}
