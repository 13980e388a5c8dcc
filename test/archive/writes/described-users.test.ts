/** A tweet describes the users whom it mentions and who have no profile. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { RunSql } from '../../../server/archive/sql.ts';
import type { ArchiveDatabase } from '../../../server/archive/writes/archive-database.ts';
import { archiveOn, platformOn, sqliteTables, type ArchiveTables } from '../engines.ts';

let tables: ArchiveTables;
beforeAll(async () => void (tables = await sqliteTables()));
afterAll(() => tables.dispose());

test('a tweet that mentions many users is not read once for each of them', async () => {
  let characters = 0;
  const counted =
    (run: RunSql): RunSql =>
    async <Row extends object>(statement: Parameters<RunSql>[0]) => {
      const rows = await run<Row & { readonly document?: string }>(statement);
      for (const { document = '' } of rows) characters += document.length;
      return rows;
    };
  const database: ArchiveDatabase = {
    transaction: (task) => tables.database.transaction((each) => task({ ...each, run: counted(each.run) })),
  };
  const ids = Array.from({ length: 500 }, (_, place) => String(1_000 + place));
  // Of two mentions of a user, the first one describes the user.
  const mentions = ids.flatMap((id) => [
    { username: `u${id}`, id, name: `User ${id}` },
    { username: 'later', id },
  ]);
  const entities = { mentions, hashtags: [], cashtags: [], urls: [] };
  const tweet = { id: '1', author_id: '1', text: 'a', created_at: '2026-01-01T00:00:00.000Z', entities };
  const change: Change = { kind: 'tweet', tweet };
  await archiveOn({ database }).apply([change]);
  expect(characters).toBeLessThan(5 * JSON.stringify(tweet).length);
  const users = await platformOn(tables, archiveOn(tables)).users(ids.map((user_id) => ({ user_id })));
  expect(users.map((user) => [user?.username, user?.name])).toEqual(ids.map((id) => [`u${id}`, `User ${id}`]));
});
