// Tests server/engines/upgrade/old-records.ts and server/engines/upgrade/survey.ts.
/** The upgrade of a data directory that version 1.2.0 has written: the service answers as before. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { key } from '../../support/service.ts';
import { startServer, temporaryFolder, type RunningServer } from '../../support/server.ts';
import { answerOf, eventsAfter, type Answer } from './answers.ts';
import { releasedAnswers, writeReleasedData, type ReleasedAnswers } from './released.ts';

const env = { DEMO: '0', API_KEYS: key, RATE_LIMIT: 'off' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let server: RunningServer;
let released: ReleasedAnswers;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  released = await releasedAnswers();
  await writeReleasedData(dataDir);
  server = await startServer(dataDir, env);
});
afterAll(async () => {
  await server.end();
  await folder.dispose();
});

async function same(expected: readonly Answer[]): Promise<void> {
  expect(expected.length).toBeGreaterThan(50);
  for (const answer of expected) expect(readable(await answerOf(server.url, answer.target))).toEqual(readable(answer));
}

/** An answer without the text of the cursor of `discover`, which is another one since version 1.2.0. */
function readable(answer: Answer): Answer {
  if (!answer.target.includes('/community/discover')) return answer;
  const { next_cursor: cursor, ...body } = answer.body as { readonly next_cursor: string | null };
  return { ...answer, body: { ...body, isLast: cursor === null } };
}

test('every operation that reads answers as version 1.2.0 did', () => same(released.pages));

test('cursors of pages that version 1.2.0 has given show the same pages', () => same(released.continued));

test('cursors of events that version 1.2.0 has given show the same events with the same numbers', async () => {
  for (const [index, expected] of released.events.entries()) {
    expect(expected.length).toBeGreaterThan(100);
    expect(await eventsAfter(server.url, index * 1_000)).toEqual(expected);
  }
});

test('other journals, positions and progress are in the file with their numbers', async () => {
  const database = new SqliteDatabase(join(dataDir, 'archive.db'), { readOnly: true });
  const rows = database.all("SELECT log, seq, record FROM change WHERE log IN ('pool', 'conversations') ORDER BY 1, 2");
  expect(rows.map(({ log, seq }) => `${String(log)} ${String(seq)}`)).toEqual(['conversations 2', 'pool 2']);
  expect(
    database.all("SELECT fingerprint, applied, done FROM import_progress WHERE fingerprint LIKE 'in-%' ORDER BY 1"),
  ).toMatchObject([
    { fingerprint: 'in-1', done: 1 },
    { fingerprint: 'in-2', applied: 1_000, done: 1 },
    { fingerprint: 'in-3', done: 1 },
    { fingerprint: 'in-4', applied: 200, done: 1 },
  ]);
  expect(database.all('SELECT source FROM source_position')).toEqual([{ source: 'bluesky' }]);
  database.close();
});

test('the old journals are in a folder of their own, and dead letters stay listed', async () => {
  expect(await readdir(join(dataDir, 'journal-1.2'))).toEqual(['archive', 'conversations', 'events', 'pool']);
  expect(
    (await readdir(dataDir)).filter((name) => ['archive', 'pool', 'conversations', 'tables'].includes(name)),
  ).toEqual([]);
  const { records } = JSON.parse(await readFile(join(dataDir, 'set-aside.json'), 'utf8')) as { records: unknown[] };
  expect(records).toHaveLength(1);
});
