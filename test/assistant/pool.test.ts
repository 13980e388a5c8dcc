import { describe, expect, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import { openAccountPool, type AccountPool } from '../../server/assistant/pool.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import { emptyDisk, memoryStore, type Disk } from './memory-store.ts';

const t0 = Date.UTC(2026, 8, 1);
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** A clock that is moved by hand. */
function clockAt(start = t0): { now: () => number; pass(ms: number): void } {
  let time = start;
  return { now: () => time, pass: (ms) => void (time += ms) };
}

async function poolOf(
  ids: string[],
  { disk = emptyDisk(), clock = clockAt(), quota = 3, held = false } = {},
): Promise<{
  pool: AccountPool;
  disk: Disk;
  clock: ReturnType<typeof clockAt>;
  store: ReturnType<typeof memoryStore>;
}> {
  const store = memoryStore(disk, { held });
  const pool = await openAccountPool({ store, quota, deadlineMs: 60 * second, now: clock.now });
  for (const id of ids) pool.add({ id }, 'capable');
  return { pool, disk, clock, store };
}

const answered = (counted = 1) => ({ outcome: 'answered', counted }) as const;

/** Answers the error of a promise that must reject. */
const refusal = async (promise: Promise<unknown>): Promise<ServiceError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
};

describe('a reservation', () => {
  test('resolves only after it is durable', async () => {
    const { pool, store } = await poolOf(['a'], { held: true });
    let given = false;
    const lease = pool.reserve(1).then((each) => ((given = true), each));
    await new Promise((resolve) => setImmediate(resolve));
    expect(given).toBe(false);
    expect(pool.status().capacity.used_24h).toBe(1);
    store.flush();
    expect((await lease).account).toEqual({ id: 'a' });
  });

  test('uses the least recently used account', async () => {
    const { pool } = await poolOf(['a', 'b', 'c']);
    const order: string[] = [];
    for (let n = 0; n < 7; n++) {
      const lease = await pool.reserve(1);
      order.push(lease.account.id);
      lease.settle(answered());
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  test('of two questions needs an account with two slots', async () => {
    const { pool, clock } = await poolOf(['a', 'b'], { quota: 2 });
    (await pool.reserve(1)).settle(answered());
    clock.pass(second);
    (await pool.reserve(1)).settle(answered());
    expect(pool.status().capacity.remaining_now).toBe(2);
    const error = await refusal(pool.reserve(2));
    expect([error.status, error.headers['Retry-After']]).toEqual([503, String(24 * 3600 + 60 - 1)]);
    expect((await pool.reserve(1)).questions).toBe(1);
  });

  test('by many concurrent callers uses all slots, and rejects the others with a delay', async () => {
    const { pool, clock } = await poolOf(['a', 'b'], { quota: 15 });
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => pool.reserve(1)));
    const given = results.filter((result) => result.status === 'fulfilled');
    expect(given).toHaveLength(30);
    expect(pool.rejected).toBe(170);
    // All of them may yet be counted at their deadline.
    expect((await refusal(pool.reserve(1))).message).toBe('no assistant account is free; retry in 86520 s');
    for (const { value } of given) value.settle(answered());
    expect((await refusal(pool.reserve(1))).headers).toEqual({ 'Retry-After': '86460' });
    clock.pass(day + 60 * second);
    expect((await pool.reserve(2)).remainingMs()).toBe(60 * second);
  });

  test('that cannot be stored is rejected and takes no slot', async () => {
    const { pool, store } = await poolOf(['a'], { held: true });
    const lost = refusal(pool.reserve(1));
    store.fail();
    expect((await lost).status).toBe(503);
    for (let n = 0; n < 10; n++) expect((await refusal(pool.reserve(1))).message).toMatch(/cannot be written/);
    expect(pool.status().capacity.used_24h).toBe(0);
  });

  test('that is durable too late is released', async () => {
    const { pool, store, clock } = await poolOf(['a'], { held: true });
    const late = refusal(pool.reserve(2));
    clock.pass(60 * second);
    store.flush();
    expect((await late).status).toBe(503);
    expect(pool.status().capacity.used_24h).toBe(0);
  });

  test('is settled once', async () => {
    const { pool } = await poolOf(['a']);
    const lease = await pool.reserve(2);
    lease.settle({ outcome: 'unreached', counted: 0 });
    lease.settle(answered(2));
    expect(pool.status().capacity.used_24h).toBe(0);
    expect([...pool.outcomes]).toEqual([['unreached', 1]]);
  });
});

describe('the time to wait', () => {
  test('lasts until the first cooldown ends', async () => {
    const { pool } = await poolOf(['a', 'b']);
    (await pool.reserve(1)).settle({ outcome: 'limited', counted: 0, retryAfterMs: 90 * second });
    (await pool.reserve(1)).settle({ outcome: 'limited', counted: 0, retryAfterMs: 40 * second });
    expect(pool.status()).toMatchObject({ capable: 2, available: 0, cooling: 2 });
    expect((await refusal(pool.reserve(1))).headers).toEqual({ 'Retry-After': '40' });
  });
  test('lasts until the next health check, if no account is capable', async () => {
    const { pool } = await poolOf(['a']);
    (await pool.reserve(1)).settle({ outcome: 'unauthorized', counted: 0 });
    expect(pool.status()).toMatchObject({ capable: 0, incapable: 1, capacity: { daily_capacity: 0 } });
    expect((await refusal(pool.reserve(1))).headers).toEqual({ 'Retry-After': String(6 * 3600) });
  });
  test('is ten minutes without accounts, with an instruction for the operator', async () => {
    const { pool } = await poolOf([]);
    const { headers, message } = await refusal(pool.reserve(1));
    expect([headers, message]).toEqual([
      { 'Retry-After': '600' },
      'no assistant account is configured: the operator adds one with `npm run accounts -- add`',
    ]);
  });
});

describe('after a restart', () => {
  test('restores its state', async () => {
    const first = await poolOf(['a', 'b', 'c']);
    (await first.pool.reserve(2)).settle(answered(2));
    (await first.pool.reserve(1)).settle({ outcome: 'limited', counted: 1, retryAfterMs: hour });
    await first.pool.reserve(1);
    await first.store.close();
    const second = await poolOf(['a', 'b', 'c'], first);
    expect(second.pool.list()).toEqual(first.pool.list());
    expect(second.pool.status()).toEqual(first.pool.status());
    // Of a and c, a was used longest ago.
    expect((await second.pool.reserve(1)).account.id).toBe('a');
  });

  test('an open question stays charged until its deadline leaves the window', async () => {
    const { pool, disk, clock, store } = await poolOf(['a'], { quota: 2 });
    await pool.reserve(2);
    store.kill(0);
    const restarted = await poolOf(['a'], { disk, clock, quota: 2 });
    clock.pass(day + 119 * second);
    await refusal(restarted.pool.reserve(1));
    clock.pass(second);
    await restarted.pool.reserve(2);
  });

  test('a changed quota applies at once', async () => {
    const { pool, disk, clock } = await poolOf(['a']);
    for (let n = 0; n < 3; n++) (await pool.reserve(1)).settle(answered());
    const fewer = await poolOf(['a'], { disk, clock, quota: 2 });
    expect(fewer.pool.status().capacity).toMatchObject({ daily_capacity: 2, used_24h: 2, remaining_now: 0 });
    const more = await poolOf(['a'], { disk, clock, quota: 10 });
    expect(more.pool.status().capacity).toMatchObject({ daily_capacity: 10, used_24h: 3, remaining_now: 7 });
  });

  test('compacts the journal without loss when most of it is outdated', async () => {
    const { pool, disk, clock, store } = await poolOf(['a', 'b'], { quota: 2000 });
    for (let n = 0; n < 1500; n++) (await pool.reserve(1)).settle(answered());
    const open = [await pool.reserve(2), await pool.reserve(2)];
    expect(store.rewrites).toBe(3);
    expect(disk.journals.get('pool')!.length).toBeLessThan(1_100);
    const restarted = await poolOf(['a', 'b'], { disk, clock, quota: 2000 });
    expect(restarted.pool.status()).toEqual(pool.status());
    open[0]!.settle(answered(2));
    expect((await pool.reserve(1)).account.id).toBe((await restarted.pool.reserve(1)).account.id);
  });
});

describe('an account', () => {
  test('that is removed and added again keeps its used questions', async () => {
    const { pool } = await poolOf(['a']);
    (await pool.reserve(2)).settle(answered(2));
    expect(pool.remove('a')).toBe(true);
    expect([pool.remove('a'), pool.status().capable]).toEqual([false, 0]);
    pool.add({ id: 'a' }, 'untested');
    expect(pool.list()).toEqual([{ id: 'a', state: 'available', reason: null, used: 2, remaining: 1, until: null }]);
  });

  test('is untested until a health check succeeds, which uses a question', async () => {
    const { pool } = await poolOf([]);
    pool.add({ id: 'new' }, 'untested');
    expect(pool.status()).toMatchObject({
      capable: 0,
      untested: 1,
      capacity: { daily_capacity: 0, remaining_now: 0, used_24h: 0 },
    });
    expect(pool.nextProbe()!.id).toBe('new');
    (await pool.reserveProbe('new'))!.settle(answered());
    expect(pool.status()).toMatchObject({
      capable: 1,
      untested: 0,
      capacity: { daily_capacity: 3, remaining_now: 2, used_24h: 1 },
    });
    expect(pool.nextProbe()).toBeUndefined();
  });

  test('without questions left cannot be checked; neither can an unknown account', async () => {
    const { pool } = await poolOf(['a']);
    for (let n = 0; n < 3; n++) (await pool.reserve(1)).settle(answered());
    expect(await pool.reserveProbe('a')).toBeUndefined();
    expect(await pool.reserveProbe('b')).toBeUndefined();
    expect(pool.list()[0]).toMatchObject({
      state: 'cooling',
      remaining: 0,
      until: new Date(t0 + day + 60 * second).toISOString(),
    });
  });
});

test('notifies listeners of each change until they unsubscribe', async () => {
  const { pool } = await poolOf(['a']);
  const told: Schemas['PoolStatus'][] = [];
  const end = pool.onChange((status) => told.push(status));
  const lease = await pool.reserve(1);
  lease.settle({ outcome: 'unreached', counted: 0 });
  pool.remove('a');
  expect(told.map(({ capable, capacity }) => [capable, capacity.used_24h])).toEqual([
    [1, 1],
    [1, 0],
    [0, 0],
  ]);
  end();
  pool.add({ id: 'b' }, 'capable');
  expect(told).toHaveLength(3);
});
