/** What becomes of conversations and answers when a post that they have used is removed, in front of an endpoint on this machine. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import { readConfig } from '../../server/config/config.ts';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { openEraser } from '../../scripts/cli/open-eraser.ts';
import type { EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { listener } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { isProbe, startLoopback, type Arrived, type Loopback } from './loopback.ts';
import { nightlyTest } from '../support/nightly.ts';

const key = 'a-key-for-removal-tests';
const secret = 'secretword';
const created_at = '2026-01-01T00:00:00Z';
const tweet = (id: string, author_id: string, text: string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, author_id, text, created_at, ...more },
});
/** Ada writes the secret. Ben quotes it; Cleo replies to Ben with one of her own; Dora's post is unrelated. */
const records: ArchiveRecord[] = [
  ...['ada', 'ben', 'cleo', 'dora'].map((username, n): ArchiveRecord => ({
    kind: 'user',
    user: { id: String(n + 1), username, name: username },
  })),
  tweet('101', '1', `${secret} of Ada`),
  tweet('102', '2', 'Ben quotes', { quoted_tweet_id: '101' }),
  tweet('103', '3', `${secret} reply of Cleo`, { in_reply_to_id: '102' }),
  tweet('104', '4', 'Dora on something else'),
];

interface Storage {
  readonly env: Record<string, string>;
  /** The turns of conversations that have the secret. */
  rows(): Promise<number>;
}

let upstream: Loopback;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let database: PostgresStorage | undefined;
let storage: Storage;
let imports = 0;

/** Answers with the secret where the model has read it. */
function repeat(request: Arrived): void {
  if (isProbe(request)) return request.answer('{"ok": true}');
  const [word = 'nothing'] = JSON.stringify(request.body.messages).match(/secretword[ a-zA-Z]*/) ?? [];
  request.answer(`It says: ${word}.`);
}
const env = (): Record<string, string> => ({
  ...{ API_KEYS: key, DEMO: '0', ASSISTANT: 'openai', PURGE_WITHIN: '0' },
  ...storage.env,
});
const config = () => readConfig({ DATA_DIR: folder.path, ...env() });

async function start(more: Record<string, string> = {}): Promise<void> {
  server = await startLocalServer(folder.path, { ...env(), ...more });
}

async function control<Result>(
  use: (control: NonNullable<Awaited<ReturnType<typeof connectControl>>>) => Promise<Result>,
) {
  const connected = (await connectControl(folder.path))!;
  try {
    return await use(connected);
  } finally {
    connected.close();
  }
}

/** Imports records into the running server. */
const take = (taken: readonly ArchiveRecord[]): Promise<unknown> =>
  control(async (connected) => {
    const sink = openControlSink(connected);
    return sink.apply(`import-${imports++}`, { values: 1, done: true }, structuredClone([...taken]));
  });
const remove = (tweet_id: string): Promise<unknown> => take([{ kind: 'delete', tweet_id }]);

async function erase(request: EraseRequest) {
  const eraser = await openEraser(config());
  try {
    const preview = await eraser.preview(request);
    return { preview, report: await eraser.erase(request, () => {}) };
  } finally {
    await eraser.close();
  }
}

async function ask(query: Record<string, string>): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${server.url}/social/tweet/assistant?${new URLSearchParams(query)}`, {
    headers: { 'x-api-key': key },
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Begins a conversation about a tweet; returns its id. */
async function begin(tweet_id: string, expected = secret): Promise<string> {
  const { status, body } = await ask({ tweet_id });
  expect([status, body.summary]).toEqual([200, expect.stringContaining(expected)]);
  return body.conversation_id ?? '';
}
const followUp = (conversation_id: string) => ask({ conversation_id, prompt: 'And then?' });
const expired = { status: 409, body: { error: 'the conversation has expired; begin a new one with tweet_id' } };

/** The files of a folder that hold the secret. */
async function filesWithSecret(below = folder.path): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(below, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // A file that replaces another one disappears under its temporary name.
    const bytes = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
    if (bytes.includes(secret)) found.push(path.slice(below.length + 1));
  }
  return found;
}
const isStored = async (): Promise<boolean> => (await storage.rows()) > 0;

/** The turns of conversations in the database file that have the secret. */
function turnsInFile(): number {
  const file = new SqliteDatabase(join(folder.path, 'archive.db'), { readOnly: true });
  const row = file.first<{ n: number }>(
    "SELECT count(*) AS n FROM change WHERE log = 'conversations' AND instr(record, ?) > 0",
    secret,
  );
  file.close();
  return row?.n ?? 0;
}

/** The requests to the endpoint that have the secret. */
const sent = (): number => upstream.arrived.filter(({ body }) => JSON.stringify(body).includes(secret)).length;

const storages: [string, () => Promise<Storage>][] = [
  ['in a data directory', async () => ({ env: {}, rows: async () => turnsInFile() })],
  ...(testDatabaseUrl === undefined ? [] : ['in PostgreSQL']).map((name): [string, () => Promise<Storage>] => [
    name,
    async () => {
      const made = (database = await postgresStorage());
      return {
        env: { DATABASE_URL: `${made.url}?schema=${made.schema}` },
        async rows() {
          const [row] = await made.admin.run<{ n: number }>({
            text: `SELECT count(*)::int AS n FROM social_data.change WHERE log = 'conversations' AND position($1 in record) > 0`,
            params: [secret],
          });
          return row?.n ?? 0;
        },
      };
    },
  ]),
];

describe.each(storages)('a conversation %s', (_name, open) => {
  beforeEach(async () => {
    storage = await open();
    folder = await temporaryFolder();
    upstream = await startLoopback();
    upstream.react(repeat);
    await start();
    await control((connected) => connected.call('accounts/add', { base_url: upstream.url, api_key: 'sk-1' }));
    await take(records);
  });
  afterEach(async () => {
    await server.end();
    await upstream.close();
    await folder.dispose();
    await database?.dispose();
    database = undefined;
  });

  test('ends when the author of a quoted post is erased: no file, no row and no further request has the text', async () => {
    const id = await begin('102');
    const other = await begin('104', 'nothing');
    expect(await isStored()).toBe(true);
    await remove('103');
    const again = await begin('102');
    const { preview, report } = await erase({ kind: 'user', user: 'ada' });
    expect([preview.conversations, report.erased.conversations]).toEqual([1, 1]);
    const before = sent();
    for (const each of [id, again]) expect(await followUp(each)).toEqual(expired);
    expect(await isStored()).toBe(false);
    if (database === undefined) expect(await filesWithSecret()).toEqual([]);
    expect((await followUp(other)).status).toBe(200);
    await server.end();
    await start();
    for (const each of [id, again]) expect(await followUp(each)).toEqual(expired);
    expect((await followUp(other)).status).toBe(200);
    expect(sent()).toBe(before);
  });

  test('ends when a reply that it has used is removed by an import, and a post that a tool returned', async () => {
    const id = await begin('102');
    let tool = true;
    upstream.react((request) => {
      if (tool) request.call('search_posts', { query: `"reply of Cleo"` });
      else repeat(request);
      tool = false;
    });
    const byTool = await begin('104');
    await remove('103');
    await until(async () => !(await isStored()));
    const before = sent();
    for (const each of [id, byTool]) expect(await followUp(each)).toEqual(expired);
    expect(sent()).toBe(before);
  });

  test('is not begun by a question whose post is removed before its answer; the endpoint gets no further request', async () => {
    const requests: Arrived[] = [];
    upstream.react((request) => void requests.push(request));
    const asked = ask({ tweet_id: '102' });
    await until(() => requests.length === 1);
    await remove('101');
    expect(await requests[0]?.hungUp).toBe(true);
    expect(await asked).toEqual({
      status: 503,
      body: { error: 'a post that the answer used was removed meanwhile; ask again' },
    });
    const subject = ask({ tweet_id: '102' });
    await until(() => requests.length === 2);
    await remove('102');
    expect((await subject).status).toBe(404);
    expect([requests.length, await isStored()]).toEqual([2, false]);
  });

  nightlyTest('is not continued by a question that is open while a post of an earlier answer is removed', async () => {
    const id = await begin('102');
    const requests: Arrived[] = [];
    upstream.react((request) => void requests.push(request));
    const asked = followUp(id);
    await until(() => requests.length === 1);
    await remove('103');
    expect(await asked).toEqual(expired);
    await until(async () => !(await isStored()));
  });

  test('over /ws, no answer that has used a removed post is repeated for its idempotency key', async () => {
    await server.end();
    await start({ ASSISTANT: 'local' });
    const socket = await listener(server.url, key);
    const askOnce = async (id: string): Promise<string> => {
      socket.send({ type: 'ask', id, idempotency_key: 'once', params: { tweet_id: '102' } });
      const { result } = await socket.first('answered', (message) => message.id === id);
      return result.summary;
    };
    const first = await askOnce('a1');
    expect(first).toContain(secret);
    expect(await askOnce('a2')).toBe(first);
    await remove('103');
    await remove('101');
    let n = 3;
    await until(async () => !(await askOnce(`a${n++}`)).includes(secret));
    socket.socket.terminate();
  });

  nightlyTest('that has expired leaves the storage, also while no other question comes', async () => {
    await server.end();
    await start({ CONVERSATION_TTL: '1' });
    const id = await begin('102');
    await until(async () => !(await isStored()));
    expect(await followUp(id)).toEqual(expired);
  });

  nightlyTest('that expires while no server runs leaves the storage after the next start', async () => {
    await begin('102');
    await server.end();
    expect(await isStored()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await start({ CONVERSATION_TTL: '1' });
    await until(async () => !(await isStored()));
  });

  test('leaves the storage with a post that is erased while no server runs', async () => {
    const id = await begin('102');
    await server.end();
    const { report } = await erase({ kind: 'tweets', ids: ['101'] });
    expect([report.erased.conversations, await isStored()]).toEqual([1, false]);
    await start();
    expect(await followUp(id)).toEqual(expired);
  });
});
