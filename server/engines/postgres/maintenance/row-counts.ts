/** How much the tables hold: exact up to a number of rows, estimated beyond. */
import type { Run } from '../store/database.ts';
import type { ObjectCounts } from '../../../archive/upkeep/archive-metrics.ts';

/** The number of rows up to which a table is counted. Beyond it, PostgreSQL's own estimate is used. */
const maxCounted = 50_000;
/** How long the counts are used, in milliseconds. */
const freshMs = 10_000;

const counted = {
  tweets: { table: 'tweet', where: 'true' },
  // The profiles: other rows are what mentions say.
  users: { table: 'person', where: 'described_at IS NULL' },
  communities: { table: 'community', where: 'true' },
  spaces: { table: 'space', where: 'true' },
  tombstones: { table: 'tombstone', where: 'true' },
} as const;

interface CountRow {
  readonly name: keyof typeof counted;
  readonly counted: number;
  readonly estimated: number;
}

/** About how many rows a table or an index has; undefined where PostgreSQL has not counted them yet. Rejects with StoreError. */
export async function estimatedRows(run: Run, relation: string): Promise<number | undefined> {
  const [row] = await run<{ rows: string | null }>({
    text: `SELECT CASE WHEN relpages > 0
        THEN reltuples::float8 / relpages * (pg_relation_size(oid) / current_setting('block_size')::int) END AS rows
      FROM pg_class WHERE oid = 'social_data.${relation}'::regclass`,
  });
  return row?.rows == null ? undefined : Math.max(0, Number(row.rows));
}

/** As `estimatedRows`, of the tweets. */
export const estimatedTweets = (run: Run): Promise<number | undefined> => estimatedRows(run, 'tweet');

export class RowCounts {
  readonly #run: Run;
  readonly #now: () => number;
  readonly #limit: number;
  #counts: Promise<ObjectCounts> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `now`: a clock in milliseconds. `limit`: the number of rows up to which a table is counted. */
  constructor(run: Run, { now = () => performance.now(), limit = maxCounted } = {}) {
    this.#run = run;
    this.#now = now;
    this.#limit = limit;
  }

  /** The counts, at most ten seconds old. Rejects with StoreError. */
  counts(): Promise<ObjectCounts> {
    if (this.#counts !== undefined && this.#now() - this.#readAt < freshMs) return this.#counts;
    this.#readAt = this.#now();
    const counts = this.#read();
    counts.catch(() => (this.#counts = undefined));
    return (this.#counts = counts);
  }

  async #read(): Promise<ObjectCounts> {
    const limit = this.#limit;
    const rows = await this.#run<CountRow>({
      text: Object.entries(counted)
        .map(
          ([name, { table, where }]) => `SELECT '${name}' AS name,
            (SELECT count(*)::int FROM (SELECT 1 FROM social_data.${table} WHERE ${where} LIMIT ${limit + 1}) AS row) AS counted,
            greatest(reltuples, 0)::float8 AS estimated FROM pg_class WHERE oid = 'social_data.${table}'::regclass`,
        )
        .join(' UNION ALL '),
    });
    const found = new Map(rows.map((row) => [row.name, row]));
    const countOf = (name: keyof typeof counted): number => {
      const row = found.get(name);
      if (row === undefined) return 0;
      return row.counted <= limit ? row.counted : Math.max(row.counted, Math.round(row.estimated));
    };
    return {
      ...{ tweets: countOf('tweets'), users: countOf('users') },
      ...{ communities: countOf('communities'), spaces: countOf('spaces'), tombstones: countOf('tombstones') },
      isEstimated: rows.some((row) => row.counted > limit),
    };
  }
}
