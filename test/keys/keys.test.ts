import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordKeyUses, DocumentKeys, createFirstKey, type KeyFile } from '../../server/keys/keys.ts';
import { keyCommands } from '../../server/keys/key-commands.ts';
import { scopes } from '../../generated/scopes.ts';
import { openDocuments, type Documents } from '../../server/storage/lowdb/documents.ts';
import type { Keys } from '../../server/ports/keys.ts';

/** The members of a document that only other processes change. */
const unshared = { onChange: () => () => {}, stale: undefined };

let directory: string;
let store: Documents;
const open = async (extra: string[] = []): Promise<{ keys: Keys; first: string | undefined }> => {
  store = await openDocuments(directory);
  const keys = new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }), extra);
  return { keys, first: await createFirstKey(keys, extra) };
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

test('the first start creates a key, once', async () => {
  const { keys, first } = await open();
  expect(first).toMatch(/^sd_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
  expect(keys.verify(first!)?.id).toBe((await keys.list())[0]!.id);
  await store.close();
  const again = await open();
  expect(again.first).toBeUndefined();
  expect(again.keys.verify(first!)).toEqual(keys.verify(first!));
});

test('accepts keys of the environment with stable ids, without storing them or creating a first key', async () => {
  const { keys, first } = await open(['operator-key', 'another-key']);
  expect(first).toBeUndefined();
  const id = keys.verify('operator-key')!.id;
  expect(id).not.toContain('operator');
  expect(keys.verify('another-key')!.id).not.toBe(id);
  expect(await keys.list()).toEqual([]);
  await store.close();
  expect((await open(['another-key', 'operator-key'])).keys.verify('operator-key')).toMatchObject({ id });
});

test('a created key is valid at once, survives a restart, and is invalid at once after a revocation', async () => {
  const { keys } = await open();
  const { id, key } = await keys.create({ name: 'for tests' });
  expect(keys.verify(key)).toMatchObject({ id });
  expect(await keys.list()).toContainEqual({ id, name: 'for tests', created_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  await store.close();
  const again = (await open()).keys;
  expect(again.verify(key)).toMatchObject({ id });
  expect(await again.revoke(id)).toBe(true);
  expect(again.verify(key)).toBeUndefined();
  expect(await again.revoke(id)).toBe(false);
  await store.close();
  expect((await open()).keys.verify(key)).toBeUndefined();
});

test('checks the key of a connection again with the current state', async () => {
  const { keys } = await open();
  const [connection, other] = [{}, {}];
  const [first, second] = [
    await keys.create({ name: 'a' }),
    await keys.create({ name: 'b', expiresAt: new Date(Date.now() + 3_600_000) }),
  ];
  for (let n = 0; n < 2; n++) {
    expect(keys.verify(first.key, connection)).toMatchObject({ id: first.id });
    expect(keys.verify(`${first.key}x`, connection)).toBeUndefined();
    expect(keys.verify(second.key, connection)).toMatchObject({ id: second.id });
    expect(keys.verify(first.key, other)).toMatchObject({ id: first.id });
  }
  await keys.revoke(first.id);
  expect(keys.verify(first.key, other)).toBeUndefined();
  const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
  expect(keys.verify(second.key, connection)).toBeUndefined();
  later.mockRestore();
});

test('no file holds a key or its secret part', async () => {
  const { keys, first } = await open(['operator-key']);
  const created = [(await keys.create({ name: 'a' })).key, (await keys.create({ name: 'b' })).key];
  await store.close();
  const files = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ name }) => readFile(join(directory, name), 'utf8')));
  expect(texts.join('')).toContain(created[0]!.split('_')[1]);
  for (const key of created) expect(texts.join('')).not.toContain(key.split('_')[2]);
  expect(texts.join('')).not.toContain('operator-key');
  expect(first).toBeUndefined();
  store = await openDocuments(directory);
});

describe('verify rejects', () => {
  test('anything but the complete key', async () => {
    const { keys, first } = await open();
    for (const wrong of [
      '',
      'x',
      first!.slice(0, -1),
      `${first}x`,
      first!.toUpperCase(),
      first!.toLowerCase(),
      ` ${first}`,
      'sd__',
    ])
      expect(keys.verify(wrong)).toBeUndefined();
  });
});

test('creates unique keys', async () => {
  const { keys } = await open();
  const created = await Promise.all(Array.from({ length: 100 }, () => keys.create({ name: 'x' })));
  expect(new Set(created.map(({ key }) => key)).size).toBe(100);
  expect(created.every(({ id, key }) => keys.verify(key)?.id === id)).toBe(true);
});

test('operator commands reject names that are not short texts', async () => {
  const routes = keyCommands((await open()).keys);
  for (const wrong of [undefined, null, 7, '', {}, 'x'.repeat(101)]) {
    await expect(routes['keys/create']({ name: wrong })).rejects.toThrow(/text of 1 to 100/);
    await expect(routes['keys/revoke'](wrong)).rejects.toThrow(/text of 1 to 100/);
  }
  expect(await routes['keys/list'](null)).toHaveLength(1);
});

describe('the options of a key', () => {
  const created = async (wanted: object): Promise<{ id: string; key: string; keys: Keys }> => {
    const { keys } = await open();
    return { ...(await keyCommands(keys)['keys/create']({ name: 'made', ...wanted })), keys };
  };

  test('apply at once and after a restart', async () => {
    const before = Date.now();
    const { id, key, keys } = await created({ scopes: 'write, read', rate: '600/1m', expires: '2w' });
    const { expiresAt } = keys.verify(key)!;
    const twoWeeks = 14 * 86_400_000;
    expect(expiresAt).toBeGreaterThanOrEqual(before + twoWeeks);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + twoWeeks);
    await store.close();
    const known = (await open()).keys.verify(key)!;
    expect(known).toMatchObject({ id, rate: { requests: 600, periodMs: 60_000 }, expiresAt });
    expect([...known.scopes]).toEqual(['read', 'write', 'feeds', 'tokens']);
  });

  test('default to all scopes, the default rate limit and no expiry, also for keys of older files', async () => {
    const { id, key, keys } = await created({});
    expect(Object.keys((await keys.list()).find((entry) => entry.id === id)!)).toEqual(['id', 'name', 'created_at']);
    expect([...keys.verify(key)!.scopes]).toEqual(Object.keys(scopes));
    expect(keys.verify(key)).toMatchObject({ rate: undefined, expiresAt: Infinity });
  });

  test.each([
    [{ scopes: 'reed' }, "unknown scope 'reed': did you mean 'read'?"],
    [{ scopes: 'read,' }, "unknown scope '': expected one of 'read', 'assistant', 'write', 'events'"],
    [{ scopes: '' }, 'the list of scopes must be a text'],
    [{ rate: '600' }, "'600' is not a valid rate: use '6000/1m'"],
    [{ rate: '0/1m' }, "'0/1m' is not a valid rate"],
    [{ expires: 'tomorrow' }, "'tomorrow' is not a valid expiry: use '30d'"],
    [{ expires: '2020-01-01' }, '2020-01-01T00:00:00.000Z is in the past'],
    [{ name: 'two\nlines' }, 'the name must be a text'],
  ])('rejects %j with an instruction', async (wanted, message) => {
    const { keys } = await open();
    await expect(keyCommands(keys)['keys/create']({ name: 'made', ...wanted })).rejects.toThrow(message);
    expect((await keys.list()).map(({ name }) => name)).toEqual(['first']);
  });

  test('an invalid stored limit stops the start', async () => {
    await open();
    const entry = { id: 'a', name: 'a', created_at: '2026-01-01T00:00:00.000Z', hash: '00'.repeat(32) };
    for (const broken of [{ rate: 'fast' }, { expires_at: 'soon' }]) {
      const data = { keys: [{ ...entry, ...broken }] };
      expect(() => new DocumentKeys({ data, update: async () => {}, ...unshared })).toThrow(
        /the stored key a has an invalid (rate|expiry)/,
      );
    }
  });
});

test('a key is invalid from the moment it expires', async () => {
  const { keys } = await open();
  const { id, key } = await keys.create({ name: 'short', expiresAt: new Date(Date.now() + 3_600_000) });
  expect([keys.verify(key)?.id, keys.has(id)]).toEqual([id, true]);
  const { expiresAt } = keys.verify(key)!;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(expiresAt - 1);
  expect([keys.verify(key)?.id, keys.has(id)]).toEqual([id, true]);
  clock.mockReturnValue(expiresAt);
  expect([keys.verify(key), keys.has(id)]).toEqual([undefined, false]);
  clock.mockRestore();
});

describe('the last use', () => {
  test('is shown at once, stored when recorded, and survives a restart', async () => {
    const { keys, first } = await open();
    const at = Date.parse('2026-11-01T10:00:00.000Z');
    const written = async (): Promise<boolean> =>
      (await readFile(join(directory, 'keys.json'), 'utf8')).includes('2026-11-01T10:00:00.000Z');
    expect((await keys.list())[0]!.last_used_at).toBeUndefined();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(at);
    keys.recordUse(keys.verify(first!)!, '192.0.2.1');
    clock.mockRestore();
    expect(keys.verify(first!)!.lastUse).toEqual({ at, from: '192.0.2.1' });
    expect((await keys.list())[0]!.last_used_at).toBe('2026-11-01T10:00:00.000Z');
    expect(await written()).toBe(false);
    await keys.saveLastUses();
    expect(await written()).toBe(true);
    await store.close();
    const again = (await open()).keys;
    expect((await again.list())[0]!.last_used_at).toBe('2026-11-01T10:00:00.000Z');
  });

  test('needs one write for many uses, and none without a use', async () => {
    let writes = 0;
    const data: KeyFile = { keys: [] };
    const keys = new DocumentKeys({ data, update: async (mutate) => (writes++, mutate(data)), ...unshared });
    const created = await Promise.all(['a', 'b'].map((name) => keys.create({ name })));
    writes = 0;
    await keys.saveLastUses();
    expect(writes).toBe(0);
    for (const { key } of [...created, ...created]) keys.recordUse(keys.verify(key)!, 'a');
    const uses = recordKeyUses(keys, () => {});
    await uses.stop();
    expect(writes).toBe(1);
    await keys.saveLastUses();
    expect(writes).toBe(1);
  });
});

test('notifies listeners after a key is revoked', async () => {
  const { keys } = await open();
  const { id } = await keys.create({ name: 'ended' });
  const delivered: boolean[] = [];
  keys.onChange(() => delivered.push(keys.has(id)));
  await keys.revoke('nobody');
  expect(delivered).toEqual([]);
  await keys.revoke(id);
  expect(delivered).toEqual([false]);
});

test('the id of a key is stable while others are created and revoked', async () => {
  const { keys, first } = await open();
  const known = keys.verify(first!);
  await keys.revoke((await keys.create({ name: 'other' })).id);
  expect(keys.verify(first!)).toBe(known);
});
