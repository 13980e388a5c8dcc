/** The service with its archive in a SQLite file, in a process of its own. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { nightlyTest } from '../support/nightly.ts';
import { random } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener } from '../support/stream.ts';

const key = 'a-database-test-key';
const env = { DEMO: '0', API_KEYS: key, PURGE_WITHIN: '0' };
const total = 2_000;
const [kills, seed] = [rounds(20, 1), 20_261_128];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  server = await startServer(dataDir, env);
});
afterAll(async () => {
  await server.end();
  await folder.dispose();
});

const get = (path: string): Promise<Response> => fetch(server.url + path, { headers: { 'x-api-key': key } });
const command = (name: string, ...args: string[]): ReturnType<typeof run> =>
  run(`scripts/cli/${name}.ts`, args, { DATA_DIR: dataDir });

async function found(query: string): Promise<Schemas['TweetShort'][]> {
  const response = await get(`/social/tweet/advanced_search?query=${encodeURIComponent(query)}&limit=100`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { tweets: Schemas['TweetShort'][] }).tweets;
}

/** The files of the data directory that contain a text. */
async function filesWith(text: string): Promise<string[]> {
  const names = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  const contents = await Promise.all(
    names.map(async ({ parentPath, name }) => ({ name, text: await readFile(join(parentPath, name), 'latin1') })),
  );
  return contents.filter((each) => each.text.includes(text)).map(({ name }) => name);
}

test('an import whose server is killed again and again is whole, and each event comes once', async () => {
  const cursor = (await get('/social/tweet/advanced_search?query=coffee')).headers.get('x-event-cursor')!;
  const file = join(folder.path, 'tweets.jsonl');
  const records = Array.from({ length: total }, (_, number) => ({
    kind: 'tweet',
    tweet: {
      ...{ id: String(5000 + number), author_id: String(1 + (number % 7)), text: `coffee number${number}` },
      created_at: new Date(Date.UTC(2026, 0, 1) + number * 700).toISOString(),
    },
  }));
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  const draw = random(seed);
  for (let kill = 0; kill < kills; kill++) {
    const imported = command('import', file);
    await new Promise((resolve) => setTimeout(resolve, 50 + draw(1_500)));
    await server.end('SIGKILL');
    await imported;
    server = await startServer(dataDir, env);
  }
  const { code, stdout, stderr } = await command('import', file);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  expect(stdout).toContain('tweets.jsonl');
  expect((await found('number1999')).map(({ id }) => id)).toEqual(['6999']);

  const events = await listener(server.url, key);
  const params = { query: 'coffee' };
  await events.ask({ type: 'subscribe', id: 'all', channel: 'search:tweets', params, cursor });
  await events.first('event', ({ data }) => (data as { id: string }).id === String(5000 + total - 1));
  const received = events.of('event').map(({ data }) => (data as { id: string }).id);
  expect(received).toHaveLength(total);
  expect(new Set(received).size).toBe(total);
  events.socket.terminate();
});

nightlyTest('a tweet whose words wait is found after a kill', async () => {
  const file = join(folder.path, 'alone.jsonl');
  const tweet = { id: '97', author_id: '3', text: 'waitingword alone', created_at: '2026-01-02T00:00:00.000Z' };
  await writeFile(file, JSON.stringify({ kind: 'tweet', tweet }));
  expect((await command('import', file)).code).toBe(0);
  expect((await found('waitingword')).map(({ id }) => id)).toEqual(['97']);
  await server.end('SIGKILL');
  server = await startServer(dataDir, env);
  expect((await found('waitingword')).map(({ id }) => id)).toEqual(['97']);
  expect((await command('erase', '--query', 'waitingword', '--yes')).code).toBe(0);
});

test('an erased text is in no answer and in no file', async () => {
  const file = join(folder.path, 'secret.jsonl');
  const tweet = { id: '99', author_id: '3', text: 'a canarywordxyz to remove', created_at: '2026-01-02T00:00:00.000Z' };
  await writeFile(file, JSON.stringify({ kind: 'tweet', tweet }));
  expect((await command('import', file)).code).toBe(0);
  expect(await found('canarywordxyz')).toHaveLength(1);
  expect(await filesWith('canarywordxyz')).not.toEqual([]);
  const { code, stdout } = await command('erase', '--query', 'canarywordxyz', '--yes');
  expect([code, stdout]).toEqual([0, expect.stringContaining('erased: 1 tweet')]);
  expect(await found('canarywordxyz')).toEqual([]);
  expect(await filesWith('canarywordxyz')).toEqual([]);
});

test('the file is whole for other programs', async () => {
  expect((await command('export')).stdout.split('\n').filter((line) => line.includes('"tweet"')).length).toBe(total);
  await server.end();
  const database = new SqliteDatabase(join(dataDir, 'archive.db'), { readOnly: true });
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  database.close();
  const { code, stdout } = await command('doctor');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/the database with 2,000 tweets, .* all is whole/)]);
  server = await startServer(dataDir, env);
  expect((await found('number7')).map(({ id }) => id)).toEqual(['5007']);
});

nightlyTest(
  'commands work on the file while no server runs',
  async () => {
    await server.end();
    const file = join(folder.path, 'later.jsonl');
    const tweet = {
      id: '98',
      author_id: '3',
      text: 'a canarylaterxyz to remove',
      created_at: '2026-01-03T00:00:00.000Z',
    };
    await writeFile(file, JSON.stringify({ kind: 'tweet', tweet }));
    expect(await command('import', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('taken 1') });
    expect(await command('import', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('unchanged 1') });
    expect((await command('export')).stdout).toContain('canarylaterxyz');
    expect(await command('erase', '--tweet', '98', '--yes')).toMatchObject({ code: 0 });
    expect((await command('export')).stdout).not.toContain('canarylaterxyz');
    expect(await filesWith('canarylaterxyz')).toEqual([]);
    server = await startServer(dataDir, env);
    expect(await found('canarylaterxyz')).toEqual([]);
  },
  60_000,
);
