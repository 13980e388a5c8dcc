/** Checks what must hold between the tables of an archive in PostgreSQL. */
import { communityRankSql } from '../../../search/community-rank.ts';
import type { Run } from '../store/database.ts';
import { lexemesOfEngagementSql } from '../rows/engagement-lexemes.ts';
import { communityRanks } from './table-steps.ts';

/** Rows that break a rule. */
interface TableFinding {
  /** The rule, and what its violation means. */
  readonly rule: string;
  readonly rows: number;
  /** Some of the keys. */
  readonly examples: readonly string[];
}

const maxExamples = 5;
const id = (column: string): string => `(${column}::numeric + 9223372036854775808)::text`;

/** Each rule with the rows that break it; a row has the text of its key. */
const rules: Readonly<Record<string, string>> = {
  'a tweet has counts: without them, no page shows it': `SELECT ${id('t.id')} AS key FROM social_data.tweet t
     WHERE NOT EXISTS (SELECT FROM social_data.tweet_count c WHERE c.id = t.id)`,
  'counts belong to a tweet': `SELECT ${id('c.id')} AS key FROM social_data.tweet_count c
     WHERE NOT EXISTS (SELECT FROM social_data.tweet t WHERE t.id = c.id)`,
  'the engagement is that of the counts: otherwise rankings are wrong': `SELECT ${id('c.id')} AS key FROM social_data.tweet_count c WHERE c.engagement
     <> c.like_count + 2 * c.retweet_count + 2 * c.quote_count + c.reply_count`,
  'a tweet has its community and its rank there: otherwise the ranking of the community is wrong': `SELECT ${id('t.id')} AS key
     FROM social_data.tweet t JOIN social_data.tweet_count c ON c.id = t.id WHERE (SELECT filled >= ${communityRanks} FROM social_data.tables_version)
       AND (c.community_id, c.rank) IS DISTINCT FROM (t.community_id,
         CASE WHEN t.community_id IS NOT NULL THEN ${communityRankSql('c.engagement', 't.created_at')} END)`,
  'the words have the level of the engagement: otherwise searches miss tweets with high counts': `SELECT ${id('t.id')} AS key
     FROM social_data.tweet t JOIN social_data.tweet_count c ON c.id = t.id WHERE array(
       SELECT lexeme FROM unnest(t.words) WHERE lexeme ~ '^[EL][0-9]+$' ORDER BY lexeme) <> ${lexemesOfEngagementSql('c.engagement')}`,
  'a mention belongs to a tweet': `SELECT DISTINCT ${id('m.tweet_id')} AS key FROM social_data.mention m
     WHERE NOT EXISTS (SELECT FROM social_data.tweet t WHERE t.id = m.tweet_id)`,
  'a long tweet has its words: otherwise searches do not find phrases in it': `SELECT ${id('coalesce(t.id, x.id)')} AS key FROM (SELECT id FROM social_data.tweet WHERE is_long) t
     FULL JOIN social_data.long_tweet x ON x.id = t.id WHERE t.id IS NULL OR x.id IS NULL`,
  'a user without a profile is described by a mention': `SELECT ${id('p.id')} AS key FROM social_data.person p WHERE p.described_at IS NOT NULL AND NOT EXISTS (
       SELECT FROM social_data.mention m WHERE m.tweet_id = p.described_by AND m.user_id = p.id)`,
  'a withdrawn account has no profile, tweets and follows': ['person', 'tweet', 'follow']
    .map((table, index) => {
      const owner = ['p.id', 'p.author_id', 'p.follower_id'][index] ?? '';
      return `SELECT ${id(owner)} AS key FROM social_data.${table} p JOIN social_data.withdrawn w ON w.user_id = ${owner}
        ${table === 'follow' ? 'WHERE p.at IS NOT NULL' : ''}`;
    })
    .join(' UNION '),
  'no commit of the log is missing behind the first one': `SELECT c.seq::text AS key FROM social_data.change c WHERE c.log = 'tables' AND c.seq > (
       SELECT min(seq) FROM social_data.change WHERE log = 'tables')
     AND NOT EXISTS (SELECT FROM social_data.change b WHERE b.log = 'tables' AND b.seq = c.seq - 1)`,
  'an index can be used: REINDEX repairs it': `SELECT i.indexrelid::regclass::text AS key FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = 'social_data'::regnamespace AND NOT (i.indisvalid AND i.indisready)`,
};

/**
 * Checks every rule. `run`: a snapshot without a time limit; each rule reads whole tables. `onProgress` gets the number of checked rules. Returns the broken
 * ones. Rejects with DatabaseError.
 */
export async function checkTables(
  run: Run,
  onProgress: (rules: number) => void = () => {},
): Promise<readonly TableFinding[]> {
  const findings: TableFinding[] = [];
  for (const [index, [rule, broken]] of Object.entries(rules).entries()) {
    const [row] = await run<{ rows: string; examples: readonly string[] | null }>({
      text: `WITH broken AS MATERIALIZED (${broken}) SELECT (SELECT count(*) FROM broken) AS rows,
        (SELECT array_agg(key) FROM (SELECT key FROM broken LIMIT ${maxExamples}) AS few) AS examples`,
    });
    const rows = Number(row?.rows ?? 0);
    if (rows > 0) findings.push({ rule, rows, examples: row?.examples ?? [] });
    onProgress(index + 1);
  }
  return findings;
}
