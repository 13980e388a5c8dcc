/**
 * The versions of the tables from 8 on. A step turns the tables of one version into those of the next one while instances of both work (expand); a later
 * step, in another release, removes what only older programs need (contract).
 */
import { communityRankSql } from '../../../search/community-rank.ts';
import type { Statement } from '../store/statement.ts';

/** The last version that was made with all instances stopped. */
export const firstOnline = 8;

/** Fills what a step has added, in the background. */
export interface BackfillTask {
  /** The lowest version of a program that writes the values itself: the backfill waits until no instance of an older one runs, and none can start any more. */
  readonly lowest: number;
  /** The table or the index that has a row for each one to fill: PostgreSQL knows about how many it has. */
  readonly relation: string;
  /**
   * Fills the next rows, and selects the columns `last`, the place of the last one as a text, and `rows`, their number. `after`: the last place before, at first
   * `firstPlace`. A batch can be repeated: it does nothing to rows that are filled. It has the lock of the writers.
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

/** The lowest id in its stored form, which no tweet has. */
export const firstPlace = '-9223372036854775808';

/** How PostgreSQL keeps the statistics, the visibility map and the pending list of the large tables small: its defaults are shares of the table. */
const autovacuumSettings = [
  'ALTER TABLE social_data.tweet SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
  'ALTER TABLE social_data.tweet_count SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
];

/** The version from which on `tweet_count` has the community of a tweet and its rank there. */
export const communityRanks = 10;

const communityColumns = `
ALTER TABLE social_data.tweet_count ADD COLUMN IF NOT EXISTS community_id bigint, ADD COLUMN IF NOT EXISTS rank bigint;
ALTER TABLE social_data.engagement_before ADD COLUMN IF NOT EXISTS community_id bigint;
ALTER TABLE social_data.tables_version ADD COLUMN IF NOT EXISTS filled int;`;

/** Walks the tweets of communities in the order of their index. A place is a key of it, with commas. */
const fillCommunityRanks = (after: string, rows: number): Statement => {
  const key = [1, 2, 3].map((part) => `coalesce(nullif(split_part($1, ',', ${part}), ''), '${firstPlace}')::bigint`);
  return {
    text: `WITH part AS MATERIALIZED (SELECT community_id, created_at, id FROM social_data.tweet
        WHERE community_id IS NOT NULL AND (community_id, created_at, id) > (${key.join(', ')})
        ORDER BY community_id, created_at, id LIMIT $2),
      ranked AS (SELECT c.id, part.community_id, ${communityRankSql('c.engagement', 'part.created_at')} AS rank
        FROM part JOIN social_data.tweet_count c ON c.id = part.id),
      filled AS (UPDATE social_data.tweet_count c SET community_id = ranked.community_id, rank = ranked.rank
        FROM ranked WHERE c.id = ranked.id AND (c.community_id, c.rank) IS DISTINCT FROM (ranked.community_id, ranked.rank)),
      before AS (UPDATE social_data.engagement_before b SET community_id = part.community_id
        FROM part WHERE b.id = part.id AND b.community_id IS DISTINCT FROM part.community_id)
    SELECT (SELECT concat_ws(',', community_id, created_at, id) FROM part
        ORDER BY community_id DESC, created_at DESC, id DESC LIMIT 1) AS last, count(*)::int AS rows FROM part`,
    params: [after, rows],
  };
};

/** In the order of their versions. The changes of a step never change once it is released. */
export const tableSteps: readonly TableStep[] = [
  { version: 9, lowest: 8, changes: autovacuumSettings },
  {
    version: communityRanks,
    lowest: 8,
    changes: [
      communityColumns,
      {
        index: 'engagement_before_community',
        definition: 'ON social_data.engagement_before (community_id, commit) WHERE community_id IS NOT NULL',
      },
      {
        index: 'tweet_count_community',
        definition: 'ON social_data.tweet_count (community_id, rank, id) WHERE community_id IS NOT NULL',
      },
      {
        index: 'mention_without_id',
        definition: 'ON social_data.mention (username, created_at, tweet_id) WHERE user_id IS NULL',
      },
    ],
    backfill: { lowest: communityRanks, relation: 'tweet_community', batch: fillCommunityRanks },
  },
];

/** The version that steps lead to. */
export const newestOf = (steps: readonly TableStep[]): number => steps.at(-1)?.version ?? firstOnline;
/** The lowest version of a program that may use tables after all steps. */
export const lowestOf = (steps: readonly TableStep[]): number =>
  Math.max(firstOnline, ...steps.map(({ lowest }) => lowest));

/** The version that this program makes of the tables. */
export const tablesVersion = newestOf(tableSteps);
