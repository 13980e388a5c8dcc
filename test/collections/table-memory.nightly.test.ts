// Run in processes of their own: V8 collects the garbage of other tests too.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';

const table = new URL('../../server/collections/table-memory.ts', import.meta.url).href;

/** How often V8 collects the whole heap while a process gets 320 MB in parts that it keeps. */
async function collectionsOf(allocate: string): Promise<number> {
  const code = `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { setTimeout as pause } from 'node:timers/promises';
    import { tableMemory } from '${table}';
    let collections = 0;
    const { NODE_PERFORMANCE_GC_MAJOR } = constants;
    const count = (list) => { for (const { detail } of list.getEntries()) if (detail.kind === NODE_PERFORMANCE_GC_MAJOR) collections++; };
    new PerformanceObserver(count).observe({ entryTypes: ['gc'] });
    const kept = [];
    for (let part = 0; part < 320; part++) {
      kept.push(${allocate});
      await pause(1);
    }
    await pause(50);
    console.log(kept.length, collections);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  const [kept, collections] = stdout.split(' ').map(Number);
  expect(kept).toBe(320);
  return collections!;
}

describe('the memory of tables', () => {
  test('causes no collections of the whole heap when it grows, as other memory does', async () => {
    expect(await collectionsOf('new ArrayBuffer(2 ** 20)')).toBeGreaterThan(1);
    expect(await collectionsOf('tableMemory(2 ** 20)')).toBe(0);
  });
});
