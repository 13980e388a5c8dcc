/** The store on a failing disk. */
import { mkdtemp, readFile, rm, stat, truncate, writeFile, open as openFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from '../../support/property.ts';
import type { FileJournal } from '../../../server/storage/lowdb/file-journal.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { StoreError, type Store } from '../../../server/ports/storage.ts';
import { rounds } from '../../support/rounds.ts';

let directory: string;
let stores: Store[];
let prototype: FileHandle;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-faults-'));
  stores = [];
  const handle = await openFile(process.execPath);
  prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const store of stores) await store.close();
  await rm(directory, { recursive: true, force: true });
});

async function openJournal(
  segmentBytes = 1_000_000,
): Promise<{ store: Store; journal: FileJournal; records: string[]; delivered: string[] }> {
  const delivered: string[] = [];
  const store = await openLowdbStore(directory, {
    segmentBytes,
    observe: () => ({ failed: () => delivered.push('failed'), recovered: () => delivered.push('mended') }),
  });
  stores.push(store);
  const journal = (await store.journal('log')) as FileJournal;
  const records: string[] = [];
  await journal.replay((json) => records.push(json.toString()));
  return { store, journal, records, delivered };
}
async function reopen(store: Store): ReturnType<typeof openJournal> {
  jest.restoreAllMocks();
  await store.close();
  return openJournal();
}
const segment = (): string => join(directory, 'log', '0000000000000001.jsonl');
const fault = (): Error => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });

describe('a write that fails', () => {
  test.each(['appendFile', 'datasync'] as const)(
    'by %s rejects all pending writes and stores nothing; the next write succeeds',
    async (operation) => {
      const { store, journal, delivered } = await openJournal();
      await journal.append(['1']);
      const { size } = await stat(segment());
      jest.spyOn(prototype, operation).mockRejectedValueOnce(fault());
      const refused = await Promise.allSettled([journal.append(['2', '3']), journal.append(['4'])]);
      for (const each of refused) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) });
      expect(journal.failed?.message).toMatch(/log cannot be written: EIO: i\/o error; writes resume/);
      expect([journal.lastSeq, journal.durableSeq, journal.pendingBytes, (await stat(segment())).size]).toEqual([
        1,
        1,
        0,
        size,
      ]);
      expect(await journal.append(['5'])).toBe(2);
      expect([journal.failed, delivered]).toEqual([undefined, ['failed', 'mended']]);
      expect((await reopen(store)).records).toEqual(['1', '5']);
    },
  );

  test('in the middle is truncated before the next write', async () => {
    const { store, journal } = await openJournal();
    await journal.append(['1']);
    const append = prototype.appendFile;
    jest.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: FileHandle, bytes) {
      await append.call(this, (bytes as Buffer).subarray(0, 7));
      throw fault();
    });
    await expect(journal.append(['"half"'])).rejects.toThrow(StoreError);
    await journal.append(['2']);
    expect((await reopen(store)).records).toEqual(['1', '2']);
  });

  test('is not retried on a file that became shorter', async () => {
    const { journal } = await openJournal();
    await journal.append(['1', '2']);
    jest.spyOn(prototype, 'datasync').mockRejectedValueOnce(fault());
    const refused = journal.append(['3']);
    await truncate(segment(), 5);
    await expect(refused).rejects.toThrow(StoreError);
    await expect(journal.append(['4'])).rejects.toThrow(/has \d+ bytes instead of 22/);
  });

  test('recovers without another write', async () => {
    const { journal, delivered } = await openJournal();
    jest.spyOn(prototype, 'datasync').mockRejectedValueOnce(fault());
    await expect(journal.append(['1'])).rejects.toThrow(StoreError);
    while (journal.failed !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(delivered).toEqual(['failed', 'mended']);
  });

  test('at any operation, also of roll-overs and rewrites, keeps exactly the acknowledged records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            lines: fc.integer({ min: 0, max: 4 }),
            failing: fc.option(
              fc.tuple(fc.constantFrom('appendFile', 'datasync', 'sync', 'truncate', 'stat'), fc.nat(3)),
              { nil: undefined },
            ),
          }),
          { maxLength: 14 },
        ),
        async (steps) => {
          await rm(directory, { recursive: true, force: true });
          let { store, journal } = await openJournal(40);
          const expected: string[] = [];
          let n = 0;
          for (const { lines, failing } of steps) {
            if (failing !== undefined) {
              const [operation, calls] = failing;
              const original = prototype[operation as 'sync'];
              let left = calls;
              jest.spyOn(prototype, operation as 'sync').mockImplementation(async function (
                this: FileHandle,
                ...args: []
              ) {
                if (left-- === 0) throw fault();
                return original.apply(this, args);
              });
            }
            if (lines === 0) {
              const kept = expected.slice(-3);
              if (
                await journal
                  .rewrite(() => kept)
                  .then(
                    () => true,
                    () => false,
                  )
              )
                expected.splice(0, Infinity, ...kept);
            } else {
              const records = Array.from({ length: lines }, () => JSON.stringify({ n: n++ }));
              if (
                await journal.append(records).then(
                  () => true,
                  () => false,
                )
              )
                expected.push(...records);
            }
            jest.restoreAllMocks();
          }
          // Whatever failed last is mended by what comes next.
          await journal.append(['"last"']);
          expected.push('"last"');
          await store.close();
          stores = [];
          const { records, store: again } = await openJournal(40);
          expect(records).toEqual(expected);
          await again.close();
          stores = [];
        },
      ),
      { numRuns: rounds(20) },
    );
  });
});

describe('a loss of power', () => {
  const record = (n: number): string => JSON.stringify({ n, text: 'x'.repeat(900) });
  const page = 4096;

  /** Groups of these sizes, as a crash leaves them: the catalogue does not know how long the segment is. */
  async function written(...groups: number[]): Promise<Buffer> {
    const { store, journal } = await openJournal();
    const catalogue = await (async () => {
      let n = 0;
      let before: Buffer | undefined;
      for (const size of groups) {
        await journal.append(Array.from({ length: size }, () => record(n++)));
        before ??= await readFile(join(directory, 'log/catalogue.json'));
      }
      return before!;
    })();
    await store.close();
    stores = [];
    await writeFile(join(directory, 'log/catalogue.json'), catalogue);
    return readFile(segment());
  }

  test('that loses pages of the last group truncates the group', async () => {
    const bytes = await written(2, 30);
    const first = bytes.indexOf(' {"n":2,') - 8;
    const at = Math.ceil((first + 2000) / page) * page;
    await writeFile(segment(), Buffer.from(bytes).fill(0, at, at + page));
    const { records, journal } = await openJournal();
    const kept = records.map((json) => (JSON.parse(json) as { n: number }).n);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.length).toBeLessThan(2 + Math.ceil(at / 900));
    expect(kept).toEqual(kept.map((_, n) => n));
    expect(journal.recovered?.bytes).toBeGreaterThan(20 * 900);
    await journal.append(['"after"']);
  });

  test('cannot lose pages of an earlier group: this is damage', async () => {
    const bytes = await written(30, 30);
    const damaged = Buffer.from(bytes).fill(0, 2 * page, 3 * page);
    await writeFile(segment(), damaged);
    await expect(openJournal()).rejects.toThrow(/is damaged at line \d+/);
    expect(await readFile(segment())).toEqual(damaged);
  });

  test('leaves no foreign bytes: they are damage, also in the last group', async () => {
    const bytes = await written(2, 30);
    bytes[bytes.indexOf('"n":9,') + 20]! ^= 1;
    await writeFile(segment(), bytes);
    await expect(openJournal()).rejects.toThrow(/is damaged at line 10/);
  });

  test('in several writes of one group is handled as one group', async () => {
    const { store, journal } = await openJournal();
    const catalogue = await journal.append(['"first"']).then(() => readFile(join(directory, 'log/catalogue.json')));
    await Promise.all(Array.from({ length: 30 }, (_, n) => journal.append([record(n)])));
    await store.close();
    stores = [];
    await writeFile(join(directory, 'log/catalogue.json'), catalogue);
    await writeFile(segment(), (await readFile(segment())).fill(0, page, 2 * page));
    const { records } = await openJournal();
    expect(records.slice(0, 2)).toEqual(['"first"', record(0)]);
    expect(records.length).toBeLessThan(6);
  });
});

describe('a document', () => {
  async function openKeys(): Promise<{ store: Store; document: Awaited<ReturnType<typeof document>> }> {
    const store = await openLowdbStore(directory);
    stores.push(store);
    return { store, document: await document(store) };
  }
  const document = (store: Store) => store.document('keys', { keys: ['a'] });

  test.each<[string, (text: string) => string]>([
    ['another digit', (text) => text.replace('"keys":["a1"', '"keys":["a2"')],
    ['a member less', (text) => text.replace(',"b"', '')],
    [
      'another checksum',
      (text) => text.replace(/"crc32":"(.)/, (_, digit: string) => `"crc32":"${digit === '0' ? '1' : '0'}`),
    ],
  ])('with %s is an error with its name and an instruction', async (_name, damage) => {
    const { store, document: keys } = await openKeys();
    await keys.update((data) => void (data.keys = ['a1', 'b']));
    await store.close();
    stores = [];
    const file = join(directory, 'keys.json');
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ keys: ['a1', 'b'] });
    expect(damage(text)).not.toBe(text);
    await writeFile(file, damage(text));
    await expect(openKeys()).rejects.toThrow(/keys\.json is damaged: restore it from a backup/);
  });

  test('without a checksum is accepted', async () => {
    await writeFile(join(directory, 'keys.json'), '{"keys":["by hand"]}\n');
    expect((await openKeys()).document.data).toEqual({ keys: ['by hand'] });
  });

  test('with any content is read unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const store = await openLowdbStore(directory);
        await (
          await store.document<Record<string, unknown>>('any', {})
        ).update((data) => {
          for (const name of Object.keys(data)) delete data[name];
          for (const [name, member] of Object.entries(value))
            Object.defineProperty(data, name, { value: member, enumerable: true, configurable: true, writable: true });
        });
        await store.close();
        const again = await openLowdbStore(directory);
        expect(JSON.stringify((await again.document('any', {})).data)).toBe(JSON.stringify(value));
        await again.close();
      }),
      { numRuns: rounds(12) },
    );
  });
});

describe('a purge', () => {
  const isOdd = (json: Buffer): boolean => Number(json.toString()) % 2 === 1;
  const numbers = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => String(from + index));
  const odd = (records: readonly string[]): string[] => records.filter((record) => Number(record) % 2 === 1);

  test('keeps the numbers of the other records, also over several purges', async () => {
    const { store, journal } = await openJournal(2000);
    await journal.append(numbers(1, 1001));
    await journal.append(['1001']);
    expect(await journal.purge(isOdd)).toMatchObject({ records: 500 });
    await journal.purge((json) => isOdd(json) && Number(json.toString()) % 3 !== 0);
    expect(await journal.append(['1002'])).toBe(1002);
    await store.close();
    const again = await openLowdbStore(directory);
    stores.push(again);
    const found: [number, string][] = [];
    const reopened = await again.journal('log');
    await reopened.replay((json, seq) => found.push([seq, json.toString()]));
    const kept = [...numbers(1, 1001), '1001'].filter((each) => Number(each) % 2 === 1 && Number(each) % 3 !== 0);
    expect(found).toEqual([...kept, '1002'].map((each) => [Number(each), each]));
    expect([reopened.firstSeq, reopened.lastSeq]).toEqual([1, 1002]);
  });

  test('that fails at any step of the disk loses nothing, and the next one succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('appendFile', 'datasync', 'sync', 'read', 'stat'),
        fc.nat(12),
        async (operation, nth) => {
          await rm(directory, { recursive: true, force: true });
          const { store, journal } = await openJournal(500);
          for (let from = 1; from < 200; from += 20) await journal.append(numbers(from, from + 20));
          const real = prototype[operation as 'sync'];
          let calls = 0;
          jest.spyOn(prototype, operation as 'sync').mockImplementation(async function (this: FileHandle, ...more) {
            if (calls++ === nth) throw fault();
            return real.call(this, ...more);
          });
          const purged = await journal.purge(isOdd).catch((error: unknown) => error);
          if (purged instanceof Error) expect(purged).toBeInstanceOf(StoreError);
          jest.restoreAllMocks();
          await journal.append(['201']);
          const before = await reopen(store);
          expect(odd(before.records)).toEqual(odd(numbers(1, 202)));
          await before.journal.purge(isOdd);
          expect((await reopen(before.store)).records).toEqual(odd(numbers(1, 202)));
        },
      ),
      { numRuns: rounds(30) },
    );
  });

  test('that was interrupted leaves the old or the new file, and the start removes the other one', async () => {
    const { store, journal } = await openJournal(500);
    for (let from = 1; from < 200; from += 20) await journal.append(numbers(from, from + 20));
    const old = await readFile(segment());
    await journal.purge(isOdd);
    // As after a crash between the switch of the catalogue and the removal of the old file.
    await writeFile(segment(), old);
    const again = await reopen(store);
    expect(again.records).toEqual(odd(numbers(1, 201)));
    await expect(stat(segment())).rejects.toThrow(/ENOENT/);
    // As after a crash before the switch.
    await writeFile(segment(), 'half of a new fi');
    expect((await reopen(again.store)).records).toEqual(odd(numbers(1, 201)));
    await expect(stat(segment())).rejects.toThrow(/ENOENT/);
  });
});
