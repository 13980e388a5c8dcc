// Tests server/archive/upkeep/write-faults.ts.
/** Faults of the disk, and other programs, under a service whose archive is in a database file. */
import { rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { canMount, mountSmall, type Mounted } from '../support/mounted.ts';
import { nightlyTest } from '../support/nightly.ts';
import { testIf } from '../support/programs.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const key = 'a-key-for-database-faults';
const env = { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off' };
const count = 20;
const id = (n: number): string => String(1000 + n);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let disk: Mounted | undefined;
let server: RunningServer | undefined;
afterEach(async () => {
  await server?.end('SIGKILL');
  server = undefined;
  disk?.dispose();
  disk = undefined;
  await folder.dispose();
});

const recordsOf = (from: number, to: number): object[] => [
  { kind: 'user', user: { id: '1', username: 'ada' } },
  ...Array.from({ length: to - from }, (_, n) => [
    {
      kind: 'tweet',
      tweet: { id: id(from + n), text: 'a tweet', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: 10 },
    },
    { kind: 'like', tweet_id: id(from + n) },
  ]).flat(),
];

async function importTweets(dataDir: string, from: number, to: number): ReturnType<typeof run> {
  const file = join(folder.path, `${from}.jsonl`);
  await writeFile(
    file,
    recordsOf(from, to)
      .map((record) => JSON.stringify(record))
      .join('\n'),
  );
  return run('scripts/cli/import.ts', [file], { ...env, DATA_DIR: dataDir });
}

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server!.url + path, { ...init, headers: { 'x-api-key': key, 'content-type': 'application/json' } });
const unlike = (n: number): Promise<Response> =>
  call('/social/tweet/unlike', { method: 'POST', body: JSON.stringify({ tweet_id: id(n) }) });
async function likes(): Promise<Map<string, number>> {
  const { tweets } = (await (await call('/social/user/last_tweets?username=ada&limit=100')).json()) as {
    tweets: { id: string; like_count: number }[];
  };
  return new Map(tweets.map(({ id: each, like_count }) => [each, like_count]));
}

/** Changes are refused in the shape of the contract, reads are answered, /readyz?write names the database, and it goes on by itself. */
async function survives(dataDir: string, fault: { begin(): unknown; end(): unknown }, reason: RegExp): Promise<void> {
  server = await startServer(dataDir, env);
  expect((await importTweets(dataDir, 0, count)).code).toBe(0);
  expect((await unlike(0)).status).toBe(200);
  await fault.begin();
  const before = await likes();
  const refused = await Promise.all([1, 2, 2].map(unlike));
  for (const response of refused) {
    expect([response.status, await response.json()]).toEqual([503, { error: 'the archive cannot be used now' }]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await likes()).toEqual(before);
  // A balancer that only asks for reads keeps the instance.
  const reading = await fetch(`${server.url}/readyz`);
  expect([reading.status, await reading.json()]).toMatchObject([
    200,
    { status: 'ok', writes: expect.stringContaining('the database file cannot be written') },
  ]);
  const ready = await fetch(`${server.url}/readyz?write`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { error: expect.stringContaining('the database file cannot be written: see the log') },
  ]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  // The output of a process arrives some time after its answers.
  await until(() => reason.test(server?.errors() ?? ''));
  expect(server.errors()).toMatch(reason);
  const imported = await importTweets(dataDir, count, 2 * count);
  expect([imported.code, imported.stderr]).toEqual([1, expect.stringContaining('cannot be')]);
  expect(imported.stderr).not.toMatch(/\n\s+at /);

  await fault.end();
  // By itself: nobody writes.
  while (!server.errors().includes('the database file can be written again')) await sleep(50);
  // At once: the failed change is in the past.
  expect((await fetch(`${server.url}/readyz?write`)).status).toBe(200);
  expect(await (await unlike(2)).json()).toEqual({ success: true });
  expect((await importTweets(dataDir, count, 2 * count)).code).toBe(0);
  const after = await likes();
  expect([0, 1, 2].map((n) => after.get(id(n)))).toEqual([9, 10, 9]);
  await server.end('SIGKILL');
  server = await startServer(dataDir, env);
  expect(await likes()).toEqual(after);
  expect(after.size).toBe(2 * count);
}

/** A full disk has the same course. */
const whereNoneIsFull = canMount() ? nightlyTest : test;
whereNoneIsFull('another program that locks the file holds changes up only while it does', async () => {
  folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  let other: DatabaseSync | undefined;
  await survives(
    dataDir,
    {
      begin: () => void (other = new DatabaseSync(join(dataDir, 'archive.db'))).exec('BEGIN IMMEDIATE'),
      end: () => other?.close(),
    },
    /archive\.db cannot be used \(database is locked\): another program holds a lock on it/,
  );
});

testIf(canMount(), 'no file system may be mounted here')(
  'with a full disk, changes are refused, reads are answered, and it recovers when there is space',
  async () => {
    folder = await temporaryFolder();
    disk = mountSmall(2 * 1024 * 1024);
    const { path } = disk;
    const filler = join(path, 'filler');
    const fill = async (): Promise<void> => {
      for (const size of [65_536, 4096, 512])
        for (let isFull = false; !isFull;)
          isFull = await writeFile(filler, Buffer.alloc(size), { flag: 'a' }).then(
            () => false,
            () => true,
          );
    };
    await survives(
      join(path, 'data'),
      { begin: fill, end: () => rm(filler) },
      /archive\.db cannot be used .*its disk is full/,
    );
  },
);

test('a start on a damaged file ends with one line that says what to do', async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'archive.db'), 'no database '.repeat(100));
  const { code, stdout, stderr } = await run('server/main.ts', [], { ...env, DATA_DIR: folder.path, PORT: '0' });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^starting Social Data [^\n]*\n$/)]);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/archive\.db cannot be used .*restore a backup/)]);
});
