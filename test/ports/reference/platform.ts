/**
 * A platform over plain arrays: each method looks at every record. It is the simplest program that passes the suite of
 * the port, and the oracle that other adapters are compared with. It takes each entity once, and does not merge.
 */
import type { Schemas } from '../../../server/contract/operations.ts';
import type { Page, PageRequest, Position } from '../../../server/contract/page.ts';
import { badRequest, notFound } from '../../../server/contract/service-error.ts';
import {
  allExcept,
  type CallOptions,
  type CommunityMember,
  type GoneTweet,
  type KnownUser,
  type Platform,
  type TweetBackground,
  type TweetSnapshot,
  type UserRef,
} from '../../../server/ports/platform.ts';
import {
  counts,
  userCounts,
  type ArchivedTweet,
  type ArchivedUser,
  type ArchiveRecord,
} from '../../../server/domain/records.ts';
import { space as spaceView } from '../../../server/platforms/archive/views.ts';
import { documentOf, type TweetDocument } from '../../../server/search/document.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import type { PostAddress } from '../../../server/text/post-address.ts';
import type { Query } from '../../../server/search/language/syntax-tree.ts';

type RecordOf<Kind extends ArchiveRecord['kind']> = Extract<ArchiveRecord, { kind: Kind }>;
type Tweet = Schemas['Tweet'];
type Member = { readonly id: string; readonly at: number };

const timeOf = (timestamp: string | undefined): number => (timestamp === undefined ? 0 : Date.parse(timestamp));
const text = (timestamp: string): string => new Date(timestamp).toISOString();
const ascending = (a: string, b: string): number => Number(BigInt(a) - BigInt(b));
const older = (a: ArchivedTweet, b: ArchivedTweet): number =>
  Date.parse(a.created_at) - Date.parse(b.created_at) || ascending(a.id, b.id);
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

export class MemoryPlatform implements Platform {
  readonly capabilities = allExcept({});
  readonly #records: ArchiveRecord[] = [];
  readonly #gone = new Set<string>();
  #revision = 0;

  add(records: readonly ArchiveRecord[]): void {
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
    const { id } = await this.user(ref, options);
    if (id === undefined) throw notFound('the id of this user');
    const profile = this.#profile(id);
    return { user: this.#user(id), unknown_counts: userCounts.filter((name) => profile?.[name] === undefined) };
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
    const ids = [...(did === undefined ? [] : pinned), ...members.map((member) => member.id)];
    const tweets = [...new Set(ids)].flatMap((each) => this.#find(each) ?? []);
    return pageOf(
      tweets,
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

  async mentions(
    ref: UserRef,
    { since, until }: { since: number; until: number },
    page: PageRequest,
    options: CallOptions,
  ): Promise<Page<Schemas['TweetShort']>> {
    const { id, username } = await this.user(ref, options);
    const isMeant = (each: Schemas['Mention']): boolean =>
      each.id !== undefined && id !== undefined
        ? each.id === id
        : each.username.toLowerCase() === username?.toLowerCase();
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
    return pageOf(
      earliest([...named, ...retweets]),
      page,
      (member) => member.id,
      (member) => this.#user(member.id),
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

  async discover(communityId: string, page: PageRequest): Promise<Page<Schemas['TweetShort']>> {
    this.#requireCommunity(communityId);
    const rank = (tweet: ArchivedTweet): number =>
      Math.log2(engagementOf(tweet) + 1) + Date.parse(tweet.created_at) / 86_400_000;
    const tweets = this.#newest((tweet) => tweet.community_id === communityId);
    return this.#shortPage(
      tweets.toSorted((a, b) => rank(b) - rank(a)),
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

  async communitiesOf(username: string, page: PageRequest, options: CallOptions): Promise<Page<Schemas['Community']>> {
    const { id = '' } = await this.user({ username }, options);
    const members = this.#members('membership', (each) => (each.user_id === id ? each.community_id : undefined));
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
    for (const record of this.#records)
      if (record.kind === 'tweet' && record.tweet.uri === uri && !this.#gone.has(record.tweet.id))
        return record.tweet.id;
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

  async topReplies(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    this.#require(tweetId);
    return this.#newest((tweet) => tweet.in_reply_to_id === tweetId)
      .toSorted((a, b) => engagementOf(b) - engagementOf(a))
      .slice(0, limit)
      .map((tweet) => this.#full(tweet));
  }

  async comparableTweets(tweetId: string, limit: number): Promise<readonly Tweet[]> {
    const subject = this.#require(tweetId);
    const isReply = (tweet: ArchivedTweet): boolean => tweet.in_reply_to_id !== undefined;
    return this.#newest(
      (tweet) =>
        tweet.id !== tweetId &&
        tweet.author_id === subject.author_id &&
        tweet.retweeted_tweet_id === undefined &&
        isReply(tweet) === isReply(subject),
    )
      .slice(0, limit)
      .map((tweet) => this.#full(tweet));
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
      const tweet = this.#ofKind('tweet').find((record) => record.tweet.id === id)?.tweet;
      if (tweet === undefined) return undefined;
      const relations = {
        authorId: tweet.author_id,
        authorUsername: this.#profile(tweet.author_id)?.username,
        mentions: mentionsOf(tweet).map(({ id: mentionedId, username }) => ({
          id: mentionedId ?? this.#userByName(username)?.id,
          username,
        })),
        inReplyToId: tweet.in_reply_to_id,
        communityId: tweet.community_id,
      };
      if (this.#gone.has(id)) return { ...relations, isGone: true };
      return {
        ...relations,
        isGone: false,
        includedIds: [tweet.quoted_tweet_id, tweet.retweeted_tweet_id].filter((each) => each !== undefined),
        full: () => this.#full(tweet),
        short: () => this.#short(tweet),
        engagement: () => ({ tweet_id: id, ...countsOf(tweet) }),
        document: () => this.#document(tweet),
      };
    });
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

  #ofKind<Kind extends ArchiveRecord['kind']>(kind: Kind): RecordOf<Kind>[] {
    return this.#records.filter((record): record is RecordOf<Kind> => record.kind === kind);
  }

  #tweets(): ArchivedTweet[] {
    return this.#ofKind('tweet').flatMap(({ tweet }) => (this.#gone.has(tweet.id) ? [] : [tweet]));
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
    return earliest(
      this.#ofKind(kind).flatMap((record) => {
        const id = memberOf(record);
        return id === undefined ? [] : [{ id, at: timeOf((record as { created_at?: string }).created_at) }];
      }),
    );
  }

  #profile(id: string): ArchivedUser | undefined {
    return this.#ofKind('user').findLast(({ user }) => user.id === id)?.user;
  }

  #userByName(username: string): KnownUser | undefined {
    const name = username.toLowerCase();
    const profile = this.#ofKind('user')
      .map(({ user }) => user)
      .findLast((user) => user.username.toLowerCase() === name && this.#profile(user.id) === user);
    if (profile !== undefined) return { id: profile.id, username: profile.username };
    const isMentioned = this.#tweets().some((tweet) =>
      mentionsOf(tweet).some((each) => each.username.toLowerCase() === name),
    );
    return isMentioned ? { id: undefined, username } : undefined;
  }

  #userById(id: string): KnownUser | undefined {
    const profile = this.#profile(id);
    if (profile !== undefined) return { id, username: profile.username };
    const isNamed = this.#records.some((record) => namedIds(record).includes(id));
    return isNamed ? { id, username: undefined } : undefined;
  }

  #document(tweet: ArchivedTweet): TweetDocument {
    return documentOf(tweet, {
      user: (id) => this.#profile(id),
      authorOf: (tweetId) => this.#find(tweetId)?.author_id,
    });
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

  #mention(mention: Schemas['Mention']): Schemas['Mention'] {
    const profile = this.#ofKind('user').find(
      ({ user }) => user.username.toLowerCase() === mention.username.toLowerCase(),
    )?.user;
    return profile === undefined ? mention : { ...mention, name: profile.name ?? profile.username, id: profile.id };
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

/** Each member once, with its earliest known time; newest first, those without a time last, the higher id first. */
function earliest(members: readonly Member[]): Member[] {
  const byId = new Map<string, Member>();
  for (const member of members) {
    const known = byId.get(member.id);
    if (known === undefined || (member.at !== 0 && (known.at === 0 || member.at < known.at)))
      byId.set(member.id, member);
  }
  return [...byId.values()].sort((a, b) => b.at - a.at || ascending(b.id, a.id));
}

/** The ids of the users that a record names. */
function namedIds(record: ArchiveRecord): readonly (string | undefined)[] {
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
