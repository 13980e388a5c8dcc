/** Opens a SQLite file as the engine of an archive. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ArchiveEngine } from '../../archive/archive-engine.ts';
import type { ObjectCounts } from '../../archive/upkeep/archive-metrics.ts';
import type { Store } from '../../ports/storage.ts';
import { sql, type Integer, type RunSql } from '../../archive/sql.ts';
import { ChecksumWatch } from './checksum-watch.ts';
import { openExportSource } from './export-source.ts';
import { SqliteSearch } from './sqlite-search.ts';
import { ThreadSearch } from './thread-search.ts';
import { databaseFile } from '../../storage/database-file.ts';
import type { SqliteStore } from './sqlite-store.ts';

export interface SqliteEngineParts {
  readonly folder: string;
  readonly store: SqliteStore;
  /** How long removed texts can stay in the file, in milliseconds. */
  readonly purgeWithinMs: number;
  readonly logger: Logger;
}

/** FTS5 writes the words of a transaction as one segment: fewer and larger ones need fewer merges. */
const batchValues = 25_000;

/** The store of a service whose archive is in a SQLite file. */
/** How long after its start an archive starts its threads, in milliseconds: a service listens before. A call starts a thread sooner. */
const startMs = 500;

export function requireSqliteStore(store: Store): SqliteStore {
  if (!('writer' in store)) throw new TypeError('the store has no SQLite file');
  return store as SqliteStore;
}

export function openSqliteEngine({ folder, store, purgeWithinMs, logger }: SqliteEngineParts): ArchiveEngine {
  const { reader, writer } = store;
  const run = reader.runSql;
  const threads = store.hasThreads
    ? new ThreadSearch(join(folder, databaseFile), {
        onEnded: (reason) => logger.error({ reason }, 'a search has failed: the next one starts another thread'),
      })
    : undefined;
  const search = threads ?? new SqliteSearch(reader);
  const failed = (error: unknown): void =>
    logger.error({ err: error }, 'the upkeep of the database file has failed; it is tried again');
  const checksums = new ChecksumWatch(reader, {
    onDamage(table, key) {
      store.health.noteDamage();
      logger.error({ table, key }, 'a row of the database file has a wrong checksum: npm run doctor repairs it');
    },
  });
  let upkeep: NodeJS.Timeout | undefined;
  return {
    ...{ run, search, archive: writer, batchValues },
    erased: {
      inSnapshot: (read) => read({ run, search }),
      purge: () => writer.purge(),
      remains: ['backups and copies of the database file'],
    },
    counts: () => countsOf(run),
    openExportSource: async () => openExportSource(join(folder, databaseFile)),
    start() {
      checksums.start();
      upkeep = setTimeout(() => {
        threads?.start();
        writer.startUpkeep({ withinMs: purgeWithinMs, buildsTop: store.hasThreads }, failed);
      }, startMs).unref();
    },
    stop() {
      clearTimeout(upkeep);
      checksums.stop();
      writer.stopUpkeep();
    },
    close: async () => threads?.close(),
  };
}

/** The counts, which SQLite reads from its smallest indexes. */
async function countsOf(run: RunSql): Promise<ObjectCounts> {
  const [row] = await run<Record<'tweets' | 'users' | 'communities' | 'spaces' | 'tombstones', Integer>>(
    sql`SELECT (SELECT count(*) FROM social_data.tweet_count) AS tweets,
      (SELECT count(*) FROM social_data.person WHERE described_at IS NULL) AS users,
      (SELECT count(*) FROM social_data.community) AS communities, (SELECT count(*) FROM social_data.space) AS spaces,
      (SELECT count(*) FROM social_data.tombstone) AS tombstones`,
  );
  const count = (name: keyof NonNullable<typeof row>): number => Number(row?.[name] ?? 0);
  return {
    ...{ tweets: count('tweets'), users: count('users'), communities: count('communities') },
    ...{ spaces: count('spaces'), tombstones: count('tombstones'), isEstimated: false },
  };
}
