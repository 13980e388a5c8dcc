/** A running service finds rows whose text has changed. */
import { expect, test } from '@jest/globals';
import { ChecksumWatch } from '../../../server/engines/sqlite/checksum-watch.ts';
import { LocalWriter } from '../../../server/engines/sqlite/local-writer.ts';
import { FileHealth } from '../../../server/engines/sqlite/file-health.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { createTables } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import type { Change } from '../../../server/archive/rules/change.ts';

test('each row with a changed text is found once in a pass, in tables of all kinds of keys', async () => {
  const database = new SqliteDatabase(':memory:');
  createTables(database);
  const created_at = '2026-01-01T00:00:00Z';
  await new LocalWriter(database, { now: () => 0, health: new FileHealth() }).apply([
    { kind: 'user', user: { id: '7', username: 'mira' } },
    ...['81', '82'].map((id) => ({
      kind: 'list',
      list: { id, name: `list ${id}`, owner_id: '7', observed_at: created_at },
    })),
    ...Array.from({ length: 25 }, (_, n) => ({
      kind: 'tweet',
      tweet: { id: String(100 + n), author_id: '7', text: 'coffee', created_at },
    })),
  ] as Change[]);
  const found: string[] = [];
  const watch = new ChecksumWatch(database, {
    onDamage: (table, key) => found.push(`${table} ${key}`),
    rowsOfStep: 10,
  });
  const pass = (): string[] => {
    for (let step = 0; step < 20; step++) watch.step();
    return found.splice(0);
  };
  expect(pass()).toEqual([]);
  database.script(`UPDATE tweet SET document = replace(document, 'coffee', 'toffee') WHERE id - (SELECT min(id) FROM tweet) IN (3, 24);
    UPDATE list SET document = document || ' ' WHERE id = '82';
    UPDATE change SET record = record || ' ' WHERE log = 'events' AND seq = 2`);
  expect(new Set(pass())).toEqual(new Set(['tweet 103', 'tweet 124', 'list 82', 'change events 2']));
  database.close();
});
