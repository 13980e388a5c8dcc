import type { Random } from './random.ts';

/** When the platform's ids begin to count: milliseconds since 1970 (the `(id >> 22)` of a snowflake id is relative to it). */
const epoch = 1288834974657n;

/** Makes tweet ids that hold the time they were made at, no two alike. */
export function createSnowflakes(random: Random): (milliseconds: number) => string {
  const given = new Set<bigint>();
  return (milliseconds) => {
    let id = ((BigInt(milliseconds) - epoch) << 22n) | BigInt(random.integer(0, 2 ** 22 - 1));
    while (given.has(id)) id += 1n;
    given.add(id);
    return String(id);
  };
}
