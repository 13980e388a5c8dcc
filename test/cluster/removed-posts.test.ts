/** Conversations of several instances, and a post that is removed by one of them. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { openEraser } from '../../scripts/cli/open-eraser.ts';
import { readConfig } from '../../server/config/config.ts';
import { isProbe, startLoopback, type Arrived, type Loopback } from '../assistant/loopback.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { until } from '../support/until.ts';
import { openCluster, type Cluster, type Instance } from './instances.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const created_at = '2026-01-01T00:00:00Z';
const records: ArchiveRecord[] = [
  ...['1', '2'].map((id): ArchiveRecord => ({ kind: 'user', user: { id, username: `u${id}`, name: `U${id}` } })),
  { kind: 'tweet', tweet: { id: '1', author_id: '1', text: 'secretword', created_at } },
  { kind: 'tweet', tweet: { id: '2', author_id: '2', text: 'hello', created_at, quoted_tweet_id: '1' } },
];

describeDatabase('two instances', () => {
  let cluster: Cluster;
  let upstream: Loopback;
  let one: Instance;
  let two: Instance;
  const answers = (request: Arrived): void => request.answer(isProbe(request) ? '{"ok": true}' : 'secretword');
  beforeEach(async () => {
    cluster = await openCluster();
    upstream = await startLoopback();
    upstream.react(answers);
    const env = { ASSISTANT: 'openai', PURGE_WITHIN: '0' };
    one = await cluster.start(env);
    two = await cluster.start(env);
    await control(one, (connected) => connected.call('accounts/add', { base_url: upstream.url, api_key: 'sk-1' }));
    await take(records);
    await until(async () => (await ask(two, { tweet_id: '2' })).status === 200);
  });
  afterEach(async () => {
    await cluster.stop();
    await upstream.close();
  });

  async function control<Result>(
    { dataDir }: Instance,
    use: (control: NonNullable<Awaited<ReturnType<typeof connectControl>>>) => Promise<Result>,
  ): Promise<Result> {
    const connected = (await connectControl(dataDir))!;
    try {
      return await use(connected);
    } finally {
      connected.close();
    }
  }
  const take = (taken: readonly ArchiveRecord[]): Promise<unknown> =>
    control(one, async (connected) => {
      const sink = openControlSink(connected);
      return sink.apply(JSON.stringify(taken), { values: 1, done: true }, structuredClone([...taken]));
    });
  async function ask(instance: Instance, query: Record<string, string>) {
    const response = await instance.request(`/social/tweet/assistant?${new URLSearchParams(query)}`);
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }
  async function rows(): Promise<number> {
    const [row] = await cluster.storage.admin.run<{ n: number }>({
      text: `SELECT count(*)::int AS n FROM social_data.change WHERE log = 'conversations' AND position('secretword' in record) > 0`,
    });
    return row?.n ?? 0;
  }
  const follow = (instance: Instance, conversation_id = '') => ask(instance, { conversation_id, prompt: 'And?' });

  test('an erasure by one of them ends the conversations of both, and their rows', async () => {
    const begun = await Promise.all([one, two].map(async (each) => (await ask(each, { tweet_id: '2' })).body));
    expect(await rows()).toBeGreaterThan(0);
    const eraser = await openEraser(readConfig({ DATA_DIR: one.dataDir }));
    const { erased } = await eraser.erase({ kind: 'user', user: 'u1' }, () => {});
    await eraser.close();
    expect(erased.conversations).toBeGreaterThanOrEqual(2);
    const asked = upstream.arrived.length;
    for (const { conversation_id } of begun)
      for (const each of [two, one]) expect((await follow(each, conversation_id)).status).toBe(409);
    expect([upstream.arrived.length, await rows()]).toEqual([asked, 0]);
  });

  test('a removal by one of them ends an open question of the other, and stores nothing of it', async () => {
    const requests: Arrived[] = [];
    upstream.react((request) => void requests.push(request));
    const asked = ask(two, { tweet_id: '2' });
    await until(() => requests.length === 1);
    await take([{ kind: 'delete', tweet_id: '1' }]);
    expect((await asked).status).toBe(503);
    await until(async () => (await rows()) === 0);
    expect(requests).toHaveLength(1);
  });
});
