// Tests server/engines/postgres/maintenance/run-steps.ts.
/** The tables change while instances work: expansions, backfills, contractions, and what is refused. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BackfillProgress } from '../../../server/archive/archive-engine.ts';
import { eventRecord } from '../../../server/archive/events/event-record.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { RunSql } from '../../../server/archive/sql.ts';
import { SqlPlatform } from '../../../server/archive/sql-platform.ts';
import { SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import {
  Backfill,
  isFilled,
  newBackfill,
  type BackfillState,
} from '../../../server/engines/postgres/maintenance/backfill.ts';
import { checkTables } from '../../../server/engines/postgres/maintenance/content-check.ts';
import { tableSteps, tablesVersion, type TableStep } from '../../../server/engines/postgres/maintenance/table-steps.ts';
import { openTables, type OpenTablesOptions } from '../../../server/engines/postgres/open-tables.ts';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
import { changeOnline } from '../../../server/engines/postgres/store/online-change.ts';
import { SqlSearch } from '../../../server/engines/postgres/search/sql-search.ts';
import { PostgresArchiveDatabase } from '../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { options } from '../../support/call-options.ts';
import { walk } from './platforms.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
/** The tables as version 8 had them. */
const version8 = `
ALTER TABLE social_data.tweet_count DROP COLUMN community_id, DROP COLUMN rank;
ALTER TABLE social_data.engagement_before DROP COLUMN community_id;
DROP INDEX social_data.mention_without_id;
ALTER TABLE social_data.tables_version DROP COLUMN filled;
ALTER TABLE social_data.tweet RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE social_data.tweet_count RESET (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE social_data.tables_version DROP COLUMN newest;
UPDATE social_data.tables_version SET version = 8;`;

const added = tablesVersion + 1;
/** Adds a column and an index, and fills the column. */
const expansion: TableStep = {
  version: added,
  lowest: tablesVersion,
  changes: [
    'ALTER TABLE social_data.tweet ADD COLUMN IF NOT EXISTS length int',
    { index: 'tweet_length', definition: 'ON social_data.tweet (length) WHERE length IS NOT NULL' },
  ],
  backfill: {
    lowest: tablesVersion,
    relation: 'tweet',
    batch: (after, rows) => ({
      text: `WITH part AS (SELECT id FROM social_data.tweet WHERE id > $1 ORDER BY id LIMIT $2),
          filled AS (UPDATE social_data.tweet t SET length = length(t.document) FROM part WHERE t.id = part.id)
        SELECT max(id)::text AS last, count(*)::int AS rows FROM part`,
      params: [after, rows],
    }),
  },
};
/** Removes what only programs of before the expansion need. */
const contraction: TableStep = {
  version: added + 1,
  lowest: added,
  changes: ['ALTER TABLE social_data.tweet DROP COLUMN IF EXISTS has_media'],
};

describeDatabase('the tables of a running service', () => {
  let storage: PostgresStorage;
  let url: string;
  const opened: Database[] = [];
  beforeEach(async () => {
    storage = await postgresStorage();
    await (await storage.open()).close();
    url = `${storage.url}?schema=${storage.schema}`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    await storage.dispose();
  });

  const open = async (options?: OpenTablesOptions): Promise<Database> => {
    const database = await openTables(url, options);
    opened.push(database);
    return database;
  };
  const versions = (): Promise<readonly object[]> =>
    storage.admin.run({ text: 'SELECT version, newest FROM social_data.tables_version' });
  const settings = (): Promise<readonly object[]> =>
    storage.admin.run({
      text: `SELECT relname, reloptions::text FROM pg_class WHERE relnamespace = 'social_data'::regnamespace AND reloptions IS NOT NULL ORDER BY 1`,
    });
  const instance = (id: string, version: number | null): Promise<unknown> =>
    storage.admin.run({
      text: `INSERT INTO social_data.instance (id, seen_at, positions, connections, tables_version)
        VALUES ($1, clock_timestamp(), '{}', '{}', $2)`,
      params: [id, version],
    });

  const columnsAndIndexes = async (): Promise<readonly object[]> => [
    ...(await storage.admin.run({
      text: `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
        WHERE table_schema = $1 ORDER BY 1, 2`,
      params: [storage.schema],
    })),
    ...(await storage.admin.run({
      text: 'SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = $1 ORDER BY 1',
      params: [storage.schema],
    })),
  ];

  test('of version 8 become those of a new database while an instance of version 8 runs', async () => {
    await open();
    const read = async (): Promise<readonly object[]> => [
      ...[await versions(), await settings(), await columnsAndIndexes()],
    ];
    const expected = await read();
    await storage.admin.script(version8);
    expect(await columnsAndIndexes()).not.toEqual(expected[2]);
    await instance('old', null);
    const steps: string[] = [];
    const onStep = (step: string): void => void steps.push(step);
    await Promise.all([open({ onStep }), open({ onStep })]);
    // A program of version 8 reads this number.
    expect(await versions()).toEqual([{ version: 8, newest: tablesVersion }]);
    const found = await read();
    expect(found.slice(1)).toEqual(expected.slice(1));
    expect(steps).toEqual(['the tables get version 9', 'the tables get version 10']);
  });

  test('of version 9 get the ranks of communities in batches, and pages are the same before and after', async () => {
    const archive = new SqlArchive(new PostgresArchiveDatabase(await open()), { eventRecord, now: () => 0 });
    const tweet = (id: number, likes: number): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(id), author_id: '1', text: 'coffee', like_count: likes },
        ...(id % 10 > 0 && { community_id: String(900 + (id % 3)) }),
        created_at: new Date(Date.UTC(2026, 0, 1) + id * 40_000_000).toISOString(),
        observed_at: new Date(Date.UTC(2027, 0, 1) + likes).toISOString(),
      },
    });
    const communities = [900, 901, 902].map((id): Change => ({
      kind: 'community',
      community: { id: String(id), name: 'One' },
    }));
    await archive.apply(communities);
    await archive.apply(Array.from({ length: 120 }, (_, id) => tweet(id + 1, (id * 7) % 50)));
    await storage.admin.script(`${version8} UPDATE social_data.tables_version SET version = 8;`);
    const database = await open();
    const pages = async (limit: number): Promise<readonly string[]> => {
      const { run } = database;
      const hasCommunityRanks = (served: RunSql): Promise<boolean> => isFilled(served, 10);
      const platform = new SqlPlatform({
        ...{ run, archive, search: new SqlSearch(run), commits: undefined, hasCommunityRanks },
      });
      const found: { readonly id: string }[] = [];
      for (const id of ['900', '901', '902'])
        found.push(
          ...((await walk(platform, (port, page) => port.discover(id, page, options), limit)) as typeof found),
        );
      return found.map(({ id }) => id);
    };
    const before = await pages(7);
    expect(before).toHaveLength(108);
    const store = await storage.open();
    const state = await store.document<BackfillState>('backfill', await newBackfill(database));
    const progress: BackfillProgress[] = [];
    const backfill = (mayRun: () => boolean): Promise<void> =>
      new Backfill({
        ...{ database, state, mayRun, batchRows: 10 },
        onProgress: (reached) => void progress.push(reached),
        onFailed(error) {
          throw error;
        },
      }).check();
    // Instances of before write tweets without ranks: the backfill waits for their end, and no other one may start then.
    await instance('before', 9);
    await database.run({
      text: `UPDATE social_data.tweet_count SET community_id = 900 - 9223372036854775807 - 1, rank = 5
      WHERE id = 3 - 9223372036854775807 - 1`,
    });
    await backfill(() => true);
    expect(await versions()).toEqual([{ version: 8, newest: 10 }]);
    await database.run({ text: 'DELETE FROM social_data.instance' });
    await backfill(() => true);
    expect(await versions()).toEqual([{ version: 10, newest: 10 }]);
    expect(progress).toEqual([]);
    // An interruption after two batches; a tweet of before gets another rank meanwhile.
    let turns = 0;
    await backfill(() => ++turns < 4);
    expect(state.data).toMatchObject({ version: 10, isDone: false });
    await archive.apply([tweet(2, 45), tweet(121, 3)]);
    expect(await isFilled(database.run, 10)).toBe(false);
    const meanwhile = await pages(7);
    expect(meanwhile).toHaveLength(109);
    await backfill(() => true);
    expect(progress.at(-1)).toEqual({ version: 10, rows: 109, total: 109 });
    expect(await isFilled(database.run, 10)).toBe(true);
    expect(await pages(7)).toEqual(meanwhile);
    expect(await checkTables(database.run)).toEqual([]);
    await store.close();
  }, 60_000);

  test('get a column and an index beside programs of the version before, which can start again', async () => {
    await open();
    await instance('before', tablesVersion);
    await open({ steps: [...tableSteps, expansion] });
    expect(await versions()).toEqual([{ version: tablesVersion, newest: added }]);
    await expect(open()).resolves.toBeDefined();
    const [index] = await storage.admin.run({
      text: `SELECT indisvalid FROM pg_index WHERE indexrelid = 'social_data.tweet_length'::regclass`,
    });
    expect(index).toEqual({ indisvalid: true });
  });

  test('lose nothing that a running instance needs: the start waits for its end, then refuses', async () => {
    await open({ steps: [...tableSteps, expansion] });
    await instance('before', tablesVersion);
    const steps = [...tableSteps, expansion, contraction];
    await expect(open({ steps, waitMs: 0 })).rejects.toThrow(
      'an instance of an earlier version still uses the database, and this version changes tables that it needs: stop it, then start again',
    );
    expect(await versions()).toEqual([{ version: tablesVersion, newest: added }]);
    const waiting = open({ steps, waitMs: 20_000 });
    await storage.admin.run({ text: 'DELETE FROM social_data.instance' });
    await waiting;
    expect(await versions()).toEqual([{ version: added, newest: added + 1 }]);
    await expect(open()).rejects.toThrow(
      `are for programs that know version ${added} of them or a newer one, this program knows version ${tablesVersion}: start the newer version`,
    );
  });

  test('are upgraded from a version before 8 only when no instance runs', async () => {
    await open();
    await storage.admin.script(`${version8} UPDATE social_data.tables_version SET version = 7;`);
    await instance('old', null);
    await expect(open({ waitMs: 0 })).rejects.toThrow('an instance of an earlier version still uses the database');
  });

  test('are changed without a wait of other statements behind a long read', async () => {
    const database = await open();
    const snapshot = await storage.admin.openSnapshot();
    await snapshot.run({ text: 'SELECT count(*) FROM social_data.tweet' });
    const change = (attempts: number): Promise<void> =>
      changeOnline(database, 'ALTER TABLE social_data.tweet ADD COLUMN IF NOT EXISTS length int', attempts);
    await expect(change(1)).rejects.toThrow(/the tables cannot be changed: other transactions hold them, process \d+/);
    const changed = change(10);
    let isChanged = false;
    void changed.then(() => (isChanged = true));
    // Each read behind the waiting change gets its turn within the two seconds of an attempt.
    for (let read = 0; read < 3; read++) await database.run({ text: 'SELECT count(*) FROM social_data.tweet' });
    expect(isChanged).toBe(false);
    await snapshot.end();
    await changed;
  }, 60_000);

  test('get the values of a new column in batches, and go on after an interruption', async () => {
    const steps = [...tableSteps, expansion];
    const database = await open({ steps });
    await storage.admin.run({
      text: `INSERT INTO social_data.tweet (id, created_at, author_id, is_long, words, document)
        SELECT id - 9223372036854775807, 0, 1, false, '', repeat('x', id % 50) FROM generate_series(1, 2250) AS id`,
    });
    const left = async (): Promise<number> => {
      const [row] = await database.run<{ n: number }>({
        text: 'SELECT count(*)::int AS n FROM social_data.tweet WHERE length IS DISTINCT FROM length(document)',
      });
      return row?.n ?? -1;
    };
    const store = await storage.open();
    const state = await store.document<BackfillState>('backfill', await newBackfill(database));
    const reported: number[] = [];
    const start = (mayRun: () => boolean): Backfill =>
      new Backfill({
        ...{ database, state, mayRun, steps, batchRows: 50 },
        onProgress: ({ rows }) => void reported.push(rows),
        onFailed(error) {
          throw error;
        },
      });
    const first = start(() => reported.length === 0);
    expect(first.progress).toEqual({ version: added, rows: 0, total: undefined });
    await first.check();
    expect(await left()).toBe(1_250);
    expect(first.progress).toMatchObject({ version: added, rows: 1_000 });
    const second = start(() => true);
    await second.check();
    expect(await left()).toBe(0);
    expect(reported).toEqual([1_000, 2_000, 2_250].filter((rows) => reported.includes(rows)));
    expect(second.progress).toBeUndefined();
    await second.check();
    await store.close();
  }, 60_000);
});
