/** The examples of /docs/operations for other programs run on a database file as the page shows them. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import type { Change } from '../../server/archive/rules/change.ts';
import { temporaryFolder } from '../support/folder.ts';
import { guideSample } from '../support/operations-guide.ts';
import { until } from '../support/until.ts';
import { testIf } from '../support/programs.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Awaited<ReturnType<typeof openSqliteStore>>;
let path: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'archive.db');
  // It stays open: other programs read while a service runs.
  store = await openSqliteStore(folder.path);
  const tweets = Array.from({ length: 30 }, (_, n) => ({
    kind: 'tweet',
    tweet: {
      ...{ id: String(1000 + n), author_id: String(1 + (n % 2)), text: `Coffee number${n}`, lang: n < 3 ? 'en' : 'de' },
      ...{ created_at: new Date(Date.UTC(2026, 0, 1 + (n % 3), 0, n)).toISOString(), like_count: n },
    },
  }));
  const users = ['1', '2'].map((id) => ({ kind: 'user', user: { id, username: `user${id}` } }));
  await store.writer.apply([...users, ...tweets] as Change[]);
  const database = new SqliteDatabase(path, { readOnly: true });
  await until(() => database.first<{ n: number }>('SELECT count(*) AS n FROM word_pending')?.n === 0);
  database.close();
});
afterAll(async () => {
  await store.close();
  await folder.dispose();
});

/** An example of the page, with the file of the test. */
async function example(name: string): Promise<string> {
  const plain = await guideSample(name);
  expect(plain).toContain('/var/lib/social-data/archive.db');
  return plain.replaceAll('/var/lib/social-data/archive.db', path);
}

/** What a command prints; undefined where the program is not there. */
function output(command: string, ...args: string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd: folder?.path });
  if (error !== undefined) return undefined;
  return status === 0 ? stdout : `failed: ${stdout}${stderr}`;
}
const isNewer = (version: string | undefined, least: number): boolean => {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  return Number(major) * 1000 + Number(minor) >= least;
};

const shell = output('sqlite3', '--version');
const python = output('python3', '-c', 'import sqlite3; print(sqlite3.sqlite_version)');
const newest = 'Coffee number29';

testIf(isNewer(shell, 3038), 'there is no sqlite3 of version 3.38')('the examples for sqlite3', async () => {
  const [tweets = '', search = ''] = (await example('sqlite3')).split(/\n(?=sqlite3)/);
  const rows = output('sh', '-c', tweets)?.trim().split('\n');
  expect(rows).toHaveLength(10);
  expect(rows?.[0]).toBe(`2026-01-03T00:29:00.000Z|user2|${newest}`);
  // Older ones do not know the table of the words.
  if (isNewer(shell, 3043))
    expect(output('sh', '-c', search)?.trim().split('\n')).toEqual([
      '2026-01-03T00:02:00.000Z|user1|Coffee number2',
      '2026-01-02T00:01:00.000Z|user2|Coffee number1',
      '2026-01-01T00:00:00.000Z|user1|Coffee number0',
    ]);
});

test('the statements for sqlite3 give the same in the SQLite of Node', async () => {
  const database = new SqliteDatabase(path, { readOnly: true });
  const [tweets = [], search = []] = (await example('sqlite3'))
    .split(/\n(?=sqlite3)/)
    .map((command) => database.all<{ text: string }>(/"\n([^]*)"$/.exec(command)?.[1]?.replaceAll('\\"', '"') ?? ''));
  expect([tweets.length, tweets[0]?.text]).toEqual([10, newest]);
  expect(search.map(({ text }) => text)).toEqual(['Coffee number2', 'Coffee number1', 'Coffee number0']);
  database.close();
});

testIf(isNewer(python, 3038), 'there is no Python with SQLite 3.38')('the example for Python', async () => {
  expect(output('python3', '-c', await example('python'))).toBe('2026-01-01 10\n2026-01-02 10\n2026-01-03 10\n');
});

const datasette = process.env['TEST_DATASETTE'] ?? 'datasette';
testIf(output(datasette, '--version') !== undefined, 'there is no datasette')('the example for Datasette', async () => {
  const [install, command = ''] = (await example('datasette')).split('\n');
  expect(install).toMatch(/^pip install datasette pysqlite3-binary$/);
  const args = command.split(' ').slice(1, 2);
  const json = output(datasette, ...args, '--get', '/archive/tweets.json?_shape=array&_sort_desc=like_count');
  expect((JSON.parse(json ?? '') as { text: string }[])[0]).toMatchObject({ text: newest, username: 'user2' });
});

const duckdb = process.env['TEST_DUCKDB'] ?? 'duckdb';
testIf(output(duckdb, '--version') !== undefined, 'there is no duckdb')('the example for DuckDB', async () => {
  const script = join(folder.path, 'example.sql');
  await writeFile(script, await example('duckdb'));
  const printed = output('sh', '-c', `${duckdb} -csv < ${script}`);
  expect(printed?.trim().split('\n').slice(-2)).toEqual(['user2,225', 'user1,210']);
});
