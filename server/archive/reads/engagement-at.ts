/** The engagement of tweets as of a commit: all pages of a ranking read it as of the commit of the first page. */
import { sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import { commitLog } from '../content/commit-log.ts';

/**
 * The engagement of a tweet `t` with the counts `c` as of a commit. The sum keeps PostgreSQL from the index of commits, in which it expects few newer ones where its
 * statistics are old.
 */
export const engagementAt = (commit: number): Fragment => sql`coalesce((SELECT b.engagement
  FROM social_data.engagement_before b WHERE b.id = t.id AND b."commit" + 0 > ${commit} ORDER BY b."commit" LIMIT 1), c.engagement)`;

/** The number of the last record of a log; 0 for an empty one. */
export async function lastOf(run: RunSql, log: string): Promise<number> {
  const [row] = await run<{ seq: Integer }>(
    sql`SELECT seq FROM social_data.change WHERE log = ${log} ORDER BY seq DESC LIMIT 1`,
  );
  return Number(row?.seq ?? 0);
}

/** The number of the last commit that is visible. */
export const headOf = (run: RunSql): Promise<number> => lastOf(run, commitLog);
