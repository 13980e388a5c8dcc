import { afterEach, expect, jest, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import { publishPoolStatus } from '../../server/realtime/pool-events.ts';

afterEach(() => {
  jest.useRealTimers();
});

const figures = (used: number): Schemas['PoolStatus'] => ({
  capable: 1,
  available: 1,
  cooling: 0,
  untested: 0,
  incapable: 0,
  capacity: { capable: 1, usable_now: 1, daily_capacity: 20, remaining_now: 20 - used, used_24h: used },
});

test('publishes close changes once, a change by time within a second, and an unchanged status never', async () => {
  jest.useFakeTimers();
  let used = 0;
  let changed = (): void => {};
  const noted: number[] = [];
  const stop = publishPoolStatus(
    {
      status: () => figures(used),
      onChange: (listener) => ((changed = () => listener(figures(used))), () => (changed = () => {})),
    },
    { append: async () => noted.push(used) },
  );
  for (used of [1, 2, 3]) changed();
  await jest.advanceTimersByTimeAsync(300);
  expect(noted).toEqual([3]);
  changed();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(noted).toEqual([3]);
  used = 2;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(noted).toEqual([3, 2]);
  used = 9;
  changed();
  stop();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(noted).toEqual([3, 2]);
});
