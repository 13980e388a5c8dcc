import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyRoutes, openKeys, type KeyFile, type Keys } from '../../server/keys/keys.ts';
import { openLowdbStore } from '../../server/store/lowdb-store.ts';
import type { Store } from '../../server/store/store.ts';

let directory: string;
let store: Store;
const open = async (extra: string[] = []): Promise<{ keys: Keys; first: string | undefined }> => {
  store = await openLowdbStore(directory);
  return openKeys(await store.document<KeyFile>('keys', { keys: [] }), extra);
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

test('the first start makes a key, once', async () => {
  const { keys, first } = await open();
  expect(first).toMatch(/^sd_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
  expect(keys.verify(first!)?.id).toBe(keys.list()[0]!.id);
  await store.close();
  const again = await open();
  expect(again.first).toBeUndefined();
  expect(again.keys.verify(first!)).toEqual(keys.verify(first!));
});

test('keys of the environment are accepted, keep their id in any order, and are not stored; then no first key is made', async () => {
  const { keys, first } = await open(['operator-key', 'another-key']);
  expect(first).toBeUndefined();
  const id = keys.verify('operator-key')!.id;
  expect(id).not.toContain('operator');
  expect(keys.verify('another-key')!.id).not.toBe(id);
  expect(keys.list()).toEqual([]);
  await store.close();
  expect((await open(['another-key', 'operator-key'])).keys.verify('operator-key')).toEqual({ id });
});

test('a made key is valid at once, survives a restart, and ends at once when it is revoked', async () => {
  const { keys } = await open();
  const { id, key } = await keys.create('for tests');
  expect(keys.verify(key)).toEqual({ id });
  expect(keys.list()).toContainEqual({ id, name: 'for tests', created_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  await store.close();
  const again = (await open()).keys;
  expect(again.verify(key)).toEqual({ id });
  expect(await again.revoke(id)).toBe(true);
  expect(again.verify(key)).toBeUndefined();
  expect(await again.revoke(id)).toBe(false);
  await store.close();
  expect((await open()).keys.verify(key)).toBeUndefined();
});

test('no file holds a key or its secret part', async () => {
  const { keys, first } = await open(['operator-key']);
  const made = [(await keys.create('a')).key, (await keys.create('b')).key];
  await store.close();
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ name }) => readFile(join(directory, name), 'utf8')));
  expect(texts.join('')).toContain(made[0]!.split('_')[1]);
  for (const key of made) expect(texts.join('')).not.toContain(key.split('_')[2]);
  expect(texts.join('')).not.toContain('operator-key');
  expect(first).toBeUndefined();
  store = await openLowdbStore(directory);
});

describe('verify refuses', () => {
  test('anything but the whole key', async () => {
    const { keys, first } = await open();
    for (const wrong of ['', 'x', first!.slice(0, -1), `${first}x`, first!.toUpperCase(), first!.toLowerCase(), ` ${first}`, 'sd__']) expect(keys.verify(wrong)).toBeUndefined();
  });
});

test('no two keys are alike', async () => {
  const { keys } = await open();
  const made = await Promise.all(Array.from({ length: 100 }, () => keys.create('x')));
  expect(new Set(made.map(({ key }) => key)).size).toBe(100);
  expect(made.every(({ id, key }) => keys.verify(key)?.id === id)).toBe(true);
});

test('the routes of the operator refuse what is not a short text', async () => {
  const routes = keyRoutes((await open()).keys);
  for (const wrong of [undefined, null, 7, '', {}, 'x'.repeat(101)]) {
    await expect(routes['keys/create'](wrong)).rejects.toThrow(/text of 1 to 100/);
    await expect(routes['keys/revoke'](wrong)).rejects.toThrow(/text of 1 to 100/);
  }
  expect(await routes['keys/list'](null)).toHaveLength(1);
});
