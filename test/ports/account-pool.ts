/** The behaviour of every adapter of the account pool port. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';
import { checkQuota, commands, type OpenedPool, type PoolStorage } from './account-pool-model.ts';

/** Creates storage. `held`: writes become durable only by `flush`, if the adapter can do that. */
export type CreatePoolStorage = (options: { held: boolean }) => Promise<PoolStorage>;

const t0 = Date.UTC(2026, 8, 1);
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const deadlineMs = 60 * second;

const answered = (counted = 1) => ({ outcome: 'answered', counted }) as const;

/** The ServiceError of a promise that must reject. */
async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

/** Storage, a clock that the test moves, and the pools that are opened in the test. */
class PoolTest {
  time = t0;
  readonly storage: PoolStorage;
  readonly #opened: OpenedPool[] = [];

  constructor(storage: PoolStorage) {
    this.storage = storage;
  }

  /** Opens the pool, as a new process does, with these capable accounts. */
  async open(ids: readonly string[], { quota = 3, skew = 0 } = {}): Promise<OpenedPool> {
    const opened = await this.storage.open({ quota, deadlineMs, now: () => this.time + skew });
    for (const id of ids) opened.pool.add({ id }, 'capable');
    this.#opened.push(opened);
    return opened;
  }

  async close(opened: OpenedPool): Promise<void> {
    this.#opened.splice(this.#opened.indexOf(opened), 1);
    await opened.close();
  }

  async dispose(): Promise<void> {
    await this.storage.repairWrites();
    for (const opened of this.#opened) await opened.close();
    await this.storage.dispose();
  }
}

/** The suite for one adapter. `modelRounds`: how often the model test runs; each round takes up to 60 commands. */
export function describeAccountPool(name: string, create: CreatePoolStorage, modelRounds: number): void {
  describe(name, () => {
    let current: PoolTest;
    beforeEach(async () => void (current = new PoolTest(await create({ held: false }))));
    afterEach(() => current.dispose());
    const context = (): PoolTest => current;

    describe('a reservation', () => {
      describeReservations(context);
    });
    describe('the time to wait', () => {
      describeWaiting(context);
    });
    describe('an account', () => {
      describeAccounts(context);
    });
    describe('after a restart', () => {
      describeRestarts(context);
    });
  });

  test(`${name} never exceeds the quota of an account in any 24 hours, and frees every slot`, async () => {
    const property = fc.asyncProperty(commands, fc.integer({ min: 2, max: 4 }), async (steps, quota) => {
      const storage = await create({ held: true });
      await checkQuota(steps, quota, storage);
      await storage.dispose();
    });
    await fc.assert(property, { numRuns: rounds(modelRounds) });
  });
}

/** The suite for adapters whose storage several processes use at the same time. */
export function describeSharedAccountPool(name: string, create: CreatePoolStorage): void {
  describe(`${name}, opened by several processes`, () => {
    test('reserve exactly the quota together, and each one sees the usage of the others', async () => {
      const context = new PoolTest(await create({ held: false }));
      const pools = await Promise.all([1, 2, 3].map(() => context.open(['a', 'b'], { quota: 20 })));
      const results = await Promise.allSettled(
        Array.from({ length: 120 }, async (_, n) => pools[n % 3]?.pool.reserve(1)),
      );
      const leases = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
      expect(leases).toHaveLength(40);
      for (const { pool } of pools) {
        await until(() => pool.status().capacity.used_24h === 40);
        expect(pool.status().capacity).toMatchObject({ used_24h: 40, remaining_now: 0 });
      }
      leases[0]?.settle({ outcome: 'unreached', counted: 0 });
      for (const { pool } of pools) await until(() => pool.status().capacity.remaining_now === 1);
      await context.dispose();
    });
  });
}

type Context = () => PoolTest;

function describeReservations(context: Context): void {
  test('uses the least recently used account', async () => {
    const { pool } = await context().open(['a', 'b', 'c']);
    const order: string[] = [];
    for (let n = 0; n < 7; n++) {
      const lease = await pool.reserve(1);
      order.push(lease.account.id);
      lease.settle(answered());
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  test('of two questions needs an account with two slots', async () => {
    const { pool, settled } = await context().open(['a', 'b'], { quota: 2 });
    (await pool.reserve(1)).settle(answered());
    await settled?.();
    context().time += second;
    (await pool.reserve(1)).settle(answered());
    await settled?.();
    expect(pool.status().capacity.remaining_now).toBe(2);
    const error = await refusal(pool.reserve(2));
    expect([error.status, error.headers['Retry-After']]).toEqual([503, String(24 * 3600 + 60 - 1)]);
    expect((await pool.reserve(1)).questions).toBe(1);
  });

  test('by many concurrent callers uses all slots, and rejects the others with a delay', async () => {
    const { pool } = await context().open(['a', 'b'], { quota: 15 });
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => pool.reserve(1)));
    const given = results.filter((result) => result.status === 'fulfilled');
    expect(given).toHaveLength(30);
    expect(pool.rejected).toBe(170);
    // All of them may yet be counted at their deadline.
    expect((await refusal(pool.reserve(1))).message).toBe('no assistant account is free; retry in 86520 s');
    for (const { value } of given) value.settle(answered());
    expect((await refusal(pool.reserve(1))).headers).toEqual({ 'Retry-After': '86460' });
    context().time += day + 60 * second;
    expect((await pool.reserve(2)).remainingMs()).toBe(60 * second);
  });

  test('is settled once', async () => {
    const { pool, settled } = await context().open(['a']);
    const lease = await pool.reserve(2);
    lease.settle({ outcome: 'unreached', counted: 0 });
    lease.settle(answered(2));
    await settled?.();
    expect(pool.status().capacity.used_24h).toBe(0);
    expect([...pool.outcomes]).toEqual([['unreached', 1]]);
  });

  test('is rejected if it cannot be stored, and uses no slot', async () => {
    const { pool } = await context().open(['a']);
    (await pool.reserve(1)).settle(answered());
    await context().storage.failWrites();
    for (let n = 0; n < 10; n++) expect((await refusal(pool.reserve(1))).status).toBe(503);
    expect(pool.status().capacity).toMatchObject({ used_24h: 1, remaining_now: 2 });
    await context().storage.repairWrites();
  });
}

function describeWaiting(context: Context): void {
  test('lasts until the first cooldown ends', async () => {
    const { pool, settled } = await context().open(['a', 'b']);
    (await pool.reserve(1)).settle({ outcome: 'limited', counted: 0, retryAfterMs: 90 * second });
    await settled?.();
    (await pool.reserve(1)).settle({ outcome: 'limited', counted: 0, retryAfterMs: 40 * second });
    await settled?.();
    expect(pool.status()).toMatchObject({ capable: 2, available: 0, cooling: 2 });
    expect((await refusal(pool.reserve(1))).headers).toEqual({ 'Retry-After': '40' });
  });
  test('lasts until the next health check, if no account is capable', async () => {
    const { pool, settled } = await context().open(['a']);
    (await pool.reserve(1)).settle({ outcome: 'unauthorized', counted: 0 });
    await settled?.();
    expect(pool.status()).toMatchObject({ capable: 0, incapable: 1, capacity: { daily_capacity: 0 } });
    expect((await refusal(pool.reserve(1))).headers).toEqual({ 'Retry-After': String(6 * 3600) });
  });
  test('is ten minutes without accounts, with an instruction for the operator', async () => {
    const { pool } = await context().open([]);
    const { headers, message } = await refusal(pool.reserve(1));
    expect([headers, message]).toEqual([
      { 'Retry-After': '600' },
      'no assistant account is configured: the operator adds one with `npm run accounts -- add`',
    ]);
  });
}

function describeAccounts(context: Context): void {
  test('that is removed and added again keeps its used questions', async () => {
    const { pool } = await context().open(['a']);
    (await pool.reserve(2)).settle(answered(2));
    expect(pool.remove('a')).toBe(true);
    expect([pool.remove('a'), pool.status().capable]).toEqual([false, 0]);
    pool.add({ id: 'a' }, 'untested');
    expect(pool.list()).toEqual([{ id: 'a', state: 'available', reason: null, used: 2, remaining: 1, until: null }]);
  });

  test('is untested until a health check succeeds, which uses a question', async () => {
    const { pool, settled } = await context().open([]);
    pool.add({ id: 'new' }, 'untested');
    expect(pool.status()).toMatchObject({
      capable: 0,
      untested: 1,
      capacity: { daily_capacity: 0, remaining_now: 0, used_24h: 0 },
    });
    expect(pool.nextProbe()?.id).toBe('new');
    (await pool.reserveProbe('new'))?.settle(answered());
    await settled?.();
    expect(pool.status()).toMatchObject({
      capable: 1,
      untested: 0,
      capacity: { daily_capacity: 3, remaining_now: 2, used_24h: 1 },
    });
    expect(pool.nextProbe()).toBeUndefined();
  });

  test('without questions left cannot be checked; neither can an unknown account', async () => {
    const { pool } = await context().open(['a']);
    for (let n = 0; n < 3; n++) (await pool.reserve(1)).settle(answered());
    expect(await pool.reserveProbe('a')).toBeUndefined();
    expect(await pool.reserveProbe('b')).toBeUndefined();
    expect(pool.list()[0]).toMatchObject({
      state: 'cooling',
      remaining: 0,
      until: new Date(t0 + day + 60 * second).toISOString(),
    });
  });

  test('that changes is reported to each listener, until it is removed', async () => {
    const { pool, settled } = await context().open(['a']);
    const reported: Schemas['PoolStatus'][] = [];
    const unsubscribe = pool.onChange((status) => reported.push(status));
    const figures = () => [reported.at(-1)?.capable, reported.at(-1)?.capacity.used_24h];
    const lease = await pool.reserve(1);
    expect(figures()).toEqual([1, 1]);
    lease.settle({ outcome: 'unreached', counted: 0 });
    await settled?.();
    expect(figures()).toEqual([1, 0]);
    pool.remove('a');
    expect(figures()).toEqual([0, 0]);
    unsubscribe();
    const { length } = reported;
    pool.add({ id: 'b' }, 'capable');
    expect(reported).toHaveLength(length);
  });
}

function describeRestarts(context: Context): void {
  test('the state is unchanged', async () => {
    const first = await context().open(['a', 'b', 'c']);
    (await first.pool.reserve(2)).settle(answered(2));
    (await first.pool.reserve(1)).settle({ outcome: 'limited', counted: 1, retryAfterMs: hour });
    await first.pool.reserve(1);
    const views = first.pool.list();
    const status = first.pool.status();
    await context().close(first);
    const { pool } = await context().open(['a', 'b', 'c']);
    expect(pool.list()).toEqual(views);
    expect(pool.status()).toEqual(status);
    // Of a and c, a was used longest ago.
    expect((await pool.reserve(1)).account.id).toBe('a');
  });

  test('an unsettled question stays charged until its deadline has left the window', async () => {
    const first = await context().open(['a'], { quota: 2 });
    await first.pool.reserve(2);
    await first.crash(0);
    const { pool } = await context().open(['a'], { quota: 2 });
    context().time += day + 119 * second;
    await refusal(pool.reserve(1));
    context().time += second;
    await pool.reserve(2);
  });

  test('a changed quota applies at once', async () => {
    const first = await context().open(['a']);
    for (let n = 0; n < 3; n++) (await first.pool.reserve(1)).settle(answered());
    await context().close(first);
    const fewer = await context().open(['a'], { quota: 2 });
    expect(fewer.pool.status().capacity).toMatchObject({ daily_capacity: 2, used_24h: 2, remaining_now: 0 });
    await context().close(fewer);
    // The smaller quota has forgotten nothing.
    const more = await context().open(['a'], { quota: 10 });
    expect(more.pool.status().capacity).toMatchObject({ daily_capacity: 10, used_24h: 3, remaining_now: 7 });
  });

  test.each([-hour, -2 * day])(
    'no account exceeds its quota in 24 hours if the clock is wrong by %i ms during one run',
    async (skew) => {
      const asked: number[] = [];
      const run = async (clockSkew: number): Promise<void> => {
        const opened = await context().open(['a'], { skew: clockSkew });
        while (opened.pool.status().available > 0) {
          (await opened.pool.reserve(1)).settle(answered());
          asked.push(context().time);
        }
        await context().close(opened);
      };
      await run(0);
      context().time += 25 * hour;
      await run(skew);
      context().time += 2 * hour;
      await run(0);
      for (const end of asked) expect(asked.filter((at) => at > end - day && at <= end).length).toBeLessThanOrEqual(3);
      const before = asked.length;
      context().time += 26 * hour;
      await run(0);
      expect(asked).toHaveLength(before + 3);
    },
  );
}
