/**
 * A platform over plain arrays: each method looks at every record. It is the simplest program that passes the suite of
 * the port, and the oracle that other adapters are compared with. It takes each entity once, and does not merge: its records
 * can be the content of an archive, with tombstones, withdrawn accounts, and the ends of relations.
 */
import type { Schemas } from '../../../server/contract/operations.ts';
import type { Page, PageRequest, Position } from '../../../server/contract/page.ts';
import { badRequest, notFound, ServiceError } from '../../../server/contract/service-error.ts';
import type { SnapshotChange } from '../../../server/archive/rules/change.ts';
import { compareIds } from '../../../server/domain/record-id.ts';
import type { RemovedTweet } from '../../../server/domain/tombstone.ts';
import {
  allExcept,
  type CallOptions,
  type CommunityMember,
  type ConversationPart,
  type CountSpan,
  type GoneTweet,
  type KnownUser,
  type Platform,
  type TweetBackground,
  type TweetConversation,
  type TweetCounts,
  type TweetRef,
  type TweetRelations,
  type TweetSnapshot,
  type UserRef,
} from '../../../server/ports/platform.ts';
import { counts, userCounts, type ArchivedTweet, type ArchivedUser } from '../../../server/domain/records.ts';
import { space as spaceView } from '../../../server/archive/reads/views.ts';
import { documentOf } from '../../../server/search/document.ts';
import type { TweetDocument } from '../../../server/domain/tweet-document.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import type { PostAddress } from '../../../server/domain/post-address.ts';
import type { Query } from '../../../server/domain/query.ts';
import { ContentContext, describedUsers, older } from '../../support/content-context.ts';

type RecordOf<Kind extends SnapshotChange['kind']> = Extract<SnapshotChange, { kind: Kind }>;
type Tweet = Schemas['Tweet'];
type Mention = { readonly username: string; readonly id?: string };
/** `isEnd`: the end of a relation, which starts up to this time do not count after. */
type Member = { readonly id: string; readonly at: number; readonly isEnd?: boolean };

const timeOf = (timestamp: string | undefined): number => (timestamp === undefined ? 0 : Date.parse(timestamp));
const text = (timestamp: string): string => new Date(timestamp).toISOString();
const newer = (a: Member, b: Member): number => b.at - a.at || compareIds(b.id, a.id);
const engagementOf = ({ like_count = 0, retweet_count = 0, quote_count = 0, reply_count = 0 }: ArchivedTweet): number =>
  Math.min(like_count + 2 * retweet_count + 2 * quote_count + reply_count, Number.MAX_SAFE_INTEGER);
const countsOf = (tweet: ArchivedTweet) => ({
  retweet_count: tweet.retweet_count ?? 0,
  reply_count: tweet.reply_count ?? 0,
  like_count: tweet.like_count ?? 0,
  quote_count: tweet.quote_count ?? 0,
  bookmark_count: tweet.bookmark_count ?? 0,
  view_count: tweet.view_count ?? 0,
});

/** A page of a list. The position is the key of the last item, so items that come before it later do not matter. */
function pageOf<Item, View>(
  items: readonly Item[],
  { after, limit }: PageRequest,
  keyOf: (item: Item) => string,
  view: (item: Item) => View,
): Page<View> {
  const previous = after === undefined ? undefined : items.findIndex((item) => keyOf(item) === after[0]);
  if (previous === -1) throw badRequest("'cursor' belongs to another platform");
  const from = previous === undefined ? 0 : previous + 1;
  const shown = items.slice(from, from + limit);
  const last = shown.at(-1);
  const next: Position | null = last !== undefined && from + limit < items.length ? [keyOf(last)] : null;
  return { items: shown.map(view), next };
}

/** A result; undefined for 404. */
const orMissing = async <Result>(result: Promise<Result>): Promise<Result | undefined> =>
  result.catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  });

export class MemoryPlatform implements Platform {
  readonly capabilities = allExcept({});
  readonly #records: SnapshotChange[] = [];
  readonly #gone = new Set<string>();
  #revision = 0;
  /** What all records together say, at a revision. */
  #known: {
    readonly revision: number;
    readonly context: ContentContext;
    readonly documents: Map<string, TweetDocument>;
  } = {
    ...{ revision: -1, context: new ContentContext([]), documents: new Map() },
  };

  add(records: readonly SnapshotChange[]): void {
    this.#records.push(...records);
    this.#revision++;
  }

  /** Deletes a tweet; its tombstone stays. */
  remove(tweetId: string): void {
    this.#gone.add(tweetId);
    this.#revision++;
  }

  /** Lifts the tombstone of a tweet. */
  restore(tweetId: string): void {
    this.#gone.delete(tweetId);
    this.#revision++;
  }

  revision(): number {
    return this.#revision;
  }

  async userInfo(ref: UserRef, options: CallOptions): Promise<Schemas['UserInfo']> {
    const { id, username } = await this.user(ref, options);
    if (id === undefined) throw notFound(`the id of user ${username ?? ''}`);
    const profile = this.#profile(id);
    return { user: this.#user(id), unknown_counts: userCounts.filter((name) => profile?.[name] === undefined) };
  }

  async users(refs: readonly UserRef[], options: CallOptions): Promise<readonly (Schemas['User'] | undefined)[]> {
    return Promise.all(refs.map(async (ref) => orMissing(this.userInfo(ref, options)).then((info) => info?.user)));
  }

  async tweets(refs: readonly TweetRef[]): Promise<readonly (Tweet | undefined)[]> {
    return Promise.all(
      refs.map(async (ref) =>
        orMissing((typeof ref === 'string' ? Promise.resolve(ref) : this.tweetIdAt(ref)).then((id) => this.tweet(id))),
      ),
    );
  }

  async lastTweets(
    ref: UserRef,
    includeReplies: boolean,
    page: PageRequest,
    options: CallOptions,
  ): Promise<Page<Tweet>> {
    const { id } = await this.user(ref, options);
    return this.#fullPage(
      this.#newest((tweet) => tweet.author_id === id && (includeReplies || tweet.in_reply_to_id === undefined)),
      page,
    );
  }

  async highlights(ref: UserRef, page: PageRequest, options: CallOptions): Promise<Page<Tweet>> {
    const { id } = await this.user(ref, options);
    const members = this.#members('highlight', (each) => (each.user_id === id ? each.tweet_id : undefined));
    const { did, pinned_tweet_ids: pinned = [] } = (id === undefined ? undefined : this.#profile(id)) ?? {};
    const others = (did === undefined ? [] : pinned).filter((each) => members.every((member) => member.id !== each));
    const pins = others.map((each) => ({ id: each, at: timeOf(this.#find(each)?.created_at) }));
    return pageOf(
      [...members, ...pins].sort(newer).flatMap((each) => this.#find(each.id) ?? []),
      page,
      (tweet) => tweet.id,
      (tweet) => this.#full(tweet),
    );
  }

  async followings(ref: UserRef, page: PageRequest, options: CallOptions): Promise<Page<Schemas['User']>> {
    const { id } = await this.user(ref, options);
    const members = this.#members('follow', (each) => (each.follower_id === id ? each.following_id : undefined));
    return pageOf(
      members,
      page,
      (member) => member.id,
      (member) => this.#user(member.id),
    );
  }

  async followers(ref: UserRef, page: PageRequest, options: CallOptions): Promise<Page<Schemas['User']>> {
    const { id } = await this.user(ref, options);
    const members = this.#members('follow', (each) => (each.following_id === id ? each.follower_id : undefined));
    return pageOf(
      members,
      page,
      (member) => member.id,
      (member) => this.#user(member.id),
    );
  }

  async mentions(
    ref: UserRef,
    { since, until }: { since: number; until: number },
    page: PageRequest,
    options: CallOptions,
  ): Promise<Page<Schemas['TweetShort']>> {
    const { id, username } = await this.user(ref, options);
    // A username without an id means the user who has it now.
    const hasName = id === undefined || (username !== undefined && this.#userNamed(username)?.id === id);
    const isMeant = (each: Mention): boolean =>
      each.id !== undefined && id !== undefined
        ? each.id === id
        : hasName && each.username.toLowerCase() === username?.toLowerCase();
    const mentioning = this.#newest((tweet) => {
      const at = Date.parse(tweet.created_at);
      return at >= since && at < until && mentionsOf(tweet).some(isMeant);
    });
    return this.#shortPage(mentioning, page);
  }

  async replies(tweetId: string, page: PageRequest): Promise<Page<Tweet>> {
    this.#require(tweetId);
    return this.#fullPage(
      this.#newest((tweet) => tweet.in_reply_to_id === tweetId),
      page,
    );
  }

  async retweeters(tweetId: string, page: PageRequest): Promise<Page<Schemas['User']>> {
    this.#require(tweetId);
    const retweets = this.#tweets().flatMap((tweet): Member[] =>
      tweet.retweeted_tweet_id === tweetId ? [{ id: tweet.author_id, at: Date.parse(tweet.created_at) }] : [],
    );
    const named = this.#ofKind('retweet').flatMap((each): Member[] =>
      each.tweet_id === tweetId ? [{ id: each.user_id, at: timeOf(each.created_at) }] : [],
    );
    const ends = this.#ofKind('unretweet').flatMap((each): Member[] =>
      each.tweet_id === tweetId ? [{ id: each.user_id, at: timeOf(each.at), isEnd: true }] : [],
    );
    return pageOf(
      starts([...named, ...retweets, ...ends]),
      page,
      (member) => member.id,
      (member) => this.#user(member.id),
    );
  }

  async quotes(tweetId: string, page: PageRequest): Promise<Page<Tweet>> {
    this.#require(tweetId);
    return this.#fullPage(
      this.#newest((tweet) => tweet.quoted_tweet_id === tweetId && tweet.retweeted_tweet_id === undefined),
      page,
    );
  }

  async search(query: Query, order: 'Latest' | 'Top', page: PageRequest): Promise<Page<Schemas['TweetShort']>> {
    const condition = compileQuery(query);
    const found = this.#newest((tweet) => matches(condition, this.#document(tweet), Date.now()));
    return this.#shortPage(
      order === 'Latest' ? found : found.toSorted((a, b) => engagementOf(b) - engagementOf(a)),
      page,
    );
  }

  async counts(query: Query, { since, until, bucketMs, most = Infinity }: CountSpan): Promise<TweetCounts> {
    const condition = compileQuery(query);
    const times = this.#tweets()
      .filter((tweet) => matches(condition, this.#document(tweet), Date.now()))
      .map((tweet) => Date.parse(tweet.created_at))
      .filter((at) => at >= since && at < until);
    const buckets = new Map<number, number>();
    for (const at of times) {
      const bucket = bucketMs === undefined ? 0 : Math.floor(at / bucketMs);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
    }
    return { buckets: [...buckets], isWhole: times.length <= most };
  }

  async discover(communityId: string, page: PageRequest): Promise<Page<Schemas['TweetShort']>> {
    this.#requireCommunity(communityId);
    const rank = (tweet: ArchivedTweet): number =>
      Date.parse(tweet.created_at) + 1000 * Math.round(86_400 * Math.log2(engagementOf(tweet) + 1));
    const tweets = this.#newest((tweet) => tweet.community_id === communityId);
    return this.#shortPage(
      tweets.toSorted((a, b) => rank(b) - rank(a) || Number(BigInt(b.id) - BigInt(a.id))),
      page,
    );
  }

  async communityMedia(communityId: string, page: PageRequest): Promise<Page<Schemas['TweetShort']>> {
    this.#requireCommunity(communityId);
    const hasMedia = ({ media }: ArchivedTweet): boolean => media !== undefined && media.length > 0;
    return this.#shortPage(
      this.#newest((tweet) => tweet.community_id === communityId && hasMedia(tweet)),
      page,
    );
  }

  async communityInfo(id: string): Promise<Schemas['CommunityInfo']> {
    const record = this.#ofKind('community').find(({ community }) => community.id === id)?.community;
    if (record === undefined) throw notFound(`community ${id}`);
    const { name, description = '', member_count, moderator_count, join_policy = 'open' } = record;
    const unknown = (['member_count', 'moderator_count'] as const).filter((each) => record[each] === undefined);
    return {
      community: {
        id,
        name,
        description,
        member_count: member_count ?? 0,
        moderator_count: moderator_count ?? 0,
        join_policy,
      },
      unknown_counts: unknown,
    };
  }

  async communitiesOf(username: string, page: PageRequest, options: CallOptions): Promise<Page<Schemas['Community']>> {
    const { id = '' } = await this.user({ username }, options);
    const members = this.#members('membership', (each) => (each.user_id === id ? each.community_id : undefined));
    if (members.length === 0 && this.#profile(id)?.did !== undefined)
      throw new ServiceError(501, 'Bluesky has no communities');
    const communities = members.flatMap((member) => this.communityOf(member.id, id).community ?? []);
    return pageOf(
      communities,
      page,
      (community) => community.id,
      (community) => community,
    );
  }

  async space(id: string): Promise<Schemas['Space']> {
    const record = this.#ofKind('space').find(({ space }) => space.id === id)?.space;
    if (record === undefined) throw notFound(`space ${id}`);
    // The view is that of the archive: a field that the contract adds to a space needs no second definition here.
    return spaceView({ user: (userId) => this.#profile(userId) }, record);
  }

  async liked(tweetId: string): Promise<boolean> {
    return this.#records.some((record) => record.kind === 'like' && record.tweet_id === tweetId);
  }

  async unlike(tweetId: string): Promise<boolean> {
    const like = this.#records.findIndex((record) => record.kind === 'like' && record.tweet_id === tweetId);
    const tweet = this.#find(tweetId);
    if (like < 0 && tweet === undefined) throw notFound(`tweet ${tweetId}`);
    if (like < 0) return false;
    this.#records.splice(like, 1);
    if (tweet?.like_count !== undefined && tweet.like_count > 0) tweet.like_count--;
    this.#revision++;
    return true;
  }

  async tweet(id: string): Promise<Tweet> {
    return this.#full(this.#require(id));
  }

  async tweetIdAt({ repository, rkey }: PostAddress): Promise<string> {
    const users = this.#ofKind('user').map(({ user }) => user);
    const did = users.find(({ username }) => username === repository)?.did ?? repository;
    const uri = `at://${did}/app.bsky.feed.post/${rkey}`;
    const tweet = this.#tweets().find((each) => each.uri === uri);
    if (tweet !== undefined) return tweet.id;
    throw notFound(`tweet ${uri}`);
  }

  async user(ref: UserRef, _options: CallOptions): Promise<KnownUser> {
    const found = 'username' in ref ? this.#userByName(ref.username.replace(/^@/, '')) : this.#userById(ref.user_id);
    if (found === undefined) throw notFound('username' in ref ? `user ${ref.username}` : `user with id ${ref.user_id}`);
    return found;
  }

  async thread(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    const seen = [this.#require(tweetId)];
    for (let parent = this.#parentOf(seen[0]); parent !== undefined && !seen.includes(parent);) {
      seen.push(parent);
      parent = this.#parentOf(parent);
    }
    return seen
      .slice(1, limit + 1)
      .toReversed()
      .map((tweet) => this.#full(tweet));
  }

  async conversation(tweetId: string, limits: Readonly<Record<ConversationPart, number>>): Promise<TweetConversation> {
    const subject = this.#require(tweetId);
    const isReply = (tweet: ArchivedTweet): boolean => tweet.in_reply_to_id !== undefined;
    const part = (tweets: readonly ArchivedTweet[], limit: number): Tweet[] =>
      tweets.slice(0, limit).map((tweet) => this.#full(tweet));
    const top = (isIn: (tweet: ArchivedTweet) => boolean): ArchivedTweet[] =>
      this.#newest(isIn).toSorted((a, b) => engagementOf(b) - engagementOf(a));
    const authored = this.#newest(
      (tweet) =>
        tweet.id !== tweetId &&
        tweet.author_id === subject.author_id &&
        tweet.retweeted_tweet_id === undefined &&
        isReply(tweet) === isReply(subject),
    );
    return {
      tweet: this.#full(subject),
      thread: await this.thread(tweetId, limits.thread),
      replies: part(
        top((tweet) => tweet.in_reply_to_id === tweetId),
        limits.replies,
      ),
      quotes: part(
        top((tweet) => tweet.quoted_tweet_id === tweetId && tweet.retweeted_tweet_id === undefined),
        limits.quotes,
      ),
      authored: part(authored, limits.authored),
      continuation: await this.continuation(tweetId, limits.continuation),
    };
  }

  async repliesBelow(
    tweetIds: readonly string[],
    { levels, limit }: { readonly levels: number; readonly limit: number },
  ): Promise<readonly Schemas['TweetShort'][]> {
    const found = new Set<ArchivedTweet>();
    let above = tweetIds;
    for (let level = 0; level < levels; level++) {
      const parents = new Set(above);
      const replies = this.#newest(({ in_reply_to_id: parent }) => parent !== undefined && parents.has(parent));
      const fresh = replies.slice(0, limit).filter((tweet) => !found.has(tweet));
      for (const tweet of fresh) found.add(tweet);
      above = fresh.map(({ id }) => id);
    }
    return Array.from(found, (tweet) => this.#short(tweet));
  }

  async present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter((id) => this.#find(id) !== undefined));
  }

  async continuation(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    const chain = [this.#require(tweetId)];
    for (let next: ArchivedTweet | undefined = chain[0]; next !== undefined && chain.length <= limit;) {
      const { id, author_id } = next;
      next = this.#newest(
        (tweet) => tweet.in_reply_to_id === id && tweet.author_id === author_id && !chain.includes(tweet),
      ).at(-1);
      if (next !== undefined) chain.push(next);
    }
    return chain.slice(1).map((tweet) => this.#full(tweet));
  }

  async backgrounds(ids: readonly string[]): Promise<readonly (TweetBackground | undefined)[]> {
    return ids.map((id) => {
      const tweet = this.#find(id);
      return (
        tweet && {
          knownCounts: counts.filter((name) => tweet[name] !== undefined),
          inReplyToId: tweet.in_reply_to_id,
          inReplyToUsername: tweet.in_reply_to_username,
          quotedId: tweet.quoted_tweet_id,
          retweetedId: tweet.retweeted_tweet_id,
          lang: tweet.lang,
        }
      );
    });
  }

  /** Waits, as a platform on a network does. */
  async snapshots(ids: readonly string[]): Promise<readonly (TweetSnapshot | GoneTweet | undefined)[]> {
    await new Promise(setImmediate);
    return ids.map((id) => {
      const tweet = this.#find(id);
      if (tweet === undefined) {
        const tombstone = this.#ofKind('delete').find((each) => each.tweet_id === id);
        const removed = tombstone !== undefined && 'tombstone' in tombstone ? tombstone.tombstone : undefined;
        return removed && { ...this.#relations(removed), isGone: true };
      }
      return {
        ...this.#relations(removedForm(tweet)),
        isGone: false,
        includedIds: [tweet.quoted_tweet_id, tweet.retweeted_tweet_id].filter((each) => each !== undefined),
        full: () => this.#full(tweet),
        short: () => this.#short(tweet),
        engagement: () => ({ tweet_id: id, ...countsOf(tweet) }),
        document: () => this.#document(tweet),
      };
    });
  }

  #relations({ author_id, mentions = [], in_reply_to_id, community_id }: RemovedTweet): TweetRelations {
    return {
      authorId: author_id,
      authorUsername: this.#profile(author_id)?.username,
      mentions: mentions.map((each) => ({ id: each.id ?? this.#mentioned(each)?.id, username: each.username })),
      inReplyToId: in_reply_to_id,
      communityId: community_id,
    };
  }

  hasCommunity(id: string): boolean {
    return this.#ofKind('community').some(({ community }) => community.id === id);
  }

  communityOf(communityId: string, userId: string): CommunityMember {
    const record = this.#ofKind('community').find(({ community }) => community.id === communityId)?.community;
    const membership = this.#ofKind('membership').findLast(
      (each) => each.community_id === communityId && each.user_id === userId,
    );
    const username = this.#profile(userId)?.username;
    if (record === undefined || membership === undefined) return { username, community: undefined };
    const community = {
      id: communityId,
      name: record.name,
      description: record.description ?? '',
      member_count: record.member_count ?? 0,
      moderator_count: record.moderator_count ?? 0,
      role: membership.role,
      join_policy: record.join_policy ?? ('open' as const),
    };
    return { username, community };
  }

  /** The records, with tombstones instead of the deleted tweets. */
  #content(): SnapshotChange[] {
    return this.#records.map((record) =>
      record.kind === 'tweet' && this.#gone.has(record.tweet.id)
        ? { kind: 'delete', tweet_id: record.tweet.id, reason: 'deleted', tombstone: removedForm(record.tweet) }
        : record,
    );
  }

  #ofKind<Kind extends SnapshotChange['kind']>(kind: Kind): RecordOf<Kind>[] {
    return this.#content().filter((record): record is RecordOf<Kind> => record.kind === kind);
  }

  #tweets(): ArchivedTweet[] {
    return this.#ofKind('tweet').map(({ tweet }) => tweet);
  }

  #newest(passes: (tweet: ArchivedTweet) => boolean): ArchivedTweet[] {
    return this.#tweets()
      .filter(passes)
      .sort((a, b) => older(b, a));
  }

  #find(id: string): ArchivedTweet | undefined {
    return this.#tweets().find((tweet) => tweet.id === id);
  }

  #require(id: string): ArchivedTweet {
    const tweet = this.#find(id);
    if (tweet === undefined) throw notFound(`tweet ${id}`);
    return tweet;
  }

  #requireCommunity(id: string): void {
    if (!this.hasCommunity(id)) throw notFound(`community ${id}`);
  }

  #parentOf(tweet: ArchivedTweet | undefined): ArchivedTweet | undefined {
    return tweet?.in_reply_to_id === undefined ? undefined : this.#find(tweet.in_reply_to_id);
  }

  /** The members of a relation, newest first. */
  #members<Kind extends 'follow' | 'highlight' | 'membership'>(
    kind: Kind,
    memberOf: (record: RecordOf<Kind>) => string | undefined,
  ): Member[] {
    return starts(
      this.#ofKind(kind).flatMap((record) => {
        const id = memberOf(record);
        return id === undefined ? [] : [{ id, at: timeOf((record as { created_at?: string }).created_at) }];
      }),
    );
  }

  #context(): ContentContext {
    if (this.#known.revision !== this.#revision)
      this.#known = { revision: this.#revision, context: new ContentContext(this.#content()), documents: new Map() };
    return this.#known.context;
  }

  /** The profile of a user, or what mentions say. */
  #profile(id: string): ArchivedUser | undefined {
    return this.#context().user(id);
  }

  /**
   * The user who has a username now: the profile that was observed last; without a profile, the user whom the newest mention describes. The
   * higher id decides a tie.
   */
  #userNamed(username: string): ArchivedUser | undefined {
    const hasName = (user: ArchivedUser): boolean => user.username.toLowerCase() === username.toLowerCase();
    const profiles = Array.from(this.#context().profiles.values())
      .filter(hasName)
      .sort((a, b) => timeOf(a.observed_at) - timeOf(b.observed_at) || compareIds(a.id, b.id));
    const described = Array.from(describedUsers(this.#content()).values())
      .filter(({ user }) => hasName(user))
      .sort((a, b) => older(a.tweet, b.tweet) || compareIds(a.user.id, b.user.id));
    return profiles.at(-1) ?? described.at(-1)?.user;
  }

  #mentioned({ id, username }: Mention): ArchivedUser | undefined {
    return id === undefined ? this.#userNamed(username) : this.#profile(id);
  }

  #userByName(username: string): KnownUser | undefined {
    const user = this.#userNamed(username);
    if (user !== undefined) return { id: user.id, username: user.username };
    const isNamed = this.#tweets().some((tweet) =>
      [tweet.in_reply_to_username, ...mentionsOf(tweet).map((each) => each.username)].some(
        (name) => name?.toLowerCase() === username.toLowerCase(),
      ),
    );
    return isNamed ? { id: undefined, username } : undefined;
  }

  #userById(id: string): KnownUser | undefined {
    if (this.#ofKind('withdraw').some((each) => each.user_id === id)) return undefined;
    const profile = this.#profile(id);
    if (profile !== undefined) return { id, username: profile.username };
    const isNamed = this.#content().some((record) => namedIds(record).includes(id));
    return isNamed ? { id, username: undefined } : undefined;
  }

  #document(tweet: ArchivedTweet): TweetDocument {
    const context = this.#context();
    const document = this.#known.documents.get(tweet.id) ?? documentOf(tweet, context);
    this.#known.documents.set(tweet.id, document);
    return document;
  }

  #fullPage(tweets: readonly ArchivedTweet[], page: PageRequest): Page<Tweet> {
    return pageOf(
      tweets,
      page,
      (tweet) => tweet.id,
      (tweet) => this.#full(tweet),
    );
  }

  #shortPage(tweets: readonly ArchivedTweet[], page: PageRequest): Page<Schemas['TweetShort']> {
    return pageOf(
      tweets,
      page,
      (tweet) => tweet.id,
      (tweet) => this.#short(tweet),
    );
  }

  #full(tweet: ArchivedTweet, nested = false): Tweet {
    const { entities = { mentions: [], hashtags: [], cashtags: [], urls: [] } } = tweet;
    const reference = (id: string | undefined): Tweet | null => {
      const referenced = nested || id === undefined ? undefined : this.#find(id);
      return referenced === undefined ? null : this.#full(referenced, true);
    };
    return {
      id: tweet.id,
      text: tweet.text,
      created_at: text(tweet.created_at),
      author: this.#author(tweet.author_id),
      ...countsOf(tweet),
      media: tweet.media ?? [],
      ...(tweet.card === undefined ? {} : { card: tweet.card }),
      ...(tweet.article === undefined ? {} : { article: tweet.article }),
      entities: { ...entities, mentions: entities.mentions.map((each) => this.#mention(each)) },
      quoted_tweet: reference(tweet.quoted_tweet_id),
      retweeted_tweet: reference(tweet.retweeted_tweet_id),
    };
  }

  #short(tweet: ArchivedTweet): Schemas['TweetShort'] {
    const { verified: _verified, ...author } = this.#author(tweet.author_id);
    return { id: tweet.id, text: tweet.text, created_at: text(tweet.created_at), author, ...countsOf(tweet) };
  }

  #mention({ id, username, name }: Schemas['Mention']): Schemas['Mention'] {
    const user = this.#mentioned({ username, ...(id === undefined ? {} : { id }) });
    const [nameNow, idNow] = [user?.name ?? name, user?.id ?? id];
    return {
      username,
      ...(nameNow === undefined ? {} : { name: nameNow }),
      ...(idNow === undefined ? {} : { id: idNow }),
    };
  }

  #author(id: string): Schemas['Author'] {
    const profile = this.#profile(id);
    return {
      id,
      name: profile?.name ?? profile?.username ?? '',
      username: profile?.username ?? '',
      profile_image: profile?.profile_image ?? '',
      followers_count: profile?.followers_count ?? 0,
      verified: profile?.verified ?? false,
    };
  }

  #user(id: string): Schemas['User'] {
    const profile = this.#profile(id) ?? { id, username: '' };
    return {
      id,
      name: profile.name ?? profile.username,
      username: profile.username,
      description: profile.description ?? '',
      location: profile.location ?? '',
      ...(profile.created_at === undefined ? {} : { created_at: text(profile.created_at) }),
      followers_count: profile.followers_count ?? 0,
      following_count: profile.following_count ?? 0,
      tweet_count: profile.tweet_count ?? 0,
      like_count: profile.like_count ?? 0,
      media_count: profile.media_count ?? 0,
      verified: profile.verified ?? false,
      is_blue_verified: profile.is_blue_verified ?? false,
      profile_image: profile.profile_image ?? '',
      profile_banner: profile.profile_banner ?? '',
      pinned_tweet_ids: profile.pinned_tweet_ids ?? [],
    };
  }
}

const mentionsOf = (tweet: ArchivedTweet): readonly Schemas['Mention'][] => tweet.entities?.mentions ?? [];

/** What stays of a tweet when it is removed. */
const removedForm = ({ author_id, in_reply_to_id, community_id, entities }: ArchivedTweet): RemovedTweet => ({
  author_id,
  ...(in_reply_to_id === undefined ? {} : { in_reply_to_id }),
  ...(community_id === undefined ? {} : { community_id }),
  mentions: entities?.mentions ?? [],
});

/**
 * Each member once, with its earliest known time; after an end of the relation, with the latest time after it. Newest first, those without a
 * time last, the higher id first.
 */
function starts(members: readonly Member[]): Member[] {
  return [...new Set(members.map(({ id }) => id))]
    .flatMap((id): Member[] => {
      const own = members.filter((member) => member.id === id);
      const timesOf = (isEnd: boolean): number[] =>
        own.filter((each) => (each.isEnd ?? false) === isEnd).map(({ at }) => at);
      const ended = timesOf(true);
      const after = timesOf(false).filter((at) => ended.every((end) => at > end));
      if (after.length === 0) return [];
      const known = after.filter((at) => at !== 0);
      return [{ id, at: ended.length > 0 ? Math.max(...after) : known.length === 0 ? 0 : Math.min(...known) }];
    })
    .sort(newer);
}

/** The ids of the users that a record names. */
function namedIds(record: SnapshotChange): readonly (string | undefined)[] {
  switch (record.kind) {
    case 'tweet':
      return [record.tweet.author_id, ...mentionsOf(record.tweet).map(({ id }) => id)];
    case 'follow':
      return [record.follower_id, record.following_id];
    case 'retweet':
    case 'highlight':
    case 'membership':
      return [record.user_id];
    case 'space':
      return [record.space.host_id, ...(record.space.speaker_ids ?? [])];
    default:
      return [];
  }
}
