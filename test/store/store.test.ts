import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openLowdbStore } from '../../server/store/lowdb-store.ts';
import type { FileJournal } from '../../server/store/journal.ts';
import type { Store } from '../../server/store/store.ts';

let directory: string;
let stores: Store[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'));
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(options?: { segmentBytes?: number }): Promise<Store> {
  const store = await openLowdbStore(directory, options);
  stores.push(store);
  return store;
}

/** Opens the journal and reads it whole. */
async function openJournal(options?: { segmentBytes?: number }): Promise<{ store: Store; journal: FileJournal; records: [number, string][] }> {
  const store = await open(options);
  const journal = (await store.journal('log')) as FileJournal;
  const records: [number, string][] = [];
  await journal.replay((json, seq) => records.push([seq, json.toString()]));
  return { store, journal, records };
}

const close = async (store: Store): Promise<void> => {
  stores.splice(stores.indexOf(store), 1);
  await store.close();
};

const script = new URL('fixtures/append.ts', import.meta.url).pathname;

describe('a data directory', () => {
  test('is refused to a second process while the first lives, and free at once when it is killed', async () => {
    const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(open()).rejects.toThrow(`data directory ${directory} is in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await open();
  });

  test('is refused a second time within one process', async () => {
    await open();
    await expect(open()).rejects.toThrow(/in use by process/);
  });
});

describe('a document', () => {
  test('is the initial value where there is no file, and what was written last after that', async () => {
    const first = await open();
    const document = await first.document('keys', { keys: ['a'] });
    expect(document.data).toEqual({ keys: ['a'] });
    await document.update((data) => void data.keys.push('b'));
    await close(first);
    expect((await (await open()).document('keys', { keys: [] as string[] })).data).toEqual({ keys: ['a', 'b'] });
  });

  test('holds every change when update resolves, also those of a burst', async () => {
    const document = await (await open()).document('n', { n: 0 });
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        await document.update((data) => void (data.n += 1));
        expect(JSON.parse(await readFile(join(directory, 'n.json'), 'utf8')).n).toBeGreaterThan(i);
      }),
    );
  });

  test.each([
    ['empty', '', /keys\.json is empty/],
    ['half written', '{"keys":["a"', /keys\.json is not a whole JSON object/],
    ['foreign', '<html></html>', /keys\.json is not a whole JSON object/],
  ])('in an %s file is an error that names it', async (_name, content, message) => {
    const store = await open();
    await writeFile(join(directory, 'keys.json'), content);
    await expect(store.document('keys', {})).rejects.toThrow(message);
    expect(await readFile(join(directory, 'keys.json'), 'utf8')).toBe(content);
  });
});

describe('a journal', () => {
  const record = (n: number): string => JSON.stringify({ n, text: 'ünï — 日本' });

  test('gives back any records, through any number of openings, roll-overs and rewrites', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.constantFrom('reopen' as const, 'rewrite' as const)), { maxLength: 12 }),
        async (steps) => {
          await rm(directory, { recursive: true, force: true });
          let { store, journal } = await openJournal({ segmentBytes: 60 });
          let expected: string[] = [];
          for (const step of steps) {
            if (step === 'reopen') {
              await close(store);
              const again = await openJournal({ segmentBytes: 60 });
              ({ store, journal } = again);
              expect(again.records.map(([, json]) => json)).toEqual(expected);
            } else if (step === 'rewrite') {
              expected = expected.filter((_, i) => i % 2 === 0);
              const before = journal.lastSeq;
              await journal.rewrite(expected);
              expect(journal.lastSeq).toBe(before + expected.length);
            } else {
              const lines = step.map((value) => JSON.stringify({ value }));
              await journal.append(lines);
              expected.push(...lines);
            }
          }
          await close(store);
          const last = await openJournal();
          expect(last.records.map(([, json]) => json)).toEqual(expected);
          expect(last.records.every(([seq], i) => i === 0 || seq === last.records[i - 1]![0] + 1)).toBe(true);
          await close(last.store);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('makes many concurrent appends durable by few syncs', async () => {
    const { journal } = await openJournal();
    await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append([record(n)])));
    expect(journal.syncs).toBeLessThan(20);
    expect(journal.lastSeq).toBe(500);
  });

  /** The files of a journal of three records as a crash leaves them: the catalogue does not yet know how long the segment is. */
  async function crashed(): Promise<{ file: string; size: number; lastLine: number }> {
    const { store, journal } = await openJournal();
    await journal.append([record(1), record(2), record(3)]);
    const catalogue = await readFile(join(directory, 'log/catalogue.json'));
    await close(store);
    await writeFile(join(directory, 'log/catalogue.json'), catalogue);
    const file = join(directory, 'log', '0000000000000001.jsonl');
    const lines = (await readFile(file)).toString('latin1').split('\n');
    return { file, size: (await stat(file)).size, lastLine: lines[2]!.length + 1 };
  }

  test('cut anywhere in its last write keeps what is whole, says what it cut off, and goes on', async () => {
    const { file, size, lastLine } = await crashed();
    const whole = await readFile(file);
    const catalogue = await readFile(join(directory, 'log/catalogue.json'));
    for (let cut = 1; cut <= lastLine; cut += 5) {
      await writeFile(file, whole.subarray(0, size - cut));
      await writeFile(join(directory, 'log/catalogue.json'), catalogue);
      const { store, journal, records } = await openJournal();
      expect(records.map(([seq]) => seq)).toEqual([1, 2]);
      expect(journal.recovered).toEqual(cut === lastLine ? undefined : { file, bytes: lastLine - cut });
      await journal.append([record(4)]);
      await close(store);
      const again = await openJournal();
      expect(again.records).toEqual([[1, record(1)], [2, record(2)], [3, record(4)]]);
      await close(again.store);
    }
  });

  test('damaged before its end is an error that names file, line and byte, and nothing is cut', async () => {
    const { file, size } = await crashed();
    const bytes = await readFile(file);
    bytes[20]! ^= 1;
    await writeFile(file, bytes);
    await expect(openJournal()).rejects.toThrow(`${file} is damaged at line 1 (byte 0)`);
    expect((await stat(file)).size).toBe(size);
  });

  test('damaged in its last record, once that was known to be durable, is an error and not a recovery', async () => {
    const { file } = await crashed();
    await close((await openJournal()).store);
    const bytes = await readFile(file);
    bytes[bytes.length - 3]! ^= 1;
    await writeFile(file, bytes);
    await expect(openJournal()).rejects.toThrow(`${file} is damaged at line 3`);
  });

  test('shorter than it was known to be is an error that names the file', async () => {
    const { store, journal } = await openJournal();
    await journal.append([record(1), record(2)]);
    await close(store);
    const file = join(directory, 'log', '0000000000000001.jsonl');
    await truncate(file, 60);
    await expect(openJournal()).rejects.toThrow(`${file} is truncated`);
  });

  test('with a segment gone, a catalogue gone, or a segment that nobody listed is an error that names it', async () => {
    const { store, journal } = await openJournal({ segmentBytes: 50 });
    for (const n of [1, 2, 3, 4]) await journal.append([record(n)]);
    await close(store);
    const [first] = (await readdir(join(directory, 'log'))).sort();
    const path = join(directory, 'log', first!);
    const content = await readFile(path);
    await rm(path);
    await expect(openJournal()).rejects.toThrow(`${path} is missing`);
    await close(stores[0]!);
    await writeFile(path, content);
    const stranger = join(directory, 'log', '0000000000009999.jsonl');
    await writeFile(stranger, content);
    await expect(openJournal()).rejects.toThrow(`${stranger} is not in the catalogue`);
    await close(stores[0]!);
    await rm(stranger);
    await rm(join(directory, 'log/catalogue.json'));
    await expect(openJournal()).rejects.toThrow(/catalogue\.json is missing/);
  });

  test('that can no longer be written refuses this append and every later one', async () => {
    const { journal } = await openJournal({ segmentBytes: 10 });
    await journal.append([record(1)]);
    await rm(join(directory, 'log'), { recursive: true });
    await expect(journal.append([record(2)])).rejects.toThrow(/can no longer be written/);
    await expect(journal.append([record(3)])).rejects.toThrow(/can no longer be written/);
  });

  test('killed at any moment keeps every record that was acknowledged, in order, without a gap', async () => {
    let acknowledged = 0;
    for (let round = 0; round < 25; round++) {
      const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      const lines = createInterface({ input: child.stdout });
      let killing = false;
      for await (const line of lines) {
        if (line.startsWith('opened ')) expect(Number(line.slice(7))).toBeGreaterThanOrEqual(acknowledged);
        else acknowledged = Math.max(acknowledged, Number(line));
        if (!killing) {
          killing = true;
          setTimeout(() => child.kill('SIGKILL'), Math.random() * 120);
        }
      }
      const { store, records } = await openJournal();
      expect(records.at(-1)?.[0] ?? 0).toBeGreaterThanOrEqual(acknowledged);
      for (const [seq, json] of records) expect(JSON.parse(json).n).toBe(seq);
      expect(records.every(([seq], i) => i === 0 || seq === records[i - 1]![0] + 1)).toBe(true);
      await close(store);
    }
    expect(acknowledged).toBeGreaterThan(100);
  });
});

test('a stray byte after the last record is cut off and reported', async () => {
  const { store, journal } = await openJournal();
  await journal.append(['{"n":1}']);
  await close(store);
  await appendFile(join(directory, 'log', '0000000000000001.jsonl'), '0');
  const again = await openJournal();
  expect(again.records).toEqual([[1, '{"n":1}']]);
  expect(again.journal.recovered?.bytes).toBe(1);
});
