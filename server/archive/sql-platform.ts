/** The platform port on tables of a database. Each call reads what it needs. */
import { nameKey } from './content/stored-text.ts';
import type { Schemas } from '../contract/operations.ts';
import type { BoundedPageRequest, Page, PageRequest } from '../contract/page.ts';
import { notFound, ServiceError, unavailable } from '../contract/service-error.ts';
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
  type TweetSnapshot,
  type UserRef,
} from '../ports/platform.ts';
import { StoreError } from '../ports/storage.ts';
import type { ArchivedCommunity, ArchivedSpace } from '../domain/records.ts';
import type { Query } from '../domain/query.ts';
import { among, idText, raw, sql, type Fragment, type Integer, type RunSql } from './sql.ts';
import type { PostAddress } from '../domain/post-address.ts';
import { community, communityInfo, space, user, userById, userInfo } from './reads/views.ts';
import { rankedPage } from './reads/community-pages.ts';
import { tweetIdAt, tweetIdsAt } from './reads/addresses.ts';
import { fromDatabaseId, idOf, idsOf } from './content/database-id.ts';
import type { ArchiveSearch } from './search/archive-search.ts';
import { nameDependency, userDependency } from './content/dependencies.ts';
import { DependentCache, type KnownCommits } from './reads/dependent-cache.ts';
import { findUser, knownIds, type FoundUser } from './reads/known-users.ts';
import { highlightsOf, listPage, membersOf, mentionsOf, tweetsWhere, type ListQuery } from './reads/list-pages.ts';
import { isId } from '../domain/record-id.ts';
import { LoadedRecords } from './reads/loaded-records.ts';
import { snapshotsOf } from './reads/tweet-snapshots.ts';
import type { ArchiveWriter } from './writes/sql-archive.ts';
import { TweetViews } from './reads/tweet-views.ts';
import {
  ancestorsOf,
  comparableTo,
  continuationOf,
  repliesBelow,
  topQuotesOf,
  topRepliesTo,
} from './reads/thread-queries.ts';

export interface SqlPlatformParts {
  readonly run: RunSql;
  readonly archive: ArchiveWriter;
  readonly search: ArchiveSearch;
  readonly commits: KnownCommits | undefined;
  /** See ArchiveEngine. */
  readonly hasCommunityRanks?: ((run: RunSql) => Promise<boolean>) | undefined;
}

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];

/** After how many seconds a caller may try again while the database cannot be used. */
const retryAfter = 5;

export class SqlPlatform implements Platform {
  readonly capabilities = allExcept({});
  readonly #run: RunSql;
  readonly #archive: ArchiveWriter;
  readonly #search: ArchiveSearch;
  readonly #commits: KnownCommits | undefined;
  readonly #hasCommunityRanks: (run: RunSql) => Promise<boolean>;
  readonly #views: TweetViews;
  /** Users with an id and a username, by what calls name them. */
  readonly #identities: DependentCache<KnownUser> | undefined;

  /**
   * `run`: reads the tables. `archive`: writes them. `commits`: the transactions that this instance knows; without them, nothing is
   * cached.
   */
  constructor({ run, archive, search, commits, hasCommunityRanks = async () => true }: SqlPlatformParts) {
    this.#hasCommunityRanks = hasCommunityRanks;
    this.#commits = commits;
    this.#run = async (statement) => this.#available(run(statement));
    this.#archive = archive;
    this.#search = search;
    this.#views = new TweetViews(this.#run, commits);
    this.#identities = commits && new DependentCache(commits, maxIdentityBytes, () => 300);
  }

  /** The last transaction that this instance knows. What other instances write changes it a moment later. */
  revision(): number | undefined {
    return this.#commits?.last;
  }

  async userInfo(ref: UserRef): Promise<Schemas['UserInfo']> {
    const { user: known, records } = await this.#foundUser(ref);
    if (known.id === undefined) throw notFound(`the id of user ${known.username ?? ''}`);
    return userInfo(userById(records, known.id), records.user(known.id));
  }

  async users(refs: readonly UserRef[]): Promise<readonly (Schemas['User'] | undefined)[]> {
    const { ids, records } = await knownIds(this.#run, refs);
    return ids.map((id) => (id === undefined ? undefined : userById(records, id)));
  }

  async tweets(refs: readonly TweetRef[]): Promise<readonly (Tweet | undefined)[]> {
    const addresses = refs.filter((ref) => typeof ref !== 'string');
    const idsAt = addresses.length === 0 ? undefined : await tweetIdsAt(this.#run, addresses);
    const ids = refs.map((ref) => (typeof ref === 'string' ? ref : idsAt?.get(ref)));
    const found = await this.#views.full([...new Set(ids.flatMap((id) => id ?? []))]);
    const tweets = new Map(found.map((tweet) => [tweet.id, tweet]));
    return ids.map((id) => (id === undefined ? undefined : tweets.get(id)));
  }

  async lastTweets(ref: UserRef, includeReplies: boolean, page: BoundedPageRequest): Promise<Page<Tweet>> {
    const { id } = await this.#knownUser(ref);
    const posts = raw(includeReplies ? '' : ' AND t.in_reply_to_id IS NULL');
    return this.#fullPage(id === undefined ? undefined : tweetsWhere(sql`t.author_id = ${idOf(id)}${posts}`), page);
  }

  async highlights(ref: UserRef, page: PageRequest): Promise<Page<Tweet>> {
    const { user: known, records } = await this.#foundUser(ref);
    const { did, pinned_tweet_ids: pinned = [] } = (known.id === undefined ? undefined : records.user(known.id)) ?? {};
    const list = known.id === undefined ? undefined : highlightsOf(known.id, did === undefined ? [] : pinned);
    return this.#fullPage(list, page);
  }

  async followings(ref: UserRef, page: BoundedPageRequest): Promise<Page<Schemas['User']>> {
    const { id } = await this.#knownUser(ref);
    return this.#userPage(
      id === undefined ? undefined : membersOf('follow', ['follower_id', 'following_id'], id),
      page,
    );
  }

  async followers(ref: UserRef, page: PageRequest): Promise<Page<Schemas['User']>> {
    const { id } = await this.#knownUser(ref);
    return this.#userPage(
      id === undefined ? undefined : membersOf('follow', ['following_id', 'follower_id'], id),
      page,
    );
  }

  async mentions(ref: UserRef, span: { since: number; until: number }, page: PageRequest): Promise<Page<TweetShort>> {
    const { id, username } = await this.#knownUser(ref);
    const hasName = id === undefined || (username !== undefined && (await this.#ownerOf(username)) === id);
    const name = hasName && username !== undefined ? nameKey(username) : undefined;
    return this.#shortPage(await listPage(this.#run, mentionsOf({ id, name }, span.since, span.until), page));
  }

  async replies(tweetId: string, page: BoundedPageRequest): Promise<Page<Tweet>> {
    await this.#requireTweet(tweetId);
    return this.#fullPage(tweetsWhere(sql`t.in_reply_to_id = ${idOf(tweetId)}`), page);
  }

  async retweeters(tweetId: string, page: BoundedPageRequest): Promise<Page<Schemas['User']>> {
    await this.#requireTweet(tweetId);
    return this.#userPage(membersOf('retweet', ['tweet_id', 'user_id'], tweetId), page);
  }

  async quotes(tweetId: string, page: PageRequest): Promise<Page<Tweet>> {
    await this.#requireTweet(tweetId);
    return this.#fullPage(tweetsWhere(sql`t.quoted_id = ${idOf(tweetId)} AND t.retweeted_id IS NULL`), page);
  }

  async search(
    query: Query,
    order: 'Latest' | 'Top',
    page: PageRequest,
    options?: CallOptions,
  ): Promise<Page<TweetShort>> {
    const now = Date.now();
    const method = order === 'Top' ? 'top' : 'latest';
    return this.#shortPage(await this.#available(this.#search[method](query, page, now, options)));
  }

  counts(query: Query, span: CountSpan, options?: CallOptions): Promise<TweetCounts> {
    return this.#available(this.#search.counts(query, span, Date.now(), options));
  }

  async discover(communityId: string, page: PageRequest): Promise<Page<TweetShort>> {
    const [isIndexed] = await Promise.all([this.#hasCommunityRanks(this.#run), this.#requireCommunity(communityId)]);
    return this.#shortPage(await rankedPage(this.#run, communityId, page, isIndexed));
  }

  async communityMedia(communityId: string, page: PageRequest): Promise<Page<TweetShort>> {
    await this.#requireCommunity(communityId);
    const list = tweetsWhere(sql`t.community_id = ${idOf(communityId)} AND t.has_media`);
    return this.#shortPage(await listPage(this.#run, list, page));
  }

  async communityInfo(id: string): Promise<Schemas['CommunityInfo']> {
    const [row] = isId(id)
      ? await this.#run<{ document: string }>(sql`SELECT document FROM social_data.community WHERE id = ${id}`.short())
      : [];
    if (row === undefined) throw notFound(`community ${id}`);
    return communityInfo(JSON.parse(row.document) as ArchivedCommunity);
  }

  async communitiesOf(username: string, page: PageRequest): Promise<Page<Schemas['Community']>> {
    const { user: known, records } = await this.#foundUser({ username });
    const userId = known.id;
    if (userId === undefined) return { items: [], next: null };
    // An empty list would say that the user is in none.
    if (records.user(userId)?.did !== undefined && !(await this.#hasCommunities(userId)))
      throw new ServiceError(501, 'Bluesky has no communities');
    const exists = sql`EXISTS (SELECT 1 FROM social_data.community c WHERE c.id = ${idText('m.community_id')})`;
    const list = membersOf('membership', ['user_id', 'community_id'], userId, exists);
    const { items, next } = await listPage(this.#run, list, page);
    await records.readCommunities(userId, items);
    return { items: items.flatMap((id) => community(records, id, userId) ?? []), next };
  }

  async space(id: string): Promise<Schemas['Space']> {
    const [row] = await this.#run<{ document: string }>(sql`SELECT document FROM social_data.space WHERE id = ${id}`);
    if (row === undefined) throw notFound(`space ${id}`);
    const record = JSON.parse(row.document) as ArchivedSpace;
    const records = new LoadedRecords(this.#run);
    await records.readUsers([record.host_id, ...(record.speaker_ids ?? [])]);
    return space(records, record);
  }

  async unlike(tweetId: string): Promise<boolean> {
    const likedAt = await this.#likedAt(tweetId);
    if (likedAt === undefined) {
      await this.#requireTweet(tweetId);
      return false;
    }
    // Not earlier than the like: otherwise the next import of the like would restore it.
    const at = Math.max(Date.now(), likedAt);
    const { outcomes } = await this.#available(this.#archive.apply([{ kind: 'unlike', tweet_id: tweetId, at }]));
    // Another process may have removed it before.
    return outcomes[0] !== 'unchanged';
  }

  async liked(tweetId: string): Promise<boolean> {
    return (await this.#likedAt(tweetId)) !== undefined;
  }

  async tweet(id: string): Promise<Tweet> {
    const [tweet] = await this.#views.full([id]);
    if (tweet === undefined) throw notFound(`tweet ${id}`);
    return tweet;
  }

  async tweetIdAt(address: PostAddress): Promise<string> {
    return tweetIdAt(this.#run, address);
  }

  async user(ref: UserRef): Promise<KnownUser> {
    return this.#knownUser(ref);
  }

  async thread(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    await this.#requireTweet(tweetId);
    return this.#views.full((await ancestorsOf(this.#run, tweetId, limit)).toReversed());
  }

  async continuation(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    await this.#requireTweet(tweetId);
    return this.#views.full(await continuationOf(this.#run, tweetId, limit));
  }

  async conversation(tweetId: string, limits: Readonly<Record<ConversationPart, number>>): Promise<TweetConversation> {
    const [row] = isId(tweetId)
      ? await this.#run<{ author_id: Integer; in_reply_to_id: Integer | null }>(
          sql`SELECT author_id, in_reply_to_id FROM social_data.tweet WHERE id = ${idOf(tweetId)}`.short(),
        )
      : [];
    if (row === undefined) throw notFound(`tweet ${tweetId}`);
    const own = { id: tweetId, author: { id: String(row.author_id) }, isReply: row.in_reply_to_id !== null };
    const [thread, replies, quotes, authored, continuation] = await Promise.all([
      ancestorsOf(this.#run, tweetId, limits.thread),
      topRepliesTo(this.#run, tweetId, limits.replies),
      topQuotesOf(this.#run, tweetId, limits.quotes),
      comparableTo(this.#run, own, limits.authored),
      continuationOf(this.#run, tweetId, limits.continuation),
    ]);
    // All views at once, because each reading of views takes several statements.
    const ids = new Set([tweetId, ...thread, ...replies, ...quotes, ...authored, ...continuation]);
    const found = new Map((await this.#views.full([...ids], { isBackSoon: true })).map((view) => [view.id, view]));
    const tweet = found.get(tweetId);
    if (tweet === undefined) throw notFound(`tweet ${tweetId}`);
    const viewsOf = (part: readonly string[]): readonly Tweet[] => part.flatMap((id) => found.get(id) ?? []);
    return {
      tweet,
      thread: viewsOf(thread.toReversed()),
      replies: viewsOf(replies),
      quotes: viewsOf(quotes),
      authored: viewsOf(authored),
      continuation: viewsOf(continuation),
    };
  }

  async repliesBelow(
    tweetIds: readonly string[],
    depth: { readonly levels: number; readonly limit: number },
  ): Promise<readonly TweetShort[]> {
    const ids = await repliesBelow(this.#run, tweetIds.filter(isId), depth);
    // Whoever reads them asks for their backgrounds.
    return this.#views.short(ids, { isBackSoon: true });
  }

  async present(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = among('id', idsOf(ids.filter(isId)));
    // Almost always all of them are there, and a number is read faster than rows.
    const [counted] = await this.#run<{ count: Integer }>(
      sql`SELECT count(*) AS count FROM social_data.tweet WHERE ${asked}`.short(),
    );
    if (Number(counted?.count) === new Set(ids).size) return new Set(ids);
    const rows = await this.#run<{ id: Integer }>(sql`SELECT id FROM social_data.tweet WHERE ${asked}`.short());
    return new Set(rows.map(({ id }) => fromDatabaseId(id)));
  }

  backgrounds(ids: readonly string[]): Promise<readonly (TweetBackground | undefined)[]> {
    return this.#views.backgrounds(ids);
  }

  snapshots(ids: readonly string[]): Promise<readonly (TweetSnapshot | GoneTweet | undefined)[]> {
    return snapshotsOf(this.#run, ids);
  }

  async hasCommunity(id: string): Promise<boolean> {
    return this.#exists(sql`SELECT 1 FROM social_data.community WHERE id = ${id}`);
  }

  async communityOf(communityId: string, userId: string): Promise<CommunityMember> {
    const records = new LoadedRecords(this.#run);
    await records.readUsers([userId]);
    await records.readCommunities(userId, [communityId]);
    return { username: records.user(userId)?.username, community: community(records, communityId, userId) };
  }

  /** Throws 503 where the database cannot be used now. */
  async #available<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      if (error instanceof StoreError)
        throw Object.assign(unavailable('the archive cannot be used now', retryAfter), { cause: error });
      throw error;
    }
  }

  async #foundUser(ref: UserRef): Promise<FoundUser> {
    const found = await findUser(this.#run, ref);
    if (found === undefined) throw notFound('username' in ref ? `user ${ref.username}` : `user with id ${ref.user_id}`);
    return found;
  }

  async #knownUser(ref: UserRef): Promise<KnownUser> {
    // Not by what it depends on: usernames can have equal keys of dependencies.
    const entry = 'username' in ref ? `@${nameKey(ref.username.replace(/^@/, ''))}` : ref.user_id;
    const known = this.#identities?.get(entry);
    if (known !== undefined) return known;
    const readAt = this.#identities?.readAt ?? 0;
    const { user: found } = await this.#foundUser(ref);
    // Otherwise it depends on more than the profile whether a record names the user.
    if (found.id !== undefined && found.username !== undefined) {
      const name = 'username' in ref ? [nameDependency(ref.username.replace(/^@/, ''))] : [];
      this.#identities?.set(entry, found, [...name, userDependency(found.id)], readAt);
    }
    return found;
  }

  /** The id of the user who has a username now. */
  async #ownerOf(username: string): Promise<string | undefined> {
    const records = new LoadedRecords(this.#run);
    await records.readNames([username]);
    return records.userByName(username)?.id;
  }

  async #exists(statement: Fragment): Promise<boolean> {
    return (await this.#run(sql`${statement} LIMIT 1`.short())).length > 0;
  }

  async #requireTweet(id: string): Promise<void> {
    if (!isId(id) || !(await this.#exists(sql`SELECT 1 FROM social_data.tweet WHERE id = ${idOf(id)}`)))
      throw notFound(`tweet ${id}`);
  }

  async #requireCommunity(id: string): Promise<void> {
    if (!isId(id) || !(await this.hasCommunity(id))) throw notFound(`community ${id}`);
  }

  #hasCommunities(userId: string): Promise<boolean> {
    return this.#exists(sql`SELECT 1 FROM social_data.membership WHERE user_id = ${idOf(userId)} AND at IS NOT NULL`);
  }

  async #likedAt(tweetId: string): Promise<number | undefined> {
    if (!isId(tweetId)) return undefined;
    const [row] = await this.#run<{ at: Integer }>(
      sql`SELECT at FROM social_data.tweet_like WHERE tweet_id = ${idOf(tweetId)} AND is_liked`,
    );
    return row && Number(row.at);
  }

  async #fullPage(list: ListQuery | undefined, request: BoundedPageRequest): Promise<Page<Tweet>> {
    const page = await this.#listPage(list, request);
    return { ...page, items: await this.#views.full(page.items) };
  }

  async #shortPage(page: Page<string>): Promise<Page<TweetShort>> {
    return { ...page, items: await this.#views.short(page.items) };
  }

  async #userPage(list: ListQuery | undefined, request: BoundedPageRequest): Promise<Page<Schemas['User']>> {
    const page = await this.#listPage(list, request);
    const records = new LoadedRecords(this.#run);
    await records.readUsers(page.items);
    return { ...page, items: page.items.map((id) => user(records.user(id) ?? { id, username: '' })) };
  }

  /** A page of a list; an empty one of a user without an id. */
  async #listPage(list: ListQuery | undefined, request: BoundedPageRequest): Promise<Page<string>> {
    return listPage(this.#run, list ?? nothing, request);
  }
}

const maxIdentityBytes = 4 * 1024 * 1024;

/** A list without items. */
const nothing = tweetsWhere(raw('false'));
