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

test('a reservation is given only when it is durable', async () => {
  const { pool, store } = await poolOn(emptyDisk(), ['a'], { held: true });
  let given = false;
  const lease = pool.reserve(1).then((each) => ((given = true), each));
  await new Promise((resolve) => setImmediate(resolve));
  expect(given).toBe(false);
  expect(pool.status().capacity.used_24h).toBe(1);
  store.flush();
  expect((await lease).account).toEqual({ id: 'a' });
});

test('a reservation whose write fails is refused, and nothing is charged', async () => {
  const { pool, store } = await poolOn(emptyDisk(), ['a'], { held: true });
  const lost = pool.reserve(1);
  store.fail();
  await expect(lost).rejects.toMatchObject({ status: 503 });
  await expect(pool.reserve(1)).rejects.toThrow(/cannot be stored/);
  expect(pool.status().capacity.used_24h).toBe(0);
});

test('a reservation that took longer to write than the question may take is refused, and nothing is charged', async () => {
  let time = t0;
  const { pool, store } = await poolOn(emptyDisk(), ['a'], { held: true, now: () => time });
  const late = pool.reserve(2);
  time += minute;
  store.flush();
  await expect(late).rejects.toMatchObject({ status: 503 });
  expect(pool.status().capacity.used_24h).toBe(0);
});

test('a journal that is mostly history is rewritten, and restores the same state', async () => {
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

test('the clock is never before the latest record, also after the journal was rewritten', async () => {
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
