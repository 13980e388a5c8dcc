// Tests server/maintenance/doctor/document-check.ts, server/maintenance/doctor/document-rules.ts,
// server/maintenance/doctor/quarantine.ts, server/engines/sqlite/file-check.ts and
// server/engines/sqlite/file-salvage.ts.
/** Checks and repairs of a data directory with a database file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { SqliteSearch } from '../../server/engines/sqlite/sqlite-search.ts';
import { openSqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import {
  checkDataDirectory,
  repairDataDirectory,
  type Repair,
} from '../../server/maintenance/doctor/directory-doctor.ts';
import type { Change } from '../../server/archive/rules/change.ts';
import { parse } from '../../server/search/language/parse.ts';
import { bundledProgram } from '../support/bundled-service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const count = 3_000;
const now = Date.UTC(2026, 5, 1);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
let whole: typeof folder;
beforeAll(async () => {
  whole = await temporaryFolder();
  await create();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'archive.db');
  await cp(whole.path, folder.path, { recursive: true });
});
afterEach(() => folder.dispose());
afterAll(() => whole.dispose());

const idOf = (n: number): string => String(1000 + n);

/** A file with tweets of three users, mentions, likes and events, and a document. */
async function create(): Promise<void> {
  const store = await openSqliteStore(whole.path);
  const users = ['1', '2', '3'].map((id): ArchiveRecord => ({
    kind: 'user',
    user: { id, username: `user${id}`, name: `Name ${id}`, description: 'who writes'.repeat(20) },
  }));
  const tweets = Array.from({ length: count }, (_, n): ArchiveRecord => ({
    kind: 'tweet',
    tweet: {
      ...{ id: idOf(n), author_id: String(1 + (n % 3)), text: `coffee number${n} @user${1 + (n % 2)}` },
      ...{ created_at: new Date(Date.UTC(2026, 0, 1) + n * 1_700).toISOString(), like_count: n },
      ...(n % 100 === 0 && { community_id: '70' }),
      entities: { mentions: [{ username: `user${1 + (n % 2)}` }], hashtags: [], cashtags: [], urls: [] },
    },
  }));
  const follow: ArchiveRecord = { kind: 'follow', follower_id: '1', following_id: '2' };
  const list: ArchiveRecord = { kind: 'list', list: { id: '77', name: 'a list', owner_id: '1' } };
  await store.writer.apply([...users, list, follow, ...tweets] as Change[]);
  await (await store.document('keys', { keys: [] })).update(() => {});
  await store.close();
  change('PRAGMA wal_checkpoint(TRUNCATE)', join(whole.path, 'archive.db'));
}

/** Changes the file as another program does. */
function change(text: string, file = path): void {
  const database = new DatabaseSync(file);
  database.enableDefensive(false);
  database.exec(text);
  database.close();
}

async function overwrite(offset: number, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(bytes, 0, bytes.length, offset);
  await handle.close();
}

const reasons = async (): Promise<string[]> =>
  (await checkDataDirectory(folder.path)).findings.damage.map(({ file, reason }) => `${file}: ${reason}`);

async function repair(): Promise<Repair> {
  const repaired = await repairDataDirectory(folder.path, await checkDataDirectory(folder.path), now);
  expect(await reasons()).toEqual([]);
  expect((await readdir(folder.path)).filter((name) => /partial|mended/.test(name))).toEqual([]);
  return repaired;
}

/** The tweets that a search finds. */
async function found(query: string): Promise<string[]> {
  const database = new SqliteDatabase(path, { readOnly: true });
  const search = new SqliteSearch(database);
  const ids: string[] = [];
  let after: never;
  for (let isMore = true; isMore;) {
    const { items, next } = await search.latest(parse(query), { limit: 500, after: after! }, now);
    ids.push(...items);
    after = next as never;
    isMore = next !== null;
  }
  database.close();
  return ids.toSorted();
}
const tweetsOfFile = (): number => {
  const database = new SqliteDatabase(path, { readOnly: true });
  const row = database.first<{ n: number }>('SELECT count(*) AS n FROM tweet');
  database.close();
  return row?.n ?? 0;
};

async function quarantined({ folder: name = '' }: Repair): Promise<{ files: string[]; records: string }> {
  const files = await readdir(join(folder.path, name));
  const records = await readFile(join(folder.path, name, 'records.jsonl'), 'utf8').catch(() => '');
  return { files, records };
}

test('a whole directory has no findings, and a check changes nothing', async () => {
  const before = await readFile(path);
  const { findings, tweets } = await checkDataDirectory(folder.path);
  expect([findings.damage, tweets]).toEqual([[], count]);
  // Jest takes seconds to compare so many bytes.
  expect((await readFile(path)).equals(before)).toBe(true);
  const { folder: taken, salvage } = await repair();
  expect([taken, salvage]).toEqual([undefined, undefined]);
});

test('a changed letter of a text is found by its checksum, and the row is taken out with its text', async () => {
  const text = Buffer.from('coffee number1234 ');
  const at = (await readFile(path)).indexOf(text);
  await overwrite(at, Buffer.from('toffee'));
  expect(await reasons()).toEqual([`archive.db: 1 rows of tweet have a wrong checksum (${idOf(1234)})`]);
  const repaired = await repair();
  const { files, records } = await quarantined(repaired);
  expect(files).toEqual(expect.arrayContaining(['archive.db', 'records.jsonl']));
  expect(records).toContain('toffee number1234');
  expect((await found('coffee')).length).toBe(count - 1);
  expect(await found('number1234')).toEqual([]);
  expect(await found('number1235')).toEqual([idOf(1235)]);
});

/** The number of rows of each table with content. */
function rowsOfTables(): Record<string, number> {
  const database = new SqliteDatabase(path, { readOnly: true });
  const tables = database.all<{ name: string }>(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN ('meta', 'word_pending', 'top')`,
  );
  const rows = tables.map(({ name }) => [
    name,
    database.first<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`)?.n,
  ]);
  database.close();
  return Object.fromEntries(rows) as Record<string, number>;
}

test('damaged words are built anew from the documents, without a loss', async () => {
  const before = rowsOfTables();
  expect(before).toMatchObject({ person: 3, list: 1, tweet: count });
  change('UPDATE word_data SET block = zeroblob(length(block)) WHERE id = (SELECT max(id) FROM word_data)');
  expect((await reasons()).join()).toMatch(/word/);
  await repair();
  expect(rowsOfTables()).toEqual(before);
  expect((await found('coffee')).length).toBe(count);
  expect(await found('number77')).toEqual([idOf(77)]);
});

test('rows that contradict each other are found and mended', async () => {
  const pos = '(SELECT pos FROM tweet ORDER BY pos LIMIT 1)';
  change(`DELETE FROM tweet_count WHERE pos = ${pos}; DELETE FROM word_docsize WHERE id = ${pos};
    INSERT INTO tweet_count VALUES (5, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL); DELETE FROM name_word_docsize WHERE id = (SELECT max(id) FROM person);
    UPDATE tweet_count SET engagement = 7 WHERE pos = (SELECT max(pos) FROM tweet);
    UPDATE tweet SET created_at = created_at + 1000 WHERE id = (SELECT max(id) FROM tweet);
    UPDATE tweet_count SET rank = rank + 1 WHERE pos = (SELECT pos FROM tweet WHERE document ->> 'text' LIKE '% number200 %');
    INSERT INTO mention VALUES (12, 0, 0, 'nobody', NULL)`);
  const broken = (await reasons()).flatMap((reason) => reason.split('broken: ').slice(1));
  expect(broken).toEqual([
    expect.stringMatching(/^a tweet is at the position of its time.*\(3999\)/),
    expect.stringMatching(/^a tweet has counts.*\(1000\)/),
    expect.stringMatching(/^counts belong to a tweet \(5\)/),
    expect.stringMatching(/^the engagement is that of the counts/),
    expect.stringMatching(/^a tweet has its community and its rank there.*\(1200\)/),
    expect.stringMatching(/^a tweet has its words.*\(1000\)/),
    expect.stringMatching(/^a user has the words of the name \(3\)/),
    expect.stringMatching(/^a mention belongs to a tweet/),
  ]);
  // Nobody can tell whether the position or the time is the right one.
  expect((await quarantined(await repair())).records).toContain('its position is not that of its time');
  expect((await found('coffee')).length).toBe(count - 1);
});

test('pages that are overwritten cost only their rows', async () => {
  const draw = random(20_261_128);
  const original = await readFile(path);
  for (let round = 0; round < rounds(10, 1); round++) {
    await writeFile(path, original);
    const pages = original.length / 4096;
    // Not the first page: another test damages it.
    for (let n = 0; n < 3; n++) await overwrite(4096 * (30 + draw(pages - 30)), Buffer.alloc(4096, 0xa5));
    expect(await reasons()).not.toEqual([]);
    const repaired = await repair();
    expect((await quarantined(repaired)).files).toContain('archive.db');
    expect((await found('coffee')).length).toBe(tweetsOfFile());
    expect(tweetsOfFile()).toBeGreaterThan(count - 3 * 40);
    await rm(join(folder.path, repaired.folder!), { recursive: true });
  }
});

test.each(['cut off', 'without its beginning'])('a file that is %s gives what it still has', async (how) => {
  if (how === 'cut off') await truncate(path, Math.floor((await stat(path)).size * 0.5));
  else await overwrite(0, Buffer.alloc(4096 * 2, 0));
  expect((await reasons()).join()).toMatch(/archive\.db: /);
  const repaired = await repair();
  expect((await quarantined(repaired)).files).toContain('archive.db');
  expect(tweetsOfFile()).toBeGreaterThan(count / 10);
  expect((await found('coffee')).length).toBe(tweetsOfFile());
});

/** What can happen to some pages of a file. */
const damages: readonly ((file: Buffer, page: number, draw: (limit: number) => number) => void)[] = [
  (file, page) => file.fill(0, page * 4096, (page + 1) * 4096),
  (file, page, draw) => {
    const other = 4096 * draw(file.length / 4096);
    file.copyWithin(page * 4096, other, other + 4096);
  },
  (file, page, draw) => {
    for (let n = 0; n < 30; n++) file[page * 4096 + draw(4096)] = draw(256);
  },
  // The beginning of a page says what it is, and where its rows are.
  (file, page, draw) => {
    for (let n = 0; n < 4; n++) file[page * 4096 + draw(48)] = draw(256);
  },
];

test('a file with random damage, which can be cut off too, is repaired', async () => {
  const draw = random(20_261_129);
  const original = await readFile(path);
  for (let round = 0; round < rounds(200, 2); round++) {
    const file = Buffer.from(original);
    const damage = damages[round % damages.length];
    for (let n = 0; n <= draw(8); n++) damage?.(file, draw(file.length / 4096), draw);
    await writeFile(path, round % 4 === 3 ? file.subarray(0, 4096 * (1 + draw(file.length / 4096))) : file);
    const repaired = await repairDataDirectory(folder.path, await checkDataDirectory(folder.path), now);
    expect([round, await reasons()]).toEqual([round, []]);
    if (repaired.folder !== undefined) await rm(join(folder.path, repaired.folder), { recursive: true });
    expect(await found('coffee')).toHaveLength(tweetsOfFile());
  }
}, 900_000);

test.each([
  ['whose words have lost their format', (file: Buffer) => file],
  ['that is cut off before the first pages of some tables', (file: Buffer) => file.subarray(0, 5 * 4096)],
])('a file %s is repaired', async (_how, cut) => {
  change("UPDATE word_config SET v = 0 WHERE k = 'version'");
  await writeFile(path, cut(await readFile(path)));
  expect((await reasons()).join()).toMatch(/archive\.db: /);
  await repair();
});

test('a repair that is killed leaves the damaged file, and another one completes it', async () => {
  change('UPDATE word_data SET block = zeroblob(length(block)) WHERE id = (SELECT max(id) FROM word_data)');
  const draw = random(20_261_129);
  const command = 'scripts/cli/doctor.ts';
  const program = (await bundledProgram(command, '')) ?? command;
  for (let kill = 0; kill < rounds(10, 1); kill++) {
    const child = spawn(process.execPath, [program, '--repair'], {
      cwd: new URL('../../', import.meta.url).pathname,
      env: { ...process.env, DATA_DIR: folder.path },
    });
    const ended = once(child, 'close');
    while (!existsSync(`${path}.partial`) && child.exitCode === null) await sleep(1);
    await sleep(draw(300));
    child.kill('SIGKILL');
    await ended;
    expect(tweetsOfFile()).toBe(count);
  }
  const { code, stdout } = await run(command, ['--repair'], { DATA_DIR: folder.path });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/the database with 3,000 tweets/)]);
  expect((await found('coffee')).length).toBe(count);
});

test('a damaged document is set aside as before, and a missing database is said and not replaced', async () => {
  await writeFile(join(folder.path, 'keys.json'), '{"keys":[{');
  expect((await reasons()).join()).toMatch(/keys\.json: it is not a whole JSON object/);
  expect((await repair()).salvage).toBeUndefined();
  await rm(path);
  await rm(`${path}-wal`, { force: true });
  expect((await checkDataDirectory(folder.path)).findings.notes.join()).toMatch(/archive\.db: there is none/);
  expect(existsSync(path)).toBe(false);
});
