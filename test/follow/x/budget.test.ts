/** The budget of reads: durable, counted before the call, never exceeded. */
import { describe, expect, test } from '@jest/globals';
import { openReadBudget, ReadBudget } from '../../../server/follow/x/budget.ts';
import { CountedReads } from '../../../server/follow/x/counted-reads.ts';
import { SourceError } from '../../../server/ports/live-source.ts';
import { emptyDisk, memoryStore } from '../../ports/reference/store.ts';
import fc from '../../support/property.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const halfDay = 12 * 60 * 60 * 1000;
const memory = (): {
  kept: { day: string; reads: number } | undefined;
  get(): never;
  set(value: never): Promise<void>;
} => ({
  kept: undefined,
  get() {
    return this.kept as never;
  },
  async set(value) {
    this.kept = value;
  },
});

describe('the budget of reads', () => {
  test('counts before the call and gives back what the call did not need', async () => {
    const store = memory();
    const budget = new ReadBudget(500, store, new ManualClock(noon));
    const reservation = await budget.take(100);
    expect(store.kept).toEqual({ day: '2026-11-20', reads: 100 });
    await reservation.settle(7);
    expect(store.kept).toEqual({ day: '2026-11-20', reads: 7 });
    expect(budget.left).toBe(493);
  });

  test('stays after a restart, and after a kill between the count and the answer', async () => {
    const disk = emptyDisk();
    const clock = new ManualClock(noon);
    const first = await openReadBudget(memoryStore(disk), 500, clock);
    await first.take(100);
    const second = await openReadBudget(memoryStore(disk), 500, clock);
    expect(second.left).toBe(400);
  });

  test('says at its end when reads are available again, and goes on at the next day in UTC', async () => {
    const clock = new ManualClock(noon);
    const budget = new ReadBudget(100, memory(), clock);
    await budget.take(100);
    const error = await budget.take(10).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ retryAfterMs: halfDay, isPermanent: false });
    expect(String(error)).toContain('2026-11-21T00:00:00.000Z');
    clock.jump(halfDay);
    expect(budget.left).toBe(100);
    await budget.take(10);
    expect(budget.left).toBe(90);
  });

  test('does not start again where the clock is set back', async () => {
    const store = memory();
    await new ReadBudget(100, store, new ManualClock(noon)).take(60);
    expect(new ReadBudget(100, store, new ManualClock(noon - 3 * halfDay)).left).toBe(40);
  });

  test('keeps a part for others', async () => {
    const budget = new ReadBudget(100, memory(), new ManualClock(noon));
    await expect(budget.take(60, { keep: 50 })).rejects.toThrow('kept for new posts');
    expect((await budget.take(60, { min: 10, keep: 50 })).count).toBe(50);
    expect((await budget.take(60, { min: 10 })).count).toBe(50);
  });

  test('rejects a call whose count is not durable', async () => {
    const store = { get: () => undefined, set: () => Promise.reject(new Error('disk full')) };
    await expect(new ReadBudget(100, store, new ManualClock(noon)).take(1)).rejects.toThrow('disk full');
  });

  test('counts a call over midnight for the new day too', async () => {
    const clock = new ManualClock(noon);
    const budget = new ReadBudget(100, memory(), clock);
    const reservation = await budget.take(50);
    clock.jump(halfDay);
    await reservation.settle(30);
    expect(budget.left).toBe(70);
  });

  test('is never exceeded by calls at the same time, with restarts between', async () => {
    const step = fc.oneof(
      fc.record({
        take: fc.integer({ min: 1, max: 40 }),
        min: fc.integer({ min: 1, max: 40 }),
        used: fc.integer({ min: 0, max: 40 }),
      }),
      fc.constant('restart' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = memory();
        const clock = new ManualClock(noon);
        let budget = new ReadBudget(100, store, clock);
        let used = 0;
        const open: Promise<void>[] = [];
        for (const each of steps) {
          if (each === 'restart') {
            await Promise.all(open.splice(0));
            budget = new ReadBudget(100, store, clock);
            continue;
          }
          const call = async (): Promise<void> => {
            const max = Math.max(each.take, each.min);
            const taken = await budget.take(max, { min: each.min }).catch(() => undefined);
            if (taken === undefined) return;
            // What the platform bills is at most what was counted.
            expect(store.kept!.reads).toBeGreaterThanOrEqual(used + taken.count);
            const billed = Math.min(each.used, taken.count);
            used += billed;
            await taken.settle(billed);
          };
          open.push(call());
        }
        await Promise.all(open);
        expect(used).toBeLessThanOrEqual(100);
        expect(new ReadBudget(100, store, clock).left).toBe(100 - used);
      }),
    );
  });
});

test('a stream counts its posts in portions and gives back the rest', async () => {
  const budget = new ReadBudget(100, memory(), new ManualClock(noon));
  const reads = new CountedReads(budget);
  for (let post = 0; post < 7; post++) await reads.use();
  expect(budget.left).toBe(90);
  await reads.end();
  expect(budget.left).toBe(93);
  for (let post = 0; post < 93; post++) await reads.use();
  await expect(reads.use()).rejects.toThrow('X_READS_PER_DAY');
});
