// Tests server/follow/follow-routes.ts.
/** The whole server follows a platform in memory, and the operator's commands change what it follows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundledProgram } from '../support/bundled-service.ts';
import { createPlatformFile, type PlatformFile } from '../support/platform-file.ts';
import { inTurn } from '../support/rounds.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener } from '../support/stream.ts';
import { nightlyTest } from '../support/nightly.ts';

const script = 'scripts/cli/follow.ts';
const key = 'a-follow-test-key';
const token = 'a-secret-token-of-x';
const alice = 'bluesky:alice.example.com';
const bob = 'bluesky:bob.example.com';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let platform: PlatformFile;
let server: RunningServer;
let DATA_DIR: string;
/** What all processes have printed. */
const printed: string[] = [];

/** Runs a command of the operator; standard input is `input`. */
async function command(args: readonly string[], input = '') {
  const program = (await bundledProgram(script, '')) ?? script;
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, DATA_DIR } });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output.stderr += text));
  child.stdin.on('error', () => {}).end(input);
  const [code] = (await once(child, 'close')) as [number];
  printed.push(output.stdout, output.stderr);
  return { code, ...output };
}
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
async function found(query: string): Promise<string[]> {
  const response = await fetch(`${server.url}/social/tweet/advanced_search?query=${encodeURIComponent(query)}`, {
    headers: { 'x-api-key': key },
  });
  const { tweets } = (await response.json()) as { tweets: { text: string }[] };
  return tweets.map(({ text }) => text);
}
const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json();

beforeAll(async () => {
  folder = await temporaryFolder();
  DATA_DIR = join(folder.path, 'data');
  platform = await createPlatformFile(folder.path);
  await platform.publish('alice.example.com', 'an old post');
  server = await startServer(DATA_DIR, {
    ...{ API_KEYS: key, FOLLOW: alice, X_BEARER_TOKEN: token, PURGE_WITHIN: '0', LOG_LEVEL: 'info' },
    ...platform.env,
  });
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await folder?.dispose();
});

test('prints what it follows, reads the history instead of the sample, and events arrive at /ws', async () => {
  await until(() => server.output().includes('following'));
  expect(server.output()).toMatch(/^following 1 account on Bluesky(, \d+\.\d s behind)?$/m);
  expect(server.output()).not.toContain('sample, ');
  await until(async () => (await found('old')).length === 1);
  const listening = await listener(server.url, key);
  await listening.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'fresh' } });
  await platform.publish('alice.example.com', 'a fresh post');
  await listening.first('event', ({ event }) => event === 'tweet.created');
  expect(await found('fresh')).toEqual(['a fresh post']);
  listening.socket.close();
  expect(await get('/live/following')).toEqual({
    following: [
      {
        source: 'bluesky',
        title: 'Bluesky',
        following: '1 account on Bluesky',
        connected: true,
        lag_seconds: expect.any(Number),
      },
    ],
  });
});

test('npm run follow changes the running server, and lists what it holds', async () => {
  expect(await command(['add', bob, 'bluesky:nobody.example.com'])).toEqual({
    code: 1,
    stdout: `follows ${bob}  (@bob.example.com)\n`,
    stderr: 'bluesky:nobody.example.com is stored, and tried again: no account nobody.example.com\n',
  });
  await platform.publish('bob.example.com', 'a post of bob');
  await until(async () => (await found('bob')).length === 1);
  await until(() => server.output().includes('nobody'));
  expect(server.output()).toContain(
    'cannot follow bluesky:nobody.example.com: no account nobody.example.com; the service tries again\n',
  );
  const { code, stdout } = await command(['list']);
  expect(code).toBe(0);
  const [first, second, third] = stdout.split('\n');
  expect(first).toMatch(
    /^bluesky:alice\.example\.com {2}\(@alice\.example\.com\) {2}follows {2}2 posts from 20\d\d-.* ago {2}from FOLLOW$/,
  );
  expect(second).toMatch(
    /^bluesky:bob\.example\.com {2}\(@bob\.example\.com\) {2}(follows|its history is being read) {2}1 posts? /,
  );
  expect(third).toBe('bluesky:nobody.example.com  failed  no posts  no account nobody.example.com');
  expect((await command(['status'])).stdout).toMatch(
    /^Bluesky: following 2 accounts on Bluesky, by platform\.test, \d+\.\d s behind, 1000 reads left today, 1 of 3 targets failed\n$/,
  );
  expect(await command(['backfill', alice, '--posts', '1'])).toEqual({
    code: 0,
    stdout: `${alice}: 1 post read\n`,
    stderr: '',
  });
  expect(await command(['backfill', 'bluesky:carol.example.com'])).toMatchObject({
    code: 1,
    stderr: 'bluesky:carol.example.com is not followed: npm run follow -- add bluesky:carol.example.com\n',
  });
});

test('remove --purge shows what it erases, and erases it from answers and the disk', async () => {
  // For a later test: the server reports a platform that is away for 10 seconds.
  await platform.send({ do: 'refuse', message: `maintenance at host 10.0.0.1` });
  await platform.send({ do: 'cut' });
  expect(await command(['remove', alice])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('comes from FOLLOW'),
  });
  expect(await command(['remove', bob, '--purge'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('add --yes'),
  });
  const removed = await command(['remove', bob, '--purge', '--yes']);
  expect(removed).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^permanently erases: 1 post, 1 profile, 0 relations\nno longer follows bluesky:bob\.example\.com\nerased: 1 post, 1 profile, 0 relations; off the disk by /,
    ),
  });
  expect(await found('bob')).toEqual([]);
  const names = (await readdir(DATA_DIR)).filter((name) => name.startsWith('archive.db'));
  expect(names).toContain('archive.db');
  const files = names.map((name) => readFile(join(DATA_DIR, name), 'latin1'));
  expect((await Promise.all(files)).join('\n')).not.toContain('a post of bob');
  expect(await found('old')).toEqual(['an old post']);
});

test('a token is stored for this user only, and appears in no output; a backup says that it contains one', async () => {
  const stored = `${token}-stored`;
  expect(await command(['token', 'x'], `${stored}\n`)).toEqual({
    code: 0,
    stdout: 'the token of x is stored\n',
    stderr: '',
  });
  expect(await command(['token', 'x'], '\n')).toMatchObject({ code: 2 });
  expect((await stat(join(DATA_DIR, 'follow-tokens.json'))).mode & 0o777).toBe(0o600);
  await command(['list', '--json']);
  const backup = await run('scripts/cli/backup.ts', [join(folder.path, 'backup')], { DATA_DIR });
  expect(backup).toMatchObject({ code: 0, stderr: expect.stringContaining('tokens of live platforms') });
  printed.push(backup.stdout, backup.stderr);
  const shown = [
    await get('/live/following'),
    await get('/readyz'),
    await (await fetch(`${server.url}/metrics`)).text(),
  ];
  printed.push(JSON.stringify(shown), server.output(), server.errors());
  expect(printed.join('\n')).not.toContain(token);
});

test('/readyz stays 200 while the platform is away, and names it', async () => {
  await until(async () => JSON.stringify(await get('/readyz')).includes('Bluesky'));
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ok', warnings: [expect.stringMatching(/^Bluesky is away: its data is \d+\.\d s old$/)] },
  ]);
  expect(await get('/live/following')).toMatchObject({ following: [{ connected: false }] });
  const logged = () =>
    server
      .errors()
      .split('\n')
      .filter((line) => line.includes('is away')).length;
  await until(() => logged() > 0);
  expect(logged()).toBe(1);
});

nightlyTest('without a server the commands work on the data directory', async () => {
  expect(await server.end()).toBe(0);
  expect(await command(['add', bob])).toEqual({
    code: 0,
    stdout: `follows ${bob}\n`,
    stderr: 'no server runs: the next start follows the change\n',
  });
  expect((await command(['list'])).stdout).toBe(
    'bluesky:nobody.example.com  no server runs  no posts\nbluesky:bob.example.com  no server runs  no posts\n',
  );
  expect((await command(['status'])).stdout).toBe('Bluesky: 2 targets; no server runs\n');
  expect(await command(['backfill', bob])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no server runs'),
  });
  expect(await command(['remove', bob, 'bluesky:nobody.example.com', '--purge', '--yes'])).toMatchObject({ code: 0 });
  expect((await command(['list'])).stdout).toBe('nothing is followed: npm run follow -- add TARGET\n');
});

const rejected: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /expected one of add, remove/],
  [['add'], /expected a target/],
  [['add', 'alice'], /'alice' is no target: expected one of bluesky:HANDLE/],
  [['list', alice], /list takes no target/],
  [['add', alice, '--purge'], /--purge belongs to remove/],
  [['backfill', alice, '--posts', '0'], /--posts=0: expected a whole number/],
  [['token'], /expected one source/],
];
test.each(inTurn(rejected, 1))('the arguments %j are rejected with exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await command(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

nightlyTest('npm start -- --follow of the whole network ends with one line without RETAIN', async () => {
  const ended = await run('server/main.ts', ['--follow', 'bluesky:*'], {
    DATA_DIR: join(folder.path, 'other'),
    PORT: '0',
  });
  expect(ended).toMatchObject({
    code: 1,
    stderr: '--follow: bluesky:*: the whole network needs a limit: set RETAIN, such as RETAIN=1000000 or RETAIN=7d\n',
  });
});
