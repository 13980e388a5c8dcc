/** Users without a profile: the newest mention that names the id of a user describes the user. */
import type { ArchivedTweet, ArchivedUser } from '../../../domain/records.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import { describedRow } from '../rows/content-rows.ts';
import { fromDatabaseId, toDatabaseId } from '../rows/database-id.ts';
import { upsertRows } from '../rows/search-rows.ts';

/** A user whose username changed: the stored forms of the usernames before and after. */
export interface Renamed {
  readonly id: string;
  readonly usernames: readonly string[];
}

interface Description {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly document: string;
}

/** The rows of the users that a transaction may describe anew. */
export class DescribedUsers {
  readonly #run: Run;
  readonly #ids: readonly string[];
  #before = new Map<string, string>();
  /** The stored forms of the usernames before and after. */
  readonly usernames = new Set<string>();

  /** `users`: the ids of the users. */
  constructor(run: Run, users: Iterable<string>) {
    this.#run = run;
    this.#ids = Array.from(users, toDatabaseId);
  }

  /** Reads the usernames before the changes. */
  async readBefore(): Promise<void> {
    this.#before = await this.#readUsernames();
  }

  /** Describes the users as the mentions in the tables do now. Returns the users whose username changed. */
  async refresh(): Promise<readonly Renamed[]> {
    if (this.#ids.length === 0) return [];
    const found = await this.#descriptions();
    await this.#run({
      text: `DELETE FROM social_data.person WHERE described_at IS NOT NULL
        AND id = ANY ($1::bigint[]) AND NOT id = ANY ($2::bigint[])`,
      params: [this.#ids, found.map(({ id }) => id)],
    });
    const rows = found.flatMap((each) => {
      const user = describedBy(each);
      return user === undefined ? [] : [describedRow(user, each.at, each.by)];
    });
    if (rows.length > 0) await this.#run(upsertRows('person', ['id'], rows));
    const after = await this.#readUsernames();
    return this.#ids.flatMap((id) => {
      const usernames = [this.#before.get(id), after.get(id)].filter((each) => each !== undefined);
      return new Set(usernames).size === 1 && usernames.length === 2 ? [] : [{ id: fromDatabaseId(id), usernames }];
    });
  }

  /** The newest mention of each user who has no profile and is not withdrawn. */
  #descriptions(): Promise<readonly Description[]> {
    return this.#run<Description>({
      text: `SELECT given.id, m.created_at AS at, m.tweet_id AS by, t.document
        FROM unnest($1::bigint[]) AS given (id) JOIN LATERAL (
          SELECT tweet_id, created_at FROM social_data.mention WHERE user_id = given.id
          ORDER BY created_at DESC, tweet_id DESC LIMIT 1) AS m ON true
        JOIN social_data.tweet t ON t.id = m.tweet_id
        WHERE NOT EXISTS (SELECT FROM social_data.person p WHERE p.id = given.id AND p.described_at IS NULL)
          AND NOT EXISTS (SELECT FROM social_data.withdrawn w WHERE w.user_id = given.id)`,
      params: [this.#ids],
    });
  }

  async #readUsernames(): Promise<Map<string, string>> {
    if (this.#ids.length === 0) return new Map();
    const rows = await this.#run<{ id: string; username: string }>({
      text: 'SELECT id, username FROM social_data.person WHERE id = ANY ($1::bigint[])',
      params: [this.#ids],
    });
    for (const { username } of rows) this.usernames.add(username);
    return new Map(rows.map(({ id, username }) => [id, username]));
  }
}

/** The user in the first mention with the id. */
function describedBy({ id: stored, document }: Description): ArchivedUser | undefined {
  const id = fromDatabaseId(stored);
  const tweet = JSON.parse(document) as Pick<ArchivedTweet, 'entities'>;
  const mention = tweet.entities?.mentions?.find((each) => each.id === id);
  return mention && { id, username: mention.username, ...(mention.name === undefined ? {} : { name: mention.name }) };
}
