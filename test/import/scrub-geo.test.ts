// Tests server/formats/geo.ts.
/** Notices of removed places take the places from tweets, in the SQLite file and in tables of PostgreSQL. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { tablesPlatform } from '../engines/postgres/platforms.ts';
import { contentOf } from '../../server/archive/upkeep/contents.ts';
import { SqlSink } from '../../server/archive/writes/sql-sink.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import type { Platform } from '../../server/ports/platform.ts';
import type { RunSql } from '../../server/archive/sql.ts';
import { parse } from '../../server/search/language/parse.ts';
import { sqlArchive } from '../engines/postgres/platforms.ts';
import { PostgresTables } from '../engines/postgres/tables.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { options } from '../support/call-options.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openServiceArchive } from '../support/stored-archive.ts';

interface OpenedStore {
  readonly sink: ImportSink;
  readonly platform: Platform;
  /** The content as an export writes it. */
  content(): Promise<object[]>;
  close(): Promise<void>;
}
interface TestedStore {
  /** Opens it, as a new process does. */
  open(): Promise<OpenedStore>;
  dispose(): Promise<void>;
}

/** The content as an export writes it. */
async function contentIn(run: RunSql): Promise<object[]> {
  const content: object[] = [];
  for await (const page of contentOf(run)) content.push(...page);
  return content;
}

async function inFile(): Promise<TestedStore> {
  const folder = await temporaryFolder();
  return {
    async open() {
      const { sink, platform, engine, close } = await openServiceArchive(folder.path);
      return { sink, platform, content: () => contentIn(engine.run), close };
    },
    dispose: () => folder.dispose(),
  };
}

async function inTables(): Promise<TestedStore> {
  const tables = await PostgresTables.create();
  const { run } = tables.database;
  return {
    async open() {
      const archive = sqlArchive(tables);
      return {
        sink: new SqlSink(run, archive, { onUnusable: () => {} }),
        platform: tablesPlatform(tables.database, archive),
        content: () => contentIn(run),
        close: async () => {},
      };
    },
    dispose: () => tables.dispose(),
  };
}

const [first, second, third] = ['1700000000000000001', '1700000000000000002', '1700000000000000003'];
const corners = [
  [12.4, 41.8],
  [12.6, 41.8],
  [12.6, 41.95],
  [12.4, 41.95],
];
const status = (id: string, userId = '42', more: object = {}): object => ({
  ...{ id_str: id, full_text: `words ${id}`, created_at: 'Fri Sep 08 00:00:00 +0000 2023' },
  user: { id_str: userId, screen_name: `user${userId}`, followers_count: 1 },
  coordinates: { type: 'Point', coordinates: [12.5, 41.875] },
  place: {
    ...{ id: 'abc123', full_name: 'Rome, Lazio', name: 'Rome', country: 'Italy', place_type: 'city' },
    bounding_box: { type: 'Polygon', coordinates: [corners] },
  },
  ...more,
});
/** A notice with the ids as texts and, as X writes them, as numbers that a parser of JavaScript would round. */
const notice = (userId: string, last: string): string =>
  `{"scrub_geo":{"user_id":${userId},"user_id_str":"${userId}","up_to_status_id":${last},"up_to_status_id_str":"${last}"}}`;
const result = (id: string): object => ({
  ...{ id, action: 'scrub_geo', reason: 'scrub_geo', created_at: '2023-09-08T00:00:00.000Z' },
  redacted_at: '2024-01-01T00:00:00.000Z',
});
const others = status(third, '43');

const stores: [string, () => Promise<TestedStore>][] = [['the SQLite file', inFile]];
if (testDatabaseUrl !== undefined) stores.push(['tables of PostgreSQL', inTables]);

describe.each(stores)('%s', (_name, create) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: TestedStore;
  let opened: OpenedStore;
  let files = 0;
  beforeEach(async () => {
    [folder, store] = [await temporaryFolder(), await create()];
    opened = await store.open();
  });
  afterEach(async () => {
    await opened.close();
    await store.dispose();
    await folder.dispose();
  });

  const restart = async (): Promise<void> => {
    await opened.close();
    opened = await store.open();
  };
  /** Imports one file, with one value in each line. */
  async function imported(values: readonly (object | string)[], isCompressed = false): Promise<ImportReport> {
    const lines = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
    const path = join(folder.path, `${++files}.jsonl${isCompressed ? '.gz' : ''}`);
    await writeFile(path, isCompressed ? gzipSync(lines) : lines);
    const [input] = await openInputs(path);
    return importInput(input!, opened.sink);
  }
  async function found(query: string): Promise<string[]> {
    const page = await opened.platform.search(parse(query), 'Latest', { after: undefined, limit: 20 }, options);
    return page.items.map(({ id }) => id).toSorted();
  }
  /** The tweets that searches by place find: each search finds the same. */
  async function located(): Promise<string[]> {
    const queries = [
      'place:Rome',
      'place:abc123',
      'near:Rome',
      'near:Rome within:5km',
      'has:geo',
      'geocode:41.87,12.5,5km',
    ];
    const results = [];
    for (const query of queries) results.push(await found(query));
    for (const [index, ids] of results.entries()) expect([queries[index], ids]).toEqual([queries[index], results[0]]);
    return results[0]!;
  }
  /** The stored tweets that have a member about a place. */
  async function stored(): Promise<unknown[]> {
    const content = (await opened.content()) as { tweet?: { id: string; place?: string; coordinates?: object } }[];
    return content
      .flatMap(({ tweet }) =>
        tweet !== undefined && /place|coordinates/.test(JSON.stringify(tweet)) ? [tweet.id] : [],
      )
      .toSorted();
  }

  test.each([
    ['a plain file', false],
    ['a compressed file', true],
  ])(
    'a notice in %s removes the places of the tweets of an author up to one, and nothing else',
    async (_form, isCompressed) => {
      await imported([status(first), status(second), others], isCompressed);
      expect(await located()).toEqual([first, second, third]);
      const report = await imported([notice('42', first)], isCompressed);
      expect(report).toMatchObject({ updated: 1, skipped: 0 });
      expect(await located()).toEqual([second, third]);
      expect(await stored()).toEqual([second, third]);
      expect(await found('words')).toEqual([first, second, third]);
      await restart();
      expect(await located()).toEqual([second, third]);
    },
  );

  test('older data that comes later does not bring a place back, also after a restart and in the same file', async () => {
    await imported([notice('42', second), status(first), others]);
    expect(await located()).toEqual([third]);
    await restart();
    const newer = { favorite_count: 5, coordinates: { type: 'Point', coordinates: [12.5, 41.875] } };
    await imported([status(first, '42', newer), status(second)]);
    expect(await located()).toEqual([third]);
    expect(await stored()).toEqual([third]);
    expect(await found('words')).toEqual([first, second, third]);
  });

  test('the same notice twice changes nothing, an earlier one neither, and a later one goes on', async () => {
    await imported([status(first), status(second)]);
    await imported([notice('42', second)]);
    const before = await opened.content();
    await restart();
    const report = await imported([notice('42', second), notice('42', first), status(first), status(second)]);
    expect(report).toMatchObject({ added: {}, updated: 0 });
    expect(await opened.content()).toEqual(before);
    await imported([status(third)]);
    expect(await located()).toEqual([third]);
    await imported([notice('42', first), notice('42', third)]);
    expect(await located()).toEqual([]);
  });

  test('a result of a compliance job removes the place of its tweet alone', async () => {
    await imported([status(first), status(second), result(first), result(third)]);
    await restart();
    await imported([status(first), others]);
    expect(await located()).toEqual([second]);
    expect(await found('words')).toEqual([first, second, third]);
  });

  test('an export keeps the rule for the archive that takes it', async () => {
    await imported([status(first), notice('42', second)]);
    const records = (await opened.content()).filter((each) => (each as { kind: string }).kind !== 'user');
    expect(records).toContainEqual(expect.objectContaining({ kind: 'scrub_geo', user_id: '42', tweet_id: second }));
    const exported = await store.dispose().then(create);
    store = exported;
    opened = await store.open();
    await imported(records);
    await imported([status(first), status(second), others]);
    expect(await located()).toEqual([third]);
  });
});
