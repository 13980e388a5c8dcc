import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { cachedStep, codeOfSteps } from '../../scripts/spec/result-cache.ts';

const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, 'node_modules/.cache/generate');
/** A step that no other run of the tests has. */
const step = `test${randomUUID().replaceAll('-', '')}`;
const results = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.startsWith(step));
afterAll(async () => {
  for (const name of await results()) await rm(join(folder, name));
});

test('a step runs once for the same inputs, and again for others', async () => {
  let runs = 0;
  const run = (): string => `result ${++runs}`;
  expect(await cachedStep(step, { a: 1 }, run)).toBe('result 1');
  expect(await cachedStep(step, { a: 1 }, run)).toBe('result 1');
  expect(await cachedStep(step, { a: 2 }, run)).toBe('result 2');
  expect(await cachedStep(step, { a: 1 }, run)).toBe('result 1');
});

test('a step that fails leaves no result', async () => {
  await expect(cachedStep(step, 'wrong', () => Promise.reject(new Error('no result')))).rejects.toThrow('no result');
  expect(await cachedStep(step, 'wrong', () => 'mended')).toBe('mended');
});

test('keeps only the results of a step that were used last', async () => {
  // Three of them are as large as all that is kept.
  const large = 'r'.repeat(7_000_000);
  for (const input of [0, 1]) await cachedStep(step, input, () => large);
  // The order of use shows in the times of the files.
  for (const name of await results()) await utimes(join(folder, name), 1_000_000_000, 1_000_000_000);
  const unused = (): never => {
    throw new Error('this result is in the cache');
  };
  expect(await cachedStep(step, 0, unused)).toHaveLength(large.length);
  await cachedStep(step, 2, () => large);
  expect(await cachedStep(step, 0, unused)).toHaveLength(large.length);
  expect(await cachedStep(step, 1, () => 'removed')).toHaveLength('removed'.length);

  for (let input = 0; input < 210; input++) await writeFile(join(folder, `${step}-${input}`), '');
  expect(await cachedStep(step, 3, () => 'the last')).toBe('the last');
  expect(await results()).toHaveLength(200);
  expect(await cachedStep(step, 3, unused)).toBe('the last');
});

test('a result depends on all modules that the steps use', async () => {
  const entryPoints = ['spec/lint/lint', 'spec/generate-types', 'contract-tools/files/load'].map(
    (name) => `scripts/${name}.ts`,
  );
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: [...entryPoints, 'scripts/sample/main.ts'], outdir: 'unwritten' },
    ...{ bundle: true, write: false, metafile: true, platform: 'node', format: 'esm', packages: 'external' },
  });
  const isKnown = (file: string): boolean =>
    codeOfSteps.some((path) => file === path || file.startsWith(`${path}/`)) || file.endsWith('/result-cache.ts');
  const modules = Object.keys(metafile.inputs);
  expect(modules.length).toBeGreaterThan(40);
  expect(modules.filter((file) => !isKnown(file))).toEqual([]);
});
