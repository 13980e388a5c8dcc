/** The behaviour of every adapter of the port Keys. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AuthenticatedKey, Keys, NewKey } from '../../server/ports/keys.ts';
import { until } from '../support/until.ts';

/** An opened adapter, and the way in which another process changes the same keys. */
export interface OpenedKeys {
  readonly keys: Keys;
  readonly elsewhere: Pick<Keys, 'create' | 'revoke' | 'list'>;
  /** Opens the keys again, as after a restart. */
  reopen(): Promise<Keys>;
  /** Cuts the adapter off from its storage for longer than it trusts its copy; undefined where it cannot lose it. */
  readonly cutOff?: () => void;
  close(): Promise<void>;
}

const hour = 3_600_000;

export function describeKeys(name: string, open: () => Promise<OpenedKeys>): void {
  describe(`${name}:`, () => {
    let opened: OpenedKeys;
    let keys: Keys;
    beforeEach(async () => {
      opened = await open();
      keys = opened.keys;
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await opened.close();
    });

    /** Resolves when the adapter reports a change after which `is` holds. */
    function changed(is: () => boolean): Promise<void> {
      return new Promise((resolve) => {
        const stop = keys.onChange(() => {
          if (!is()) return;
          stop();
          resolve();
        });
      });
    }
    const made = async (options: Partial<NewKey> = {}): Promise<{ id: string; key: string }> =>
      keys.create({ name: 'made', ...options });
    const verified = (key: string): AuthenticatedKey => {
      const found = keys.verify(key);
      if (found === undefined) throw new Error('the key is not valid');
      return found;
    };

    test('a created key is valid at once with its options, and after a restart', async () => {
      const expiresAt = new Date(Date.now() + hour);
      const { id, key } = await made({ scopes: ['read'], rate: '600/1m', expiresAt });
      const expected = { id, rate: { requests: 600, periodMs: 60_000 }, expiresAt: expiresAt.getTime() };
      expect(verified(key)).toMatchObject(expected);
      // What they include is not stored.
      expect([...verified(key).scopes]).toEqual(['read', 'feeds', 'tokens']);
      expect((await keys.list())[0]?.scopes).toEqual(['read']);
      expect(keys.has(id)).toBe(true);
      expect((await opened.reopen()).verify(key)).toMatchObject(expected);
    });

    test('accepts only the complete key', async () => {
      const { key } = await made();
      for (const wrong of ['', 'x', key.slice(0, -1), `${key}x`, key.toUpperCase(), ` ${key}`])
        expect(keys.verify(wrong)).toBeUndefined();
    });

    test('a key keeps its object while others are created and revoked', async () => {
      const { key } = await made();
      const known = keys.verify(key);
      await keys.revoke((await made()).id);
      expect(keys.verify(key)).toBe(known);
    });

    test('a revoked key is invalid at once, also for the connection that presented it, and after a restart', async () => {
      const { id, key } = await made();
      const connection = {};
      expect(keys.verify(key, connection)).toMatchObject({ id });
      expect(await keys.revoke(id)).toBe(true);
      expect([keys.verify(key), keys.verify(key, connection), keys.has(id)]).toEqual([undefined, undefined, false]);
      expect(await keys.revoke(id)).toBe(false);
      expect((await opened.reopen()).verify(key)).toBeUndefined();
    });

    test('a key is invalid after its expiry', async () => {
      const { id, key } = await made({ expiresAt: new Date(Date.now() + hour) });
      const { expiresAt } = verified(key);
      const clock = jest.spyOn(Date, 'now').mockReturnValue(expiresAt - 1);
      expect([keys.verify(key)?.id, keys.has(id)]).toEqual([id, true]);
      clock.mockReturnValue(expiresAt);
      expect([keys.verify(key), keys.has(id)]).toEqual([undefined, false]);
    });

    test('finds a key by its id while it is valid', async () => {
      const { id, key } = await made();
      expect(keys.find(id)).toBe(keys.verify(key));
      await keys.revoke(id);
      expect([keys.find(id), keys.find('nobody')]).toEqual([undefined, undefined]);
    });

    test('a feed token has a key, only its own scopes, and ends with its key', async () => {
      const of = await made();
      const token = await made({ issuer: of.id, scopes: ['feeds'] });
      expect(verified(token.key)).toMatchObject({ id: token.id, issuer: { id: of.id } });
      expect([...verified(token.key).scopes]).toEqual(['feeds']);
      expect((await keys.list())[1]).toMatchObject({ id: token.id, issuer: of.id });
      await keys.revoke(of.id);
      expect([keys.verify(token.key), keys.has(token.id), keys.find(token.id)]).toEqual([undefined, false, undefined]);
      expect(await keys.list()).toEqual([]);
      const kept = await made();
      const { key } = await made({ issuer: kept.id, scopes: ['feeds'] });
      expect((await opened.reopen()).verify(key)).toMatchObject({ issuer: { id: kept.id } });
    });

    test('a feed token ends with its key also when the key expires, and when there is none', async () => {
      const of = await made({ expiresAt: new Date(Date.now() + hour) });
      const token = await made({ issuer: of.id, scopes: ['feeds'] });
      const orphan = await made({ issuer: 'nobody', scopes: ['feeds'] });
      expect([keys.has(token.id), keys.verify(orphan.key), keys.has(orphan.id)]).toEqual([true, undefined, false]);
      jest.spyOn(Date, 'now').mockReturnValue(verified(of.key).expiresAt);
      expect([keys.verify(token.key), keys.has(token.id)]).toEqual([undefined, false]);
    });

    test('the list has every stored key, oldest first, and no hash', async () => {
      const first = await made({ name: 'first' });
      const second = await made({ name: 'second', scopes: ['write'] });
      const list = await keys.list();
      expect(list.map(({ id, name: label }) => [id, label])).toEqual([
        [first.id, 'first'],
        [second.id, 'second'],
      ]);
      expect(list.every((entry) => !('hash' in entry))).toBe(true);
      expect(list[1]).toMatchObject({ scopes: ['write'], created_at: expect.stringMatching(/Z$/) });
    });

    test('reports a change when it is visible, until the listener is removed', async () => {
      const seen: boolean[] = [];
      const { id } = await made();
      const stop = keys.onChange(() => seen.push(keys.has(id)));
      await keys.revoke('nobody');
      expect(seen).toEqual([]);
      await keys.revoke(id);
      expect(seen).toEqual([false]);
      stop();
      await made();
      expect(seen).toEqual([false]);
    });

    test('a key that another process creates is valid here; a revoked one is invalid, with a notification', async () => {
      let key = '';
      const [created, revoked] = [
        changed(() => key !== '' && keys.verify(key) !== undefined),
        changed(() => key !== '' && keys.verify(key) === undefined),
      ];
      const made = await opened.elsewhere.create({ name: 'of another process' });
      key = made.key;
      if (keys.verify(key) === undefined) await created;
      expect(await opened.elsewhere.revoke(made.id)).toBe(true);
      await revoked;
      expect([keys.verify(key), keys.has(made.id)]).toEqual([undefined, false]);
    });

    test('stores all concurrent changes of two processes', async () => {
      const both = [keys, opened.elsewhere].flatMap((side) =>
        Array.from({ length: 5 }, () => side.create({ name: 'at once' })),
      );
      const ids = (await Promise.all(both)).map(({ id }) => id);
      // What the other process stored arrives a little later.
      await until(async () => (await keys.list()).length === ids.length);
      expect(new Set((await keys.list()).map(({ id }) => id))).toEqual(new Set(ids));
      const revocations = await Promise.all(
        ids.flatMap((id) => [keys.revoke(id).catch(() => false), opened.elsewhere.revoke(id)]),
      );
      expect(revocations.filter(Boolean)).toHaveLength(ids.length);
      expect(await keys.list()).toEqual([]);
    });

    test('the last use is available at once, is stored on save, and never decreases', async () => {
      const { key } = await made();
      const clock = jest.spyOn(Date, 'now');
      const at = Date.parse('2030-01-01T00:00:00.000Z');
      clock.mockReturnValue(at);
      keys.recordUse(verified(key), '192.0.2.1');
      expect(verified(key).lastUse).toEqual({ at, from: '192.0.2.1' });
      expect((await keys.list())[0]?.last_used_at).toBe('2030-01-01T00:00:00.000Z');
      await keys.saveLastUses();
      const again = await opened.reopen();
      expect((await again.list())[0]?.last_used_at).toBe('2030-01-01T00:00:00.000Z');
      clock.mockReturnValue(at - hour);
      const known = again.verify(key);
      if (known !== undefined) again.recordUse(known, '192.0.2.1');
      await again.saveLastUses();
      expect((await again.list())[0]?.last_used_at).toBe('2030-01-01T00:00:00.000Z');
    });

    test('rejects keys when the storage was unavailable for too long', async () => {
      const { key } = await made();
      if (opened.cutOff === undefined) return expect(keys.verify(key)).toBeDefined();
      opened.cutOff();
      expect(() => keys.verify(key)).toThrow(expect.objectContaining({ name: 'StoreError' }));
    });
  });
}
