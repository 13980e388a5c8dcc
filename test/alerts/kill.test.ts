/**
 * Webhooks over kills of the service: a receiver verifies every delivery, and none is lost. On SQLite, and with `TEST_PG=1` on PostgreSQL.
 * `CRASH_ROUNDS` sets the number of kills.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectControl } from '../../server/admin/control-client.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { migrateToDatabase } from '../../server/maintenance/migrate.ts';
import { startEngine, type Engine } from '../postgres/engine.js';
import { readExposition } from '../support/exposition.ts';
import { rounds } from '../support/rounds.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startReceiver, type Receiver } from '../support/webhook-receiver.ts';

const kills = Number(process.env['CRASH_ROUNDS'] ?? rounds(5, 2));
const key = 'webhook-kill-key-0001';
const perRound = 40;
/** A tweet that matches follows one that does not. */
const records = (from: number): ArchiveRecord[] =>
  Array.from({ length: 2 * perRound }, (_, place): ArchiveRecord => {
    const [n, isMatch] = [from + Math.floor(place / 2), place % 2 === 1];
    const tweet = {
      author_id: '7',
      text: isMatch ? `coffee ${n}` : `tea ${n}`,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    return { kind: 'tweet', tweet: { id: String((isMatch ? 1_000_000 : 2_000_000) + n), ...tweet } };
  });

interface Folder {
  readonly path: string;
  dispose(): Promise<void>;
}

let folder: Folder;
let receiver: Receiver;
const servers = new Set<RunningServer>();
beforeEach(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const server of servers) await server.end('SIGKILL');
  servers.clear();
  await receiver.close();
  await folder.dispose();
});

async function start(name: string, env: Record<string, string>): Promise<RunningServer> {
  const common = { API_KEYS: key, DEMO: '0', LOG_LEVEL: 'error', WEBHOOKS: 'private' };
  const server = await startServer(`${folder.path}/${name}`, { ...common, ...env });
  servers.add(server);
  return server;
}

async function kill(server: RunningServer): Promise<void> {
  servers.delete(server);
  await server.end('SIGKILL');
}

/**
 * Applies records durably, over the control socket of an instance. Of one that stood still for seconds, the database ends the transaction, as on a
 * machine with much other work: then the batch is sent again, as an import does that is repeated.
 */
async function take(name: string, batch: number): Promise<void> {
  const control = (await connectControl(`${folder.path}/${name}`))!;
  try {
    const sink = openControlSink(control);
    for (let tries = 1; ; tries++) {
      try {
        return void (await sink.apply(`batch ${batch}`, { values: 1, done: true }, records(batch * perRound)));
      } catch (error) {
        if (tries === 5 || !(error as Error).message.startsWith('the database cannot be used')) throw error;
      }
    }
  } finally {
    control.close();
  }
}

async function save(server: RunningServer): Promise<Schemas['CreatedSavedSearch']> {
  const response = await fetch(`${server.url}/social/searches`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'coffee', query: 'coffee', url: receiver.url }),
  });
  expect(response.status).toBe(201);
  const created = (await response.json()) as Schemas['CreatedSavedSearch'];
  receiver.secret = created.secret;
  return created;
}

const expected = (batches: number): string[] =>
  Array.from({ length: batches * perRound }, (_, n) => String(1_000_000 + n));

/** Every tweet was delivered, in order; what was sent again has the same id. */
function expectAll(batches: number): void {
  expect(receiver.forged).toEqual([]);
  const firsts = [...new Set(receiver.tweets())];
  expect(firsts).toEqual(expected(batches));
  const ids = new Map(receiver.received.map(({ id, body }) => [body.data.id, id]));
  for (const { id, body } of receiver.received) expect(ids.get(body.data.id)).toBe(id);
}

async function survivesKills(env: Record<string, string>): Promise<void> {
  // The receiver takes a while, so that a kill finds requests on their way and answers that are not stored.
  receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 4);
  let server = await start('a', env);
  await save(server);
  for (let round = 0; round < kills; round++) {
    const before = receiver.received.length;
    await take('a', round);
    await until(() => receiver.received.length > before + Math.random() * perRound * 0.8);
    await kill(server);
    server = await start('a', env);
  }
  await until(() => new Set(receiver.tweets()).size === kills * perRound);
  await sleep(100);
  expectAll(kills);
  // Each kill repeats the one request whose acceptance was not stored.
  expect(receiver.received.length).toBeLessThanOrEqual(kills * perRound + kills);
}

describe('a service with a SQLite file', () => {
  test(`that is killed ${kills} times delivers all, each verified`, () => survivesKills({}), 3_600_000);
});

(process.env['TEST_PG'] === '1' ? describe : describe.skip)('a service with PostgreSQL', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine?.stop());
  const env = (schema: string): Record<string, string> => ({ DATABASE_URL: `${engine.url}?schema=${schema}` });

  test(`that is killed ${kills} times delivers all, each verified`, () => survivesKills(env('alone')), 3_600_000);

  test('continues the webhooks of a data directory that was migrated', async () => {
    const before = await start('a', {});
    await save(before);
    await take('a', 0);
    await until(() => receiver.tweets().length >= perRound);
    servers.delete(before);
    await before.end('SIGTERM');
    const { DATABASE_URL = '' } = env('migrated');
    await migrateToDatabase(`${folder.path}/a`, DATABASE_URL);
    await start('b', { DATABASE_URL });
    await take('b', 1);
    await until(() => receiver.tweets().length >= 2 * perRound);
    expectAll(2);
    expect(receiver.received).toHaveLength(2 * perRound);
  }, 3_600_000);

  test('delivers once over two instances, and goes on when the one that delivers ends', async () => {
    const instances = { a: await start('a', env('two')), b: await start('b', env('two')) };
    const leads = async (server: RunningServer): Promise<boolean> =>
      readExposition(await (await fetch(`${server.url}/metrics`)).text()).series.some(
        ({ name, value }) => name === 'instance_leader' && value === 1,
      );
    await until(async () => (await leads(instances.a)) || (await leads(instances.b)));
    // Both take changes of saved searches.
    const { id } = await save(instances.b);
    await take('a', 0);
    await take('b', 1);
    await until(() => receiver.tweets().length >= 2 * perRound);
    await sleep(1_000);
    expectAll(2);
    expect(receiver.received).toHaveLength(2 * perRound);
    const [leader, other] = (await leads(instances.a)) ? (['a', 'b'] as const) : (['b', 'a'] as const);
    // A stop hands over: nothing is sent twice.
    servers.delete(instances[leader]);
    await instances[leader].end('SIGTERM');
    await take(other, 2);
    await until(() => receiver.tweets().length >= 3 * perRound);
    await sleep(500);
    expectAll(3);
    expect(receiver.received).toHaveLength(3 * perRound);
    const response = await fetch(`${instances[other].url}/social/searches/${id}`, { headers: { 'x-api-key': key } });
    expect(await response.json()).toMatchObject({ delivery: { state: 'active', failures: 0 } });
  }, 3_600_000);
});
