/** A state in memory that a journal makes durable, on the reference store. */
import { expect, test } from '@jest/globals';
import { StateJournal } from '../../server/storage/state-journal.ts';
import { emptyDisk, memoryStore, type Disk, type MemoryStore } from '../ports/reference/store.ts';

interface Sum {
  readonly add: number;
}

/** A sum whose records are what was added. */
async function sumOn(disk: Disk, { maxRecords = 100, held = false } = {}) {
  const store: MemoryStore = memoryStore(disk, { held });
  const state = { sum: 0, failed: 0 };
  const journal = await StateJournal.open<Sum>(store, 'sum', {
    apply: ({ add }) => void (state.sum += add),
    reset: () => void (state.sum = 0),
    snapshot: () => [{ add: state.sum }],
    onFailedRewrite: () => void state.failed++,
    hasHistory: (records) => records > maxRecords,
  });
  const add = (value: number): Promise<void> =>
    journal.decide(() => {
      state.sum += value;
      return [{ add: value }];
    });
  return { store, state, journal, add };
}

test('has the same state after a restart, and applies none of its own records twice', async () => {
  const disk = emptyDisk();
  const { state, add } = await sumOn(disk);
  await add(2);
  await add(3);
  expect(state.sum).toBe(5);
  expect((await sumOn(disk)).state.sum).toBe(5);
});

test('rewrites a journal with history by the records of the newest state', async () => {
  const disk = emptyDisk();
  const { add, journal } = await sumOn(disk, { maxRecords: 3 });
  for (const value of [1, 2, 3, 4]) await add(value);
  await journal.rewrite();
  await add(5);
  expect(disk.journals.get('sum')!.records.length).toBeLessThan(4);
  expect((await sumOn(disk)).state.sum).toBe(15);
});

test('says that a rewrite failed, whose old records can still be there', async () => {
  const { store, state, journal } = await sumOn(emptyDisk(), { held: true });
  const rewrite = journal.rewrite();
  store.fail();
  await expect(rewrite).rejects.toThrow();
  expect(state.failed).toBe(1);
});
