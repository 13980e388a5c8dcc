/** An upgrade that is killed at any moment: the next one continues, and the result is the same. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { dyingAt, moments, mortal } from '../../support/crash-injection.ts';
import { random } from '../../support/random.ts';
import { rounds } from '../../support/rounds.ts';
import { run, temporaryFolder } from '../../support/server.ts';
import { history } from './history.ts';
import { writeJournal } from './old-journals.ts';

const seed = 20_260_107;
const total = rounds(120, 2);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  const records = history()
    .flatMap((step) => ('records' in step ? step.records : []))
    .slice(0, 700)
    .map((record) => JSON.stringify(record));
  const segments = [records.slice(0, 300), [...records.slice(300, 500), 7], records.slice(500)];
  await writeJournal(join(data, 'archive'), segments);
  await writeJournal(join(data, 'pool'), [[JSON.stringify({ kind: 'account', id: 'a', state: {} })]]);
  const event = JSON.stringify({ event: 'tweet.created', id: '1', at: 1, change: 600 });
  await writeJournal(join(data, 'events'), [[event, event]]);
  await writeFile(join(data, 'events', 'log.json'), JSON.stringify({ epoch: 'e1' }));
});
afterAll(() => folder.dispose());

const upgrade = (directory: string, env: Record<string, string>) =>
  run('test/engines/upgrade/upgrade.child.ts', [directory], env);

/** All rows that do not differ from one upgrade to the next. */
function contentOf(directory: string): unknown {
  const database = new SqliteDatabase(join(directory, 'archive.db'), { readOnly: true });
  try {
    const tables = database
      .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%word%'")
      .map(({ name }) => name)
      .filter((name) => name !== 'meta' && name !== 'change');
    return [
      ...tables.map((name) => [name, database.all(`SELECT * FROM "${name}" ORDER BY 1, 2`)]),
      database.all("SELECT log, seq, record ->> 'event', record ->> 'id' FROM change ORDER BY log, seq"),
      database.all("SELECT name FROM meta WHERE name <> 'removed_at' AND name <> 'removed_last'"),
      database.all(`SELECT rowid FROM word WHERE word MATCH '"coffee"' ORDER BY rowid`),
    ];
  } finally {
    database.close();
  }
}

test('an upgrade that is killed again and again has the result of one that is not', async () => {
  const whole = join(folder.path, 'whole');
  await cp(data, whole, { recursive: true });
  const counted = join(folder.path, 'operations');
  expect((await upgrade(whole, { NODE_OPTIONS: mortal, DIE_COUNT: counted })).code).toBe(0);
  const operations = Number(await readFile(counted, 'utf8'));
  expect(operations).toBeGreaterThan(500);
  const expected = contentOf(whole);
  const names = await readdir(whole, { recursive: true });
  const draw = random(seed);
  let kills = 0;
  for (let round = 0; round < total; round++) {
    const directory = join(folder.path, `round-${round}`);
    await cp(data, directory, { recursive: true });
    // Every second kill is in the last steps, in which files get their places.
    for (let at = round % 2 === 0 ? 1 + draw(operations) : operations - draw(60); ; at = 1 + draw(2 * operations)) {
      const { code, stderr } = await upgrade(directory, dyingAt(at, moments[draw(3)]!));
      if (code === 0) break;
      expect([stderr, code]).toEqual(['', null]);
      kills++;
    }
    expect(contentOf(directory)).toEqual(expected);
    expect((await readdir(directory, { recursive: true })).toSorted()).toEqual(names.toSorted());
    await rm(directory, { recursive: true });
  }
  expect(kills).toBeGreaterThan(total / 2);
}, 900_000);
