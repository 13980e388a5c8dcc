/** The assistant's books on a disk that fails, and under a clock that goes back. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openConversations } from '../../server/assistant/conversations.ts';
import { openAccountPool, type AccountPool } from '../../server/assistant/pool.ts';
import type { ServiceError } from '../../server/contract/service-error.ts';
import { emptyDisk, memoryStore, type Disk } from './memory-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const t0 = Date.UTC(2026, 8, 1);

async function poolAt(
  now: () => number,
  disk: Disk,
  quota = 3,
): Promise<{ pool: AccountPool; store: ReturnType<typeof memoryStore> }> {
  const store = memoryStore(disk);
  const pool = await openAccountPool({ store, quota, deadlineMs: minute, now });
  pool.add({ id: 'a' }, 'capable');
  return { pool, store };
}
const ask = async (pool: AccountPool): Promise<void> =>
  (await pool.reserve(1)).settle({ outcome: 'answered', counted: 1 });

test('does not send or charge a question that could not be stored', async () => {
  const { pool, store } = await poolAt(() => t0, emptyDisk());
  await ask(pool);
  const reserving = pool.reserve(1);
  store.fail();
  await expect(reserving).rejects.toMatchObject({ status: 503 } satisfies Partial<ServiceError>);
  expect(pool.status().capacity).toMatchObject({ used_24h: 1, remaining_now: 2 });
});

test.each([-hour, -2 * day])('keeps the quota when the clock is %i ms behind for one run', async (skew) => {
  const disk = emptyDisk();
  let clock = t0;
  const asked: number[] = [];
  let time = t0;
  const run = async (clockSkew: number): Promise<void> => {
    const { pool, store } = await poolAt(() => time + clockSkew, disk);
    while (pool.status().available > 0) {
      await ask(pool);
      asked.push(time);
    }
    await store.close();
  };
  await run(0);
  time += 25 * hour;
  await run(skew);
  time += 2 * hour;
  await run(0);
  clock = time;
  for (const end of asked) expect(asked.filter((at) => at > end - day && at <= end).length).toBeLessThanOrEqual(3);
  time += 26 * hour;
  await run(0);
  expect(asked.filter((at) => at > clock)).toHaveLength(3);
});

test('the clock of the pool never goes back, also after a compaction', async () => {
  const disk = emptyDisk();
  const first = await poolAt(() => t0, disk, 600);
  for (let n = 0; n < 510; n++) await ask(first.pool);
  await first.store.close();
  expect(first.store.rewrites).toBe(1);
  disk.journals.get('pool')!.splice(5);
  const later = await poolAt(() => t0 - day, disk, 600);
  expect(later.pool.now()).toBe(t0);
});

test('a turn that could not be stored is not part of the conversation', async () => {
  const disk = emptyDisk();
  const options = { secret: randomBytes(32), ttlMs: hour, waitMs: minute, now: () => t0 };
  const store = memoryStore(disk);
  const conversations = await openConversations({ store, ...options });
  const begun = conversations.start('key', '1');
  await begun.add({ prompt: null, answer: 'first' });
  begun.done();
  const resumed = await conversations.resume('key', begun.id, AbortSignal.timeout(1000));
  const adding = resumed.add({ prompt: 'more?', answer: 'second' });
  store.fail();
  await expect(adding).rejects.toMatchObject({ status: 503 });
  resumed.done();
  const again = await conversations.resume('key', begun.id, AbortSignal.timeout(1000));
  expect(again.turns).toEqual([{ prompt: null, answer: 'first' }]);

  const lost = conversations.start('key', '2');
  await expect(lost.add({ prompt: null, answer: 'never' })).rejects.toMatchObject({ status: 503 });
  lost.done();
  await expect(conversations.resume('key', lost.id, AbortSignal.timeout(1000))).rejects.toMatchObject({ status: 409 });
});
