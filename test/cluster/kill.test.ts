/**
 * The reader of a log, and kills of writers and of the database. Kills need a separate engine (`TEST_PG=1`); `CRASH_ROUNDS`
 * sets their number.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Database, type Run } from '../../server/engines/postgres/store/database.ts';
import { LogReader } from '../../server/engines/postgres/store/log-reader.ts';
import { openPostgresStore, type PostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import type { ChangeRow } from '../../server/engines/postgres/store/statements.ts';
import { fromDatabaseId } from '../../server/archive/content/database-id.ts';
import { checkTables } from '../../server/engines/postgres/maintenance/content-check.ts';
import { startEngine, type Engine } from '../postgres/engine.js';
import { rounds } from '../support/rounds.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import { until } from '../support/until.ts';
import { tweetsOf } from './fixtures/imported-tweets.ts';
import { openCluster } from './instances.ts';

const crashRounds = Number(process.env['CRASH_ROUNDS'] ?? rounds(6));

interface Written {
  readonly writer: string;
  readonly n: number;
  readonly part: number;
}

/** A process that writes, and the numbers of its acknowledged appends. */
class Writer {
  readonly name: string;
  readonly acknowledged: number[] = [];
  readonly #child: ChildProcess;

  /** `fixture`: the program. */
  constructor(url: string, name: string, fixture = 'writer.ts') {
    this.name = name;
    const program = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
    this.#child = spawn(process.execPath, [program, url, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.acknowledged.push(...lines.map(Number));
    });
  }

  async kill(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}

/** The records of the log as a follower in this process gets them, which stays connected through everything. */
async function follow(store: PostgresStore): Promise<{ readonly seqs: number[]; readonly records: Written[] }> {
  const journal = await store.journal('log');
  const got = { seqs: [] as number[], records: [] as Written[] };
  const take = (json: string, seq: number): void => {
    got.seqs.push(seq);
    got.records.push(JSON.parse(json) as Written);
  };
  await journal.replay((json, seq) => take(json.toString(), seq));
  journal.follow({ apply: (records, first) => records.forEach((json, index) => take(json, first + index)) });
  return got;
}

/** A reader on rows that a test gives, and what its follower got. */
function readerOn(rows: () => readonly ChangeRow[]) {
  const got: (string | number)[] = [];
  const reader = new LogReader('log');
  reader.follower = {
    apply: (records, first) => records.forEach((record, index) => got.push(first + index, record)),
    reset: () => void got.push('reset'),
  };
  const run: Run = async ({ params = [] }) => {
    const [, from, limit] = params as [string, number, number];
    return rows()
      .filter(({ seq }) => Number(seq) >= from)
      .slice(0, limit) as never;
  };
  return { got, catchUp: () => reader.catchUp(run), reader };
}

const row = (seq: number, record: string | null, more: Partial<ChangeRow> = {}): ChangeRow => ({
  ...{ seq: String(seq), record, chain: `chain ${seq}`, rewritten: false },
  ...more,
});

describe('the reader of a log', () => {
  test('passes on rows with gaps, and skips rows whose text was purged', async () => {
    const { got, catchUp } = readerOn(() => [row(1, 'a'), row(2, null), row(5, 'e'), row(6, 'f')]);
    await catchUp();
    expect(got).toEqual([1, 'a', 5, 'e', 6, 'f']);
  });

  test('rejects when the database has lost the last rows, or has others', async () => {
    let rows = [row(1, 'a'), row(2, 'b')];
    const { catchUp } = readerOn(() => rows);
    await catchUp();
    rows = [row(1, 'a')];
    await expect(catchUp()).rejects.toThrow(/has lost record 2/);
    rows = [row(1, 'a'), row(2, 'x', { chain: 'other' }), row(3, 'y')];
    await expect(catchUp()).rejects.toThrow(/has lost record 2/);
    rows = [row(1, 'a'), row(2, 'b'), row(3, 'c')];
    await catchUp();
  });

  test('skips a rewrite of the state that it has, and otherwise begins anew with it', async () => {
    let rows = [row(1, 'a'), row(2, 'b')];
    const { got, catchUp } = readerOn(() => rows);
    await catchUp();
    rows = [row(3, 'ab', { rewritten: true }), row(4, 'c')];
    await catchUp();
    expect(got).toEqual([1, 'a', 2, 'b', 4, 'c']);
    rows = [row(7, 'abcde', { rewritten: true }), row(8, 'f')];
    await catchUp();
    expect(got.slice(6)).toEqual(['reset', 7, 'abcde', 8, 'f']);
    // An empty rewrite leaves only the mark of the last row.
    rows = [row(9, null, { rewritten: true })];
    await catchUp();
    expect(got.slice(11)).toEqual(['reset']);
  });
});

if (process.env['TEST_PG'] === '1')
  describe('after kills', () => {
    let engine: Engine;
    let store: PostgresStore;
    beforeAll(async () => {
      engine = await startEngine();
      store = await openPostgresStore({ url: engine.url });
    });
    afterAll(async () => {
      await store?.close();
      await engine?.stop();
    });

    test('of writers and of the database, every acknowledged append is in the log once, without a gap', async () => {
      const follower = await follow(store);
      const all: Writer[] = [];
      for (let round = 0; round < crashRounds; round++) {
        const writers = [1, 2, 3].map((n) => new Writer(engine.url, `${round}.${n}`));
        all.push(...writers);
        // Each writer has written before something is killed.
        await until(() => writers.every(({ acknowledged }) => acknowledged.length >= 5));
        if (round % 3 === 2) {
          await engine.kill();
          await sleep(50);
          await engine.start();
          const before = writers.map(({ acknowledged }) => acknowledged.length);
          await until(() => writers.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0)));
        }
        await Promise.all(writers.map((writer) => writer.kill()));
      }
      // What a fresh process reads, and what the follower got live, are the same.
      const fresh = await openPostgresStore({ url: engine.url });
      const stored = await follow(fresh);
      await fresh.close();
      await until(() => follower.seqs.length >= stored.seqs.length);
      expect(follower.seqs).toEqual(stored.seqs);
      expect(follower.records).toEqual(stored.records);
      expect(stored.seqs).toEqual(stored.seqs.map((_, index) => index + 1));
      const times = new Map<string, number>();
      for (const { writer, n, part } of stored.records) {
        const id = `${writer} ${n} ${part}`;
        times.set(id, (times.get(id) ?? 0) + 1);
      }
      expect([...times.values()].every((count) => count === 1)).toBe(true);
      const lost = all.flatMap(({ name, acknowledged }) =>
        acknowledged.filter((n) => [0, 1, 2].some((part) => !times.has(`${name} ${n} ${part}`))),
      );
      expect(lost).toEqual([]);
      expect(all.flatMap(({ acknowledged }) => acknowledged).length).toBeGreaterThanOrEqual(15 * crashRounds);
    });

    test('of processes that import into tables, and of the database, each acknowledged import is whole and counted once', async () => {
      const url = `${engine.url}?schema=imports`;
      const opened = await openArchiveAt(url);
      const all: Writer[] = [];
      const tableRounds = Math.max(3, Math.round(crashRounds / 2));
      for (let round = 0; round < tableRounds; round++) {
        const writers = [1, 2].map((n) => new Writer(url, String(round * 10 + n), 'importer.ts'));
        all.push(...writers);
        await until(() => writers.every(({ acknowledged }) => acknowledged.length >= 5));
        if (round % 3 === 2) {
          await engine.kill();
          await sleep(50);
          await engine.start();
          const before = writers.map(({ acknowledged }) => acknowledged.length);
          await until(() => writers.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0)));
        }
        await Promise.all(writers.map((writer) => writer.kill()));
      }
      const database = new Database({ url });
      const stored = async (text: string): Promise<string[]> =>
        (await database.run<{ value: string }>({ text })).map(({ value }) => value);
      const ids = new Set((await stored('SELECT id AS value FROM social_data.tweet')).map(fromDatabaseId));
      const imports = await stored('SELECT fingerprint AS value FROM social_data.import_progress');
      // A transaction has all of an import, or nothing of it.
      const idsOf = (name: string, n: number): string[] =>
        tweetsOf(name, n).map((each) => (each.kind === 'tweet' ? each.tweet.id : ''));
      const expected = imports.flatMap((each) => {
        const [name = '', n] = each.split(' ');
        return idsOf(name, Number(n));
      });
      expect([...ids].toSorted()).toEqual(expected.toSorted());
      const lost = all.flatMap(({ name, acknowledged }) =>
        acknowledged.filter((n) => !imports.includes(`${name} ${n}`)),
      );
      expect(lost).toEqual([]);
      expect(imports.length).toBeGreaterThanOrEqual(10 * tableRounds);
      const created = await stored(`SELECT seq AS value FROM social_data.change WHERE log = 'events'`);
      expect(created).toHaveLength(ids.size);
      const commits = await stored(`SELECT seq AS value FROM social_data.change WHERE log = 'tables' ORDER BY seq`);
      expect(commits.map(Number)).toEqual(imports.map((_, index) => index + 1));
      expect(await checkTables(database.run)).toEqual([]);
      await database.close();
      await opened.close();
    });

    test('a document keeps every acknowledged change when the database is killed', async () => {
      const document = await store.document('list', { items: [] as number[] });
      await document.update(({ items }) => void items.push(1));
      await engine.kill();
      await expect(document.update(({ items }) => void items.push(2))).rejects.toMatchObject({ name: 'StoreError' });
      await engine.start();
      await until(async () =>
        document
          .update(({ items }) => void items.push(3))
          .then(
            () => true,
            () => false,
          ),
      );
      expect(document.data.items.filter((item) => item !== 2)).toEqual([1, 3]);
    });

    test('instances refuse reads and changes with 503 without the database, and go on by themselves', async () => {
      const cluster = await openCluster(engine.url);
      const instance = await cluster.start();
      const unlike = (): Promise<Response> =>
        instance.request('/social/tweet/unlike', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tweet_id: '1' }),
        });
      const importing = await openArchiveAt(cluster.databaseUrl);
      const at = '2026-01-01T00:00:00.000Z';
      await importing.sink.apply('file', { values: 2, done: true }, [
        { kind: 'tweet', tweet: { id: '1', author_id: '7', text: 'liked', created_at: at } },
        { kind: 'like', tweet_id: '1', created_at: at },
      ]);
      await importing.close();
      const read = (): Promise<Response> => instance.request('/social/tweet/advanced_search?query=liked');
      await until(async () => ((await (await read()).json()) as { tweets: unknown[] }).tweets.length === 1);
      await engine.kill();
      const shown = ({ status, headers }: Response): string => `${status} ${Number(headers.get('retry-after')) > 0}`;
      const answers = await Promise.all(Array.from({ length: 50 }, async () => shown(await read())));
      expect(new Set(answers)).toEqual(new Set(['503 true']));
      expect(shown(await unlike())).toBe('503 true');
      await engine.start();
      await until(async () => (await unlike()).status === 200);
      expect((await read()).status).toBe(200);
      await cluster.stop();
    });

    test('an instance that knows what the database lost says so, and begins a new epoch', async () => {
      const cluster = await openCluster(engine.url);
      const [a, b] = [await cluster.start({ DEMO: '1' }), await cluster.start()];
      const epochOf = async (): Promise<string> => {
        const [stored] = await cluster.storage.admin.run<{ value: string }>({
          text: `SELECT value FROM social_data.document WHERE name = 'events/log'`,
        });
        return (JSON.parse(stored?.value ?? '{}') as { epoch: string }).epoch;
      };
      const before = await epochOf();
      await until(async () => (await a?.request('/readyz'))?.status === 200);
      // As a failover to a standby that had not received the last commits.
      await cluster.storage.admin.run({
        text: `DELETE FROM social_data.change c WHERE log IN ('tables', 'events')
          AND seq > (SELECT max(seq) / 2 FROM social_data.change l WHERE l.log = c.log)`,
      });
      const reasons = await Promise.all([a?.service.ended, b?.service.ended]);
      expect(reasons.some((reason) => /has lost record/.test(reason ?? ''))).toBe(true);
      expect(await epochOf()).not.toBe(before);
      const [c, d] = [await cluster.start(), await cluster.start()];
      const answers = await Promise.all(
        [c, d].map(async (instance) => (await instance.request('/social/tweet/advanced_search?query=the')).text()),
      );
      expect(answers[0]).toBe(answers[1]);
      await cluster.stop();
    });
  });
