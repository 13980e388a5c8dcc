import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import { NetworkSimulation, type Hour } from '../../scripts/bench/follow/simulation.ts';

test('hours of a whole network: the archive keeps what RETAIN allows, and nothing else grows', async () => {
  // Half of a network in `npm test`, the whole of it in the nightly run.
  const size = Math.min(2, rounds(2, 1));
  const retain = 150 * size;
  const simulation = await NetworkSimulation.start({ rate: 0.25 * size, retain });
  const hours: Hour[] = [];
  try {
    for (let hour = 0; hour < 4; hour++) hours.push(await simulation.hour());
    expect(simulation.faults).toEqual([]);
    for (const { tweets } of hours) expect(tweets).toBeLessThanOrEqual(retain * 1.2);
    const [, second, , last] = hours as [Hour, Hour, Hour, Hour];
    expect(last.events).toBe(4 * 900 * size);
    // Every post is there, or was evicted or deleted.
    expect(last.tweets + last.evicted).toBeGreaterThan(0.75 * last.events);
    // The archive was replaced several times, and with it what belongs to its tweets.
    expect(last.evicted - second.evicted).toBeGreaterThan(5 * retain);
    expect(last.profiles).toBeLessThan(retain);
    expect(last.tombstones).toBeLessThan(retain);
    // Of the whole process, whose other buffers come and go.
    for (const kind of ['external', 'heap'] as const) {
      const [before, after] = [hours.slice(0, 2), hours.slice(2)].map((some) => some.map((hour) => hour[kind]));
      expect(Math.min(...(after ?? []))).toBeLessThan(Math.max(...(before ?? [])) + 6_000_000);
    }
    // Evicted rows leave free pages, which later rows use.
    expect(last.disk).toBeLessThan(40_000_000);
  } finally {
    await simulation.stop();
  }
});
