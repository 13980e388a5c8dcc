import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildTweet, importSmallArchive, tokenTweet } from '../support/small-archive.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { run } from '../support/server.ts';

const script = 'scripts/cli/doctor.ts';
const env = { DEMO: '0', API_KEYS: 'a-doctor-test-key' };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let DATA_DIR: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  DATA_DIR = join(folder.path, 'data');
  await importSmallArchive(folder.path, DATA_DIR);
});
afterAll(() => folder.dispose());

test('checks a stopped service, names the damage, repairs it, and the service starts with the valid data', async () => {
  const server = await startLocalServer(DATA_DIR, env);
  expect(await run(script, [], { DATA_DIR })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/is in use by process \d+: stop it.*\nor make a backup/),
  });
  await server.end();
  expect(await run(script, [], { DATA_DIR })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('all is whole'),
  });

  const path = join(DATA_DIR, 'archive.db');
  const bytes = await readFile(path);
  bytes.write('somebody else', bytes.indexOf(tokenTweet.text));
  await writeFile(path, bytes);
  const report = join(folder.path, 'findings.json');
  const found = await run(script, ['--report', report], { DATA_DIR });
  expect(found).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^archive\.db: 1 rows of tweet have a wrong checksum \(1002\);.* --repair/),
  });
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ damage: [{ file: 'archive.db' }] });
  expect((await stat(report)).mode & 0o777).toBe(0o600);

  const repaired = await run(script, ['--repair'], { DATA_DIR });
  expect(repaired).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/damaged-\d{4}\S+Z; delete it[^]*repaired: /),
  });
  const restarted = await startLocalServer(DATA_DIR, env);
  const tweets = await fetch(`${restarted.url}/social/user/last_tweets?username=ada`, {
    headers: { 'x-api-key': env.API_KEYS },
  });
  expect((await tweets.json()) as object).toMatchObject({ tweets: [{ id: buildTweet.id }] });
  await restarted.end();
});

test('rejects a folder that is no data directory, and does not create one', async () => {
  const nowhere = join(folder.path, 'nowhere');
  expect(await run(script, [], { DATA_DIR: nowhere })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a data directory'),
  });
  await expect(stat(nowhere)).rejects.toThrow('ENOENT');
});
