import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
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

test('keeps only the newest results of a step', async () => {
  for (let input = 0; input < 20; input++) await cachedStep(step, input, () => 'result');
  expect(await results()).toHaveLength(12);
});
