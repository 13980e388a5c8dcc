/** Disks that are full, read-only or broken, under the whole server. */
import { cp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { canBeImmutable, immutable } from '../support/immutable.ts';
import { canMount, mountSmall, type Mounted } from '../support/mounted.ts';
import { testIf } from '../support/programs.ts';
import { isTurnOf } from '../support/rounds.ts';
import { startLocalServer } from '../support/local-server.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener } from '../support/stream.ts';

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

/** A file system of a megabyte. */
function smallDisk(): Mounted {
  return (disk = mountSmall(1024 * 1024));
}
/** Tests that need special users or file systems. Elsewhere they are skipped, with the reason in the title. */
const testWithMount = testIf(canMount(), 'no file system may be mounted here');
const testWithImmutable = testIf(canBeImmutable(tmpdir()), 'no file can be made immutable here');
const inNightly = testIf(false, 'in the nightly run');
/** Each test starts two servers and three commands, so `npm test` runs a third of them. */
const inTurn = (place: number, usual: typeof inNightly): typeof inNightly => (isTurnOf(place, 3) ? usual : inNightly);

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

async function importTweets(dataDir: string, from: number, to: number): ReturnType<typeof run> {
  const file = join(folder.path, `${from}.jsonl`);
  const lines = recordsOf(from, to).map((record) => JSON.stringify(record));
  await writeFile(file, lines.join('\n'));
  return run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
}

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
const isReady = async ({ url }: RunningServer): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200;

/**
 * Breaks the disk of a running server and mends it again: changes are refused and not seen, all else is answered, /readyz says so, and
 * it goes on by itself; after a restart what was acknowledged is there, and nothing else.
 */
async function survives(
  dataDir: string,
  fault: { begin(): unknown; end(): unknown },
  reason: RegExp,
  more: Record<string, string> = {},
): Promise<void> {
  const server = await startWith(dataDir, more);
  const listening = await listener(server.url, key);
  await listening.ask({ type: 'subscribe', id: '1', channel: 'tweet:engagement', params: { tweet_id: id(3) } });
  expect((await unlike(server, 0)).status).toBe(200);

  await fault.begin();
  const before = await likes(server);
  const imported = await importTweets(dataDir, count, 2 * count);
  expect([imported.code, imported.stderr]).toEqual([1, expect.stringMatching(/cannot be written/)]);
  expect(imported.stderr).not.toMatch(/\n\s+at /);
  const refused = await Promise.all([1, 2, 2].map((n) => unlike(server, n)));
  for (const response of refused) {
    expect([response.status, await response.json()]).toEqual([503, { error: 'the archive cannot be written now' }]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await likes(server)).toEqual(before);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, (await ready.json()).error]).toEqual([
    503,
    expect.stringMatching(/it cannot write '(archive|events)'/),
  ]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(server.errors()).toMatch(reason);
  const asked = await call(server, `/social/tweet/assistant?tweet_id=${id(0)}`);
  expect([503, 200]).toContain(asked.status);

  await fault.end();
  // By itself: nobody writes.
  while (!(await isReady(server))) await sleep(50);
  expect(server.errors()).toContain('the journal can be written again');
  expect(await (await unlike(server, 3)).json()).toEqual({ success: true });
  expect(await (await unlike(server, 2)).json()).toEqual({ success: true });
  await listening.first('event', ({ data }) => (data as { like_count: number }).like_count === 9);
  expect(await importTweets(dataDir, count, 2 * count)).toMatchObject({ code: 0 });
  const after = await likes(server);
  expect([0, 1, 2, 3].map((n) => after.get(id(n)))).toEqual([9, 10, 9, 9]);
  listening.socket.terminate();
  await server.end('SIGKILL');

  const again = await startLocalServer(dataDir, { API_KEYS: key, DEMO: '0' });
  expect(await likes(again)).toEqual(after);
  expect(after.size).toBe(2 * count);
  await again.end();
}

inTurn(0, testWithMount)(
  'with a full disk, rejects changes, serves reads, and recovers when there is space',
  async () => {
    folder = await temporaryFolder();
    const small = smallDisk();
    const filler = join(small.path, 'filler');
    const fill = async (): Promise<void> => {
      for (const size of [65_536, 4096, 512]) {
        for (let full = false; !full;)
          full = await writeFile(filler, Buffer.alloc(size), { flag: 'a' }).then(
            () => false,
            () => true,
          );
      }
    };
    await survives(join(small.path, 'data'), { begin: fill, end: () => rm(filler) }, /ENOSPC/);
  },
);

inTurn(1, test)('rejects changes while fsync fails, and recovers', async () => {
  folder = await temporaryFolder();
  const failing = join(folder.path, 'failing');
  const env = {
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('preload/sync.ts', import.meta.url))}`,
    FAIL_FILE: failing,
  };
  await survives(
    join(folder.path, 'data'),
    { begin: () => writeFile(failing, ''), end: () => rm(failing) },
    /EIO: i\/o error, fdatasync/,
    env,
  );
});

inTurn(2, testWithImmutable)('rejects changes while the folder is read-only', async () => {
  folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const attribute = immutable(dataDir);
  try {
    await survives(dataDir, { begin: attribute.close, end: attribute.open }, /EPERM/);
  } finally {
    attribute.open();
  }
});

inTurn(2, test)('rejects changes while its journal is removed, and recovers when it is restored', async () => {
  folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const [kept, removed] = [join(folder.path, 'kept'), join(dataDir, 'archive')];
  const remove = async (): Promise<void> => {
    await cp(removed, kept, { recursive: true });
    await rm(removed, { recursive: true });
  };
  await survives(
    dataDir,
    { begin: remove, end: () => cp(kept, removed, { recursive: true }) },
    /its last segment was removed: restore it/,
  );
});

inTurn(2, testWithMount)('a key or account created on a full disk does not exist', async () => {
  folder = await temporaryFolder();
  const small = smallDisk();
  const dataDir = join(small.path, 'data');
  const server = await startWith(dataDir);
  const keys = (...args: string[]) => run('scripts/cli/keys.ts', args, { DATA_DIR: dataDir });
  const kept = /^(\S+)\nThis is key (\w+)/.exec((await keys('create', '--name', 'kept')).stdout)!;
  const filler = join(small.path, 'filler');
  while (
    await writeFile(filler, Buffer.alloc(512), { flag: 'a' }).then(
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
