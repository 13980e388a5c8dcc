/** Instances on tables of PostgreSQL. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { connectControl } from '../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { openPostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';
import { run, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Cluster, type Instance } from './instances.ts';

const time = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const user: ArchiveRecord = { kind: 'user', user: { id: '7', username: 'ada', name: 'Ada' } };
const tweet = (number: number): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    ...{ id: String(1000 + number), author_id: '7', text: `number ${number}`, like_count: 1 },
    created_at: time(number),
  },
});

/** An import through the control socket of an instance. */
async function imported({ dataDir }: Instance, records: readonly ArchiveRecord[], file = 'file'): Promise<string[]> {
  const control = await connectControl(dataDir);
  if (control === undefined) throw new Error('the instance does not run');
  try {
    return openControlSink(control).apply(file, { values: records.length, done: true }, [...records]);
  } finally {
    control.close();
  }
}

async function found(instance: Instance, cursor?: string): Promise<string[]> {
  const headers = cursor === undefined ? {} : { 'x-event-cursor': cursor };
  const response = await instance.request('/social/tweet/advanced_search?query=number', { headers });
  expect(response.status).toBe(200);
  const { tweets } = (await response.json()) as { tweets: { id: string }[] };
  return tweets.map(({ id }) => id);
}

/** The events of a subscription of all tweets of the author. */
async function listen({ url }: Instance, cursor?: string): Promise<{ events: string[]; close(): void }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { 'x-api-key': key } });
  const events: string[] = [];
  const subscribed = Promise.withResolvers<void>();
  socket.on('error', subscribed.reject);
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; event?: string; data?: { id?: string } };
    if (message.type === 'subscribed') subscribed.resolve();
    if (message.type === 'error') subscribed.reject(new Error(JSON.stringify(message)));
    if (message.type === 'event') events.push(String(message.event));
  });
  const subscription = { channel: 'search:tweets', params: { query: 'from:ada' }, ...(cursor ? { cursor } : {}) };
  socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', id: 's', ...subscription })));
  await subscribed.promise;
  return { events, close: () => socket.close() };
}

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

describeDatabase('instances on tables of PostgreSQL', () => {
  let cluster: Cluster;
  beforeEach(async () => void (cluster = await openCluster()));
  afterEach(() => cluster.stop());

  test('answer alike from the tables, and send the events of changes that any of them makes', async () => {
    const [first, second] = await Promise.all([cluster.start(), cluster.start()]);
    const listener = await listen(second);
    const like: ArchiveRecord = { kind: 'like', tweet_id: '1001', created_at: time(9) };
    expect(await imported(first, [user, tweet(1), tweet(2), like])).toEqual(['added', 'added', 'added', 'added']);
    for (const each of [first, second]) expect(await found(each)).toEqual(['1002', '1001']);
    await until(() => listener.events.length === 2);
    const unliked = await second.request('/social/tweet/unlike', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tweet_id: '1001' }),
    });
    expect(unliked.status).toBe(200);
    const cursor = unliked.headers.get('x-event-cursor') ?? '';
    expect(await found(first, cursor)).toEqual(['1002', '1001']);
    await imported(second, [{ kind: 'delete', tweet_id: '1002', at: time(99) }], 'removal');
    await until(() => listener.events.length === 3);
    expect(listener.events).toEqual(['tweet.created', 'tweet.created', 'tweet.deleted']);
    listener.close();
    // The cursor of the unlike continues on the other instance.
    const later = await listen(first, cursor);
    await until(() => later.events.length === 1);
    expect(later.events).toEqual(['tweet.deleted']);
    later.close();
    expect((await first.request('/readyz')).status).toBe(200);
  });

  test('show a write at once where it was made, and elsewhere with its cursor, although responses are cached', async () => {
    const [first, second] = await Promise.all([cluster.start(), cluster.start()]);
    const likes = async (instance: Instance, cursor?: string): Promise<number> => {
      const headers = cursor === undefined ? {} : { 'x-event-cursor': cursor };
      const response = await instance.request('/social/tweet/info?tweet_id=1001', { headers });
      return ((await response.json()) as { tweet: { like_count: number } }).tweet.like_count;
    };
    const lastEvent = async (): Promise<number | undefined> => {
      const text = `SELECT max(seq)::float8 AS seq FROM social_data.change WHERE log = 'events'`;
      return (await cluster.storage.admin.run<{ seq: number }>({ text }))[0]?.seq;
    };
    await imported(first, [user, tweet(1)]);
    for (let round = 2; round < 8; round++) {
      const counted: ArchiveRecord = {
        kind: 'tweet',
        tweet: {
          ...{ id: '1001', author_id: '7', text: 'number 1', created_at: time(1) },
          ...{ like_count: round, observed_at: time(round) },
        },
      };
      await imported(first, [counted], `file ${round}`);
      // The cursor contains the event of the change at once.
      const { headers } = await first.request('/social/assistant/status');
      const cursor = headers.get('x-event-cursor') ?? '';
      expect(Number(cursor.split('.')[1])).toBe(await lastEvent());
      expect(await likes(first)).toBe(round);
      expect(await likes(second, cursor)).toBe(round);
    }
  });

  test('evict the oldest tweets beyond RETAIN, of which the leader takes care', async () => {
    const keep = { RETAIN: '2', RETAIN_KEEP: 'number 1' };
    const first = await cluster.start();
    await imported(first, [user, ...[1, 2, 3, 4, 5].map(tweet)]);
    await first.stop();
    const [leader, other] = [await cluster.start(keep), await cluster.start(keep)];
    for (const each of [leader, other]) await until(async () => (await found(each)).length === 2);
    expect(await found(other)).toEqual(['1005', '1001']);
    expect((await other.request('/social/tweet/info?tweet_id=1002')).status).toBe(404);
    // An evicted tweet leaves nothing: an import can add it again.
    expect(await imported(other, [tweet(2)], 'again')).toEqual(['added']);
    const invalid = { ...keep, RETAIN_KEEP: '(' };
    await expect(cluster.start(invalid)).rejects.toThrow('RETAIN_KEEP=(');
  });

  test('continue after a restart, and an import continues where it was', async () => {
    const first = await cluster.start();
    await imported(first, [user, tweet(1)]);
    await first.stop();
    const second = await cluster.start();
    expect(await found(second)).toEqual(['1001']);
    const control = await connectControl(second.dataDir);
    expect(await control?.call('import/resume', 'file')).toEqual({ values: 2, done: true });
    control?.close();
  });

  test('the erase command works in a running instance and beside it; listeners get the deletions', async () => {
    const [first, second] = await Promise.all([cluster.start(), cluster.start()]);
    await imported(first, [user, tweet(1), tweet(2), tweet(3)]);
    // The other instance may read the events of the import later than this.
    const { headers } = await first.request('/social/assistant/status');
    const listener = await listen(second, headers.get('x-event-cursor') ?? '');
    const env = { DATABASE_URL: cluster.databaseUrl };
    const erase = (DATA_DIR: string, ...selection: string[]) =>
      run('scripts/cli/erase.ts', [...selection, '--yes'], { ...env, DATA_DIR });
    expect(await erase(first.dataDir, '--tweet', '1001')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/erased: 1 tweet, .*not reached: the write-ahead log/s),
    });
    await until(() => listener.events.length === 1);
    expect(await found(first)).toEqual(['1003', '1002']);
    expect(await erase(join(first.dataDir, 'elsewhere'), '--user', 'ada')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('erased: 2 tweets, 1 user, '),
    });
    await until(() => listener.events.length === 3);
    expect(listener.events).toEqual(['tweet.deleted', 'tweet.deleted', 'tweet.deleted']);
    listener.close();
    for (const each of [first, second]) await until(async () => (await found(each)).length === 0);
  });

  test('an operator sees, imports, erases and manages keys as with an archive in memory', async () => {
    const instance = await cluster.start({ API_KEYS: '' });
    const operator = instance.service.operatorKey ?? '';
    const call = async (method: string, path: string, body?: object | Buffer): Promise<[number, any]> => {
      const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
      const init = body && {
        body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
        headers: { 'content-type': type },
      };
      const response = await instance.request(`/operate/api${path}`, { key: operator, method, ...init });
      return [response.status, await response.json()];
    };
    const file = Buffer.from([user, tweet(1), tweet(2)].map((each) => `${JSON.stringify(each)}\n`).join(''));
    const facts = { name: 'records.jsonl', bytes: file.length, modified: 1 };
    const [, upload] = await call('POST', '/imports', facts);
    expect((await call('PUT', `/imports/${upload.id}?offset=0`, file))[0]).toBe(200);
    expect((await call('POST', `/imports/${upload.id}`, {}))[0]).toBe(200);
    await until(async () => (await call('GET', '/imports'))[1].imports[0].state === 'done');
    const [, overview] = await call('GET', '/overview');
    expect(overview).toMatchObject({ ready: 'ok', archive: { tweets: 2, users: 1, estimated: false } });
    const preview = await call('POST', '/erase/preview', { user: 'ada' });
    expect(preview).toEqual([200, { tweets: 2, users: 1, relations: 0, conversations: 0 }]);
    const erasure = { user: 'ada', expected: { tweets: 1, users: 1 } };
    expect((await call('POST', '/erase', erasure))[0]).toBe(409);
    expect((await call('POST', '/erase', { ...erasure, expected: { tweets: 2, users: 1 } }))[0]).toBe(200);
    const explained = await call('POST', '/search/explain', { query: 'number from:ada', query_type: 'Top' });
    expect(explained).toMatchObject([200, { sql: expect.stringMatching(/^SELECT/), plan: expect.any(Array) }]);
    expect(explained[1].plan.join()).toMatch(/cost=/);
    expect((await call('POST', '/search/explain', { query: '(' }))[0]).toBe(400);
    const [, made] = await call('POST', '/keys', { name: 'reader' });
    const read = await instance.request('/social/user/info?username=ada', { key: made.key });
    expect(read.status).toBe(404);
    expect(await call('POST', '/backups')).toEqual([501, { error: expect.stringContaining('npm run backup') }]);
    const actions = (await call('GET', '/audit'))[1].entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['POST /keys', 'POST /erase', 'POST /imports/{id}']));
  });

  test('a record that cannot be applied becomes a dead letter, and the metrics count what the tables hold', async () => {
    const instance = await cluster.start();
    const broken: ArchiveRecord = {
      kind: 'tweet',
      tweet: { id: '5', author_id: '7', text: 'a', created_at: 'yesterday' },
    };
    expect(await imported(instance, [user, tweet(1), tweet(2), broken])).toEqual([
      ...['added', 'added', 'added', 'dead letter'],
    ]);
    const ready = async (): Promise<string> => (await instance.request('/readyz')).text();
    await until(async () => (await ready()).includes('1 record of the archive could not be applied'));
    const metrics = await (await instance.request('/metrics')).text();
    for (const [name, value] of [
      ['archive_objects{kind="tweets"}', '2'],
      ['archive_objects{kind="users"}', '1'],
      ['archive_records_set_aside', '1'],
      ['archive_changes_total', '1'],
    ])
      expect(metrics).toContain(`\n${name} ${value}\n`);
    const env = { DATABASE_URL: cluster.databaseUrl, DATA_DIR: join(instance.dataDir, 'elsewhere') };
    expect(await run('scripts/cli/doctor.ts', [], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('all rules hold'),
    });
    await cluster.storage.admin.run({ text: 'DELETE FROM social_data.tweet_count' });
    expect(await run('scripts/cli/doctor.ts', [], env)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/2 × broken: a tweet has counts.*\(1001, 1002\)/),
    });
  });

  test('the import and export commands work without a server, the export also in one', async () => {
    const instance = await cluster.start();
    const file = join(instance.dataDir, 'records.jsonl');
    await writeFile(file, [user, tweet(1)].map((each) => `${JSON.stringify(each)}\n`).join(''));
    const DATA_DIR = join(instance.dataDir, 'elsewhere');
    const env = { DATABASE_URL: cluster.databaseUrl, DATA_DIR };
    expect(await run('scripts/cli/import.ts', [file], env)).toMatchObject({ code: 0 });
    expect(await found(instance)).toEqual(['1001']);
    const outputs = await Promise.all(
      [DATA_DIR, instance.dataDir].map((folder) =>
        run('scripts/cli/export.ts', ['--user', 'ada', '-'], { ...env, DATA_DIR: folder }),
      ),
    );
    for (const { code, stdout } of outputs) {
      expect(code).toBe(0);
      const records = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as ArchiveRecord);
      expect(records.map(({ kind }) => kind)).toEqual(['user', 'tweet']);
    }
    const empty = { ...env, DATABASE_URL: `${cluster.databaseUrl}_none` };
    expect(await run('scripts/cli/export.ts', ['-'], { ...empty, DATA_DIR })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the database has no tables of an archive'),
    });
  });

  test('a data directory moves into tables and back, and a backup starts, with the same keys, answers and cursors', async () => {
    const folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    const before = await startServer(data, { DEMO: '1', API_KEYS: '' });
    const first = /sd_\w+/.exec(before.output())?.[0] ?? '';
    const headers = { 'x-api-key': first };
    const search = '/social/tweet/advanced_search?query=the&query_type=';
    const pageOf = async (url: string, target: string): Promise<[body: string, next: string]> => {
      const body = await (await fetch(url + target, { headers })).text();
      return [body, encodeURIComponent((JSON.parse(body) as { next_cursor: string }).next_cursor)];
    };
    /** The first page here, and the second page with the cursor of the first server. */
    const nexts = new Map<string, string>();
    const answersAt = async (url: string): Promise<string[]> => {
      const answers: string[] = [];
      for (const order of ['Latest', 'Top']) {
        const [body, next] = await pageOf(url, search + order);
        if (!nexts.has(order)) nexts.set(order, next);
        const [second] = await pageOf(url, `${search}${order}&cursor=${nexts.get(order) ?? ''}`);
        // The cursors name the state that they were made from.
        answers.push(...[body, second].map((each) => each.replace(/"next_cursor":"[^"]*"/, '')));
      }
      return answers;
    };
    const expected = await answersAt(before.url);
    const cursor = (await fetch(`${before.url}/social/assistant/status`, { headers })).headers.get('x-event-cursor');
    await before.end('SIGTERM');

    const env = { DATABASE_URL: cluster.databaseUrl };
    const migrate = (...parameters: string[]) => run('scripts/cli/migrate.ts', parameters, { ...env, DATA_DIR: data });
    expect(await migrate()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/archive \d.*start the service with DATABASE_URL/),
    });
    expect(await migrate()).toMatchObject({ code: 1, stderr: expect.stringMatching(/use an empty one/) });
    const tables = await cluster.start({ API_KEYS: '' });
    expect(await answersAt(tables.url)).toEqual(expected);
    const status = await tables.request('/social/assistant/status', { key: first });
    expect(status.headers.get('x-event-cursor')).toBe(cursor);
    await imported(tables, [user, tweet(1)]);

    const backup = join(folder.path, 'backup');
    expect(await run('scripts/cli/backup.ts', [backup], env)).toMatchObject({ code: 0 });
    const back = join(folder.path, 'back');
    expect(await migrate('--from', 'env', '--to', back)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/stop them/),
    });
    const withImport = await answersAt(tables.url);
    const seen = (await tables.request('/social/assistant/status', { key: first })).headers.get('x-event-cursor');
    await tables.stop();
    expect(await migrate('--from', 'env', '--to', back)).toMatchObject({ code: 0 });
    for (const [directory, sameEvents] of [
      [back, true],
      [backup, false],
    ] as const) {
      const server = await startServer(directory, { DEMO: '0', API_KEYS: '' });
      expect(await answersAt(server.url)).toEqual(withImport);
      const now = (await fetch(`${server.url}/social/assistant/status`, { headers })).headers.get('x-event-cursor');
      expect(now === seen).toBe(sameEvents);
      await server.end('SIGTERM');
    }
    await folder.dispose();
  });

  test('the log of an archive in memory, as version 1.2 wrote it, becomes tables', async () => {
    const store = await openPostgresStore({ url: cluster.databaseUrl });
    const journal = await store.journal('archive');
    await journal.replay(() => {});
    await journal.append([user, tweet(1)].map((record) => JSON.stringify(record)));
    await store.close();
    const instance = await cluster.start();
    expect(await found(instance)).toHaveLength(1);
    await instance.stop();
  });

  test('fill empty tables with the sample, and refuse tables of another version', async () => {
    const first = await cluster.start({ DEMO: '1' });
    const response = await first.request('/social/tweet/advanced_search?query=the&query_type=Top');
    const { tweets } = (await response.json()) as { tweets: unknown[] };
    expect(tweets.length).toBeGreaterThan(0);
    await first.stop();
    const database = new Database({ url: cluster.databaseUrl });
    await database.run({ text: 'UPDATE social_data.tables_version SET version = 99' });
    await database.close();
    await expect(cluster.start()).rejects.toThrow('for programs that know version 99');
  });
});
