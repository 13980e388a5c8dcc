/** Archives in SQLite whose searches a test checks, and what they must find: what looking at each tweet alone finds. */
import { afterAll, beforeAll } from '@jest/globals';
import type { SqlPlatform } from '../../server/archive/sql-platform.ts';
import type { PageRequest } from '../../server/contract/page.ts';
import type { ArchivedList, ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import type { Change, SnapshotChange } from '../../server/archive/rules/change.ts';
import { documentOf, type DocumentContext } from '../../server/search/document.ts';
import type { TweetDocument } from '../../server/domain/tweet-document.ts';
import { engagementOf } from '../../server/search/engagement.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Places } from '../../server/search/places.ts';
import { parseTime } from '../../server/text/iso-time.ts';
import { SqlSink } from '../../server/archive/writes/sql-sink.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { archiveOn, contentIn, platformOn, sqliteTables, type ArchiveTables } from '../archive/engines.ts';

export type Order = 'Latest' | 'Top';

/** The tweets of an archive, with the related records that their search documents need. */
export class EvaluatedContent {
  /** In the order of the content. */
  readonly tweets = new Map<string, ArchivedTweet>();
  readonly context: DocumentContext;
  readonly #documents = new Map<string, TweetDocument>();

  /** `content`: each entity once, with its final state. */
  constructor(content: Iterable<SnapshotChange>) {
    const [users, removed] = [new Map<string, ArchivedUser>(), new Map<string, string>()];
    const [places, lists] = [new Places(), new Map<string, ArchivedList>()];
    const withdrawn = new Set<string>();
    const memberships: (readonly [user: string, list: string])[] = [];
    for (const change of content)
      if (change.kind === 'tweet') this.tweets.set(change.tweet.id, change.tweet);
      else if (change.kind === 'user') users.set(change.user.id, change.user);
      else if (change.kind === 'withdraw') withdrawn.add(change.user_id);
      else if (change.kind === 'place') places.set(change.place);
      else if (change.kind === 'list') lists.set(change.list.id, change.list);
      else if (change.kind === 'list_member') memberships.push([change.user_id, change.list_id]);
      else if (change.kind === 'delete' && 'author_id' in change && change.author_id !== undefined)
        removed.set(change.tweet_id, change.author_id);
    for (const [id, user] of mentionedIn(this.tweets.values()))
      if (!users.has(id) && !withdrawn.has(id)) users.set(id, user);
    this.context = {
      user: (id) => users.get(id),
      authorOf: (id) => this.tweets.get(id)?.author_id ?? removed.get(id),
      place: (id) => places.get(id),
      centres: (term) => places.centres(term),
      listTerms: (userId) =>
        memberships.flatMap(([member, id]) => {
          if (member !== userId) return [];
          const { slug, owner_id } = lists.get(id) ?? {};
          const owner = owner_id === undefined ? undefined : users.get(owner_id)?.username;
          const named = slug === undefined || owner === undefined ? [] : [`list:${owner}/${slug}`.toLowerCase()];
          return [`list:${id}`, ...named];
        }),
    };
  }

  document(id: string): TweetDocument {
    const tweet = this.tweets.get(id);
    if (tweet === undefined) throw new Error(`there is no tweet ${id}`);
    const document = this.#documents.get(id) ?? documentOf(tweet, this.context);
    this.#documents.set(id, document);
    return document;
  }

  /** The ids of the tweets that match, in the order of pages. `now`: in milliseconds since the epoch. */
  matching(wanted: Condition, order: Order, now: number): string[] {
    const score = ({ id }: ArchivedTweet): number =>
      order === 'Top' ? engagementOf((name) => this.tweets.get(id)?.[name] ?? 0) : 0;
    return [...this.tweets.values()]
      .filter(({ id }) => matches(wanted, this.document(id), now))
      .toSorted(
        (a, b) =>
          score(b) - score(a) ||
          parseTime(b.created_at) - parseTime(a.created_at) ||
          Number(BigInt(b.id) - BigInt(a.id) > 0n) - Number(BigInt(b.id) - BigInt(a.id) < 0n),
      )
      .map(({ id }) => id);
  }
}

/** The users as the newest tweet that mentions their id describes them, by its first mention of it. */
function mentionedIn(tweets: Iterable<ArchivedTweet>): Map<string, ArchivedUser> {
  const users = new Map<string, ArchivedUser>();
  const older = (a: ArchivedTweet, b: ArchivedTweet): number =>
    parseTime(a.created_at) - parseTime(b.created_at) || Number(BigInt(a.id) - BigInt(b.id));
  for (const { entities } of [...tweets].toSorted(older))
    for (const { id, username, name } of entities?.mentions.toReversed() ?? [])
      if (id !== undefined) users.set(id, { id, username, ...(name === undefined ? {} : { name }) });
  return users;
}

export class SearchedArchive {
  readonly #tables: ArchiveTables;
  readonly #archive: ReturnType<typeof archiveOn>;
  readonly #platform: SqlPlatform;

  constructor(tables: ArchiveTables) {
    this.#tables = tables;
    this.#archive = archiveOn(tables);
    this.#platform = platformOn(tables, this.#archive);
  }

  /** Throws an Error for a change that cannot be applied. */
  async apply(...changes: readonly Change[]): Promise<void> {
    const { unusable } = await this.#archive.apply(changes);
    for (const { change, reason } of unusable) throw new Error(`${change.kind}: ${reason}`);
  }

  /** The ids that a query finds. `between` runs after each page except the last. */
  async search(
    query: string,
    order: Order = 'Latest',
    limit = 100,
    between: () => Promise<void> = async () => {},
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let after: PageRequest['after']; ;) {
      const page = await this.#platform.search(parse(query), order, { after, limit });
      ids.push(...page.items.map(({ id }) => id));
      if (page.next === null) return ids;
      after = JSON.parse(JSON.stringify(page.next)) as PageRequest['after'];
      await between();
    }
  }

  /** All ids that a query finds, newest first. */
  async ids(query: string, now: number): Promise<string[]> {
    const { run } = this.#tables;
    const page = { after: undefined, limit: 1_000_000 };
    return (await this.#tables.searchOn(run).latest(parse(query), page, now)).items.slice();
  }

  /** Takes imports. */
  get sink(): ImportSink {
    const onUnusable = ({ reason }: { readonly reason: string }): never => {
      throw new Error(reason);
    };
    return new SqlSink(this.#tables.run, this.#archive, { onUnusable });
  }

  /** The texts that a query finds, newest first. */
  async texts(query: string): Promise<string[]> {
    const { items } = await this.#platform.search(parse(query), 'Latest', { after: undefined, limit: 100 });
    return items.map(({ text }) => text);
  }

  async content(): Promise<EvaluatedContent> {
    return new EvaluatedContent(await contentIn(this.#tables));
  }
}

/** Makes archives in the same file, one after the other: each call ends the archive of the call before. Call it once, outside the tests. */
export function searchedArchives(): (...records: readonly Change[]) => Promise<SearchedArchive> {
  let tables: ArchiveTables;
  beforeAll(async () => void (tables = await sqliteTables()));
  afterAll(() => tables.dispose());
  return async (...records) => {
    await tables.clear();
    const archive = new SearchedArchive(tables);
    await archive.apply(...records);
    return archive;
  };
}
