/** The behaviour of every adapter of the secrets port. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Secrets } from '../../server/ports/secrets.ts';
import { StoreError } from '../../server/ports/storage.ts';

/** Storage that outlives the secrets that are opened on it. */
export interface SecretStorage {
  /** Opens the secrets, as a new process does. */
  open(): Promise<Secrets>;
  close(): Promise<void>;
  /** Every write fails from now on, until `repairWrites`. */
  failWrites(): void | Promise<void>;
  repairWrites(): void | Promise<void>;
  dispose(): Promise<void>;
}

const hex = async (secret: Promise<Buffer>): Promise<string> => (await secret).toString('hex');

/** The suite for one adapter. */
export function describeSecrets(name: string, create: () => Promise<SecretStorage>): void {
  describe(`${name}: a secret`, () => {
    let storage: SecretStorage;
    beforeEach(async () => void (storage = await create()));
    afterEach(() => storage.dispose());

    test('has 32 random bytes, another value for each name and in each storage', async () => {
      const secrets = await storage.open();
      const values = await Promise.all(['one', 'two'].map((each) => secrets.secret(each)));
      expect(values.map(({ length }) => length)).toEqual([32, 32]);
      const other = await create();
      const values2 = [...values, await (await other.open()).secret('one')].map((value) => value.toString('hex'));
      expect(new Set(values2).size).toBe(3);
      await other.close();
      await other.dispose();
      await storage.close();
    });

    test('stays the same, also after a restart', async () => {
      const first = await storage.open();
      const one = await hex(first.secret('one'));
      expect(await hex(first.secret('one'))).toBe(one);
      const two = await hex(first.secret('two'));
      await storage.close();
      const second = await storage.open();
      expect([await hex(second.secret('one')), await hex(second.secret('two'))]).toEqual([one, two]);
      await storage.close();
    });

    test('is the same for concurrent calls, and is stored', async () => {
      const first = await storage.open();
      const values = await Promise.all(Array.from({ length: 20 }, () => hex(first.secret('one'))));
      expect(new Set(values).size).toBe(1);
      await storage.close();
      expect(await hex((await storage.open()).secret('one'))).toBe(values[0]);
      await storage.close();
    });

    test('changes after a rotation, also after a restart', async () => {
      const first = await storage.open();
      const before = [await hex(first.secret('one')), await hex(first.secret('two'))];
      await first.rotate();
      const after = [await hex(first.secret('one')), await hex(first.secret('two'))];
      expect(new Set([...before, ...after]).size).toBe(4);
      await storage.close();
      const second = await storage.open();
      expect([await hex(second.secret('one')), await hex(second.secret('two'))]).toEqual(after);
      await storage.close();
    });

    test('stays the same when a rotation cannot be stored', async () => {
      const secrets = await storage.open();
      const before = await hex(secrets.secret('one'));
      await storage.failWrites();
      await expect(secrets.rotate()).rejects.toThrow(StoreError);
      expect(await hex(secrets.secret('one'))).toBe(before);
      await storage.repairWrites();
      await storage.close();
    });

    test('that cannot be stored is not returned', async () => {
      const secrets = await storage.open();
      const stored = await hex(secrets.secret('stored'));
      await storage.failWrites();
      await expect(secrets.secret('new')).rejects.toThrow(StoreError);
      expect(await hex(secrets.secret('stored'))).toBe(stored);
      await storage.repairWrites();
      expect(await secrets.secret('new')).toHaveLength(32);
      await storage.close();
    });
  });
}

/** The suite for adapters whose storage several processes use at the same time. */
export function describeSharedSecrets(name: string, create: () => Promise<SecretStorage>): void {
  test(`${name}: processes that start at the same time agree on each secret`, async () => {
    const storage = await create();
    const opened = await Promise.all([storage.open(), storage.open(), storage.open()]);
    const values = await Promise.all(opened.map((secrets) => hex(secrets.secret('one'))));
    expect(new Set(values).size).toBe(1);
    await storage.dispose();
  });
}
