/** The tables of an archive in each database engine, for tests that must hold for all of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { DomainEvent } from '../../server/domain/events.ts';
import { changedKeys } from '../../server/archive/content/commit-log.ts';
import { eventRecord } from '../../server/archive/events/event-record.ts';
import type { KnownCommits } from '../../server/archive/reads/dependent-cache.ts';
import { lastOf } from '../../server/archive/reads/engagement-at.ts';
import type { ArchiveSearch } from '../../server/archive/search/archive-search.ts';
import { SqlPlatform } from '../../server/archive/sql-platform.ts';
import { contentOf } from '../../server/archive/upkeep/contents.ts';
import type { ArchiveDatabase } from '../../server/archive/writes/archive-database.ts';
import { type ArchiveWriter, SqlArchive } from '../../server/archive/writes/sql-archive.ts';
import { raw, sql, type Fragment, type Integer, type RunSql } from '../../server/archive/sql.ts';
import { openExportSource as sqliteSource } from '../../server/engines/sqlite/export-source.ts';
import { SqliteArchiveDatabase } from '../../server/engines/sqlite/sqlite-archive-database.ts';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { SqliteWriter } from '../../server/engines/sqlite/sqlite-writer.ts';
import { createTables } from '../../server/engines/sqlite/sqlite-search-rows.ts';
import { FileHealth } from '../../server/engines/sqlite/file-health.ts';
import { ThreadSearch } from '../../server/engines/sqlite/thread-search.ts';
import { ThreadWriter } from '../../server/engines/sqlite/thread-writer.ts';
import { SqliteSearch } from '../../server/engines/sqlite/sqlite-search.ts';
import { openTablesExport, type Export } from '../../server/maintenance/export/export.ts';
import type { ExportRequest } from '../../server/maintenance/export/selected-content.ts';
import { openExportSource as postgresSource } from '../../server/engines/postgres/maintenance/export-source.ts';
import type { SnapshotChange } from '../../server/archive/rules/change.ts';
import { SqlSearch } from '../../server/engines/postgres/search/sql-search.ts';
import { PostgresArchiveDatabase } from '../../server/engines/postgres/writes/postgres-archive-database.ts';
import { PostgresTables } from '../engines/postgres/tables.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/local-server.ts';

/** The tables of an archive. */
export interface ArchiveTables {
  readonly run: RunSql;
  readonly database: ArchiveDatabase;
  /** What writes to the tables where that is not an archive on `database`. */
  readonly archive?: ArchiveWriter;
  searchOn(run: RunSql): ArchiveSearch;
  exportOf(request: ExportRequest): Promise<Export>;
  /** Removes all rows. */
  clear(): Promise<void>;
  dispose(): Promise<void>;
}

const definition = readFileSync(new URL('../../server/engines/sqlite/tables.sql', import.meta.url), 'utf8');
const tableNames = Array.from(definition.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name);
const wordTables = ['word', 'top_word', 'name_word'];

/** `hasThreads`: writes and searches in threads, as a service does. */
export async function sqliteTables(hasThreads = false): Promise<ArchiveTables> {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'archive.db');
  const writer = new SqliteDatabase(path);
  createTables(writer);
  const reader = new SqliteDatabase(path);
  const openSearch = (): ArchiveSearch & { close?(): Promise<void> } =>
    hasThreads ? new ThreadSearch(path, { threads: 2 }) : new SqliteSearch(reader);
  let search = openSearch();
  const fault = (reason: string): never => {
    throw new Error(reason);
  };
  const archive = hasThreads ? new ThreadWriter({ path }, new FileHealth(), fault) : undefined;
  return {
    ...(archive === undefined ? {} : { archive }),
    run: reader.runSql,
    database: new SqliteArchiveDatabase(new SqliteWriter(writer)),
    searchOn: () => ({
      latest: (...call) => search.latest(...call),
      top: (...call) => search.top(...call),
      counts: (...call) => search.counts(...call),
      oldest: (...call) => search.oldest(...call),
    }),
    exportOf: async (request) => openTablesExport(sqliteSource(path), request),
    async clear() {
      writer.script(tableNames.map((name) => `DELETE FROM "${name}";`).join(''));
      writer.script(wordTables.map((name) => `INSERT INTO ${name} (${name}) VALUES ('delete-all');`).join(''));
      // A search knows the words of commits, whose numbers begin again.
      await search.close?.();
      search = openSearch();
    },
    async dispose() {
      await Promise.all([archive?.close(), search.close?.()]);
      reader.close();
      writer.close();
      await folder.dispose();
    },
  };
}

async function postgresTables(): Promise<ArchiveTables> {
  const tables = await PostgresTables.create();
  const { database } = tables;
  return {
    run: database.run,
    database: new PostgresArchiveDatabase(database),
    // A statement of the search is one of PostgreSQL.
    searchOn: (run) => new SqlSearch(run as typeof database.run),
    exportOf: async (request) => openTablesExport(await postgresSource(database), request),
    clear: () => tables.clear(),
    dispose: () => tables.dispose(),
  };
}

/** Runs statements after an EXPLAIN of each. PostgreSQL knows the rows of these tables then. */
export async function explaining(
  { run }: Pick<ArchiveTables, 'run'>,
  names: readonly string[],
): Promise<{ readonly run: RunSql; readonly plans: readonly string[] }> {
  const isSqlite = await run(sql`SELECT sqlite_version()`).then(
    () => true,
    () => false,
  );
  if (!isSqlite) for (const name of names) await run(sql`ANALYZE social_data.${raw(name)}`);
  const how = raw(isSqlite ? 'QUERY PLAN' : '');
  const plans: string[] = [];
  const explained: RunSql = async (statement) => {
    plans.push(JSON.stringify(await run(sql`EXPLAIN ${how} ${statement as Fragment}`)));
    return run(statement);
  };
  return { run: explained, plans };
}

/** Runs tests on the tables of each engine. */
export function describeEngines(title: string, tests: (tables: () => ArchiveTables) => void): void {
  for (const [name, open] of [
    ['SQLite', () => sqliteTables(false)],
    ['SQLite with threads', () => sqliteTables(true)],
    ['PostgreSQL', postgresTables],
  ] as const) {
    const describeEngine = name === 'PostgreSQL' && testDatabaseUrl === undefined ? describe.skip : describe;
    describeEngine(`${title} in ${name}`, () => {
      let tables: ArchiveTables;
      beforeAll(async () => void (tables = await open()));
      afterAll(() => tables.dispose());
      tests(() => tables);
    });
  }
}

export const archiveOn = ({ archive, database }: Pick<ArchiveTables, 'archive' | 'database'>): ArchiveWriter =>
  archive ?? new SqlArchive(database, { eventRecord, now: () => 0 });

/** The platform on tables. `run`: reads them, by default as the engine does. */
export const platformOn = (
  tables: ArchiveTables,
  archive: ArchiveWriter,
  { run = tables.run, commits }: { readonly run?: RunSql; readonly commits?: KnownCommits } = {},
): SqlPlatform => new SqlPlatform({ run, archive, search: tables.searchOn(run), commits });

/** The transactions in the tables, which become known when a test reads them. */
export class ReadCommits implements KnownCommits {
  last = 0;
  readonly #tables: Pick<ArchiveTables, 'run'>;
  readonly #listeners: Parameters<KnownCommits['onCommit']>[0][] = [];

  constructor(given: Pick<ArchiveTables, 'run'>) {
    this.#tables = given;
  }

  onCommit(listener: Parameters<KnownCommits['onCommit']>[0]): void {
    this.#listeners.push(listener);
  }

  async read(): Promise<void> {
    const rows = await this.#tables.run<{ seq: Integer; record: string }>(
      sql`SELECT seq, record FROM social_data.change WHERE log = 'tables' AND seq > ${this.last} ORDER BY seq`,
    );
    for (const { seq, record } of rows) {
      for (const listener of this.#listeners) listener(changedKeys(record));
      this.last = Number(seq);
    }
  }
}

/** The whole content as changes. */
export async function contentIn({ run }: Pick<ArchiveTables, 'run'>): Promise<SnapshotChange[]> {
  const content: SnapshotChange[] = [];
  for await (const page of contentOf(run)) content.push(...page);
  return content;
}

export const eventCount = ({ run }: Pick<ArchiveTables, 'run'>): Promise<number> => lastOf(run, 'events');

/** The events behind a number of the log. */
export async function eventsIn({ run }: Pick<ArchiveTables, 'run'>, after: number): Promise<object[]> {
  const rows = await run<{ record: string }>(
    sql`SELECT record FROM social_data.change WHERE log = 'events' AND seq > ${after} ORDER BY seq`,
  );
  return rows.map(({ record }) => {
    const { change, at: _at, ...event } = JSON.parse(record) as { change: number; at: number };
    expect(change).toBeGreaterThan(0);
    return event;
  });
}

/** Domain events as `eventsIn` returns them. */
export const recordsOf = (events: readonly DomainEvent[]): object[] =>
  events.map((event) => {
    const { at: _at, ...record } = eventRecord(event, 0);
    return record;
  });
