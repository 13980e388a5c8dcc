/** Backups of a service whose archive is in a database file, and what a restored one tells its listeners. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { backUpFile } from '../../server/maintenance/file-backup.ts';
import { bundledProgram } from '../support/bundled-service.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { inTurn } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const key = 'a-key-for-database-backups';
const env = { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let server: LocalServer | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  server = await startLocalServer(dataDir, env);
});
afterEach(async () => {
  await server?.end();
  server = undefined;
  await folder.dispose();
});

async function importTweets(from: number, to: number): Promise<void> {
  const created_at = '2026-01-01T00:00:00Z';
  const control = await connectControl(dataDir);
  for (let id = from; id < to; id++) {
    const tweet = { id: String(id), text: 'coffee', created_at, author_id: '1' };
    await control!.call('import/apply', [
      `from ${from}`,
      { values: id - from + 1, done: false },
      [{ kind: 'tweet', tweet }],
    ]);
  }
  control!.close();
}

const get = (path: string): Promise<Response> => fetch(server!.url + path, { headers: { 'x-api-key': key } });
const search = '/social/tweet/advanced_search?query=coffee&limit=100';
async function ids(): Promise<string[]> {
  const { tweets } = (await (await get(search)).json()) as { tweets: { id: string }[] };
  return tweets.map(({ id }) => id).toSorted();
}
const cursor = async (): Promise<string> => (await get(search)).headers.get('x-event-cursor')!;
const epoch = async (): Promise<string> => (await cursor()).replace(/\W\d+$/, '');
const backUp = (to: string): ReturnType<typeof run> =>
  run('scripts/cli/backup.ts', [to], { ...env, DATA_DIR: dataDir });

async function restart(): Promise<void> {
  await server?.end();
  server = await startLocalServer(dataDir, env);
}

test('a backup beside a server has what was acknowledged, and a service starts on it with another epoch', async () => {
  await importTweets(1000, 1020);
  const keys = await run('scripts/cli/keys.ts', ['create', '--name', 'kept'], { DATA_DIR: dataDir });
  const created = /^(\S+)\nThis is key/.exec(keys.stdout)![1]!;
  const to = join(folder.path, 'backup');
  const writing = importTweets(2000, 2400);
  const { code, stdout, stderr } = await backUp(to);
  expect([code, stderr, stdout]).toEqual([
    0,
    '',
    expect.stringMatching(/backup: [\d.]+ MB, checked, in .* s; tweets /),
  ]);
  await writing;
  expect((await readdir(to)).toSorted()).toEqual(expect.arrayContaining(['archive.db', 'keys.json', 'secrets.json']));
  expect((await readdir(to)).filter((name) => /wal|shm|partial|events/.test(name))).toEqual([]);
  const checked = await run('scripts/cli/doctor.ts', [], { ...env, DATA_DIR: to });
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('all is whole')]);
  // The check has opened the file, and SQLite leaves the files of its log.
  for (const name of ['lock', 'archive.db-wal', 'archive.db-shm']) await rm(join(to, name), { force: true });
  const before = await epoch();
  await server!.end();
  await rm(dataDir, { recursive: true });
  await cp(to, dataDir, { recursive: true });
  server = await startLocalServer(dataDir, env);
  // By their ids: the newest page has only those that were written meanwhile, if there are many.
  const acknowledged = Array.from({ length: 20 }, (_, n) => String(1000 + n));
  const found = (await (await get(`/social/tweets?ids=${acknowledged.join()}`)).json()) as { tweets: { id: string }[] };
  expect(found.tweets.map(({ id }) => id)).toEqual(acknowledged);
  expect((await fetch(server.url + search, { headers: { 'x-api-key': created } })).status).toBe(200);
  const after = await epoch();
  expect(after).not.toBe(before);
  await restart();
  expect(await epoch()).toBe(after);

  // The file of the same backup alone, into the folder that has gone on.
  await importTweets(1500, 1510);
  await server!.end();
  for (const name of ['archive.db', 'archive.db-wal', 'archive.db-shm']) await rm(join(dataDir, name), { force: true });
  await copyFile(join(to, 'archive.db'), join(dataDir, 'archive.db'));
  server = await startLocalServer(dataDir, env);
  expect(await epoch()).not.toBe(after);
});

test('an older copy of the file, made by other means, gets another epoch; the newest one keeps it', async () => {
  await importTweets(1000, 1010);
  await restart();
  const before = await epoch();
  await server!.end();
  const old = join(folder.path, 'old.db');
  await copyFile(join(dataDir, 'archive.db'), old);
  server = await startLocalServer(dataDir, env);
  expect(await epoch()).toBe(before);
  await importTweets(1010, 1020);
  expect(await epoch()).toBe(before);
  await server.end();
  await copyFile(old, join(dataDir, 'archive.db'));
  server = await startLocalServer(dataDir, env);
  expect(await epoch()).not.toBe(before);
  expect(await ids()).toHaveLength(10);
});

test('a backup that was interrupted is not taken for a whole one', async () => {
  await importTweets(1000, 1100);
  const to = join(folder.path, 'interrupted');
  const failing = backUpFile(dataDir, to, { copyMore: () => Promise.reject(new Error('interrupted')) });
  await expect(failing).rejects.toThrow('interrupted');
  await expect(startLocalServer(to, env)).rejects.toThrow(
    /interrupted is a backup that was interrupted: make another one/,
  );
  await expect(backUpFile(dataDir, to)).rejects.toThrow(
    /interrupted has a copy that was interrupted: remove it, or name another folder/,
  );

  const command = 'scripts/cli/backup.ts';
  const program = (await bundledProgram(command, '')) ?? command;
  for (const wait of inTurn([0, 3, 10, 30], 1)) {
    const killed = join(folder.path, `killed-${wait}`);
    await mkdir(killed);
    const child = spawn(process.execPath, [program, killed], {
      cwd: new URL('../../', import.meta.url).pathname,
      env: { ...process.env, ...env, DATA_DIR: dataDir },
    });
    const ended = once(child, 'close');
    while (!existsSync(join(killed, 'archive.db.partial')) && child.exitCode === null) await sleep(1);
    await sleep(wait);
    child.kill('SIGKILL');
    await ended;
    if (existsSync(join(killed, 'archive.db'))) {
      const database = new SqliteDatabase(join(killed, 'archive.db'), { readOnly: true });
      expect(database.first('SELECT count(*) AS n FROM tweet')).toEqual({ n: 100 });
      database.close();
    } else await expect(startLocalServer(killed, env)).rejects.toThrow(/is a backup that was interrupted/);
  }
  await restart();
  expect((await ids()).length).toBe(100);
});
