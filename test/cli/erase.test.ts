import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildTweet, importSmallArchive, tokenTweet } from '../support/small-archive.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { inTurn } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const script = 'scripts/cli/erase.ts';
const env = { DEMO: '0', API_KEYS: 'an-erase-test-key' };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let DATA_DIR: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  DATA_DIR = join(folder.path, 'data');
  await importSmallArchive(folder.path, DATA_DIR);
});
afterAll(() => folder.dispose());

async function textsOnDisk(): Promise<string> {
  const entries = await readdir(DATA_DIR, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')))).join('\n');
}

test('without a terminal it needs --yes; a wrong call ends with the reason', async () => {
  const wrong = [
    [['--tweet', '1'], /is not a terminal, so the command cannot ask: add --yes or --dry-run/],
    [['--yes'], /expected one of --tweet, --user, --before and --query/],
    [['--tweet', '1', '--user', 'ada', '--yes'], /expected one of/],
    [['--tweet', 'x1', '--yes'], /'x1' is no id of a tweet/],
    [['--before', 'soon', '--yes'], /'soon' is no time/],
    // Without a selection there is nothing to confirm.
    [[], /expected one of --tweet, --user, --before and --query/],
    // The report of an erasure cannot be made later.
    [['--tweet', '1', '--yes', '--report', `${DATA_DIR}/none/report.json`], /there is no folder .*none/],
    [['--tweet', '1', '--yes', '--report', DATA_DIR], /is a folder: name a file in it/],
  ] as const;
  for (const [args, said] of inTurn(wrong, 3)) {
    const ended = await run(script, [...args], { DATA_DIR });
    expect([args, ended.code, ended.stdout]).toEqual([args, 2, '']);
    expect(ended.stderr).toMatch(said);
  }
  expect(await run(script, ['--user', 'nobody', '--dry-run'], { DATA_DIR })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the archive has no user nobody'),
  });
});

test('erases in a running server and without one, and reports what it erased', async () => {
  const server = await startLocalServer(DATA_DIR, { ...env, PURGE_WITHIN: '0' });
  const selection = ['--tweet', buildTweet.id];
  const counted = '1 tweet, 0 users, 0 relations, 0 conversations';
  expect(await run(script, [...selection, '--dry-run'], { DATA_DIR })).toMatchObject({
    code: 0,
    stdout: `${counted}\n`,
  });
  const report = join(folder.path, 'report.json');
  const erased = await run(script, [...selection, '--yes', '--report', report], { DATA_DIR });
  expect(erased).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^permanently erases: 1 tweet,.*\nerased: 1 tweet,[^]*SHA-256 of the ids: [\da-f]{64}\n/,
    ),
  });
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ kind: 'tweets', erased: { tweets: 1 } });
  expect((await stat(report)).mode & 0o777).toBe(0o600);
  const headers = { 'x-api-key': env.API_KEYS };
  const found = await fetch(`${server.url}/social/user/last_tweets?username=ada`, { headers });
  expect(await found.json()).toMatchObject({ tweets: [{ id: tokenTweet.id }] });
  expect((await fetch(`${server.url}/social/tweet/replies?tweet_id=${buildTweet.id}`, { headers })).status).toBe(404);
  expect(await textsOnDisk()).not.toContain(buildTweet.text);
  await server.end();

  expect(await textsOnDisk()).toContain(tokenTweet.text);
  expect(await run(script, ['--user', 'ada', '--yes'], { DATA_DIR })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('erased: 1 tweet, 1 user'),
  });
  const backup = await run('scripts/cli/backup.ts', [join(folder.path, 'backup')], { DATA_DIR });
  expect(backup).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^note: the archive holds \d+ deletions\. Backups from before/),
  });
  const left = await textsOnDisk();
  expect(left).not.toContain(tokenTweet.text);
  expect(left).not.toContain('"ada"');
});
