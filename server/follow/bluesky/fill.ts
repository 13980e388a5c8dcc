/** Reads single accounts and posts from the AppView, and the lists that belong to them, one page at a time. */
import type { ArchivedUser, ArchiveRecord } from '../../domain/records.ts';
import { isDeepStrictEqual } from 'node:util';
import { fields, list, type Fields } from '../../formats/recognised.ts';
import type { Coverage, Fill, FillRequest, FillSource, FillSubject } from '../../ports/live-source.ts';
import { DeclinedRequest, type Page } from './api.ts';
import { atUri, collections, isDid, isHandle, isRecordKey, readAtUri } from '../../domain/at-uri.ts';
import type { KnownRecords } from './known-records.ts';
import { feedRecords, isHidden, otherPost, withdrawal, type Account, type Span } from './history.ts';
import { withKnownRecords, type PartsWithRecords, type SourceParts } from './options.ts';
import { userOfView } from '../../formats/bluesky/profiles.ts';
import { refresh } from './refresh.ts';
import { keysOf } from '../../text/object.ts';
import { userId } from '../../domain/tid.ts';
import { readPostView, type PostOfView } from '../../formats/bluesky/views.ts';

/** The maximum number of replies in a fill; more only where several have the time of the last one. */
const maxReplies = 100;
/** Replies beyond this number are not read: they would be more than a batch. */
const maxRepliesWithTies = 400;

/** The request for one kind of subject. */
type Request<Subject extends FillSubject> = Omit<FillRequest, 'subject'> & { readonly subject: Subject };
type UserSubject = Extract<FillSubject, { kind: 'user' }>;
type TweetSubject = Extract<FillSubject, { kind: 'tweet' }>;
type PostSubject = Extract<FillSubject, { kind: 'post' }>;
type HeldTweet = Extract<FillSubject, { kind: 'held tweet' }>;
type HeldUser = Extract<FillSubject, { kind: 'held user' }>;
type UserList = Extract<FillSubject, { kind: 'tweets' | 'followings' }>;
type TweetList = Extract<FillSubject, { kind: 'replies' | 'retweeters' }>;

export class BlueskyFills implements FillSource {
  readonly #createParts: () => SourceParts;
  /** Reads no records, so it remembers none. */
  readonly #reader: FillReader;

  /**
   * `createParts`: parts that remember no delivered record. Each fill is durable before the next one of its list, and what a
   * fill brought may be gone again, as after an eviction.
   */
  constructor(createParts: () => SourceParts) {
    this.#createParts = createParts;
    this.#reader = new FillReader(createParts());
  }

  includes(subject: FillSubject): Promise<boolean> {
    return this.#reader.includes(subject);
  }

  read(request: FillRequest): Promise<Fill | undefined> {
    return new FillReader(this.#createParts()).read(request);
  }
}

/** Reads one fill. */
class FillReader {
  readonly #parts: SourceParts;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  async includes(subject: FillSubject): Promise<boolean> {
    switch (subject.kind) {
      case 'user':
        return (await this.#actor(subject)) !== undefined;
      case 'tweet':
        return isPost(subject.reply.uri);
      case 'post':
        return isDid(subject.address.repository) || isHandle(subject.address.repository);
      case 'tweets':
      case 'followings':
      case 'held user':
        return (await this.#account(subject)) !== undefined;
      case 'held tweet':
      case 'replies':
      case 'retweeters':
        return (await this.#post(subject)) !== undefined;
    }
  }

  async read(request: FillRequest): Promise<Fill | undefined> {
    try {
      return await this.#read(request);
    } catch (error) {
      // The AppView does not have the account or the post.
      if (error instanceof DeclinedRequest) return undefined;
      throw error;
    }
  }

  async #read({ subject, ...rest }: FillRequest): Promise<Fill | undefined> {
    switch (subject.kind) {
      case 'user':
        return this.#readUser({ subject, ...rest });
      case 'tweet':
        return this.#readTweet({ subject, ...rest });
      case 'post':
        return this.#readPost({ subject, ...rest });
      case 'held tweet':
        return this.#readTweetAgain({ subject, ...rest });
      case 'held user':
        return this.#readUserAgain({ subject, ...rest });
      case 'tweets':
        return this.#readTweets({ subject, ...rest });
      case 'followings':
        return this.#readFollowings({ subject, ...rest });
      case 'replies':
        return this.#readReplies({ subject, ...rest });
      case 'retweeters':
        return this.#readRetweeters({ subject, ...rest });
    }
  }

  /** The handle or the DID of an account without a profile. A tweet of the account contains its DID. */
  async #actor({ id, username }: UserSubject): Promise<string | undefined> {
    const handle = username?.toLowerCase();
    if (handle !== undefined && isHandle(handle) && !handle.endsWith('.invalid')) return handle;
    if (id === undefined) return undefined;
    for await (const { uri } of this.#parts.recent.tweetsOf(id)) {
      const did = readAtUri(uri)?.did;
      if (did !== undefined && userId(did) === id) return did;
    }
    return undefined;
  }

  /** What is known of a user and a tweet by id. */
  #known(userId?: string, tweetId?: string): Promise<KnownRecords> {
    return this.#parts.recent.read({
      users: userId === undefined ? [] : [userId],
      tweets: tweetId === undefined ? [] : [tweetId],
    });
  }

  async #account({ userId: id }: UserList | HeldUser): Promise<Account | undefined> {
    const did = (await this.#known(id)).profile(id)?.did;
    return did === undefined ? undefined : { did, id };
  }

  /** The address of a held post; reposts have no replies. */
  async #post({ tweetId }: TweetList | HeldTweet): Promise<string | undefined> {
    const uri = (await this.#known(undefined, tweetId)).tweet(tweetId)?.uri;
    return isPost(uri) ? uri : undefined;
  }

  async #readUser({ subject, signal }: Request<UserSubject>): Promise<Fill | undefined> {
    const { api, clock, observer } = this.#parts;
    const actor = await this.#actor(subject);
    if (actor === undefined) return undefined;
    const [view] = await api.profiles([actor], signal);
    if (view === undefined) return undefined;
    const { known, context } = await withKnownRecords(this.#parts, [view]);
    const user = userOfView(view, 'detailed', clock.now(), context);
    if (user === undefined || (user.did !== actor && user.username !== actor)) return undefined;
    if (isHidden(this.#parts, view) || known.isWithdrawn(user.id)) return undefined;
    const knownDid = known.profile(user.id)?.did;
    if (knownDid !== undefined && knownDid !== user.did) {
      observer.rejected('id taken');
      return undefined;
    }
    return { records: [{ kind: 'user', user }], coverage: undefined };
  }

  async #readTweet({ subject, signal }: Request<TweetSubject>): Promise<Fill | undefined> {
    const { api, clock } = this.#parts;
    const thread = await api.thread(subject.reply.uri ?? '', 'parent', signal);
    const view = fields(fields(thread.parent).post);
    const parts = await withKnownRecords(this.#parts, [view]);
    const post = readPostView(view, clock.now(), parts.context);
    const records = post?.tweet.id === subject.tweetId ? otherPost(parts, post) : [];
    return records.length === 0 ? undefined : { records, coverage: undefined };
  }

  async #readPost({ subject, signal }: Request<PostSubject>): Promise<Fill | undefined> {
    const { api, clock } = this.#parts;
    const { repository, rkey } = subject.address;
    const did = isDid(repository) ? repository : await api.resolveHandle(repository, signal);
    if (did === undefined || !isRecordKey(rkey)) return undefined;
    const uri = atUri({ did, collection: collections.post, rkey });
    // A post that was removed here is not fetched again.
    const { known } = await withKnownRecords(this.#parts, [uri]);
    if (known.knows(uri) && known.tweetAt(uri) === undefined) return undefined;
    const [view] = await api.posts([uri], signal);
    if (view === undefined) return undefined;
    const parts = await withKnownRecords(this.#parts, [view]);
    const post = readPostView(view, clock.now(), parts.context);
    const records = post?.uri === uri ? withQuoted(parts, post) : [];
    return records.length === 0 ? undefined : { records, coverage: undefined };
  }

  async #readTweetAgain({ subject, signal }: Request<HeldTweet>): Promise<Fill | undefined> {
    const tweet = (await this.#known(undefined, subject.tweetId)).tweet(subject.tweetId);
    return tweet && { records: await refresh(this.#parts, [tweet], signal), coverage: undefined };
  }

  /** An account that the AppView leaves out twice is deleted, deactivated or withheld. */
  async #readUserAgain({ subject, signal }: Request<HeldUser>): Promise<Fill | undefined> {
    const { api, clock } = this.#parts;
    const account = await this.#account(subject);
    const held = (await this.#known(subject.userId)).profile(subject.userId);
    if (account === undefined || held === undefined) return undefined;
    const read = async (): Promise<Fields | undefined> => (await api.profiles([account.did], signal))[0];
    const view = (await read()) ?? (await read());
    if (view === undefined || isHidden(this.#parts, view))
      return { records: [withdrawal(account.id, clock.now())], coverage: undefined };
    const { context } = await withKnownRecords(this.#parts, [view]);
    const user = userOfView(view, 'detailed', clock.now(), context);
    const isSame =
      user?.did !== account.did ||
      keysOf(user).every((key) => key === 'observed_at' || isDeepStrictEqual(user[key], held[key]));
    return { records: user === undefined || isSame ? [] : [{ kind: 'user', user }], coverage: undefined };
  }

  async #readTweets({ subject, previous, signal }: Request<UserList>): Promise<Fill | undefined> {
    const account = await this.#account(subject);
    if (account === undefined) return undefined;
    const page = await this.#parts.api.authorFeed(account.did, previous?.next, signal);
    const parts = await withKnownRecords(this.#parts, page.items);
    const records: ArchiveRecord[] = [];
    let oldest = previous?.oldest ?? this.#parts.clock.now();
    let anchor = previous?.anchor;
    for (const item of page.items) {
      const span: Span = { uris: new Set(), from: Number.POSITIVE_INFINITY };
      records.push(...this.#noted(feedRecords(parts, account, item, span)));
      const [uri] = span.uris;
      if (uri === undefined) continue;
      oldest = Math.min(oldest, span.from);
      anchor = parts.known.tweetAt(uri)?.id ?? anchor;
    }
    return { records, coverage: { next: cursorAfter(page, previous), oldest, anchor } };
  }

  async #readFollowings({ subject, previous, signal }: Request<UserList>): Promise<Fill | undefined> {
    const account = await this.#account(subject);
    if (account === undefined) return undefined;
    const page = await this.#parts.api.followsPage(account.did, previous?.next, signal);
    return this.#members(page, previous, ({ id }, created_at) => ({
      kind: 'follow',
      follower_id: account.id,
      following_id: id,
      created_at,
    }));
  }

  async #readRetweeters({ subject, previous, signal }: Request<TweetList>): Promise<Fill | undefined> {
    const uri = await this.#post(subject);
    if (uri === undefined) return undefined;
    const page = await this.#parts.api.repostedBy(uri, previous?.next, signal);
    return this.#members(page, previous, ({ id }, created_at) => ({
      kind: 'retweet',
      tweet_id: subject.tweetId,
      user_id: id,
      created_at,
    }));
  }

  /**
   * The records of a page of accounts. The platform gives their order but no times. So each gets a time that is not before the
   * real one: the time of the first fill, and one millisecond less for each account before it. That keeps the order.
   */
  async #members(
    page: Page,
    previous: Coverage | undefined,
    relation: (user: ArchivedUser, at: string) => ArchiveRecord,
  ): Promise<Fill> {
    const { clock, known, context } = await withKnownRecords(this.#parts, page.items);
    let oldest = previous?.oldest ?? clock.now();
    const records: ArchiveRecord[] = [];
    for (const view of page.items) {
      const user = userOfView(view, 'basic', clock.now(), context);
      if (user === undefined || isHidden(this.#parts, view) || known.isWithdrawn(user.id)) continue;
      const profile = known.profile(user.id);
      if (profile?.did !== undefined && profile.did !== user.did) continue;
      oldest--;
      if (profile === undefined) records.push({ kind: 'user', user });
      records.push(relation(user, new Date(oldest).toISOString()));
    }
    return { records, coverage: { next: cursorAfter(page, previous), oldest: oldest - 1 } };
  }

  /** The platform answers all replies at once, so a fill is the next part of them, and continues at their time. */
  async #readReplies({ subject, previous, signal }: Request<TweetList>): Promise<Fill | undefined> {
    const { api, clock } = this.#parts;
    const uri = await this.#post(subject);
    if (uri === undefined) return undefined;
    const thread = await api.thread(uri, 'replies', signal);
    const parts = await withKnownRecords(this.#parts, list(thread.replies));
    const before = previous?.oldest ?? Number.POSITIVE_INFINITY;
    const posts = list(thread.replies)
      .flatMap((reply) => readPostView(fields(reply.post), clock.now(), parts.context) ?? [])
      .filter((post) => post.tweet.in_reply_to_id === subject.tweetId && timeOf(post) < before)
      .toSorted((a, b) => timeOf(b) - timeOf(a));
    const part = firstReplies(posts);
    const records = part.flatMap((post) => this.#noted(withQuoted(parts, post)));
    const last = part.at(-1);
    const anchor = part.findLast((post) => parts.known.tweetAt(post.uri) !== undefined);
    const coverage: Coverage = {
      next: part.length < posts.length ? 'replies' : undefined,
      oldest: last === undefined ? (previous?.oldest ?? clock.now()) : timeOf(last),
      anchor: anchor?.tweet.id ?? previous?.anchor,
    };
    return { records, coverage };
  }

  /** Remembers records, so that a post that several items refer to is one record. */
  #noted(records: readonly ArchiveRecord[]): readonly ArchiveRecord[] {
    for (const record of records) this.#parts.recent.note(record);
    return records;
  }
}

/** A post and the post that it quotes, with their authors. */
function withQuoted(parts: PartsWithRecords, post: PostOfView): ArchiveRecord[] {
  const quoted = post.quotedView && readPostView(post.quotedView, parts.clock.now(), parts.context);
  return [...(quoted === undefined ? [] : otherPost(parts, quoted)), ...otherPost(parts, post)];
}

const isPost = (uri: string | undefined): boolean => readAtUri(uri)?.collection === collections.post;

const timeOf = ({ tweet }: PostOfView): number => Date.parse(tweet.created_at);

/** The newest posts, with all that have the time of the last one. */
function firstReplies(posts: readonly PostOfView[]): readonly PostOfView[] {
  const last = posts[maxReplies - 1];
  if (last === undefined) return posts;
  return posts.filter((post) => timeOf(post) >= timeOf(last)).slice(0, maxRepliesWithTies);
}

/** Where the page after a page begins; undefined after the last one. */
const cursorAfter = ({ cursor }: Page, previous: Coverage | undefined): string | undefined =>
  cursor === previous?.next ? undefined : cursor;
