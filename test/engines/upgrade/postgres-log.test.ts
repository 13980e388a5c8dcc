// Tests server/engines/postgres/maintenance/log-upgrade.ts.
/** The log of an archive of version 1.2 in PostgreSQL becomes tables at the first start. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { contentOf } from '../../../server/archive/upkeep/contents.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change, SnapshotChange } from '../../../server/archive/rules/change.ts';
import { openTables } from '../../../server/engines/postgres/open-tables.ts';
import { appendRecords, importChanges } from '../../../server/engines/postgres/store/statements.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';
import { sortedContent } from '../postgres/tables.ts';
import { history } from './history.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const epoch = { epoch: 'e', checkpoint: 0 };

describeDatabase('the log of an archive of version 1.2', () => {
  let storage: PostgresStorage;
  let url: string;
  beforeEach(async () => {
    storage = await postgresStorage();
    const store = await storage.open();
    const document = await store.document<Record<string, unknown>>('events/log', {});
    await document.update((data) => void Object.assign(data, epoch));
    await store.close();
    const named = new URL(storage.url);
    named.searchParams.set('schema', storage.schema);
    url = named.href;
  });
  afterEach(() => storage.dispose());

  const count = async (log: string): Promise<number> => {
    const [row] = await storage.admin.run<{ n: string }>({
      text: 'SELECT count(*) AS n FROM social_data.change WHERE log = $1',
      params: [log],
    });
    return Number(row?.n);
  };

  test('becomes tables with the same content, events and numbers, by two instances that start together', async () => {
    const changes: Change[] = history().flatMap((step) => ('records' in step ? [...step.records] : []));
    const unusable = changes.findIndex((change) => change.kind === 'space' && change.space.id === 's2');
    const lines = changes.map((change) => JSON.stringify(change));
    lines.push(JSON.stringify({ kind: 'import', fingerprint: 'f', progress: { values: 7, done: true } }));
    lines.push(JSON.stringify({ kind: 'position', source: 'bluesky', position: 'p', at: 5 }));
    const seqs = lines.map((_, index) => index + 1);
    await storage.admin.run(importChanges('archive', seqs, lines));
    const archive = new Archive();
    const half = 1_000;
    const events: string[] = [];
    const arrivals = new Map<string, number>();
    for (const [index, change] of changes.entries()) {
      if (index === unusable) continue;
      const found = archive.apply(change).events;
      for (const event of found) if (event.event === 'tweet.created') arrivals.set(event.id, index + 1);
      if (index + 1 > half) events.push(...found.map(({ event }) => event));
    }
    // The events up to there are in the log.
    const batch = '00000000-0000-4000-8000-000000000000';
    const written = [JSON.stringify({ event: 'tweet.created', id: '1', at: 1, change: half })];
    await storage.admin.run(appendRecords('events', { batch, known: Number.MAX_SAFE_INTEGER, records: written }));

    const [one, other] = await Promise.all([openTables(url), openTables(url)]);
    const found: SnapshotChange[] = [];
    for await (const page of contentOf(one.run)) found.push(...page);
    expect(sortedContent(found)).toEqual(sortedContent(archive.changes()));
    const rows = await one.run<{ record: string }>({
      text: `SELECT record FROM social_data.change WHERE log = 'events' AND seq > 1 ORDER BY seq`,
    });
    expect(rows.map(({ record }) => (JSON.parse(record) as { event: string }).event)).toEqual(events);
    const arrived = await one.run<{ id: string; arrived_in: string }>({
      text: 'SELECT (id::numeric + 9223372036854775808)::text AS id, arrived_in FROM social_data.tweet',
    });
    for (const { id, arrived_in: seq } of arrived)
      if (archive.tweet(id) !== undefined) expect([id, Number(seq)]).toEqual([id, arrivals.get(id)]);
    const heads = await one.run({ text: `SELECT seq::int AS seq FROM social_data.change WHERE log = 'tables'` });
    expect(heads).toEqual([{ seq: lines.length }]);
    expect([await count('archive'), await count('events')]).toEqual([0, events.length + 1]);
    const progress = await one.run({ text: 'SELECT fingerprint, applied::int, done FROM social_data.import_progress' });
    expect(progress).toEqual([{ fingerprint: 'f', applied: 7, done: true }]);
    const documents = await one.run<{ name: string }>({ text: 'SELECT name FROM social_data.document ORDER BY 1' });
    expect(documents.map(({ name }) => name)).toEqual(['events/log', 'set-aside']);
    await one.close();
    await other.close();
  }, 120_000);
});
