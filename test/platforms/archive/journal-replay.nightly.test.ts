/** A replay with a thread that prepares the tweets has the same result as one without. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readJournal, type ArchiveState } from '../../../server/platforms/archive/archive-journal.ts';
import { JournalReplay, ThreadFailure } from '../../../server/platforms/archive/journal-replay.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import { openSetAsideLog } from '../../../server/platforms/archive/set-aside.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { answers, content, step } from './answers.ts';
import { world } from './arbitrary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await folder.dispose();
});

/** Small segments, so that a replay has several. */
const openStore = () => openLowdbStore(data, { segmentBytes: 20_000 });

async function write(lines: readonly string[]): Promise<void> {
  await mkdir(data, { recursive: true });
  const store = await openStore();
  const journal = await store.journal('archive');
  await journal.replay(() => {});
  for (let from = 0; from < lines.length; from += 50) await journal.append(lines.slice(from, from + 50));
  await store.close();
}

interface Replayed {
  readonly state: ArchiveState;
  readonly setAside: readonly object[];
}

async function replayed(threadBytes: number, checkpoint?: number): Promise<Replayed> {
  const store = await openStore();
  try {
    const setAside = await openSetAsideLog(store);
    const state = await readJournal(await store.journal('archive'), setAside, checkpoint, undefined, { threadBytes });
    return { state, setAside: setAside.records.map(({ found_at: _, ...record }) => record) };
  } finally {
    await store.close();
  }
}

const resultOf = ({ state, setAside }: Replayed) => ({
  content: content(state.archive),
  answers: answers(state.archive),
  events: state.drainEvents(),
  supersededBytes: state.supersededBytes,
  isPurgeable: state.purgeableSince !== undefined,
  revision: state.archive.revision,
  version: state.archive.version,
  setAside,
});

const tweet = (id: number | string, more: object = {}) => ({
  kind: 'tweet',
  tweet: { id: String(id), author_id: '1', text: `text ${id}`, created_at: '2026-01-01T00:00:00.000Z', ...more },
});

/** Lines that the archive itself does not write, or not as records of new tweets. */
const otherLines = [
  '{"kind":"tweet",',
  'null',
  JSON.stringify(tweet('x')),
  JSON.stringify(tweet(70, { text: 7 })),
  JSON.stringify(tweet(71, { created_at: 'yesterday' })),
  JSON.stringify(tweet(72, { like_count: '9', unknown: [1] })),
  JSON.stringify(tweet(73, { created_at: 'Thu Jan 01 2026' })),
  JSON.stringify({ ...tweet(3, { like_count: 7 }), arrived: 2 }),
  JSON.stringify({ ...tweet(74), arrived: 2 }),
  JSON.stringify({ kind: 'snapshot', is: 'begin' }),
  JSON.stringify(tweet(75, { text: 'a \u2028 \ud800 lone surrogate 👍🏽' })),
  JSON.stringify({ kind: 'snapshot', is: 'end' }),
  JSON.stringify({ kind: 'import', fingerprint: 'f', progress: { values: 1, done: false } }),
  JSON.stringify({ kind: 'later', than: 'this version' }),
];
const line = fc.oneof(
  { weight: 9, arbitrary: step.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.constantFrom(...otherLines) },
);

test('has the same archive, events and set-aside records', async () => {
  const cases = fc.tuple(fc.array(line, { minLength: 20, maxLength: 400, size: 'max' }), fc.nat(400));
  const property = fc.asyncProperty(cases, async ([lines, checkpoint]) => {
    await rm(data, { recursive: true, force: true });
    await write([...world.map((each) => JSON.stringify(each)), ...lines]);
    const expected = resultOf(await replayed(Number.POSITIVE_INFINITY, checkpoint));
    expect(resultOf(await replayed(0, checkpoint))).toEqual(expected);
  });
  await fc.assert(property, { numRuns: rounds(12, 3) });
}, 60_000);

test('continues with a thread from a number of bytes on, also through large records', async () => {
  const lines = Array.from({ length: 3000 }, (_, id) =>
    JSON.stringify(tweet(id + 1, { text: id % 500 === 0 ? 'long '.repeat(60_000) : `word${id % 7}`, like_count: id })),
  );
  await write(lines);
  const [direct, prepared] = [await replayed(Number.POSITIVE_INFINITY), await replayed(100_000)];
  expect(prepared.state.archive.size).toBe(3000);
  expect(content(prepared.state.archive)).toEqual(content(direct.state.archive));
  expect(prepared.state.archive.index.frequency('word3')).toBe(direct.state.archive.index.frequency('word3'));
});

test('begins again without the thread if that has ended', async () => {
  await write(Array.from({ length: 100 }, (_, id) => JSON.stringify(tweet(id + 1))));
  jest.spyOn(JournalReplay.prototype, 'settle').mockRejectedValueOnce(new ThreadFailure('the thread has ended'));
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const { state } = await replayed(0);
  expect(state.archive.size).toBe(100);
  expect(warning).toHaveBeenCalledWith(expect.stringContaining('the thread has ended'));
});

test('reports its progress every few seconds', async () => {
  await write(Array.from({ length: 1000 }, (_, id) => JSON.stringify(tweet(id + 1))));
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 6000));
  const progress: { readonly records: number; readonly share: number | undefined }[] = [];
  const store = await openStore();
  await openArchive(store, undefined, { onProgress: (each) => void progress.push(each) });
  await store.close();
  expect(progress.length).toBeGreaterThan(1);
  for (const [index, { records, share }] of progress.entries()) {
    expect(records).toBeGreaterThan(progress[index - 1]?.records ?? 0);
    expect(share ?? 1).toBeGreaterThan(progress[index - 1]?.share ?? 0);
  }
  expect(progress[0]!.records).toBeLessThan(1000);
  expect(progress[0]!.share).toBeCloseTo(progress[0]!.records / 1000, 0);
});
