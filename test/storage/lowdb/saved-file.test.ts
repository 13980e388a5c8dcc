import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readBytes } from '../../../server/collections/saved-table.ts';
import type { SavedAbout } from '../../../server/ports/storage.ts';
import { SavedFile } from '../../../server/storage/lowdb/saved-file.ts';
import { temporaryFolder } from '../../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
let file: SavedFile;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'tables', 'log');
  file = new SavedFile(path);
});
afterEach(() => folder.dispose());

const about: SavedAbout = { format: 'f', position: { seq: 7, proof: 'p' }, records: 5, facts: { checkpoint: 3 } };
const sections = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(1_500_000, 'ab'), Buffer.from('last')];
/** A comparison of long buffers takes seconds. */
const shortened = (bytes: Buffer): string => `${bytes.length} ${crc32(bytes)}`;
const expected = sections.map(shortened);
const always = (): boolean => true;

/** The content of the file, read section by section. */
async function content(): Promise<{ outcome: string; about?: SavedAbout; read: string[] }> {
  const read: string[] = [];
  let found: SavedAbout | undefined;
  const outcome = await file.read(async (each, reader) => {
    found = each;
    while (read.length < sections.length) read.push(shortened(readBytes(reader)));
  });
  return { outcome, ...(found === undefined ? {} : { about: found }), read };
}

test('sections are read as they were written, and a later write replaces them', async () => {
  expect(await content()).toEqual({ outcome: 'none', read: [] });
  expect(await file.write(about, sections, always)).toBe(true);
  expect(await content()).toEqual({ outcome: 'read', about, read: expected });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await file.write({ ...about, format: 'g' }, sections.toReversed(), always);
  expect(await content()).toMatchObject({ outcome: 'read', about: { format: 'g' }, read: expected.toReversed() });
  await file.remove();
  expect(await content()).toMatchObject({ outcome: 'none' });
  expect(await readdir(join(folder.path, 'tables'))).toEqual([]);
});

test('a write that ends early, or fails, leaves the file as it was', async () => {
  await file.write(about, sections, always);
  let calls = 0;
  expect(await file.write({ ...about, format: 'g' }, sections, () => ++calls < 3)).toBe(false);
  function* failing(): Generator<Uint8Array> {
    yield Buffer.from('x');
    throw new Error('no');
  }
  await expect(file.write({ ...about, format: 'g' }, failing(), always)).rejects.toThrow('cannot be written: no');
  expect(await content()).toEqual({ outcome: 'read', about, read: expected });
  expect(await readdir(join(folder.path, 'tables'))).toEqual(['log']);
});

test('the rest of a crash is removed by the next read', async () => {
  await file.write(about, sections, always);
  await writeFile(`${path}.new`, 'half a file');
  expect(await content()).toMatchObject({ outcome: 'read' });
  expect(await readdir(join(folder.path, 'tables'))).toEqual(['log']);
});

test('any damage is found: a changed byte, a lost end, another size of a section', async () => {
  await file.write(about, sections, always);
  const whole = await readFile(path);
  const places = [
    0,
    2,
    3,
    700_000,
    1_500_002,
    whole.length - 130,
    ...Array.from({ length: 20 }, (_, n) => whole.length - 1 - n),
  ];
  for (const place of places) {
    const damaged = Buffer.from(whole);
    damaged[place] = damaged[place]! ^ 0x10;
    await writeFile(path, damaged);
    expect([place, (await content()).outcome]).toEqual([place, 'damaged']);
  }
  for (const length of [0, 5, 1000, whole.length - 1]) {
    await writeFile(path, whole.subarray(0, length));
    expect([length, (await content()).outcome]).toEqual([length, 'damaged']);
  }
  await writeFile(path, whole);
  expect(await file.read(async (_about, reader) => reader.into(Buffer.alloc(2)))).toBe('damaged');
  expect(await file.read(async () => Promise.reject(new Error('not mine')))).toBe('damaged');
});

test('other work runs between small sections that take long', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  try {
    let [turn, isEnd] = [0, false];
    const turns: number[] = [];
    function* slow(): Generator<Uint8Array, void> {
      for (let section = 0; section < 50; section++) {
        turns.push(turn);
        yield Buffer.from('x');
      }
    }
    const writing = file.write(about, slow(), always).finally(() => (isEnd = true));
    for (; !isEnd; turn++) await nextTurn();
    expect(await writing).toBe(true);
    expect(new Set(turns).size).toBe(50);
  } finally {
    jest.restoreAllMocks();
  }
});
