import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importSmallArchive } from '../support/small-archive.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { run } from '../support/server.ts';

const script = 'scripts/cli/export.ts';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let DATA_DIR: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  DATA_DIR = join(folder.path, 'data');
  await importSmallArchive(folder.path, DATA_DIR);
});
afterAll(() => folder.dispose());

test('exports the same with and without a running server', async () => {
  const direct = await run(script, [], { DATA_DIR });
  expect(direct).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/standard output: 3 records \(user 1, tweet 2\)/),
  });
  expect(direct.stdout.trim().split('\n')).toHaveLength(3);
  const server = await startLocalServer(DATA_DIR, { DEMO: '0' });
  const file = join(folder.path, 'archive.jsonl.gz');
  const written = await run(script, [file], { DATA_DIR });
  expect(written).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/archive\.jsonl\.gz: 3 records/),
  });
  expect(gunzipSync(await readFile(file)).toString()).toBe(direct.stdout);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await run(script, [file], { DATA_DIR })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--force'),
  });
  const part = await run(script, ['--query', 'build'], { DATA_DIR });
  expect(part).toMatchObject({ code: 0, stderr: expect.stringContaining('user 1, tweet 1') });
  expect(await run(script, ['--query', '(build'], { DATA_DIR })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^'query' cannot be read at 0: /),
  });
  await server.end();
});

test('exits with 2 for an invalid call and with 1 for missing data, with one or two lines', async () => {
  for (const [args, code, said] of [
    [['--since', 'yesterday'], 2, /'yesterday' is no time: write '90d'/],
    [['a', 'b'], 2, /expected one FILE/],
    [['--user', 'nobody'], 1, /no user nobody/],
  ] as const) {
    const ended = await run(script, [...args], { DATA_DIR });
    expect([args, ended.code]).toEqual([args, code]);
    expect(ended.stderr).toMatch(said);
    expect(ended.stderr.trim().split('\n').length).toBeLessThan(3);
  }
  const nowhere = join(folder.path, 'nowhere');
  expect(await run(script, [], { DATA_DIR: nowhere })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a data directory'),
  });
  expect(await readdir(folder.path)).not.toContain('nowhere');
});

test('ends with one line when the reader closes the pipe', async () => {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, DATA_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, stderr.trim()]).toEqual([1, 'standard output was closed before the end']);
});
