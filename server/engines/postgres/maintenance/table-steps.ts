/**
 * The versions of the tables from 8 on. A step turns the tables of one version into those of the next one while instances of both work (expand); a later
 * step, in another release, removes what only older programs need (contract).
 */
import type { Statement } from '../store/statement.ts';

/** The last version that was made with all instances stopped. */
export const firstOnline = 8;

/** Fills what a step has added, in the background. */
export interface BackfillTask {
  /** The table whose rows are filled. Its key is the column `id`, a bigint. */
  readonly table: string;
  /**
   * Fills the next rows, and selects the columns `last`, the last id as a text, and `rows`, their number. `after`: the last id before. A batch can be repeated:
   * it does nothing to rows that are filled. Programs of the version before still write rows without the values meanwhile, so triggers or a later batch
   * fill those.
   */
  readonly batch: (after: string, rows: number) => Statement;
}

export interface TableStep {
  /** The version that it makes. */
  readonly version: number;
  /** The lowest version of a program that may run on the tables after it: `version - 1` at most for an expansion, `version` for a contraction. */
  readonly lowest: number;
  /**
   * Texts of SQL, each a transaction that holds its locks for a short time, or indexes. All can be repeated: an interrupted step begins again. They also
   * are in tables.sql.
   */
  readonly changes: readonly (string | { readonly index: string; readonly definition: string })[];
  readonly backfill?: BackfillTask;
}

/** How PostgreSQL keeps the statistics, the visibility map and the pending list of the large tables small: its defaults are shares of the table. */
const autovacuumSettings = [
  'ALTER TABLE social_data.tweet SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
  'ALTER TABLE social_data.tweet_count SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
];

/** In the order of their versions. The changes of a step never change once it is released. */
export const tableSteps: readonly TableStep[] = [{ version: 9, lowest: 8, changes: autovacuumSettings }];

/** The version that steps lead to. */
export const newestOf = (steps: readonly TableStep[]): number => steps.at(-1)?.version ?? firstOnline;
/** The lowest version of a program that may use tables after all steps. */
export const lowestOf = (steps: readonly TableStep[]): number =>
  Math.max(firstOnline, ...steps.map(({ lowest }) => lowest));

/** The version that this program makes of the tables. */
export const tablesVersion = newestOf(tableSteps);
