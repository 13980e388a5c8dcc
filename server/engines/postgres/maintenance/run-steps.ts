/** Runs the steps between versions of the tables, one instance at a time, while others work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../ports/storage.ts';
import type { Database } from '../store/database.ts';
import { buildIndexOnline, changeOnline } from '../store/online-change.ts';
import { hasTable } from '../store/schema.ts';
import { firstOnline, tableSteps, type TableStep } from './table-steps.ts';

/** An instance that was killed counts as running for ten seconds. */
const defaultWaitMs = 12_000;
const lookMs = 500;

export interface RunStepsOptions {
  readonly onStep?: (step: string) => void;
  readonly waitMs?: number;
  readonly steps?: readonly TableStep[];
}

/** Rejects with StoreError. After an interruption, a repeated call goes on with the first step that is not complete. */
export async function runSteps(
  database: Database,
  { onStep = () => {}, waitMs, steps = tableSteps }: RunStepsOptions,
): Promise<void> {
  if ((await missing(database, steps)).length === 0) return;
  // Its session has the lock, and no snapshot that the build of an index would wait for. Instances that start at the same time wait.
  await database.transaction(
    async (run) => {
      await takeLock(run);
      for (const { version, lowest, changes } of await missing(database, steps)) {
        await requireNoOlder(database, lowest, waitMs);
        onStep(`the tables get version ${version}`);
        for (const change of changes)
          if (typeof change === 'string') await changeOnline(database, change);
          else await buildIndexOnline(database, change.index, change.definition);
        await changeOnline(
          database,
          `ALTER TABLE social_data.tables_version ADD COLUMN IF NOT EXISTS newest int;
          UPDATE social_data.tables_version SET newest = ${version}, version = greatest(version, ${lowest})`,
        );
      }
    },
    { isUnlimited: true },
  );
}

/** Waits for the lock by repeated attempts: a statement that waits has a snapshot, for whose end the build of an index would wait. */
async function takeLock(run: Database['run']): Promise<void> {
  for (;;) {
    const [row] = await run<{ isTaken: boolean }>({
      text: `SELECT pg_try_advisory_xact_lock(hashtextextended('social_data.steps', 0)) AS "isTaken"`,
    });
    if (row?.isTaken === true) return;
    await sleep(lookMs);
  }
}

/** The lowest version of a program that may use the tables, and the version that they have; undefined without tables. */
export async function versionsOf(
  database: Database,
): Promise<{ readonly lowest: number; readonly newest: number } | undefined> {
  if (!(await hasTable(database, 'tables_version'))) return undefined;
  // Tables of before version 9 have no column for the second one.
  const [row] = await database.run<{ lowest: number; newest: number }>({
    text: `SELECT version AS lowest, coalesce((to_jsonb(v) ->> 'newest')::int, version) AS newest FROM social_data.tables_version v`,
  });
  return row;
}

/** The steps that the tables do not have; none for tables that a migration fills, which is complete with all of them, or that a newer program has. */
async function missing(database: Database, steps: readonly TableStep[]): Promise<readonly TableStep[]> {
  const { newest = 0 } = (await versionsOf(database)) ?? {};
  return newest < firstOnline ? [] : steps.filter(({ version }) => version > newest);
}

/**
 * Waits for the end of the instances whose program knows only versions below `lowest`. Rejects with StoreError where one is still there: the change would
 * break it.
 */
export async function requireNoOlder(
  database: Pick<Database, 'run'>,
  lowest: number,
  waitMs = defaultWaitMs,
): Promise<void> {
  const end = performance.now() + waitMs;
  for (;;) {
    const older = await countOlder(database, lowest);
    if (older === 0) return;
    if (performance.now() > end)
      throw new StoreError(
        `${older === 1 ? 'an instance' : `${older} instances`} of an earlier version still ${older === 1 ? 'uses' : 'use'} the database, and this version changes tables that it needs: stop ${older === 1 ? 'it' : 'them'}, then start again`,
      );
    await sleep(Math.min(lookMs, waitMs));
  }
}

/** The number of running instances whose program knows only versions below `lowest`. Rejects with StoreError. */
export async function countOlder({ run }: Pick<Database, 'run'>, lowest: number): Promise<number> {
  const [found] = await run<{ older: number }>({
    text: `SELECT count(*)::int AS older FROM social_data.instance
      WHERE seen_at > clock_timestamp() - interval '10 seconds' AND coalesce(tables_version, ${firstOnline}) < $1`,
    params: [lowest],
  });
  return found?.older ?? 0;
}
