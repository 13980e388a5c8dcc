/** An import into the archive of a server: its report and its archive are those of an import without a server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import { startControl } from '../../server/admin/control-server.ts';
import { importRoutes, openControlSink } from '../../server/import/control-sink.ts';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { Input } from '../../server/import/input-file.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { WriteFaults } from '../../server/archive/upkeep/write-faults.ts';
import { parse } from '../../server/search/language/parse.ts';
import { openInFolder } from '../support/open-in-folder.ts';
import { linesOf, openServiceArchive, type ServiceArchive } from '../support/stored-archive.ts';

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

let archives = 0;

async function emptyArchive(isThread = false): Promise<ServiceArchive> {
  const archive = await openServiceArchive(join(folder.path, `data-${++archives}`), { isThread });
  opened.push(archive);
  return archive;
}

async function serve(sink: ImportSink): Promise<Control> {
  opened.push(await startControl(folder.path, importRoutes(sink)));
  const control = (await connectControl(folder.path))!;
  opened.push(control);
  return control;
}

const inThread = { threadBytes: 0 };

/** What an archive answers, and its records. */
async function contentOf(archive: ServiceArchive): Promise<unknown> {
  const found: unknown[] = [];
  for (const query of [...words, 'only3', '"red blue"', 'from:ann', 'name:blue'])
    found.push((await archive.platform.search(parse(query), 'Latest', { after: undefined, limit: 100 })).items);
  return [found, await linesOf(archive)];
}

test('an import into a server, whose thread reads the records, has the report, archive and index of one without a server', async () => {
  const from = await input();
  const direct = await emptyArchive();
  const expected = await importInput(from, direct.sink, inThread);
  expect(expected).toMatchObject({ taken: tweets + 1, updated: 1, skipped: 1, complete: true });
  const served = await emptyArchive(true);
  expect(served.sink.applyJson).toBeDefined();
  const sink = openControlSink(await serve(served.sink));
  expect(await importInput(from, sink, inThread)).toEqual(expected);
  expect(await contentOf(served)).toEqual(await contentOf(direct));
  const again = await importInput({ ...from, fingerprint: 'again' }, sink, inThread);
  expect([again.taken, again.complete]).toEqual([0, true]);
});

test('an import whose connection ended continues over another one behind the last batch', async () => {
  const { sink: archive, content } = await emptyArchive();
  const control = await serve(archive);
  const first = openControlSink(control);
  let calls = 0;
  const ending: ImportSink = {
    ...first,
    applyJson(...call) {
      if (++calls === 2) throw new Error('the connection ended');
      return first.applyJson!(...call);
    },
  };
  await expect(importInput(await input(), ending, inThread)).rejects.toThrow('the connection ended');
  expect(content.tweets).toBe(200);
  const other = (await connectControl(folder.path))!;
  opened.push(other);
  const report = await importInput(await input(), openControlSink(other), inThread);
  expect([report.resumed, report.complete, content.tweets]).toEqual([200, true, tweets - 1]);
});

test('a change that fails is counted, also where the thread that writes reads the records', async () => {
  const { archive, close } = await openServiceArchive(join(folder.path, 'data-failing'), { isThread: true });
  await close();
  const faults = new WriteFaults();
  const { applyJson } = faults.observe(archive);
  expect(faults.current).toBeUndefined();
  const progress = { fingerprint: 'input', progress: { values: 0, done: true } };
  await expect(applyJson?.('[]', '2026-01-01T00:00:00Z', progress)).rejects.toThrow(StoreError);
  expect([faults.current, faults.counts.size]).toEqual(['disk', 1]);
});
