import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { TransientMap } from '../../server/collections/transient-map.ts';

const source = new URL('../../server/collections/transient-map.ts', import.meta.url).href;

/** The growth of the old generation in MB, while a process inserts and deletes entries of 0.4 kB after a full collection. */
async function promoted(create: string): Promise<number> {
  const code = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { TransientMap } from '${source}';
    const used = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size / 1e6;
    const map = ${create};
    map.set('first', []);
    gc();
    map.delete('first');
    let [last, growth] = [used(), 0];
    for (let key = 0; key < 200_000; key++) {
      map.set(key, new Array(50).fill(key));
      map.delete(key);
      if (key % 1000 !== 0) continue;
      const now = used();
      growth += Math.max(0, now - last);
      last = now;
    }
    console.log(growth);`;
  const options = ['--expose-gc', '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return Number(stdout);
}

describe('a map of entries that live briefly', () => {
  test('has the entries that were set and not deleted', () => {
    const map = new TransientMap<number, string>();
    for (let key = 0; key < 1000; key++) map.set(key, `value ${key}`);
    for (let key = 0; key < 1000; key++) if (key % 10 !== 0) map.delete(key);
    map.delete(1);
    map.set(10, 'other');
    expect(map.size).toBe(100);
    expect(map.get(10)).toBe('other');
    expect(map.get(11)).toBeUndefined();
    expect([...map.keys()]).toEqual(Array.from({ length: 100 }, (_, index) => 10 * index));
    expect([...map.values()].slice(0, 3)).toEqual(['value 0', 'other', 'value 20']);
  });

  test('does not keep deleted entries until the next full collection, as a Map does', async () => {
    expect(await promoted('new Map()')).toBeGreaterThan(20);
    expect(await promoted('new TransientMap()')).toBeLessThan(4);
  });
});
