import { expect, test } from '@jest/globals';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import type { AccountPool } from '../../server/ports/account-pool.ts';
import { emptyDisk, memoryStore, type Disk, type MemoryStore } from '../ports/reference/store.ts';

const t0 = Date.UTC(2026, 8, 1);
const minute = 60_000;
const day = 24 * 60 * minute;

async function poolOn(
  disk: Disk,
  ids: readonly string[],
  { quota = 3, held = false, now = () => t0 } = {},
): Promise<{ pool: AccountPool; store: MemoryStore }> {
  const store = memoryStore(disk, { held });
  const pool = await openAccountPool({ store, quota, deadlineMs: minute, now });
  for (const id of ids) pool.add({ id }, 'capable');
  return { pool, store };
}

test('returns a reservation only when it is durable', async () => {
  const { pool, store } = await poolOn(emptyDisk(), ['a'], { held: true });
  let isReserved = false;
  const lease = pool.reserve(1).then((each) => ((isReserved = true), each));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReserved).toBe(false);
  expect(pool.status().capacity.used_24h).toBe(1);
  store.flush();
  expect((await lease).account).toEqual({ id: 'a' });
});

test('rejects a reservation whose write fails, and uses no slot', async () => {
  const { pool, store } = await poolOn(emptyDisk(), ['a'], { held: true });
  const lost = pool.reserve(1);
  store.fail();
  await expect(lost).rejects.toMatchObject({ status: 503 });
  await expect(pool.reserve(1)).rejects.toThrow(/cannot be stored/);
  expect(pool.status().capacity.used_24h).toBe(0);
});

test('rejects a reservation whose write exceeds the time limit of the question, and uses no slot', async () => {
  let time = t0;
  const { pool, store } = await poolOn(emptyDisk(), ['a'], { held: true, now: () => time });
  const late = pool.reserve(2);
  time += minute;
  store.flush();
  await expect(late).rejects.toMatchObject({ status: 503 });
  expect(pool.status().capacity.used_24h).toBe(0);
});

test('compacts a journal with mostly old records, and restores the same state', async () => {
  const disk = emptyDisk();
  const { pool, store } = await poolOn(disk, ['a', 'b'], { quota: 2000 });
  for (let n = 0; n < 1500; n++) (await pool.reserve(1)).settle({ outcome: 'answered', counted: 1 });
  const open = [await pool.reserve(2), await pool.reserve(2)];
  expect(store.rewrites).toBe(3);
  expect(disk.journals.get('pool')?.records.length).toBeLessThan(1_100);
  const restarted = await poolOn(disk, ['a', 'b'], { quota: 2000 });
  expect(restarted.pool.status()).toEqual(pool.status());
  open[0]?.settle({ outcome: 'answered', counted: 2 });
  expect((await pool.reserve(1)).account.id).toBe((await restarted.pool.reserve(1)).account.id);
});

test('the clock never precedes the latest record, also after a compaction', async () => {
  const disk = emptyDisk();
  const first = await poolOn(disk, ['a'], { quota: 600 });
  for (let n = 0; n < 510; n++) (await first.pool.reserve(1)).settle({ outcome: 'answered', counted: 1 });
  await first.store.close();
  expect(first.store.rewrites).toBe(1);
  // Only the records of the rewrite remain.
  disk.journals.get('pool')?.records.splice(1);
  const later = await poolOn(disk, ['a'], { quota: 600, now: () => t0 - day });
  expect(later.pool.now()).toBe(t0);
});

/** What the records of the pool are about, in order. */
const storedEvents = (disk: Disk): unknown[] =>
  (disk.journals.get('pool')?.records ?? []).map((record) => {
    const { event } = JSON.parse(String(record)) as { readonly event?: { readonly kind: string } };
    return event?.kind;
  });

test('the record of an answer is stored with the next reservation, and otherwise soon by itself', async () => {
  const disk = emptyDisk();
  const { pool } = await poolOn(disk, ['a']);
  (await pool.reserve(1)).settle({ outcome: 'answered', counted: 1 });
  expect(storedEvents(disk)).toEqual(['reserve']);
  const lease = await pool.reserve(1);
  expect(storedEvents(disk)).toEqual(['reserve', 'settle', 'reserve']);
  lease.settle({ outcome: 'answered', counted: 1 });
  while (storedEvents(disk).length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(storedEvents(disk)).toEqual(['reserve', 'settle', 'reserve', 'settle']);
  expect((await poolOn(disk, ['a'])).pool.status()).toEqual(pool.status());
});

test('the record of a question that was not answered is stored at once', async () => {
  const disk = emptyDisk();
  const { pool } = await poolOn(disk, ['a']);
  (await pool.reserve(1)).settle({ outcome: 'limited', counted: 0, retryAfterMs: minute });
  await new Promise((resolve) => setImmediate(resolve));
  expect(storedEvents(disk)).toEqual(['reserve', 'settle']);
});
