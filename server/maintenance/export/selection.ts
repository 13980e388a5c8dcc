/**
 * The selection of a partial export: the requested tweets, and the records that an import needs so that responses with
 * these tweets stay the same. It holds ids, so its memory is bounded by the size of the selection.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Archive } from '../../platforms/archive/archive.ts';
import { parse } from '../../search/language/parse.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { exportOf, isPartial, type Export, type ExportRequest } from './export.ts';
import { unknownUser, userWithoutId } from './selected-content.ts';

/**
 * Prepares an export. A record that changes while the export runs is exported in the state of the moment at which it is
 * written. Rejects with an Error for an unknown user, and with ServiceError for a query that cannot be parsed.
 */
export async function openExport(archive: ExportSource, request: ExportRequest): Promise<Export> {
  const changes = { [Symbol.iterator]: () => archive.changes() };
  if (!isPartial(request)) return exportOf({ total: archive.live, changes });
  const selection = await Selection.create(archive, request, () => nextTurn());
  return exportOf({ total: undefined, changes, isSelected: (record) => selection.has(record) });
}

/** The archive as the export reads it. */
export type ExportSource = Pick<
  Archive,
  'changes' | 'findUser' | 'id' | 'index' | 'mentioned' | 'ordinal' | 'ordinals' | 'tweet'
> & {
  readonly live: number;
};

const searchPage = 100;
const isId = /^\d{1,19}$/;

/** The id of the user with this username or id. Throws an Error if the archive knows no such user. */
export function userIdOf(archive: Pick<Archive, 'findUser'>, user: string): string {
  const found =
    archive.findUser({ username: user }) ?? (isId.test(user) ? archive.findUser({ user_id: user }) : undefined);
  if (found?.id !== undefined) return found.id;
  throw found === undefined ? unknownUser(user) : userWithoutId(user);
}

export class Selection {
  readonly #archive: ExportSource;
  /** The user whose relations are selected as a whole; undefined if tweets were selected in another way. */
  readonly #owner: string | undefined;
  /** The requested tweets. Their relations are selected too. */
  readonly #tweets = new Set<string>();
  /** Tweets that others need: quoted, retweeted and highlighted ones. */
  readonly #needed = new Set<string>();
  readonly #users = new Set<string>();
  readonly #communities = new Set<string>();
  readonly #places = new Set<string>();
  readonly #lists = new Set<string>();
  /** The members of lists of other owners that came before the user whose lists are selected. */
  readonly #earlierMembers = new Map<string, string[]>();

  private constructor(archive: ExportSource, owner: string | undefined) {
    this.#archive = archive;
    this.#owner = owner;
  }

  /**
   * Selects tweets and the records that they need. `pause` runs between steps of bounded length. Rejects with an Error for an
   * unknown user, and with ServiceError for a query that cannot be parsed.
   */
  static async create(archive: ExportSource, request: ExportRequest, pause: () => Promise<void>): Promise<Selection> {
    const userId = request.user === undefined ? undefined : userIdOf(archive, request.user);
    const isWholeUser = request.query === undefined && request.since === undefined && request.until === undefined;
    const selection = new Selection(archive, isWholeUser ? userId : undefined);
    if (userId !== undefined) selection.#users.add(userId);
    for await (const tweet of tweetsOf(archive, request, userId, pause)) selection.#addTweet(tweet);
    let steps = 0;
    for (const change of archive.changes()) {
      if (++steps % 10_000 === 0) await pause();
      selection.#addNeedsOf(change as ArchiveRecord);
    }
    return selection;
  }

  /** Whether the export contains a record. */
  has(record: ArchiveRecord): boolean {
    switch (record.kind) {
      case 'tweet':
        return this.#tweets.has(record.tweet.id) || this.#needed.has(record.tweet.id);
      case 'user':
        return this.#users.has(record.user.id);
      case 'community':
        return this.#communities.has(record.community.id);
      case 'place':
        return this.#places.has(record.place.id);
      case 'list':
        return this.#lists.has(record.list.id);
      default:
        return this.#hasRelation(record);
    }
  }

  #hasRelation(record: ArchiveRecord): boolean {
    const isOwner = (...ids: (string | undefined)[]): boolean => this.#owner !== undefined && ids.includes(this.#owner);
    switch (record.kind) {
      case 'follow':
        return isOwner(record.follower_id, record.following_id);
      case 'retweet':
        return this.#tweets.has(record.tweet_id) || isOwner(record.user_id);
      case 'highlight':
        return isOwner(record.user_id) || (this.#owner === undefined && this.#tweets.has(record.tweet_id));
      case 'membership':
        return isOwner(record.user_id);
      case 'space':
        return isOwner(record.space.host_id, ...(record.space.speaker_ids ?? []));
      case 'list_member':
        return isOwner(record.user_id) || this.#lists.has(record.list_id);
      case 'like':
        return this.#tweets.has(record.tweet_id);
      default:
        return false;
    }
  }

  /** Adds the records that a relation of the selection refers to. In the changes of an archive, lists precede their members. */
  #addNeedsOf(record: ArchiveRecord): void {
    if (record.kind === 'list' && this.#owner === record.list.owner_id) this.#lists.add(record.list.id);
    if (!this.#hasRelation(record)) return this.#rememberMember(record);
    const users = new Set<string | undefined>();
    if (record.kind === 'follow') users.add(record.follower_id).add(record.following_id);
    else if (record.kind === 'space')
      for (const id of [record.space.host_id, ...(record.space.speaker_ids ?? [])]) users.add(id);
    else if ('user_id' in record) users.add(record.user_id);
    if (record.kind === 'membership') this.#communities.add(record.community_id);
    if (record.kind === 'list_member') {
      this.#lists.add(record.list_id);
      for (const id of this.#earlierMembers.get(record.list_id) ?? []) users.add(id);
    }
    if (record.kind === 'highlight' || record.kind === 'retweet') this.#need(record.tweet_id);
    for (const id of users) if (id !== undefined) this.#users.add(id);
  }

  #rememberMember(record: ArchiveRecord): void {
    if (record.kind !== 'list_member' || this.#owner === undefined) return;
    const members = this.#earlierMembers.get(record.list_id);
    if (members === undefined) this.#earlierMembers.set(record.list_id, [record.user_id]);
    else members.push(record.user_id);
  }

  #addTweet(tweet: ArchivedTweet): void {
    this.#tweets.add(tweet.id);
    this.#addNeedsOfTweet(tweet);
  }

  /** Adds a tweet that another record refers to, with the records that it needs. */
  #need(id: string | undefined): void {
    if (id === undefined || this.#needed.has(id)) return;
    const ordinal = this.#archive.ordinal(id);
    if (ordinal === undefined) return;
    this.#needed.add(id);
    if (!this.#tweets.has(id)) this.#addNeedsOfTweet(this.#archive.tweet(ordinal));
  }

  #addNeedsOfTweet(tweet: ArchivedTweet): void {
    this.#users.add(tweet.author_id);
    if (tweet.community_id !== undefined) this.#communities.add(tweet.community_id);
    if (tweet.place_id !== undefined) this.#places.add(tweet.place_id);
    for (const mention of tweet.entities?.mentions ?? []) {
      const user = this.#archive.mentioned(mention);
      if (user !== undefined) this.#users.add(user.id);
    }
    this.#need(tweet.quoted_tweet_id);
    this.#need(tweet.retweeted_tweet_id);
  }
}

/** The requested tweets, in any order. */
async function* tweetsOf(
  archive: ExportSource,
  { query, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: ExportRequest,
  userId: string | undefined,
  pause: () => Promise<void>,
): AsyncGenerator<ArchivedTweet, void> {
  const isSelected = (tweet: ArchivedTweet): boolean => {
    const at = Date.parse(tweet.created_at);
    return at >= since && at < until && (userId === undefined || tweet.author_id === userId);
  };
  for (const ids of query === undefined ? allIds(archive) : foundIds(archive, query)) {
    for (const id of ids) {
      // The archive may have removed it since the page was read.
      const ordinal = archive.ordinal(String(id));
      const tweet = ordinal === undefined ? undefined : archive.tweet(ordinal);
      if (tweet !== undefined && isSelected(tweet)) yield tweet;
    }
    await pause();
  }
}

function* allIds(archive: ExportSource): Generator<bigint[], void> {
  let page: bigint[] = [];
  for (const ordinal of archive.ordinals()) {
    if (page.push(archive.id(ordinal)) < searchPage) continue;
    yield page;
    page = [];
  }
  yield page;
}

function* foundIds(archive: ExportSource, text: string): Generator<bigint[], void> {
  const query = parse(text);
  let after: Parameters<ExportSource['index']['search']>[2]['after'];
  do {
    const { items, next } = archive.index.search(query, 'Latest', { after, limit: searchPage });
    yield items.map((ordinal) => archive.id(ordinal));
    after = next ?? undefined;
  } while (after !== undefined);
}
