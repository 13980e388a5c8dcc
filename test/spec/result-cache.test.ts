import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cachedStep } from '../../scripts/spec/result-cache.ts';

const folder = new URL('../../node_modules/.cache/generate/', import.meta.url).pathname;
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
  for (let input = 0; input < 12; input++) await cachedStep(step, input, () => 'result');
  expect(await results()).toHaveLength(12);
  // The order of use shows in the times of the files.
  for (const name of await results()) await utimes(join(folder, name), 1_000_000_000, 1_000_000_000);
  const unused = (): never => {
    throw new Error('this result is in the cache');
  };
  expect(await cachedStep(step, 0, unused)).toBe('result');
  for (let input = 20; input < 31; input++) await cachedStep(step, input, () => 'result');
  expect(await results()).toHaveLength(12);
  expect(await cachedStep(step, 0, unused)).toBe('result');
});
