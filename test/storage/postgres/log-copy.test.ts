/** The copy of a log in the data directory of an instance. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LogCopy, type SeqRange } from '../../../server/storage/postgres/log-copy.ts';
import fc from '../../support/property.ts';
import { temporaryFolder } from '../../support/folder.ts';

type Row = readonly [seq: number, record: string | null, chain?: string];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let copy: LogCopy | undefined;
let failures: string[];
const open = async (identity = 'one'): Promise<LogCopy> => {
  copy = await LogCopy.open(folder.path, { identity, onFailed: (reason) => failures.push(reason) });
  return copy;
};
const close = async (): Promise<void> => {
  await copy?.close();
  copy = undefined;
};
const reopened = async (identity?: string): Promise<LogCopy> => {
  await close();
  return open(identity);
};
async function contentOf(read: LogCopy): Promise<[number, string][]> {
  const rows: [number, string][] = [];
  await read.read((json, seq) => rows.push([seq, json.toString()]));
  return rows;
}
const fill = (to: LogCopy, rows: readonly Row[]): void => {
  for (const [seq, record, chain] of rows) to.add(seq, record, chain);
};
const files = async (): Promise<string[]> =>
  (await readdir(folder.path)).filter((name) => name.endsWith('.rows')).map((name) => join(folder.path, name));
const textsOnDisk = async (): Promise<string> => {
  const names = (await readdir(folder.path)).filter((name) => name !== 'lock');
  return (await Promise.all(names.map((name) => readFile(join(folder.path, name), 'utf8')))).join('\n');
};

beforeEach(async () => {
  folder = await temporaryFolder();
  failures = [];
});
afterEach(async () => {
  await close();
  await folder.dispose();
});

describe('a local copy', () => {
  test('has whole commits after a restart, with their numbers and the chain of the last one', async () => {
    const first = await open();
    expect(first.position).toBeUndefined();
    fill(first, [
      [1, '{"a":1}'],
      [2, '{"a":2}', 'c2'],
      [5, null, 'c5'],
      [9, '{"a":9}', 'c9'],
      [10, '{"open":1}'],
    ]);
    const again = await reopened();
    expect(again.position).toEqual({ seq: 9, chain: 'c9' });
    expect(await contentOf(again)).toEqual([
      [1, '{"a":1}'],
      [2, '{"a":2}'],
      [9, '{"a":9}'],
    ]);
    again.addAll(['{"a":10}', '{"a":11}'], 10, 'c11');
    // What it has already is not added twice.
    fill(again, [
      [11, '{"a":11}', 'c11'],
      [12, '{"a":12}', 'c12'],
    ]);
    expect((await contentOf(await reopened())).slice(3).map(([seq]) => seq)).toEqual([10, 11, 12]);
    expect(failures).toEqual([]);
  });

  test('is read behind any row, without the files before it, and goes on at its end', async () => {
    const rows: [number, string][] = [];
    for (let seq = 1; seq <= 30; seq++) {
      // Each opening begins a file.
      const part = seq % 4 === 1 ? await reopened() : copy;
      part?.add(seq, seq % 5 === 0 ? null : `{"a":${seq}}`, seq % 2 === 0 ? `c${seq}` : undefined);
      if (seq % 5 !== 0) rows.push([seq, `{"a":${seq}}`]);
    }
    const behind = async (after: number): Promise<[number, string][]> => {
      const read: [number, string][] = [];
      const again = await reopened();
      await again.read((json, seq) => read.push([seq, json.toString()]), after);
      expect(again.position).toEqual({ seq: 30, chain: 'c30' });
      return read;
    };
    for (let after = 0; after <= 32; after++) expect(await behind(after)).toEqual(rows.filter(([seq]) => seq > after));
    // Damage before the row is not seen; damage behind it ends the copy there, also in the first file that is read.
    const paths = (await files()).toSorted();
    const damage = async (path = ''): Promise<void> =>
      writeFile(path, (await readFile(path, 'utf8')).replace('{"a":', '{"b":'));
    await damage(paths[0]);
    expect(await behind(20)).toEqual(rows.filter(([seq]) => seq > 20));
    await damage(paths[5]);
    const read: number[] = [];
    const again = await reopened();
    await again.read((_json, seq) => read.push(seq), 21);
    expect([read, again.position]).toEqual([[], { seq: 20, chain: 'c20' }]);
    fill(again, [[21, '{"c":21}', 'd21']]);
    const last = await reopened();
    expect(last.position).toEqual({ seq: 21, chain: 'd21' });
    // A read of everything finds the older damage.
    expect(await contentOf(last)).toEqual([]);
    expect([last.position, await files()]).toEqual([undefined, []]);
  });

  test('of another database is removed', async () => {
    fill(await open(), [[1, '{"a":"foreign text"}', 'c1']]);
    const other = await reopened('two');
    expect(other.position).toBeUndefined();
    expect(await textsOnDisk()).not.toContain('foreign text');
  });

  test('is used by one process at a time', async () => {
    await open();
    await expect(LogCopy.open(folder.path, { identity: 'one' })).rejects.toMatchObject({ name: 'StoreError' });
  });

  test('ends before a torn or damaged block, wherever it is', async () => {
    fill(await open(), [[1, '{"a":1}', 'c1']]);
    fill(await reopened(), [[2, '{"a":2}', 'c2']]);
    fill(await reopened(), [[3, '{"a":3}', 'c3']]);
    await close();
    const [one = '', two = '', three = ''] = await files();
    await appendFile(three, '{"first":4,"last":4,"chain":"c4","bytes":100,"crc":1}\n{"a');
    expect((await reopened()).position).toEqual({ seq: 3, chain: 'c3' });
    await close();
    await writeFile(two, (await readFile(two, 'utf8')).replace('"a":2', '"a":7'));
    const damaged = await open();
    expect(await contentOf(damaged)).toEqual([[1, '{"a":1}']]);
    expect(damaged.position).toEqual({ seq: 1, chain: 'c1' });
    fill(damaged, [[2, '{"b":2}', 'd2']]);
    expect(await contentOf(await reopened())).toEqual([
      [1, '{"a":1}'],
      [2, '{"b":2}'],
    ]);
    await close();
    for (const file of await files()) await rm(file);
    expect((await open()).position).toBeUndefined();
    expect(one).not.toBe('');
  });

  test('loses the texts that a purge removed, and takes further rows', async () => {
    const first = await open();
    fill(first, [
      [1, '{"keep":1}'],
      [2, '{"erased":2}', 'c2'],
      [3, '{"erased":3}'],
      [4, '{"keep":4}', 'c4'],
    ]);
    const asked: SeqRange[] = [];
    await first.mirror(7, async (range) => {
      asked.push(range);
      return [
        [1, 1],
        [4, 4],
      ];
    });
    expect(asked).toEqual([[1, 4]]);
    expect(await textsOnDisk()).not.toContain('erased');
    fill(first, [[5, '{"keep":5}', 'c5']]);
    const again = await reopened();
    expect([again.purges, again.position]).toEqual([7, { seq: 5, chain: 'c5' }]);
    expect((await contentOf(again)).map(([seq]) => seq)).toEqual([1, 4, 5]);
    // Without the database, the copy stays as it is.
    const { StoreError } = await import('../../../server/ports/storage.ts');
    await expect(again.mirror(8, async () => Promise.reject(new StoreError('away')))).rejects.toThrow('away');
    expect([again.purges, again.isFailed]).toEqual([7, false]);
  });

  test('that cannot be written is removed, and says so once', async () => {
    const first = await open();
    fill(first, [[1, '{"a":"text"}', 'c1']]);
    await first.mirror(1, async () => [[1, 1]]);
    await folder.dispose();
    fill(first, [[2, '{"a":2}', 'c2']]);
    await first.mirror(2, async () => [[1, 2]]);
    fill(first, [[3, '{"a":3}', 'c3']]);
    expect([first.isFailed, failures.length]).toEqual([true, 1]);
  });

  test('of any history, purged at any time, reads as the history', async () => {
    const record = fc.record({ text: fc.string(), n: fc.integer() }).map((value) => JSON.stringify(value));
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ records: fc.array(record, { minLength: 1, maxLength: 6 }), gap: fc.nat(2) }),
      },
      { weight: 1, arbitrary: fc.constant('reopen' as const) },
      { weight: 1, arbitrary: fc.record({ purge: fc.array(fc.nat(40), { maxLength: 8 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const log = new Map<number, string>();
        let last = 0;
        let purges = 0;
        let current = await open(`run ${Math.random()}`);
        for (const each of steps) {
          if (each === 'reopen') {
            current = await reopened(current.identity);
          } else if ('purge' in each) {
            for (const seq of each.purge) log.delete(seq);
            const kept = [...log.keys()].toSorted((a, b) => a - b).map((seq) => [seq, seq] as const);
            await current.mirror(++purges, async ([from, to]) => kept.filter(([seq]) => seq >= from && seq <= to));
          } else {
            last += each.gap;
            for (const [index, json] of each.records.entries()) {
              log.set(++last, json);
              current.add(last, json, index === each.records.length - 1 ? `chain ${last}` : undefined);
            }
          }
        }
        current = await reopened(current.identity);
        expect(await contentOf(current)).toEqual([...log].toSorted(([a], [b]) => a - b));
        if (last > 0) expect(current.position).toEqual({ seq: last, chain: `chain ${last}` });
        await close();
      }),
    );
  });
});
