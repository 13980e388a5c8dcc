/** An import into the archive of a server: prepared records where both processes run the same code. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import { startControl, type Routes } from '../../server/admin/control-server.ts';
import { importRoutes, openControlSink } from '../../server/import/control-sink.ts';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { Input } from '../../server/import/input-file.ts';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { parse } from '../../server/search/language/parse.ts';
import { lowdbStorage } from '../ports/lowdb.ts';
import { openInFolder } from '../support/open-in-folder.ts';
import { variants } from '../support/rounds.ts';

const { folder, opened } = openInFolder();

const words = ['red', 'Green', 'blue', '東京', '👍', 'café'];
const tweets = 500;

async function input(): Promise<Input> {
  const lines = Array.from({ length: tweets }, (_, n) =>
    JSON.stringify({
      kind: 'tweet',
      tweet: {
        id: String(n + 1),
        text: [1, 2, 3].map((step) => words[(n * step) % words.length]).join(' ') + ` only${n}`,
        created_at: '2026-01-01T00:00:00Z',
        author_id: String(n % 700),
        ...(n % 3 === 0 ? { like_count: n } : { in_reply_to_id: String(n) }),
      },
    }),
  );
  lines.splice(
    300,
    0,
    '{"broken',
    JSON.stringify({ kind: 'user', user: { id: '3', username: 'ann', name: 'Ann Blue' } }),
  );
  lines.push(JSON.stringify({ kind: 'delete', tweet_id: '9', at: '2026-02-02T00:00:00Z' }));
  const path = join(folder.path, 'input');
  await writeFile(path, lines.join('\n'));
  const [found] = await openInputs(path);
  return { ...found!, fingerprint: 'input', seenAt: '2026-03-01T00:00:00.000Z' };
}

async function emptyArchive(): Promise<DurableArchive> {
  const storage = await lowdbStorage();
  const store = await storage.open();
  opened.push({ close: () => store.close().then(() => storage.dispose()) });
  return openArchive(store);
}

/** Serves the routes, some of them replaced or removed. Notes the names of the calls. */
async function serve(
  sink: DurableArchive,
  other: Readonly<Record<string, Routes[string] | undefined>> = {},
): Promise<{ control: Control; calls: Set<string> }> {
  const calls = new Set<string>();
  const routes: Record<string, Routes[string]> = {};
  for (const [name, route] of Object.entries({ ...importRoutes(sink), ...other }))
    if (route !== undefined) routes[name] = (...call) => (calls.add(name), route(...call));
  opened.push(await startControl(folder.path, routes));
  const control = (await connectControl(folder.path))!;
  opened.push(control);
  return { control, calls };
}

const inThread = { threadBytes: 0 };

/** What an archive answers, and its records. */
const contentOf = ({ archive }: DurableArchive): unknown => [
  [...words, 'only3', '"red blue"', 'from:ann', 'name:blue'].map((query) => {
    const { items } = archive.index.search(parse(query), 'Latest', { after: undefined, limit: 100 });
    return items.map((ordinal) => archive.tweet(ordinal));
  }),
  Array.from(archive.changes(), (change) => JSON.stringify(change)),
];

async function direct(from: Input): Promise<{ report: ImportReport; content: unknown }> {
  const durable = await emptyArchive();
  return { report: await importInput(from, durable, inThread), content: contentOf(durable) };
}

test('passes on prepared records, with the same report, archive and index', async () => {
  const from = await input();
  const expected = await direct(from);
  expect(expected.report).toMatchObject({ taken: tweets + 1, updated: 1, skipped: 1, complete: true });
  const durable = await emptyArchive();
  const { control, calls } = await serve(durable);
  const sink = await openControlSink(control);
  expect(await importInput(from, sink, inThread)).toEqual(expected.report);
  expect(contentOf(durable)).toEqual(expected.content);
  expect(calls).toEqual(new Set(['import/format', 'import/resume', 'import/batch']));
  // The next import of the same connection begins with new numbers of its own.
  const again = await importInput({ ...from, fingerprint: 'again' }, sink, inThread);
  expect([again.taken, again.complete]).toEqual([0, true]);
});

test('passes on JSON to a server that runs other code, and to one of an earlier version', async () => {
  const from = await input();
  const expected = await direct(from);
  for (const format of variants([async () => 'other', async () => null, undefined], 1)) {
    const durable = await emptyArchive();
    const { control, calls } = await serve(durable, { 'import/format': format });
    expect(await importInput(from, await openControlSink(control), inThread)).toEqual(expected.report);
    expect(contentOf(durable)).toEqual(expected.content);
    expect([calls.has('import/apply'), calls.has('import/batch')]).toEqual([true, false]);
    for (const each of opened.splice(-2).toReversed()) await each.close();
  }
});

test('rejects a batch whose predecessors came over another connection, and stores nothing of it', async () => {
  const durable = await emptyArchive();
  const { control } = await serve(durable);
  const other = (await connectControl(folder.path))!;
  opened.push(other);
  const [first, second] = [await openControlSink(control), await openControlSink(other)];
  let batches = 0;
  const sink = {
    ...first,
    applyBatch: (...call: Parameters<NonNullable<typeof first.applyBatch>>) =>
      (++batches === 2 ? second : first).applyBatch!(...call),
  };
  await expect(importInput(await input(), sink, inThread)).rejects.toThrow('the connection was interrupted: repeat');
  expect(durable.archive.size).toBe(200);
  // A repeated command continues.
  const report = await importInput(await input(), second, inThread);
  expect([report.resumed, report.complete, durable.archive.size]).toEqual([200, true, tweets - 1]);
});
