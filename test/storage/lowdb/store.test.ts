import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import type { FileJournal } from '../../../server/storage/lowdb/file-journal.ts';
import type { Store } from '../../../server/ports/storage.ts';
import { rounds } from '../../support/rounds.ts';

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
async function openJournal(options?: {
  segmentBytes?: number;
}): Promise<{ store: Store; journal: FileJournal; records: [number, string][] }> {
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

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const script = fixture('append.ts');
const log = (file: string): string => join(directory, 'log', file);

describe('a data directory', () => {
  test('is locked for a second process, and free at once after a kill', async () => {
    const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(open()).rejects.toThrow(`data directory ${directory} is in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await open();
  });

  test('is locked for a second open in one process', async () => {
    await open();
    await expect(open()).rejects.toThrow(`in use by process ${process.pid}`);
  });

  test('is private to its user, with all its files', async () => {
    const made = join(directory, 'made', 'deep');
    const store = await openLowdbStore(made);
    stores.push(store);
    const journal = await store.journal('log');
    await journal.replay(() => {});
    await journal.append(['1']);
    await (await store.document('keys', {})).update(() => {});
    const paths = ['..', '', 'lock', 'keys.json', 'log', 'log/catalogue.json', 'log/0000000000000001.jsonl'];
    const modes = await Promise.all(
      paths.map(async (path) => ((await stat(join(made, path))).mode & 0o777).toString(8)),
    );
    expect(modes).toEqual(['700', '700', '600', '600', '700', '600', '600']);
  });

  test('that cannot be created is an error that names it', async () => {
    await writeFile(join(directory, 'file'), '');
    const under = join(directory, 'file', 'data');
    await expect(openLowdbStore(under)).rejects.toThrow(`data directory ${under} cannot be used`);
  });
});

describe('a document', () => {
  test('contains every change after update resolves, also in a burst', async () => {
    const document = await (await open()).document('n', { n: 0 });
    const versions = new Set<number>();
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        await document.update((data) => void (data.n += 1));
        const { n } = JSON.parse(await readFile(join(directory, 'n.json'), 'utf8')) as { n: number };
        expect(n).toBeGreaterThan(i);
        versions.add(n);
      }),
    );
    expect(versions.size).toBeLessThanOrEqual(2);
  });

  test('does not delay a first writer by later ones', async () => {
    const document = await (await open()).document('n', { n: 0 });
    const add = (): Promise<void> => document.update((data) => void (data.n += 1));
    let isDone = false;
    const first = add().then(() => (isDone = true));
    let later = 0;
    while (!isDone && later < 1_000_000) {
      later++;
      void add();
      await new Promise(setImmediate);
    }
    await first;
    expect(later).toBeLessThan(1_000_000);
  });

  test('stays unchanged on a full disk', async () => {
    const first = await open();
    await (await first.document('keys', { keys: ['a'] })).update(() => {});
    await close(first);
    const limited = `ulimit -f 16; exec "$0" "$@"`;
    const { stdout } = spawnSync('bash', ['-c', limited, process.execPath, fixture('full-disk.ts'), directory], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^StoreError: .*keys\.json cannot be written/);
    expect((await (await open()).document('keys', { keys: [] as string[] })).data).toEqual({ keys: ['a'] });
  });

  test('leaves no temporary files, also after a kill', async () => {
    await writeFile(join(directory, 'keys.json.123456'), '{"ke');
    await writeFile(join(directory, 'keys.json.bak'), 'the operator’s own');
    const document = await (await open()).document('keys', {});
    await document.update(() => {});
    expect((await readdir(directory)).sort()).toEqual(['keys.json', 'keys.json.bak', 'lock']);
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

  test('makes many concurrent appends durable by few syncs', async () => {
    const { journal } = await openJournal();
    await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append([record(n)])));
    expect(journal.syncs).toBeLessThan(20);
    expect(journal.lastSeq).toBe(500);
  });

  test('reports appended, durable and pending records', async () => {
    const { journal } = await openJournal();
    const appended = journal.append(['1', '2']);
    expect([journal.lastSeq, journal.durableSeq, journal.pendingBytes]).toEqual([2, 0, 22]);
    expect(await appended).toBe(2);
    expect([journal.lastSeq, journal.durableSeq, journal.pendingBytes, journal.bytes]).toEqual([2, 2, 0, 22]);
  });

  describe('rewritten', () => {
    const mebibyte = (name: string): string => JSON.stringify(name.padEnd(1_000_000));

    test('from a failing source is unchanged, and continues', async () => {
      const { store, journal } = await openJournal({ segmentBytes: 2_000_000 });
      await journal.append(['1', '2']);
      async function* failing(): AsyncGenerator<string, void> {
        for (let i = 0; i < 9; i++) yield mebibyte('new');
        throw new Error('the source is gone');
      }
      await expect(journal.rewrite(failing)).rejects.toThrow(
        /could not be rewritten and is unchanged: the source is gone/,
      );
      expect((await readdir(log(''))).sort()).toEqual(['0000000000000001.jsonl', 'catalogue.json']);
      expect(await journal.append(['3'])).toBe(3);
      await close(store);
      expect((await openJournal()).records).toEqual([
        [1, '1'],
        [2, '2'],
        [3, '3'],
      ]);
    });

    test('has the old or the new records after a crash at either side of the switch, and no leftovers', async () => {
      const { store, journal } = await openJournal({ segmentBytes: 20 });
      for (const n of [1, 2, 3, 4, 5]) await journal.append([String(n)]);
      const old = join(directory, 'old');
      await cp(log(''), old, { recursive: true });
      await journal.rewrite(() => ['"kept"']);
      await close(store);

      const files = { old: await readdir(old), anew: await readdir(log('')) };
      const bring = async (from: string, to: string): Promise<void> => {
        for (const file of files.old) if (file !== 'catalogue.json') await cp(join(from, file), join(to, file));
      };
      await bring(old, log(''));
      const after = await openJournal();
      expect(after.records).toEqual([[6, '"kept"']]);
      expect((await readdir(log(''))).sort()).toEqual(files.anew.sort());
      await close(after.store);

      for (const file of files.old) await cp(join(old, file), log(file));
      const before = await openJournal();
      expect(before.records.map(([, json]) => json)).toEqual(['1', '2', '3', '4', '5']);
      expect((await readdir(log(''))).sort()).toEqual(files.old.sort());
    });

    test('to no records is empty after a crash, and never reuses numbers', async () => {
      const { store, journal } = await openJournal();
      await journal.append(['1', '2', '3']);
      const old = await readFile(log('0000000000000001.jsonl'));
      await journal.rewrite(() => []);
      await close(store);
      await writeFile(log('0000000000000001.jsonl'), old);
      const again = await openJournal();
      expect(again.records).toEqual([]);
      expect(await again.journal.append(['4'])).toBe(4);
    });
  });

  test('with a catalogue from a backup is an error, and no segment is removed', async () => {
    const { store, journal } = await openJournal();
    await journal.append(['1']);
    await close(store);
    const backup = await readFile(log('catalogue.json'));
    const again = await openJournal();
    await again.journal.rewrite(() => ['"kept"']);
    await close(again.store);
    await writeFile(log('catalogue.json'), backup);
    await expect(openJournal()).rejects.toThrow(/0000000000000001\.jsonl is missing/);
    expect(await readdir(log(''))).toContain('0000000000000002.jsonl.rewritten');
  });

  test.each([
    ['of another format', '{"format":3,"segments":[]}'],
    ['with a file that is no segment', '{"format":1,"segments":[{"file":"../keys.json","first_seq":1,"bytes":0}]}'],
    [
      'with a size that is none',
      '{"format":1,"segments":[{"file":"0000000000000001.jsonl","first_seq":1,"bytes":-1}]}',
    ],
  ])('with a catalogue %s is an error that names it', async (_name, content) => {
    await close((await openJournal()).store);
    await writeFile(log('catalogue.json'), content);
    await expect(openJournal()).rejects.toThrow(/catalogue\.json is not a catalogue of this service/);
  });

  test('whose catalogue lacks a segment is an error that names the next one', async () => {
    const { store, journal } = await openJournal({ segmentBytes: 10 });
    for (const n of [1, 2, 3]) await journal.append([record(n)]);
    await close(store);
    const catalogue = JSON.parse(await readFile(log('catalogue.json'), 'utf8')) as { segments: object[] };
    catalogue.segments.splice(1, 1);
    await writeFile(log('catalogue.json'), JSON.stringify(catalogue));
    await expect(openJournal()).rejects.toThrow(/0000000000000003\.jsonl starts with record 3 instead of 2/);
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

  test('truncated anywhere in its last write keeps complete records, reports the rest, and continues', async () => {
    const { file, size, lastLine } = await crashed();
    const whole = await readFile(file);
    const catalogue = await readFile(join(directory, 'log/catalogue.json'));
    for (let cut = 1; cut <= lastLine; cut++) {
      await writeFile(file, whole.subarray(0, size - cut));
      await writeFile(join(directory, 'log/catalogue.json'), catalogue);
      const { store, journal, records } = await openJournal();
      expect(records.map(([seq]) => seq)).toEqual([1, 2]);
      expect(journal.recovered).toEqual(cut === lastLine ? undefined : { file, bytes: lastLine - cut });
      await journal.append([record(4)]);
      await close(store);
      const again = await openJournal();
      expect(again.records).toEqual([
        [1, record(1)],
        [2, record(2)],
        [3, record(4)],
      ]);
      await close(again.store);
    }
  });

  test('damaged before its end is an error that names file, line and byte, and is not truncated', async () => {
    const { file, size } = await crashed();
    const bytes = await readFile(file);
    bytes[20]! ^= 1;
    await writeFile(file, bytes);
    await expect(openJournal()).rejects.toThrow(`${file} is damaged at line 1 (byte 0)`);
    expect((await stat(file)).size).toBe(size);
  });

  test('damaged in its last durable record is an error and is not truncated', async () => {
    const { file } = await crashed();
    await close((await openJournal()).store);
    const bytes = await readFile(file);
    bytes[bytes.length - 3]! ^= 1;
    await writeFile(file, bytes);
    await expect(openJournal()).rejects.toThrow(`${file} is damaged at line 3`);
  });

  test('shorter than before is an error that names the file', async () => {
    const { store, journal } = await openJournal();
    await journal.append([record(1), record(2)]);
    await close(store);
    const file = join(directory, 'log', '0000000000000001.jsonl');
    await truncate(file, 60);
    await expect(openJournal()).rejects.toThrow(`${file} is truncated`);
  });

  test('with a missing segment or catalogue, or an unlisted segment, is an error that names it', async () => {
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

  test('that cannot be written rejects this append and every later one', async () => {
    const { journal } = await openJournal({ segmentBytes: 10 });
    await journal.append([record(1)]);
    await rm(join(directory, 'log'), { recursive: true });
    await expect(journal.append([record(2)])).rejects.toThrow(/cannot be written/);
    await expect(journal.append([record(3)])).rejects.toThrow(/cannot be written/);
    await expect(journal.rewrite(() => [record(4)])).rejects.toThrow(/cannot be written/);
    expect(journal.failed?.message).toContain(log('').slice(0, -1));
    expect([journal.durableSeq, journal.pendingBytes]).toEqual([1, 0]);
  });

  /** CRASH_ROUNDS=200 kills as often. */
  const kills = Number(process.env.CRASH_ROUNDS ?? rounds(6, 2));
  test(
    'killed at any moment keeps every record that was acknowledged, in order, without a gap',
    async () => {
      let acknowledged = 0;
      for (let round = 0; round < kills; round++) {
        const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
        const lines = createInterface({ input: child.stdout });
        // The kill comes at a random moment after some acknowledged records, whatever the speed of the machine is.
        let linesUntilKill = 11 + Math.floor(Math.random() * 20);
        for await (const line of lines) {
          if (line.startsWith('opened ')) expect(Number(line.slice(7))).toBeGreaterThanOrEqual(acknowledged);
          else acknowledged = Math.max(acknowledged, Number(line));
          if (--linesUntilKill === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20);
        }
        const { store, records } = await openJournal();
        expect(records.at(-1)?.[0] ?? 0).toBeGreaterThanOrEqual(acknowledged);
        for (const [seq, json] of records)
          expect(JSON.parse(json)).toEqual(expect.objectContaining(json.includes('during') ? {} : { n: seq }));
        expect(records.every(([seq], i) => i === 0 || seq === records[i - 1]![0] + 1)).toBe(true);
        await close(store);
      }
      expect(acknowledged).toBeGreaterThan(10 * kills);
    },
    600_000 + kills * 10_000,
  );
});

test('removes and reports a stray byte after the last record', async () => {
  const { store, journal } = await openJournal();
  await journal.append(['{"n":1}']);
  await close(store);
  await appendFile(join(directory, 'log', '0000000000000001.jsonl'), '0');
  const again = await openJournal();
  expect(again.records).toEqual([[1, '{"n":1}']]);
  expect(again.journal.recovered?.bytes).toBe(1);
});
