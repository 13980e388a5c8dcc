// Tests server/engines/upgrade/old-journal.ts and server/archive/rules/relation.ts.
/** What an upgrade makes of journals: of random histories, snapshots, events that a crash left out, and damage. */
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { contentOf } from '../../../server/archive/upkeep/contents.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { LocalWriter } from '../../../server/engines/sqlite/local-writer.ts';
import { FileHealth } from '../../../server/engines/sqlite/file-health.ts';
import type { DomainEvent } from '../../../server/domain/events.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import { UnusableRecord, type Change, type SnapshotChange } from '../../../server/archive/rules/change.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { lockDirectory } from '../../../server/storage/lowdb/directory-lock.ts';
import { upgradeDirectory } from '../../../server/engines/upgrade/upgrade-directory.ts';
import { history } from '../postgres/changes.ts';
import { sortedContent } from '../postgres/tables.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { temporaryFolder } from '../../support/server.ts';
import { lineOf, writeJournal, type OldLine } from './old-journals.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let logged: { readonly msg: string; readonly record?: number; readonly line?: number }[];
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  logged = [];
});
afterEach(() => folder.dispose());

const upgrade = (): Promise<void> =>
  upgradeDirectory(dataDir, {
    logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line) as never) }),
    transactionRecords: 7,
  });

async function inFile<Result>(read: (database: SqliteDatabase) => Promise<Result> | Result): Promise<Result> {
  const database = new SqliteDatabase(join(dataDir, 'archive.db'), { readOnly: true });
  try {
    return await read(database);
  } finally {
    database.close();
  }
}

async function content(database: SqliteDatabase): Promise<SnapshotChange[]> {
  const all: SnapshotChange[] = [];
  for await (const page of contentOf(database.runSql)) all.push(...page);
  return all;
}

const tweet = (id: string, text = `text ${id}`): Change => ({
  kind: 'tweet',
  tweet: { id, text, author_id: '1', created_at: '2026-01-01T00:00:00Z' },
});
const texts = (): Promise<string[]> =>
  inFile((database) =>
    database.all<{ text: string }>("SELECT document ->> 'text' AS text FROM tweet ORDER BY 1").map(({ text }) => text),
  );
const jsonOf = (change: object): string => JSON.stringify(change);

test('the file has what an archive in memory has after the same journal, with the same events and revisions', async () => {
  const markers = fc.array(fc.constantFrom<' ' | '+'>(' ', '+'), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(
      history,
      history,
      markers,
      fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      async (before, after, marks, share) => {
        const first = new Archive();
        for (const change of before.flat()) apply(first, change);
        const lines: object[] = [
          { kind: 'snapshot', is: 'begin' },
          ...first.changes(),
          { kind: 'snapshot', is: 'end' },
        ];
        const snapshotLines = lines.length;
        lines.push(...after.flat());
        const checkpoint = share === undefined ? undefined : Math.floor(snapshotLines + share * after.flat().length);
        const expected = new Archive();
        const events: DomainEvent[] = [];
        const unusable: number[] = [];
        const arrivals = new Map<string, number>();
        for (const [index, line] of lines.entries()) {
          if ('is' in line) continue;
          const snapshot = index < snapshotLines;
          const found = apply(expected, line as Change, { snapshot });
          for (const event of found ?? [])
            if (event.event === 'tweet.created') arrivals.set(event.id, snapshot ? 0 : index + 1);
          if (found === undefined) unusable.push(index + 1);
          else if (checkpoint !== undefined && index + 1 > checkpoint) events.push(...found);
        }
        await rm(dataDir, { recursive: true, force: true });
        const written = lines.map((line, index): OldLine => ({
          json: jsonOf(line),
          marker: marks[index % marks.length]!,
        }));
        const half = Math.ceil(written.length / 2);
        await writeJournal(join(dataDir, 'archive'), [written.slice(0, half), written.slice(half)]);
        await writeJournal(join(dataDir, 'events'), [[jsonOf({ event: 'tweet.created', id: '1', at: 1, change: 1 })]]);
        if (checkpoint !== undefined)
          await writeFile(join(dataDir, 'events', 'log.json'), jsonOf({ epoch: 'e', checkpoint }));
        await upgrade();
        await inFile(async (database) => {
          expect(sortedContent(await content(database))).toEqual(sortedContent(expected.changes()));
          expect(
            database
              .all<{ record: string }>("SELECT record FROM change WHERE log = 'events' AND seq > 1 ORDER BY seq")
              .map(({ record }) => ({ ...(JSON.parse(record) as object), at: undefined, change: undefined })),
          ).toEqual(
            events.map((event) => ({
              event: event.event,
              ...('id' in event ? { id: event.id } : {}),
              ...('userId' in event ? { user_id: event.userId } : {}),
            })),
          );
          const arrived = database.all<{ id: string; arrived_in: number }>(
            'SELECT tweets.id, arrived_in FROM tweets JOIN tweet ON tweet.id = tweets.id - 9223372036854775807 - 1',
          );
          for (const { id, arrived_in: seq } of arrived) {
            if (expected.tweet(String(id)) !== undefined) expect([id, seq]).toEqual([id, arrivals.get(String(id))]);
          }
        });
        const deadLetters = await readFile(join(dataDir, 'set-aside.json'), 'utf8').catch(() => '{"records":[]}');
        const { records } = JSON.parse(deadLetters) as { records: { seq: number }[] };
        expect(records.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(unusable);
      },
    ),
    { numRuns: rounds(400), endOnFailure: true },
  );
}, 900_000);

function apply(archive: Archive, change: Change, options?: object): readonly DomainEvent[] | undefined {
  try {
    return archive.apply(change, options).events;
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
    return undefined;
  }
}

test('of the events of a change that a crash has divided, the rest comes with the next numbers', async () => {
  const retweet = { ...tweet('2'), tweet: { ...(tweet('2') as { tweet: object }).tweet, retweeted_tweet_id: '1' } };
  const lines = [tweet('1'), retweet, { kind: 'delete', tweet_id: '1', at: '2026-02-01T00:00:00Z' }];
  await writeJournal(join(dataDir, 'archive'), [lines.map(jsonOf)]);
  const whole = [
    { event: 'tweet.created', id: '1', at: 5, change: 1 },
    { event: 'tweet.created', id: '2', at: 5, change: 2 },
    // The other event of the deletion is not in the log.
    { event: 'tweet.deleted', id: '1', at: 6 },
  ];
  await writeJournal(join(dataDir, 'events'), [whole.map(jsonOf)]);
  await writeFile(join(dataDir, 'events', 'log.json'), jsonOf({ epoch: 'e', checkpoint: 0 }));
  await upgrade();
  await inFile((database) => {
    const rows = database.all(
      "SELECT seq, record ->> 'event' AS event, record ->> 'id' AS id FROM change WHERE log = 'events'",
    );
    expect(rows.map(({ seq, event, id }) => [seq, event, id])).toEqual([
      [1, 'tweet.created', '1'],
      [2, 'tweet.created', '2'],
      [3, 'tweet.deleted', '1'],
      [4, 'tweet.deleted', '2'],
    ]);
    expect(database.lastSeqOf('tables')).toBe(3);
  });
});

test('an incomplete last write is left out, whole records before it stay', async () => {
  const lines = [tweet('1'), tweet('2'), tweet('3')].map(jsonOf);
  const path = join(dataDir, 'archive', '0000000000000001.jsonl');
  await writeJournal(join(dataDir, 'archive'), [lines], { durableBytes: Buffer.byteLength(lineOf(lines[0]!)) });
  await truncate(path, (await stat(path)).size - 5);
  await upgrade();
  expect(await texts()).toEqual(['text 1', 'text 2']);
  expect(logged.filter(({ msg }) => msg.includes('incomplete'))).toHaveLength(1);
  await inFile((database) => expect(database.lastSeqOf('tables')).toBe(2));
});

test('pages of the last group that were never written are an incomplete write', async () => {
  const [one, two, three] = [tweet('1'), tweet('2'), tweet('3')].map(jsonOf) as [string, string, string];
  await writeJournal(join(dataDir, 'archive'), [[one]]);
  const path = join(dataDir, 'archive', '0000000000000001.jsonl');
  await appendFile(path, `${lineOf(two).slice(0, 20)}\0\0\0\0\n${lineOf(three, '+')}`);
  await upgrade();
  expect(await texts()).toEqual(['text 1']);
});

test('damaged records are left out and listed; the numbers of the others stay', async () => {
  const segments = [[tweet('1'), tweet('2')].map(jsonOf), [5, jsonOf(tweet('3')), jsonOf(tweet('4'))]];
  await writeJournal(join(dataDir, 'archive'), segments);
  await writeJournal(join(dataDir, 'events'), [
    ['1', '2', '3'].map((id) => jsonOf({ event: 'tweet.created', id, at: 9 })),
  ]);
  for (const [log, file, from, to] of [
    ['archive', '0000000000000001.jsonl', 'text 2', 'text x'],
    ['events', '0000000000000001.jsonl', '"2"', '"9"'],
  ] as const) {
    const path = join(dataDir, log, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
  }
  await upgrade();
  expect(await texts()).toEqual(['text 1', 'text 3', 'text 4']);
  await inFile((database) => {
    expect(database.all('SELECT arrived_in FROM tweet ORDER BY arrived_in').map((row) => row['arrived_in'])).toEqual([
      1, 8, 9,
    ]);
    const events = database.all(
      "SELECT seq, record ->> 'event' AS event FROM change WHERE log = 'events' ORDER BY seq",
    );
    expect(events.map(({ event }) => event)).toEqual(['tweet.created', 'damaged', 'tweet.created']);
  });
  expect(logged.filter(({ msg }) => msg.includes('damaged')).map(({ record, line }) => [record, line])).toEqual([
    [2, 2],
    [2, 2],
  ]);
  const { records } = JSON.parse(await readFile(join(dataDir, 'left-out.json'), 'utf8')) as {
    records: { file: string }[];
  };
  expect(records.map(({ file }) => file).toSorted()).toEqual([
    'journal-1.2/archive/0000000000000001.jsonl',
    'journal-1.2/events/0000000000000001.jsonl',
  ]);
  expect(await readdir(join(dataDir, 'journal-1.2', 'archive'))).toHaveLength(3);
});

test.each([
  ['a missing segment', async () => rm(join(dataDir, 'archive', '0000000000000001.jsonl')), /missing/],
  [
    'a segment that was cut off',
    async () => truncate(join(dataDir, 'archive', '0000000000000001.jsonl'), 20),
    /instead of/,
  ],
  ['a missing catalogue', async () => rm(join(dataDir, 'events', 'catalogue.json')), /catalogue\.json is missing/],
  [
    'a catalogue of a newer version',
    async () => writeFile(join(dataDir, 'pool', 'catalogue.json'), jsonOf({ format: 3, segments: [] })),
    /format 3 of a newer version/,
  ],
  [
    'segments that do not follow each other',
    async () => {
      const path = join(dataDir, 'archive', 'catalogue.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace('"first_seq":3', '"first_seq":4'));
    },
    /restore/,
  ],
  [
    'a segment outside of the catalogue',
    async () => writeFile(join(dataDir, 'archive', '0000000000000009.jsonl'), lineOf('{}')),
    /not in the catalogue/,
  ],
  ['the folder of an earlier upgrade', async () => mkdir(join(dataDir, 'journal-1.2')), /earlier upgrade/],
])('%s is refused, and nothing is changed', async (_, damage, message) => {
  await writeJournal(join(dataDir, 'archive'), [[tweet('1'), tweet('2')].map(jsonOf), [jsonOf(tweet('3'))]]);
  for (const name of ['events', 'pool'])
    await writeJournal(join(dataDir, name), [[jsonOf({ event: 'pool.status', at: 1 })]]);
  await damage();
  const before = await readdir(dataDir, { recursive: true });
  const failure = await upgrade().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect((failure as Error).message).toMatch(message);
  const left = (await readdir(dataDir, { recursive: true })).filter((name) => !/^(lock|archive\.db\.new)/.test(name));
  expect(left.toSorted()).toEqual(before.toSorted());
});

test('a directory that another process uses is left alone', async () => {
  await writeJournal(join(dataDir, 'archive'), [[jsonOf(tweet('1'))]]);
  const unlock = await lockDirectory(dataDir);
  await expect(upgrade()).rejects.toThrow(/in use by process/);
  unlock();
  await upgrade();
  expect(await texts()).toEqual(['text 1']);
});

test('journals beside a file that is not of their upgrade are refused', async () => {
  await writeJournal(join(dataDir, 'archive'), [[jsonOf(tweet('1'))]]);
  await upgrade();
  await writeJournal(join(dataDir, 'archive'), [[jsonOf(tweet('2'))]]);
  await expect(upgrade()).rejects.toThrow(/two archives/);
});

test('a file of journals that have changed since begins anew', async () => {
  await writeJournal(join(dataDir, 'archive'), [[jsonOf(tweet('1')), jsonOf(tweet('2'))]]);
  await mkdir(join(dataDir, 'journal-1.2'));
  // The journals of an earlier time are in the new file, which was not completed.
  await rm(join(dataDir, 'journal-1.2'), { recursive: true });
  await upgrade();
  for (const name of ['archive.db', 'journal-1.2']) {
    const path = join(dataDir, name);
    if (name === 'archive.db') await writeFile(join(dataDir, 'archive.db.new'), await readFile(path));
    await rm(path, { recursive: true });
  }
  await writeJournal(join(dataDir, 'archive'), [[jsonOf(tweet('3'))]]);
  await upgrade();
  expect(await texts()).toEqual(['text 3']);
});

test('the first purge removes the old journals, which have the texts', async () => {
  const lines = [tweet('1', 'planted words'), { kind: 'delete', tweet_id: '1', at: '2026-01-02T00:00:00Z' }];
  await writeJournal(join(dataDir, 'archive'), [lines.map(jsonOf)]);
  await upgrade();
  expect(await readdir(dataDir)).toContain('journal-1.2');
  await inFile((database) =>
    expect(database.first("SELECT 1 AS due FROM meta WHERE name = 'removed_at'")).toEqual({ due: 1 }),
  );
  const writer = new LocalWriter(new SqliteDatabase(join(dataDir, 'archive.db')), {
    now: Date.now,
    health: new FileHealth(),
  });
  await writer.purge();
  await writer.close();
  expect(await readdir(dataDir)).not.toContain('journal-1.2');
  for (const { name } of (await readdir(dataDir, { withFileTypes: true })).filter((each) => each.isFile()))
    expect([name, (await readFile(join(dataDir, name), 'latin1')).includes('planted')]).toEqual([name, false]);
});
