/** Each benchmark with a small load: the service, its peers and the command are real, the values are no measurements. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { benches } from '../../scripts/bench/benches.ts';
import { ourselves, readResult } from '../../scripts/bench/result.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = new URL('../../', import.meta.url).pathname;
/** Installed by `npm install --prefix scripts/bench`. */
const hasPackages = existsSync(join(root, 'scripts/bench/node_modules/autocannon'));
/** The benchmarks that need them, and a part of the names of the peers. */
const ofPackages: Readonly<Record<string, string>> = { http: 'Fastify', client: 'octokit' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.dispose());

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const bench = (...parameters: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['scripts/bench/main.ts', ...parameters], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

test.each(Object.keys(benches))('%s measures the service, and prints and writes a table', async (name) => {
  const file = join(folder.path, `${name}.json`);
  const { code, stdout, stderr } = await bench(name, '--quick', '--json', file);
  if (!hasPackages && name in ofPackages) {
    expect([code, stderr]).toEqual([1, expect.stringContaining('run npm install --prefix scripts/bench')]);
    return;
  }
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain(`## ${name}\n\n| metric `);
  const { benches: results, isQuick } = await readResult(file);
  expect([isQuick, results.map((result) => result.bench)]).toEqual([true, [name]]);
  const rows = results[0]?.rows ?? [];
  expect(rows.some(({ subject }) => subject === ourselves)).toBe(true);
  expect(rows.map(({ subject }) => subject).join()).toContain(ofPackages[name] ?? ourselves);

  const same = await bench('compare', file, file);
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('0 worse, 0 better') });
  expect(await bench('show', file)).toMatchObject({ code: 0, stdout: expect.stringContaining(`## ${name}`) });
});

test('--all runs each benchmark in a process of its own, and writes one file', async () => {
  const file = join(folder.path, 'all.json');
  const run = await bench(
    '--all',
    'search',
    'archive',
    '--quick',
    '--rounds',
    '1',
    '--engines',
    'sqlite',
    '--json',
    file,
  );
  expect(run).toMatchObject({ code: 0 });
  const { benches: results } = await readResult(file);
  expect(results.map((result) => [result.bench, result.problem])).toEqual([
    ['search', undefined],
    ['archive', undefined],
  ]);
});

test('a wrong call says what is wrong, and measures nothing', async () => {
  expect(await bench('no')).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown benchmark no') });
  expect(await bench('compare', 'a')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('two files of results'),
  });
  expect(await bench('compare', 'a', 'b')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^bench: a cannot/),
  });
  expect(await bench('--all', '--quick', '--json')).toMatchObject({ code: 2 });
  expect(await bench('search', '--quick', '--engines', 'x')).toMatchObject({ code: 2 });
  const { code, stdout } = await bench('--help');
  expect([code, ...Object.keys(benches).filter((name) => !stdout.includes(`\n${name} `))]).toEqual([0]);
});
