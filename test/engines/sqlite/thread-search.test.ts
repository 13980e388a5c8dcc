// Tests server/engines/sqlite/thread-calls.ts.
/** Searches in threads: they hold up nothing else, end when nobody waits, and are bounded in time and number. */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { createTables } from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import { ThreadSearch } from '../../../server/engines/sqlite/thread-search.ts';
import { counts } from '../../../server/domain/records.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { temporaryFolder } from '../../support/folder.ts';

const tweets = 30_000;
const countNames = [...counts, 'known', 'engagement', 'observed_at'];
const noCounts = Object.fromEntries(countNames.map((name) => [name, 0]));
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'archive.db');
  const database = new SqliteDatabase(path);
  createTables(database);
  // The rows that a search reads, without the rules of the archive.
  const text = 'alpha beta gamma '.repeat(12).trim();
  database.transaction(() => {
    for (let n = 0; n < tweets; n++) {
      const pos = (1_767_225_600 + n) * 2 ** 20;
      const document = JSON.stringify({ id: String(n + 1), author_id: '1', text, created_at: '2026-01-01T00:00:00Z' });
      database.insert({
        table: 'tweet',
        rows: [
          {
            pos,
            id: n + 1,
            created_at: (1_767_225_600 + n) * 1000,
            author_id: 1,
            has_media: 0,
            document,
            arrived_in: 1,
          },
        ],
      });
      database.insert({ table: 'tweet_count', rows: [{ pos, ...noCounts }] });
      database.run('INSERT INTO word (rowid, text, link, term) VALUES (?, ?, ?, ?)', pos, text, '', 'every:tweet');
    }
  });
  database.close();
});
afterAll(() => folder.dispose());

/** Each tweet has the words near each other, and none in this sequence: each text is compared. */
const slow = parse('"alpha * * alpha beta beta"');
const fast = parse('alpha');
const page = { after: undefined, limit: 20 };
const request = (signal: AbortSignal = new AbortController().signal): { signal: AbortSignal } => ({ signal });

async function withThreads<Result>(
  options: ConstructorParameters<typeof ThreadSearch>[1],
  use: (search: ThreadSearch) => Promise<Result>,
): Promise<Result> {
  const search = new ThreadSearch(path, options);
  try {
    return await use(search);
  } finally {
    await search.close();
  }
}

test('a slow search does not hold up the thread that asks', async () => {
  await withThreads({ threads: 1 }, async (search) => {
    await search.latest(fast, page, 0);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const began = performance.now();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    expect(await search.latest(slow, page, 0, request())).toEqual({ items: [], next: null });
    clearInterval(timer);
    const took = performance.now() - began;
    delay.disable();
    // In the same thread, the whole search is one turn.
    const reader = new SqliteDatabase(path);
    expect(await new SqliteSearch(reader).latest(slow, page, 0)).toEqual({ items: [], next: null });
    reader.close();
    expect(turns).toBeGreaterThan(5);
    expect(delay.max / 1e6).toBeLessThan(took);
  });
});

test('a call that ends takes its search with it, and the thread goes on with the next one', async () => {
  await withThreads({ threads: 1 }, async (search) => {
    await search.latest(fast, page, 0);
    const alone = performance.now();
    await search.latest(slow, page, 0);
    const whole = performance.now() - alone;
    const call = new AbortController();
    const cancelled = Array.from({ length: 10 }, () => search.latest(slow, page, 0, request(call.signal)));
    const next = search.latest(fast, page, 0, request());
    await sleep(5);
    const began = performance.now();
    call.abort(new Error('the caller has gone'));
    for (const each of cancelled) await expect(each).rejects.toThrow('the caller has gone');
    expect((await next).items).toHaveLength(20);
    // Ten searches to their end would take ten times this time.
    expect(performance.now() - began).toBeLessThan(2 * whole + 1000);
    await expect(search.latest(fast, page, 0, request(AbortSignal.abort(new Error('gone'))))).rejects.toThrow('gone');
  });
});

test('a search of a request that takes too long ends with 503, and work without a caller goes on', async () => {
  await withThreads({ threads: 1, mostMs: 2 }, async (search) => {
    await expect(search.latest(slow, page, 0, request())).rejects.toMatchObject({
      name: 'ServiceError',
      status: 503,
      message: expect.stringContaining('longer than 0.002 s'),
      headers: { 'Retry-After': expect.any(String) },
    });
    const everything = { since: -Infinity, until: Infinity };
    await expect(search.counts(slow, everything, 0, request())).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('took longer'),
    });
    expect((await search.latest(fast, page, 0)).items).toHaveLength(20);
    expect(await search.counts(fast, everything, 0)).toEqual({ buckets: [[0, tweets]], isWhole: true });
    expect(await search.latest(slow, page, 0)).toEqual({ items: [], next: null });
  });
});

test('when too many searches wait, a further one is refused at once', async () => {
  await withThreads({ threads: 1, maxWaiting: 3 }, async (search) => {
    const running = Array.from({ length: 4 }, () => search.latest(fast, page, 0));
    await expect(search.latest(fast, page, 0)).rejects.toMatchObject({
      ...{ status: 503, headers: { 'Retry-After': '1' } },
      message: 'too many searches wait for their turn',
    });
    for (const each of await Promise.all(running)) expect(each.items).toHaveLength(20);
  });
});

test('a search sees what was written before it, errors keep their class, and a thread that ends is replaced', async () => {
  await withThreads({ threads: 2 }, async (search) => {
    const database = new SqliteDatabase(path);
    for (let n = 0; n < 20; n++) {
      database.run('INSERT INTO word (rowid, text, link, term) VALUES (?, ?, ?, ?)', 5 + n, `own${n}`, '', '');
      database.insert({ table: 'tweet_count', rows: [{ pos: 5 + n, ...noCounts }] });
      database.insert({
        table: 'tweet',
        rows: [
          { pos: 5 + n, id: 10 ** 7 + n, created_at: 0, author_id: 1, has_media: 0, document: '{}', arrived_in: 1 },
        ],
      });
      expect((await search.latest(parse(`own${n}`), page, 0)).items).toHaveLength(1);
    }
    database.close();
    const otherOrder = { after: ['x'], limit: 1 };
    await expect(search.latest(fast, otherOrder, 0)).rejects.toMatchObject({ name: 'ServiceError', status: 400 });
  });
  const reasons: string[] = [];
  const search = new ThreadSearch(join(folder.path, 'none', 'archive.db'), { onEnded: (each) => reasons.push(each) });
  for (let n = 1; n <= 2; n++) {
    await expect(search.latest(fast, page, 0)).rejects.toMatchObject({ name: 'StoreError' });
    expect(reasons).toHaveLength(n);
  }
  await search.close();
});
