/** Disks that are full, read-only or broken, under the whole server. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { canMount, mountSmall, type Mounted } from '../support/mounted.ts';
import { testIf } from '../support/programs.ts';
import { isTurnOf } from '../support/rounds.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

const key = 'a-key-for-disk-tests';
const count = 20;
const id = (n: number): string => String(1000 + n);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let disk: Mounted | undefined;
const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.end('SIGKILL');
  disk?.dispose();
  disk = undefined;
  await folder?.dispose();
});

/** A file system of 16 megabytes. */
function smallDisk(): Mounted {
  return (disk = mountSmall(16 * 1024 * 1024));
}
/** Tests that need special users or file systems. Elsewhere they are skipped, with the reason in the title. */
const testWithMount = testIf(canMount(), 'no file system may be mounted here');
const inNightly = testIf(false, 'in the nightly run');
/** Each test starts servers and commands, so `npm test` runs one of them. */
const inTurn = (place: number, usual: typeof inNightly): typeof inNightly => (isTurnOf(place, 2) ? usual : inNightly);

const recordsOf = (from: number, to: number): ArchiveRecord[] => [
  { kind: 'user', user: { id: '1', username: 'ada' } },
  ...Array.from({ length: to - from }, (_, n): ArchiveRecord[] => [
    {
      kind: 'tweet',
      tweet: { id: id(from + n), text: 'a tweet', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: 10 },
    },
    { kind: 'like', tweet_id: id(from + n) },
  ]).flat(),
];

async function start(dataDir: string, more: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(dataDir, { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off', ...more });
  servers.push(server);
  return server;
}

/** A server whose archive holds `count` tweets, each with a like. */
async function startWith(dataDir: string, more: Record<string, string> = {}): Promise<RunningServer> {
  const server = await start(dataDir, more);
  const control = (await connectControl(dataDir))!;
  await control.call('import/apply', ['first', { values: 1, done: true }, recordsOf(0, count)]);
  control.close();
  return server;
}

const call = ({ url }: Pick<RunningServer, 'url'>, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + path, { ...init, headers: { 'x-api-key': key, 'content-type': 'application/json' } });
const unlike = (server: RunningServer, n: number): Promise<Response> =>
  call(server, '/social/tweet/unlike', { method: 'POST', body: JSON.stringify({ tweet_id: id(n) }) });
async function likes(server: Pick<RunningServer, 'url'>): Promise<Map<string, number>> {
  const { tweets } = (await (await call(server, '/social/user/last_tweets?username=ada&limit=100')).json()) as {
    tweets: { id: string; like_count: number }[];
  };
  return new Map(tweets.map(({ id: each, like_count }) => [each, like_count]));
}

inTurn(1, testWithMount)('a key or account created on a full disk does not exist', async () => {
  folder = await temporaryFolder();
  const small = smallDisk();
  const dataDir = join(small.path, 'data');
  const server = await startWith(dataDir);
  const keys = (...args: string[]) => run('scripts/cli/keys.ts', args, { DATA_DIR: dataDir });
  const kept = /^(\S+)\nThis is key (\w+)/.exec((await keys('create', '--name', 'kept')).stdout)!;
  const filler = join(small.path, 'filler');
  for (const size of [65_536, 512])
    while (
      await writeFile(filler, Buffer.alloc(size), { flag: 'a' }).then(
        () => true,
        () => false,
      )
    );
  for (const args of [
    ['create', '--name', 'refused'],
    ['revoke', kept[2]!],
  ]) {
    expect(await keys(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.json cannot be written: ENOSPC/),
    });
  }
  expect((await keys('list')).stdout.trim().split('\n').slice(1)).toEqual([expect.stringContaining('kept')]);
  expect((await fetch(`${server.url}/social/assistant/status`, { headers: { 'x-api-key': kept[1]! } })).status).toBe(
    200,
  );
  const added = await run('scripts/cli/accounts.ts', ['add', '--no-key', '--url', 'http://127.0.0.1:9/v1'], {
    DATA_DIR: dataDir,
  });
  expect([added.code, added.stderr]).toEqual([1, expect.stringContaining('accounts.json cannot be written: ENOSPC')]);
  expect((await run('scripts/cli/accounts.ts', ['list'], { DATA_DIR: dataDir })).stdout).not.toContain('127.0.0.1:9');
  await rm(filler);
  expect(await keys('revoke', kept[2]!)).toMatchObject({ code: 0 });
  expect((await fetch(`${server.url}/social/assistant/status`, { headers: { 'x-api-key': kept[1]! } })).status).toBe(
    401,
  );
  expect(await server.end()).toBe(0);
});

inTurn(0, testWithMount)('stops normally in a read-only folder; a start there prints one clear line', async () => {
  folder = await temporaryFolder();
  const small = smallDisk();
  const dataDir = join(small.path, 'data');
  const server = await startWith(dataDir);
  expect((await unlike(server, 0)).status).toBe(200);
  await server.end();
  small.readOnly(true);
  const { code, stdout, stderr } = await run('server/main.ts', [], { DATA_DIR: dataDir, PORT: '0' });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^starting Social Data [^\n]*\n$/)]);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^data directory .* cannot be used: EROFS/)]);
  const file = join(folder.path, 'tweets.jsonl');
  await writeFile(file, JSON.stringify(recordsOf(0, 1)[0]));
  for (const script of ['scripts/cli/import.ts', 'scripts/cli/keys.ts']) {
    const refused = await run(script, [script.includes('keys') ? 'create' : file], {
      DATA_DIR: dataDir,
    });
    expect([refused.code, refused.stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('EROFS')]]);
  }
  small.readOnly(false);
  const again = await start(dataDir);
  expect((await likes(again)).get(id(0))).toBe(9);
  expect(await again.end()).toBe(0);
});
