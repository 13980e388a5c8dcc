/** The behaviour of every adapter of the storage port: `Store`, `Document` and `Journal`. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { StoreError, type Journal, type Store } from '../../server/ports/storage.ts';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';

/** Storage that outlives the stores that are opened on it. */
export interface StorageUnderTest {
  /** Opens a store, as a new process does. The previous store is closed. */
  open(): Promise<Store>;
  /** Every write fails from now on, until `repairWrites`. */
  failWrites(): void | Promise<void>;
  repairWrites(): void | Promise<void>;
  dispose(): Promise<void>;
}

/** The suite for one adapter; each test has storage of its own. `modelRounds`: how often the test with any steps runs. */
export function describeStorage(name: string, create: () => Promise<StorageUnderTest>, modelRounds = 25): void {
  describe(name, () => {
    let current: StorageTest;
    beforeEach(async () => {
      const storage = await create();
      current = new StorageTest(storage, await storage.open());
    });
    afterEach(() => current.dispose());
    const context = (): StorageTest => current;

    describe('a store', () => {
      describeStore(context);
    });
    describe('a document', () => {
      describeDocument(context);
    });
    describe('a journal', () => {
      describeJournal(context);
    });
    describe('a rewritten journal', () => {
      describeRewrite(context);
    });
    describe('the follower of a journal', () => {
      describeFollower(context);
    });

    test('returns any records in order, after any number of openings, rewrites and trims', async () => {
      const property = fc.asyncProperty(steps, async (each) => {
        const storage = await create();
        const opened = new StorageTest(storage, await storage.open());
        await followModel(each, opened);
        await opened.dispose();
      });
      await fc.assert(property, { numRuns: rounds(modelRounds) });
    });
  });
}

/** Storage that several stores use at the same time. */
export interface SharedStorageUnderTest extends Omit<StorageUnderTest, 'open'> {
  /** Opens a store, as one more process does. */
  open(): Promise<Store>;
}

/** The suite for adapters whose storage several processes use at the same time. */
export function describeSharedStorage(name: string, create: () => Promise<SharedStorageUnderTest>): void {
  describe(`${name}, opened by several processes`, () => {
    let storage: SharedStorageUnderTest;
    beforeEach(async () => void (storage = await create()));
    afterEach(() => storage.dispose());

    type Follower = { journal: Journal; got: [number, string][]; resets: number; store: Store };
    async function follower(): Promise<Follower> {
      const store = await storage.open();
      const journal = await store.journal('log');
      const result: Follower = { journal, got: [], resets: 0, store };
      await journal.replay((json, seq) => result.got.push([seq, json.toString()]));
      journal.follow({
        apply: (records, first) => records.forEach((json, index) => result.got.push([first + index, json])),
        reset() {
          result.resets++;
          result.got = [];
        },
      });
      return result;
    }

    test('pass the records of all to each follower, in one order without gaps', async () => {
      const all = await Promise.all([1, 2, 3].map(follower));
      const appended = all.flatMap(({ journal }, process) =>
        Array.from({ length: 30 }, (_, n) =>
          n % 10 === 9
            ? journal.decide(() => [JSON.stringify({ process, n })])
            : journal.append([JSON.stringify({ process, n })]),
        ),
      );
      await Promise.all(appended);
      for (const { got } of all) {
        await until(() => got.length === 90);
        expect(got.map(([seq]) => seq)).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
        expect(got).toEqual(all[0]?.got);
      }
      // The records of one process keep the order of its calls.
      const own = all[0]?.got.map(([, json]) => JSON.parse(json) as { process: number; n: number }) ?? [];
      for (const process of [0, 1, 2])
        expect(own.filter((each) => each.process === process).map(({ n }) => n)).toEqual(
          Array.from({ length: 30 }, (_, n) => n),
        );
    });

    test('decide on the newest state of all', async () => {
      const all = await Promise.all([1, 2, 3].map(follower));
      const limit = 10;
      const decided = all.flatMap(({ journal, got }) =>
        Array.from({ length: 8 }, () => journal.decide(() => (got.length < limit ? ['1'] : []))),
      );
      await Promise.all(decided);
      for (const { got } of all) await until(() => got.length === limit);
    });

    test('a rewrite of another process does not come to a follower that has read everything', async () => {
      const [first, second] = [await follower(), await follower()];
      await first.journal.append(['1', '2']);
      await until(() => second.got.length === 2);
      await first.journal.rewrite(() => ['"both"']);
      await second.journal.append(['4']);
      await until(() => first.got.length === 3);
      for (const { got, resets } of [first, second]) {
        expect(got.at(-1)).toEqual([4, '4']);
        expect(resets).toBe(0);
      }
      expect((await follower()).got).toEqual([
        [3, '"both"'],
        [4, '4'],
      ]);
    });

    test('a document shows the changes of another process, and loses none', async () => {
      const [one, two] = [await storage.open(), await storage.open()];
      const documents = await Promise.all([one, two].map((store) => store.document('list', { items: [] as number[] })));
      const changes = documents.map((document) => {
        const seen = { changes: 0 };
        document.onChange(() => void seen.changes++);
        return seen;
      });
      await Promise.all(
        documents.flatMap((document, at) =>
          Array.from({ length: 20 }, (_, n) => document.update(({ items }) => void items.push(at * 100 + n))),
        ),
      );
      for (const document of documents) await until(() => document.data.items.length === 40);
      expect(new Set(documents[0]?.data.items).size).toBe(40);
      expect(documents[0]?.data).toEqual(documents[1]?.data);
      expect(Math.max(...changes.map(({ changes: count }) => count))).toBeGreaterThan(0);
    });
  });
}

type Opened = { readonly journal: Journal; readonly records: [number, string][] };

/** Storage and the store of the current process. */
class StorageTest {
  readonly storage: StorageUnderTest;
  store: Store;

  constructor(storage: StorageUnderTest, store: Store) {
    this.storage = storage;
    this.store = store;
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = await this.storage.open();
  }

  /** Opens the journal; small segments let an adapter with files use several. */
  async openJournal(): Promise<Opened> {
    const journal = await this.store.journal('log');
    const records: [number, string][] = [];
    await journal.replay((json, seq) => records.push([seq, json.toString()]));
    return { journal, records };
  }

  async reopenJournal(): Promise<Opened> {
    await this.reopen();
    return this.openJournal();
  }

  async dispose(): Promise<void> {
    await this.storage.repairWrites();
    await this.store.close();
    await this.storage.dispose();
  }
}

type Context = () => StorageTest;

function describeStore(context: Context): void {
  test('opens each name once', async () => {
    await context().openJournal();
    await context().store.document('keys', {});
    await expect(context().store.document('keys', {})).rejects.toThrow(StoreError);
    await expect(context().store.journal('log')).rejects.toThrow(StoreError);
  });

  test('writes nothing after a close', async () => {
    const { journal } = await context().openJournal();
    const document = await context().store.document('n', { n: 0 });
    await context().store.close();
    await expect(journal.append(['1'])).rejects.toThrow(StoreError);
    await expect(document.update((data) => void data.n++)).rejects.toThrow(StoreError);
    await context().reopen();
    expect((await context().store.document('n', { n: 0 })).data).toEqual({ n: 0 });
    expect((await context().openJournal()).records).toEqual([]);
  });
}

function describeDocument(context: Context): void {
  test('has the initial value at first, and the last written value after each opening', async () => {
    const document = await context().store.document('keys', { keys: ['a'] });
    expect(document.data).toEqual({ keys: ['a'] });
    await document.update((data) => void data.keys.push('b'));
    expect(document.data).toEqual({ keys: ['a', 'b'] });
    await context().reopen();
    expect((await context().store.document('keys', { keys: [''] })).data).toEqual({ keys: ['a', 'b'] });
  });

  test('applies concurrent updates one after the other, each to the newest value', async () => {
    const document = await context().store.document('n', { seen: [0] });
    await Promise.all(
      Array.from({ length: 50 }, () => document.update(({ seen }) => void seen.push((seen.at(-1) ?? 0) + 1))),
    );
    expect(document.data.seen).toEqual(Array.from({ length: 51 }, (_, n) => n));
    await context().reopen();
    expect((await context().store.document('n', { seen: [0] })).data.seen).toHaveLength(51);
  });

  test('shows a change only when it is durable, and never a rejected one', async () => {
    const document = await context().store.document('keys', { keys: ['a'] });
    await context().storage.failWrites();
    const rejected = document.update((data) => void data.keys.push('b'));
    expect(document.data).toEqual({ keys: ['a'] });
    await expect(rejected).rejects.toThrow(StoreError);
    expect(document.data).toEqual({ keys: ['a'] });
    await context().storage.repairWrites();
    await document.update((data) => void data.keys.push('c'));
    expect(document.data).toEqual({ keys: ['a', 'c'] });
    await context().reopen();
    expect((await context().store.document('keys', { keys: [''] })).data).toEqual({ keys: ['a', 'c'] });
  });

  test('rejects the error of a mutator, and applies the other updates', async () => {
    const document = await context().store.document('n', { n: 0 });
    const results = await Promise.allSettled([
      document.update((data) => void data.n++),
      document.update(() => {
        throw new Error('no');
      }),
      document.update((data) => void data.n++),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: 'no' } });
    expect(document.data).toEqual({ n: 2 });
  });
}

function describeJournal(context: Context): void {
  test('numbers concurrent appends in the order of the calls', async () => {
    const { journal } = await context().openJournal();
    const appended = Array.from({ length: 100 }, (_, n) => journal.append([String(n), String(-n)]));
    expect([journal.lastSeq, journal.durableSeq]).toEqual([200, 0]);
    expect(journal.pendingBytes).toBeGreaterThan(0);
    expect(await Promise.all(appended)).toEqual(Array.from({ length: 100 }, (_, n) => 2 * n + 2));
    expect([journal.lastSeq, journal.durableSeq, journal.pendingBytes]).toEqual([200, 200, 0]);
    expect((await context().reopenJournal()).records).toEqual(
      Array.from({ length: 200 }, (_, n) => [n + 1, String(n % 2 === 0 ? n / 2 : -(n - 1) / 2)]),
    );
  });

  test('does not have a rejected append, assigns its numbers again, and works again after the fault', async () => {
    const { journal } = await context().openJournal();
    await journal.append(['1']);
    await context().storage.failWrites();
    const rejected = await Promise.allSettled([journal.append(['2', '3']), journal.append(['4'])]);
    for (const each of rejected) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) });
    expect(journal.failed).toBeInstanceOf(StoreError);
    expect([journal.lastSeq, journal.durableSeq, journal.pendingBytes]).toEqual([1, 1, 0]);
    await context().storage.repairWrites();
    expect(await journal.append(['5'])).toBe(2);
    expect(journal.failed).toBeUndefined();
    expect((await context().reopenJournal()).records).toEqual([
      [1, '1'],
      [2, '5'],
    ]);
  });

  test('rejects a record that it could not read later', async () => {
    const { journal } = await context().openJournal();
    await expect(journal.append(['1', '"a\nb"'])).rejects.toThrow(/without a newline/);
    await expect(journal.append([''])).rejects.toThrow(/without a newline/);
    expect(await journal.append(['2'])).toBe(1);
  });

  test('accepts records only after one replay', async () => {
    const journal = await context().store.journal('log');
    await expect(journal.append(['1'])).rejects.toThrow(/not replayed yet/);
    await expect(journal.rewrite(() => ['1'])).rejects.toThrow(/not replayed yet/);
    await journal.replay(() => {});
    await expect(journal.replay(() => {})).rejects.toThrow(/replayed once/);
  });
}

function describeFollower(context: Context): void {
  /** A journal, and the records that its follower got. */
  async function followed(): Promise<{ journal: Journal; got: [number, string][]; arrays: Set<readonly string[]> }> {
    const { journal, records: got } = await context().openJournal();
    const arrays = new Set<readonly string[]>();
    journal.follow({
      apply(records, first) {
        arrays.add(records);
        for (const [index, json] of records.entries()) got.push([first + index, json]);
      },
    });
    return { journal, got, arrays };
  }

  test('gets each durable record once and in order, before its append resolves, in the array of the caller', async () => {
    const { journal, got, arrays } = await followed();
    const own = ['1', '2'];
    const seen = await Promise.all([
      journal.append(own).then(() => got.length),
      journal.append(['3']).then(() => got.length),
      journal.decide(() => ['4']).then(() => got.length),
    ]);
    expect(seen[0]).toBeGreaterThanOrEqual(2);
    expect(seen[2]).toBe(4);
    expect(got.map(([seq, json]) => [seq, Number(json)])).toEqual([1, 2, 3, 4].map((n) => [n, n]));
    expect(arrays.has(own)).toBe(true);
    expect((await context().reopenJournal()).records).toEqual(got);
  });

  test('does not get a rejected record or the records of a rewrite', async () => {
    const { journal, got } = await followed();
    await journal.append(['1']);
    await context().storage.failWrites();
    await expect(journal.append(['2'])).rejects.toThrow(StoreError);
    await expect(journal.decide(() => ['3'])).rejects.toThrow(StoreError);
    await context().storage.repairWrites();
    await journal.append(['4']);
    await journal.rewrite(() => ['"new"']);
    await journal.append(['5']);
    expect(got).toEqual([
      [1, '1'],
      [2, '4'],
      [4, '5'],
    ]);
  });

  test('a decision sees the decisions before it, and its error rejects it alone', async () => {
    const { journal } = await followed();
    let sum = 0;
    const decided = Array.from({ length: 20 }, (_, n) =>
      journal.decide(() => {
        if (n === 7) throw new Error('no');
        return n % 5 === 0 ? [] : [JSON.stringify({ n, sum: ++sum })];
      }),
    );
    const results = await Promise.allSettled(decided);
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { message: 'no' } }]);
    const { records } = await context().reopenJournal();
    expect(records.map(([, json]) => (JSON.parse(json) as { sum: number }).sum)).toEqual(
      Array.from({ length: 15 }, (_, index) => index + 1),
    );
  });
}

function describeRewrite(context: Context): void {
  test('stays unchanged after a rewrite whose source fails', async () => {
    const { journal } = await context().openJournal();
    await journal.append(['1', '2']);
    async function* failing(): AsyncGenerator<string, void> {
      yield '"new"';
      throw new Error('the source has failed');
    }
    await expect(journal.rewrite(failing)).rejects.toThrow(StoreError);
    expect(await journal.append(['3'])).toBe(3);
    expect((await context().reopenJournal()).records).toEqual([
      [1, '1'],
      [2, '2'],
      [3, '3'],
    ]);
  });

  test('has records appended during a rewrite after the rewritten records', async () => {
    const { journal } = await context().openJournal();
    const before = journal.append(['"before"']);
    const order: string[] = [];
    const appended: Promise<unknown>[] = [];
    // Records of a size that an adapter writes before the end of the rewrite.
    const large = (text: string): string => JSON.stringify(text.padEnd(1_000_000));
    async function* records(): AsyncGenerator<string, void> {
      for (const n of [1, 2, 3]) {
        appended.push(journal.append([`"during ${n}"`]).then((seq) => order.push(`append ${seq}`)));
        yield large(`new ${n}`);
        await new Promise(setImmediate);
      }
      order.push('end of the source');
    }
    await journal.rewrite(records);
    expect(await before).toBe(1);
    await Promise.all(appended);
    expect(order).toEqual(['end of the source', 'append 5', 'append 6', 'append 7']);
    const { records: stored } = await context().reopenJournal();
    expect(stored.map(([seq, json]) => [seq, String(JSON.parse(json)).trim()])).toEqual([
      [2, 'new 1'],
      [3, 'new 2'],
      [4, 'new 3'],
      [5, 'during 1'],
      [6, 'during 2'],
      [7, 'during 3'],
    ]);
  });
}

type Step = 'reopen' | 'rewrite' | 'empty' | { trim: number } | unknown[];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.jsonValue(), { maxLength: 8 }) },
    fc.constantFrom('reopen' as const, 'rewrite' as const, 'empty' as const),
    fc.record({ trim: fc.nat(20) }),
  ),
  { maxLength: 12 },
);

/** Runs the steps on the journal and on an array of numbered records, and compares the two. */
async function followModel(given: readonly Step[], context: StorageTest): Promise<void> {
  let { journal } = await context.openJournal();
  let model: [number, string][] = [];
  let last = 0;
  const add = (json: string): void => void model.push([++last, json]);
  for (const step of [...given, 'reopen' as const]) {
    if (step === 'reopen') {
      const { journal: next, records } = await context.reopenJournal();
      journal = next;
      // Trimming may leave some of the records that it may remove.
      expect(records.slice(records.length - model.length)).toEqual(model);
      model = records;
      expect([journal.firstSeq, journal.lastSeq, journal.durableSeq]).toEqual([model[0]?.[0] ?? last + 1, last, last]);
    } else if (step === 'rewrite' || step === 'empty') {
      const kept = step === 'empty' ? [] : model.filter((_, n) => n % 2 === 0).map(([, json]) => json);
      await journal.rewrite(() => kept);
      model = [];
      kept.forEach(add);
    } else if (Array.isArray(step)) {
      const lines = step.map((value) => JSON.stringify({ value }));
      lines.forEach(add);
      expect(await journal.append(lines)).toBe(last);
    } else {
      await journal.trim(step.trim);
      model = model.filter(([seq]) => seq > step.trim);
      expect(journal.firstSeq).toBeLessThanOrEqual(model[0]?.[0] ?? last + 1);
    }
  }
}
