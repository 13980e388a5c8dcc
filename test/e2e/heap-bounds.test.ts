/** The options of Node in each way to start the service: the threads of V8, and the memory that garbage has. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { nightlyTest } from '../support/nightly.ts';

const root = new URL('../../', import.meta.url).pathname;
const starts = ['package.json', 'server/deploy/Dockerfile', 'server/deploy/social-data.service'];

/** The options of Node in each way to start the service. */
const optionsOfStarts = (): Promise<string[][]> =>
  Promise.all(
    starts.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8');
      const options = /node"?,? ((?:"?--\S+ )+)"?server\/main\.ts/.exec(text)?.[1] ?? '';
      return Array.from(options.matchAll(/--[\w=-]+/g), ([option]) => option);
    }),
  );

test('each way to start the service has the same options of Node', async () => {
  const [first, ...others] = await optionsOfStarts();
  expect(first).toEqual([expect.stringMatching(/^--max-semi-space-size=\d+$/), '--v8-pool-size=0']);
  for (const options of others) expect(options).toEqual(first);
});

// Only Linux gives the names of threads.
(process.platform === 'linux' ? test : test.skip)('the threads of V8 leave a processor to requests', async () => {
  const [options = []] = await optionsOfStarts();
  const child = new URL('v8-threads.child.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [...options, child]);
  const { threads, processors } = JSON.parse(stdout) as { threads: number; processors: number };
  expect(threads).toBe(Math.max(1, processors - 1));
});

nightlyTest('the memory of new objects bounds the garbage of tables', async () => {
  const [options = []] = await optionsOfStarts();
  const largest = async (...args: string[]): Promise<number> => {
    const child = new URL('heap-bounds.child.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [...args.slice(1), child, args[0] ?? '']);
    return Number(stdout);
  };
  // 40 MB of values, a half more of garbage, and the new objects; without the bounds, more than 180 MB.
  expect(await largest('bounded', ...options)).toBeLessThan(150);
});
