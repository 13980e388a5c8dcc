/** What an erasure removes from the archive, found without a change of anything. */
import type { Archive } from '../../platforms/archive/archive.ts';
import type { Change } from '../../platforms/archive/change.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { parse } from '../../search/language/parse.ts';

/** What to erase. Exactly one member. */
export type EraseRequest =
  | { readonly kind: 'tweets'; readonly ids: readonly string[] }
  /** A username or a decimal id. */
  | { readonly kind: 'user'; readonly user: string }
  /** Tweets created before this time, in milliseconds since 1970. */
  | { readonly kind: 'before'; readonly time: number }
  /** Tweets that match a query of the search language. */
  | { readonly kind: 'query'; readonly query: string };

/** What an erasure removes from the archive. */
export interface ArchiveCounts {
  readonly tweets: number;
  readonly users: number;
  /** Follows, retweets, highlights, memberships, likes, list members, lists and spaces. */
  readonly relations: number;
}

/** What an erasure removes. */
export interface EraseCounts extends ArchiveCounts {
  readonly conversations: number;
}

export type ErasableArchive = Pick<
  Archive,
  'changes' | 'changesInSteps' | 'findUser' | 'index' | 'isWithdrawn' | 'ordinals' | 'tweet' | 'createdAt' | 'id'
>;

const searchPage = 100;
/** The number of tweets between two pauses. */
const stepTweets = 500;
const isId = /^\d{1,19}$/;

export interface Erasure {
  /** The records that erase, in the native format. Applied in any parts and any number of times. */
  readonly records: readonly ArchiveRecord[];
  /** The tweets that go, native retweets included. */
  readonly tweetIds: ReadonlySet<string>;
  /** The account that goes. */
  readonly userId: string | undefined;
}

/**
 * Finds what an erasure removes. `pause` runs between steps of bounded length. Rejects with an Error for an unknown user,
 * and with ServiceError for a query that cannot be parsed. What was erased before is not found again.
 */
export async function findErasure(
  archive: ErasableArchive,
  request: EraseRequest,
  pause: () => Promise<void>,
): Promise<Erasure> {
  const records: ArchiveRecord[] = [];
  const tweetIds = new Set<string>();
  const userId = request.kind === 'user' ? userIdOf(archive, request.user) : undefined;
  let steps = 0;
  for (const record of userId === undefined ? removals(archive, request) : [withdrawal(userId)]) {
    for (const change of archive.changesInSteps(record)) {
      if (records.at(-1) !== record) records.push(record);
      if (isDelete(change)) tweetIds.add(change.tweet_id);
      if (++steps % stepTweets === 0) await pause();
    }
    if (++steps % stepTweets === 0) await pause();
  }
  return { records, tweetIds, userId: records.length > 0 ? userId : undefined };
}

const withdrawal = (userId: string): ArchiveRecord => ({ kind: 'withdraw', user_id: userId });
const isDelete = (change: Change): change is Extract<Change, { kind: 'delete' }> => change.kind === 'delete';

/** The id of a user to erase. Throws an Error where the archive knows no such user. */
function userIdOf(archive: ErasableArchive, user: string): string {
  const found = archive.findUser({ username: user });
  if (found?.id !== undefined) return found.id;
  // An id that was erased before has nothing left to be found by.
  if (isId.test(user) && (archive.isWithdrawn(user) || archive.findUser({ user_id: user }) !== undefined)) return user;
  throw unknownUser(user);
}

export const unknownUser = (user: string): Error =>
  new Error(
    `the archive has no user ${user}: write a username or an id that it knows; after an erasure only the id is known`,
  );

function* removals(archive: ErasableArchive, request: EraseRequest): Generator<ArchiveRecord, void> {
  for (const tweet_id of tweetIdsOf(archive, request)) yield { kind: 'delete', tweet_id, reason: 'erased' };
}

function* tweetIdsOf(archive: ErasableArchive, request: EraseRequest): Generator<string, void> {
  if (request.kind === 'tweets') yield* new Set(request.ids);
  else if (request.kind === 'before') yield* idsBefore(archive, request.time);
  else if (request.kind === 'query') yield* idsFound(archive, request.query);
}

function* idsBefore(archive: ErasableArchive, time: number): Generator<string, void> {
  for (const ordinal of archive.ordinals()) if (archive.createdAt(ordinal) < time) yield String(archive.id(ordinal));
}

/** The ids of all tweets that match a query. */
export function* idsFound(archive: Pick<Archive, 'id' | 'index'>, query: string): Generator<string, void> {
  const parsed = parse(query);
  let after: Parameters<Archive['index']['search']>[2]['after'];
  do {
    const { items, next } = archive.index.search(parsed, 'Latest', { after, limit: searchPage });
    // Between two steps of the caller, another tweet can get an ordinal.
    yield* items.map((ordinal) => String(archive.id(ordinal)));
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Counts what an erasure removes. `pause` runs between steps of bounded length. */
export async function countErasure(
  archive: ErasableArchive,
  { tweetIds, userId }: Erasure,
  pause: () => Promise<void>,
): Promise<ArchiveCounts> {
  let [users, relations, steps] = [0, 0, 0];
  if (tweetIds.size > 0 || userId !== undefined) {
    for (const change of archive.changes()) {
      if (++steps % 10_000 === 0) await pause();
      if (change.kind === 'user') users += change.user.id === userId ? 1 : 0;
      else if (isRelationOf(change, tweetIds, userId)) relations++;
    }
  }
  return { tweets: tweetIds.size, users, relations };
}

/** Whether a record is a relation to a tweet or the user that goes. */
function isRelationOf(change: Change, tweetIds: ReadonlySet<string>, userId: string | undefined): boolean {
  switch (change.kind) {
    case 'follow':
      return change.follower_id === userId || change.following_id === userId;
    case 'retweet':
    case 'highlight':
      return tweetIds.has(change.tweet_id) || change.user_id === userId;
    case 'membership':
    case 'list_member':
      return change.user_id === userId;
    case 'like':
      return tweetIds.has(change.tweet_id);
    case 'list':
      return change.list.owner_id === userId;
    case 'space':
      return change.space.host_id === userId;
    default:
      return false;
  }
}
