import { expect, test } from '@jest/globals';
import { plotSoak, ticksTo } from '../../scripts/bench/soak/plot.ts';

test.each<[number, number[]]>([
  [601, [0, 200, 400, 600, 800]],
  [456, [0, 100, 200, 300, 400, 500]],
  [200, [0, 50, 100, 150, 200]],
  [14, [0, 5, 10, 15]],
  [0, [0, 1]],
])('an axis up to %d has round tick values', (most, ticks) => {
  expect(ticksTo(most)).toEqual(ticks);
});

test('the plot has each sample in each panel, and marks the start of the memory check', () => {
  const sample = {
    resident: 3e8,
    heap: 1e8,
    external: 5e7,
    delay: 20,
    maxDelay: 30,
    openFiles: 1,
    handles: 1,
    shed: 0,
    tweets: 1_000,
    users: 10,
    tombstones: 1,
  };
  const samples = Array.from({ length: 6 }, (_, place) => ({
    ...sample,
    at: (place + 1) / 12,
    requests: 1_000 * (place + 1),
    followed: 20 * place,
  }));
  const options = { minutes: 1, rate: 200, listeners: 20, tweets: 1_000, followed: 20 };
  const svg = plotSoak(
    {
      samples,
      options,
      collections: [-1, 0.1, 0.4, 0.5].map((at) => ({ at, value: 9e7 })),
      tally: { done: {}, faults: {} },
      logged: [],
    },
    0.3,
  );
  expect(svg.match(/<circle [^>]*r="2"/g)).toHaveLength(5 * 6 + 3);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});
