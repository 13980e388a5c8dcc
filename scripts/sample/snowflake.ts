import type { Random } from './random.ts';

/** The epoch of snowflake ids in milliseconds since 1970: `id >> 22` is the time since it. */
const epoch = 1288834974657n;

/** Creates unique tweet ids that contain their time. */
export function createSnowflakes(random: Random): (milliseconds: number) => string {
  const used = new Set<bigint>();
  return (milliseconds) => {
    let id = ((BigInt(milliseconds) - epoch) << 22n) | BigInt(random.integer(0, 2 ** 22 - 1));
    while (used.has(id)) id += 1n;
    used.add(id);
    return String(id);
  };
}
