/** What the operator's page shows of the running service. */
import { statfs } from 'node:fs/promises';
import manifest from '../../package.json' with { type: 'json' };
import type { AccountView } from '../ports/account-pool.ts';
import type { ObjectCounts } from '../archive/upkeep/archive-metrics.ts';
import type { Journal } from '../ports/storage.ts';
import type { DatabaseFileState } from '../storage/database-file.ts';
import type { Schemas } from '../contract/operations.ts';
import type { RefusedRequest, RequestFigures, RequestHistory } from './request-history.ts';

/** The parts of the service that the overview reads. */
export interface OverviewParts {
  readonly dataDir: string;
  /** Counts the objects of the archive. Rejects with StoreError. */
  readonly counts: () => Promise<ObjectCounts>;
  readonly journals: ReadonlyMap<string, Pick<Journal, 'durableSeq' | 'failed'>>;
  /** The database file; undefined without one. */
  readonly file?: Pick<DatabaseFileState, 'sizes'> | undefined;
  readonly pool: { status(): Schemas['PoolStatus']; list(): AccountView[] };
  readonly follow: { statuses(): readonly FollowedSource[] };
  readonly ready: () => true | string;
  readonly writable: () => true | string;
  readonly warnings: () => readonly string[];
}

interface FollowedSource {
  readonly title: string;
  readonly connected: boolean;
  readonly lagMs?: number;
  readonly queue: number;
  readonly error?: string;
  readonly targets: readonly { readonly target: string; readonly state: string; readonly error?: string }[];
}

/** The state of the service at one moment. */
export interface Overview {
  readonly version: string;
  readonly started_at: string;
  /** `ok`, or why the service is not ready. */
  readonly ready: string;
  readonly warnings: readonly string[];
  readonly archive: {
    readonly tweets: number;
    readonly users: number;
    readonly communities: number;
    readonly spaces: number;
    /** Whether a count is an estimate. */
    readonly estimated: boolean;
  };
  readonly memory_bytes: number;
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number };
  /** The database file and the write-ahead log beside it; null without them. */
  readonly file: { readonly bytes: number; readonly log_bytes: number } | null;
  readonly journals: readonly {
    readonly name: string;
    readonly records: number;
    readonly failed: boolean;
  }[];
  readonly pool: Schemas['PoolStatus'];
  readonly accounts: readonly AccountView[];
  readonly sources: readonly FollowedSource[];
  /** The requests of the last hour. */
  readonly minutes: readonly RequestFigures[];
  readonly refused: readonly RefusedRequest[];
}

const startedAt = new Date(performance.timeOrigin).toISOString();

/** Reads the state of the service. */
export async function readOverview(parts: OverviewParts, history: RequestHistory): Promise<Overview> {
  const { journals, file, pool, follow, ready, writable, warnings } = parts;
  const sizes = file?.sizes();
  const { tweets, users, communities, spaces, isEstimated } = await parts.counts();
  const { bavail, blocks, bsize } = await statfs(parts.dataDir);
  const isReady = ready();
  const readiness = isReady === true ? writable() : isReady;
  return {
    version: manifest.version,
    started_at: startedAt,
    ready: readiness === true ? 'ok' : readiness,
    warnings: warnings(),
    archive: { tweets, users, communities, spaces, estimated: isEstimated },
    memory_bytes: process.memoryUsage.rss(),
    disk: { free_bytes: bavail * bsize, total_bytes: blocks * bsize },
    file: sizes === undefined ? null : { bytes: sizes.file, log_bytes: sizes.log },
    journals: Array.from(journals, ([name, journal]) => ({
      name,
      records: journal.durableSeq,
      failed: journal.failed !== undefined,
    })),
    pool: pool.status(),
    accounts: pool.list(),
    sources: follow.statuses(),
    minutes: history.figures('hour'),
    refused: history.refused(),
  };
}
