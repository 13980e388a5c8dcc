/** Users without a profile: the newest mention that names the id of a user describes the user. */
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import { among, given, sql, type Integer, type RunSql } from '../sql.ts';
import { describedRow } from '../content/content-rows.ts';
import { fromDatabaseId, idsOf } from '../content/database-id.ts';
import type { SearchRows } from './archive-database.ts';

/** A user whose username changed: the stored forms of the usernames before and after. */
export interface Renamed {
  readonly id: string;
  readonly usernames: readonly string[];
}

interface Description {
  readonly id: Integer;
  readonly at: Integer;
  readonly by: Integer;
}

type Mention = NonNullable<ArchivedTweet['entities']>['mentions'][number];
/** The first mention of each user in a tweet, by the id of the user. */
type Mentions = ReadonlyMap<string, Mention>;

/** The rows of the users that a transaction may describe anew. */
export class DescribedUsers {
  readonly #run: RunSql;
  readonly #rows: Pick<SearchRows, 'writeUsers' | 'removeUsers'>;
  readonly #users: readonly string[];
  #before = new Map<string, string>();
  /** The stored forms of the usernames before and after. */
  readonly usernames = new Set<string>();

  /** `users`: the ids of the users. */
  constructor(run: RunSql, rows: Pick<SearchRows, 'writeUsers' | 'removeUsers'>, users: Iterable<string>) {
    this.#run = run;
    this.#rows = rows;
    this.#users = [...users];
  }

  /** Reads the usernames before the changes. */
  async readBefore(): Promise<void> {
    this.#before = await this.#readUsernames();
  }

  /** Describes the users as the mentions in the tables do now. Returns the users whose username changed. */
  async refresh(): Promise<readonly Renamed[]> {
    if (this.#users.length === 0) return [];
    const found = await this.#descriptions();
    const outdated = await this.#run<{ id: Integer }>(
      sql`SELECT id FROM social_data.person WHERE described_at IS NOT NULL
        AND ${among('id', idsOf(this.#users))} AND NOT ${among('id', { ids: found.map(({ id }) => String(id)) })}`,
    );
    if (outdated.length > 0) await this.#rows.removeUsers(outdated.map(({ id }) => String(id)));
    const mentions = await this.#mentionsIn(new Set(found.map(({ by }) => String(by))));
    const described = found.flatMap((each) => {
      const user = describedBy(each, mentions.get(String(each.by)));
      return user === undefined ? [] : [{ user, row: describedRow(user, each.at, each.by) }];
    });
    if (described.length > 0) await this.#rows.writeUsers(described);
    const after = await this.#readUsernames();
    return this.#users.flatMap((id) => {
      const usernames = [this.#before.get(id), after.get(id)].filter((each) => each !== undefined);
      return new Set(usernames).size === 1 && usernames.length === 2 ? [] : [{ id, usernames }];
    });
  }

  /** The newest mention of each user who has no profile and is not withdrawn. */
  #descriptions(): Promise<readonly Description[]> {
    return this.#run<Description>(
      sql`SELECT named.id, t.created_at AS at, t.id AS by FROM (
          SELECT given.id, (SELECT m.tweet_id FROM social_data.mention m WHERE m.user_id = given.id
            ORDER BY m.created_at DESC, m.tweet_id DESC LIMIT 1) AS newest
          FROM ${given({ id: idsOf(this.#users) })}) AS named
        JOIN social_data.tweet t ON t.id = named.newest
        WHERE NOT EXISTS (SELECT 1 FROM social_data.person p WHERE p.id = named.id AND p.described_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM social_data.withdrawn w WHERE w.user_id = named.id)`,
    );
  }

  /** The mentions of tweets by their stored ids. Each tweet is read once: one can mention thousands of users. */
  async #mentionsIn(ids: ReadonlySet<string>): Promise<Map<string, Mentions>> {
    if (ids.size === 0) return new Map();
    const rows = await this.#run<{ id: Integer; document: string }>(
      sql`SELECT id, document FROM social_data.tweet WHERE ${among('id', { ids: [...ids] })}`,
    );
    return new Map(rows.map(({ id, document }) => [String(id), mentionsOf(document)]));
  }

  async #readUsernames(): Promise<Map<string, string>> {
    if (this.#users.length === 0) return new Map();
    const rows = await this.#run<{ id: Integer; username: string }>(
      sql`SELECT id, username FROM social_data.person WHERE ${among('id', idsOf(this.#users))}`,
    );
    for (const { username } of rows) this.usernames.add(username);
    return new Map(rows.map(({ id, username }) => [fromDatabaseId(id), username]));
  }
}

function mentionsOf(document: string): Mentions {
  const { entities } = JSON.parse(document) as Pick<ArchivedTweet, 'entities'>;
  const first = new Map<string, Mention>();
  for (const mention of entities?.mentions ?? [])
    if (mention.id !== undefined && !first.has(mention.id)) first.set(mention.id, mention);
  return first;
}

/** The user in the first mention with the id. */
function describedBy({ id: stored }: Description, mentions: Mentions | undefined): ArchivedUser | undefined {
  const id = fromDatabaseId(stored);
  const mention = mentions?.get(id);
  return mention && { id, username: mention.username, ...(mention.name === undefined ? {} : { name: mention.name }) };
}
