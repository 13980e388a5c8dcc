import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { backUp } from '../../../server/storage/lowdb/backup.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { startLocalServer, temporaryFolder } from '../../support/local-server.ts';
import { run } from '../../support/server.ts';
import { nightlyTest } from '../../support/nightly.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.dispose());

/** What a journal of a directory holds. */
async function recordsOf(directory: string, name: string): Promise<number[]> {
  const store = await openLowdbStore(directory);
  const records: number[] = [];
  await (await store.journal(name)).replay((json) => void records.push(JSON.parse(json.toString()) as number));
  await store.close();
  return records;
}

nightlyTest('a copy of an active store is complete, and contains all acknowledged records', async () => {
  const directory = join(folder.path, 'busy');
  const store = await openLowdbStore(directory, { segmentBytes: 500 });
  const [grows, rewritten, events] = await Promise.all(
    ['grows', 'rewritten', 'events'].map((name) => store.journal(name)),
  );
  const document = await store.document<{ value: number }>('settings', { value: 0 });
  for (const journal of [grows!, rewritten!, events!]) await journal.replay(() => {});
  await document.update((data) => void (data.value = 1));
  let isOver = false;
  let acknowledged = 0;
  const growing = (async () => {
    for (let number = 1; !isOver; number++) {
      await grows!.append([String(number)]);
      acknowledged = number;
    }
  })();
  const rewriting = (async () => {
    for (let number = 0; !isOver; number++) {
      await rewritten!.rewrite(() => Array.from({ length: 300 }, () => String(number)));
      await document.update((data) => void (data.value = number));
    }
  })();
  for (let round = 0; round < 5; round++) {
    const before = acknowledged;
    const to = join(folder.path, `copy-${round}`);
    const { records, bytes } = await backUp(directory, to);
    expect(Object.keys(records).toSorted()).toEqual(['grows', 'rewritten']);
    expect(bytes).toBeGreaterThan(0);
    expect((await readdir(to)).toSorted()).toEqual(['grows', 'rewritten', 'settings.json']);
    const grown = await recordsOf(to, 'grows');
    expect(grown).toEqual(Array.from({ length: grown.length }, (_, place) => place + 1));
    expect(grown.length).toBeGreaterThanOrEqual(before);
    const all = await recordsOf(to, 'rewritten');
    if (all.length > 0) expect([all.length, new Set(all).size]).toEqual([300, 1]);
  }
  isOver = true;
  await Promise.all([growing, rewriting]);
  await store.close();
});

test('rejects damaged files, other folders and non-empty targets by name', async () => {
  const directory = join(folder.path, 'damaged');
  const store = await openLowdbStore(directory);
  const journal = await store.journal('archive');
  await journal.replay(() => {});
  await journal.append(['1', '2', '3']);
  await store.close();
  await expect(backUp(directory, directory)).rejects.toThrow(
    /damaged is not empty: name a folder that does not exist yet/,
  );
  await expect(backUp(folder.path, join(folder.path, 'new'))).rejects.toThrow(
    /contains no data of this service: set DATA_DIR to its folder/,
  );
  await expect(backUp(join(folder.path, 'nowhere'), join(folder.path, 'new'))).rejects.toThrow(
    /nowhere cannot be read/,
  );
  const [segment] = (await readdir(join(directory, 'archive'))).filter((name) => name.endsWith('.jsonl'));
  await writeFile(join(directory, 'archive', segment!), '00000000 1\nxxxxxxxx 2\n');
  await appendFile(join(directory, 'archive', segment!), '00000000 3\n'.repeat(5));
  await expect(backUp(directory, join(folder.path, 'copy'))).rejects.toThrow(/copy\/archive\/\S+ is damaged/);
});

test('copies the data of a running server, and another server starts from the copy', async () => {
  const key = 'a-backup-test-key';
  const dataDir = join(folder.path, 'data');
  const copy = join(folder.path, 'backup');
  const records = Array.from({ length: 2000 }, (_, number) => ({
    kind: 'tweet',
    tweet: { id: String(1000 + number), text: `number ${number}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
  }));
  const file = join(folder.path, 'tweets.jsonl');
  await writeFile(
    file,
    [{ kind: 'user', user: { id: '1', username: 'writer' } }, ...records]
      .map((record) => JSON.stringify(record))
      .join('\n'),
  );
  const server = await startLocalServer(dataDir, { DEMO: '0', API_KEYS: key });
  const count = async (url: string): Promise<number> =>
    Number(/^archive_objects\{kind="tweets"\} (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())![1]);
  const made = await run('scripts/cli/keys.ts', ['create', '--name', 'kept'], { DATA_DIR: dataDir });
  const importing = run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
  const before = await count(server.url);
  const backedUp = await run('scripts/cli/backup.ts', [copy], { DATA_DIR: dataDir });
  expect(backedUp).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/backup: \d+\.\d MB, read back; records: .*archive [\d,]+/),
  });
  expect(await importing).toMatchObject({ code: 0 });
  await server.end();

  const restored = await startLocalServer(copy, { DEMO: '0', API_KEYS: key });
  expect(await count(restored.url)).toBeGreaterThanOrEqual(before);
  const status = await fetch(`${restored.url}/social/assistant/status`, {
    headers: { 'x-api-key': /sd_\w+/.exec(made.stdout)![0] },
  });
  expect(status.status).toBe(200);
  expect(await run('scripts/cli/import.ts', [file], { DATA_DIR: copy })).toMatchObject({ code: 0 });
  expect(await count(restored.url)).toBe(2000);
  await restored.end();

  expect(await run('scripts/cli/backup.ts', [copy], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty'),
  });
  expect(await run('scripts/cli/backup.ts', [], { DATA_DIR: dataDir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected one folder'),
  });
});
