/** The state of tweets for the event stream, from the tables. */
import type { Schemas } from '../../contract/operations.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { ArchivedList, ArchivedPlace, ArchivedTweet } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import { StoreError } from '../../ports/storage.ts';
import type { GoneTweet, KnownUser, TweetSnapshot } from '../../ports/platform.ts';
import { documentOf, type DocumentContext } from '../../search/document.ts';
import type { TweetDocument } from '../../domain/tweet-document.ts';
import { Lists } from '../../search/lists.ts';
import { Places } from '../../search/places.ts';
import { among, sql, type Integer, type RunSql } from '../sql.ts';
import { engagement, mentionedUsers, tweetFull, tweetShort } from './views.ts';
import { fromDatabaseId, idsOf, textsOf } from '../content/database-id.ts';
import { isId } from '../../domain/record-id.ts';
import { LoadedRecords, referencesOf } from './loaded-records.ts';
import { readAuthors } from './tweet-authors.ts';

type Snapshots = readonly (TweetSnapshot | GoneTweet | undefined)[];

/**
 * The current state of tweets, in the order of the ids. The members of a tweet whose record is damaged throw: it holds up no other one.
 * Rejects with StoreError, and as `run` does.
 */
export async function snapshotsOf(run: RunSql, ids: readonly string[]): Promise<Snapshots> {
  try {
    return await loadedSnapshots(run, ids);
  } catch (error) {
    if (error instanceof StoreError || error instanceof ServiceError) throw error;
    if (ids.length === 1) return [unreadable(error)];
    return (await Promise.all(ids.map((id) => snapshotsOf(run, [id])))).flat();
  }
}

async function loadedSnapshots(run: RunSql, ids: readonly string[]): Promise<Snapshots> {
  const wanted = ids.filter(isId);
  if (wanted.length === 0) return ids.map(() => undefined);
  const records = new LoadedRecords(run);
  await records.read({ tweets: wanted });
  const tweets = wanted.flatMap((id) => {
    const ordinal = records.ordinal(id);
    return ordinal === undefined ? [] : [records.tweet(ordinal)];
  });
  const tombstones = await tombstonesOf(
    run,
    wanted.filter((id) => records.ordinal(id) === undefined),
  );
  const removed = [...tombstones.values()].flatMap(({ tweet }) => tweet ?? []);
  await records.read({
    users: removed.map(({ author_id }) => author_id),
    mentions: removed.flatMap(({ mentions = [] }) => mentions),
  });
  const context = await contextOf(run, records, tweets);
  return ids.map((id) => {
    const ordinal = records.ordinal(id);
    return ordinal === undefined
      ? goneTweet(records, tombstones.get(id))
      : new LoadedSnapshot(records, ordinal, context);
  });
}

async function tombstonesOf(run: RunSql, ids: readonly string[]): Promise<Map<string, Tombstone>> {
  if (ids.length === 0) return new Map();
  const rows = await run<{ document: string }>(
    sql`SELECT document FROM social_data.tombstone WHERE ${among('id', idsOf(ids))}`,
  );
  return new Map(
    rows.map(({ document }) => {
      const tombstone = JSON.parse(document) as Tombstone;
      return [tombstone.id, tombstone];
    }),
  );
}

const goneTweet = (records: LoadedRecords, tombstone: Tombstone | undefined): GoneTweet | undefined => {
  const tweet = tombstone?.tweet;
  return (
    tweet && {
      isGone: true,
      authorId: tweet.author_id,
      authorUsername: records.user(tweet.author_id)?.username,
      mentions: mentionedUsers(records, tweet.mentions),
      inReplyToId: tweet.in_reply_to_id,
      communityId: tweet.community_id,
    }
  );
};

/** What the search documents of tweets need besides the tweets. */
async function contextOf(
  run: RunSql,
  records: LoadedRecords,
  tweets: readonly ArchivedTweet[],
): Promise<DocumentContext> {
  const related = tweets.flatMap((tweet) => [...referencesOf(tweet), tweet.in_reply_to_id ?? []].flat());
  const authors = await authorsOf(run, related);
  const places = await placesFor(run, tweets);
  const lists = await listsOf(run, [...new Set(tweets.map(({ author_id }) => author_id))]);
  await records.readUsers([...authors.values(), ...Array.from(lists.values(), ({ owner_id }) => owner_id)]);
  return {
    user: (id) => records.user(id),
    authorOf: (tweetId) => authors.get(tweetId),
    place: (id) => places.get(id),
    centres: (term) => places.centres(term),
    listTerms: (userId) => lists.termsOf(userId, (ownerId) => records.user(ownerId)?.username),
  };
}

/** The authors of tweets that are in the tables, or were. */
async function authorsOf(run: RunSql, tweetIds: readonly string[]): Promise<Map<string, string>> {
  if (tweetIds.length === 0) return new Map();
  const rows = await run<{ id: Integer; author_id: Integer }>(readAuthors(tweetIds));
  return new Map(rows.map(({ id, author_id }) => [fromDatabaseId(id), fromDatabaseId(author_id)]));
}

/** The places of tweets, and all places with a box: a query can name any of them. Nothing for tweets without a location. */
async function placesFor(run: RunSql, tweets: readonly ArchivedTweet[]): Promise<Places> {
  const places = new Places();
  const located = tweets.filter(({ coordinates, place_id }) => coordinates !== undefined || place_id !== undefined);
  if (located.length === 0) return places;
  const named = textsOf(located.flatMap(({ place_id }) => place_id ?? []));
  const rows = await run<{ document: string }>(
    sql`SELECT document FROM social_data.place WHERE south IS NOT NULL OR ${among('id', named)}`,
  );
  for (const { document } of rows) places.set(JSON.parse(document) as ArchivedPlace);
  return places;
}

/** The lists that users are members of. */
async function listsOf(run: RunSql, userIds: readonly string[]): Promise<Lists> {
  const lists = new Lists();
  const rows = await run<{ list_id: string; user_id: Integer; document: string | null }>(
    sql`SELECT m.list_id, m.user_id, l.document FROM social_data.list_member m
      LEFT JOIN social_data.list l ON l.id = m.list_id WHERE ${among('m.user_id', idsOf(userIds))}`,
  );
  for (const { list_id, user_id, document } of rows) {
    lists.addMember(list_id, fromDatabaseId(user_id));
    if (document !== null) lists.set(JSON.parse(document) as ArchivedList);
  }
  return lists;
}

/** The state of a tweet that cannot be read: only `isGone` does not throw. */
const unreadable = (error: unknown): TweetSnapshot =>
  new Proxy({ isGone: false } as TweetSnapshot, {
    get(target, name) {
      if (name in target) return target.isGone;
      throw error;
    },
  });

/** Shows the state at the time of its creation. */
class LoadedSnapshot implements TweetSnapshot {
  readonly isGone = false;
  readonly #records: LoadedRecords;
  readonly #ordinal: number;
  readonly #context: DocumentContext;

  constructor(records: LoadedRecords, ordinal: number, context: DocumentContext) {
    this.#records = records;
    this.#ordinal = ordinal;
    this.#context = context;
  }

  get #record(): ArchivedTweet {
    return this.#records.tweet(this.#ordinal);
  }

  get authorId(): string {
    return this.#record.author_id;
  }

  get authorUsername(): string | undefined {
    return this.#records.user(this.authorId)?.username;
  }

  get mentions(): readonly KnownUser[] {
    return mentionedUsers(this.#records, this.#record.entities?.mentions);
  }

  get inReplyToId(): string | undefined {
    return this.#record.in_reply_to_id;
  }

  get communityId(): string | undefined {
    return this.#record.community_id;
  }

  get includedIds(): readonly string[] {
    return referencesOf(this.#record);
  }

  full(): Schemas['Tweet'] {
    return tweetFull(this.#records, this.#ordinal);
  }

  short(): Schemas['TweetShort'] {
    return tweetShort(this.#records, this.#ordinal);
  }

  engagement(): Schemas['WsEngagement'] {
    return engagement(this.#records, this.#ordinal);
  }

  document(): TweetDocument {
    return documentOf(this.#record, this.#context);
  }
}
