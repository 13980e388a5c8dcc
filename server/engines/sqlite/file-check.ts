/** Checks a database file: its pages, its indexes and words, the checksums of its documents, and what must hold between its tables. */
import { communityRankSql } from '../../search/community-rank.ts';
import { hasCommunityRanks } from './file-version.ts';
import { idText } from './sqlite-dialect.ts';
import { isAtPositionSql } from './tweet-position.ts';
import { checksumOf, type SqliteDatabase } from './sqlite-database.ts';

/** A fault of a file. */
export interface FileFinding {
  readonly reason: string;
  /** What the operator loses by a repair; empty where it loses nothing. */
  readonly loss: string;
}

interface CheckedTable {
  /** The key as people see it. */
  readonly key: string;
  readonly text: string;
  /** The columns of the primary key. */
  readonly primary: readonly string[];
}

/** The tables whose rows have a checksum. */
export const checkedTables: Readonly<Record<string, CheckedTable>> = {
  tweet: { key: idText('id'), text: 'document', primary: ['pos'] },
  person: { key: idText('id'), text: 'document', primary: ['id'] },
  place: { key: 'id', text: 'document', primary: ['id'] },
  list: { key: 'id', text: 'document', primary: ['id'] },
  community: { key: 'id', text: 'document', primary: ['id'] },
  space: { key: 'id', text: 'document', primary: ['id'] },
  tombstone: { key: idText('id'), text: 'document', primary: ['id'] },
  geo_scrub: { key: 'key', text: 'document', primary: ['key'] },
  change: { key: "log || ' ' || seq", text: 'record', primary: ['log', 'seq'] },
};

const orphan = (table: string, key: string, parent: string, parentKey = key): string =>
  `SELECT ${key} AS key FROM ${table} WHERE ${key} NOT IN (SELECT ${parentKey} FROM ${parent})`;

type Rule = readonly [rule: string, broken: string, loss?: string];

const rankRule: Rule = [
  'a tweet has its community and its rank there: otherwise the ranking of the community is wrong',
  `SELECT ${idText('t.id')} AS key FROM tweet_count c JOIN tweet t ON t.pos = c.pos WHERE c.community_id IS NOT t.community_id
    OR c.rank IS NOT iif(t.community_id IS NULL, NULL, ${communityRankSql('c.engagement', 't.created_at')})`,
];

/** Each rule with the rows that break it. All of them are repaired without a loss, where no other is named. */
const rules: readonly Rule[] = [
  [
    'a tweet is at the position of its time: otherwise pages leave it out',
    `SELECT ${idText('id')} AS key FROM tweet WHERE NOT (${isAtPositionSql})`,
    'these tweets, whose position or time was changed: they go into records.jsonl',
  ],
  [
    'a tweet has counts: without them, no page shows it',
    `SELECT ${idText('id')} AS key FROM tweet WHERE pos NOT IN (SELECT pos FROM tweet_count)`,
    'the counts of these tweets',
  ],
  ['counts belong to a tweet', orphan('tweet_count', 'pos', 'tweet')],
  [
    'the engagement is that of the counts: otherwise rankings are wrong',
    `SELECT pos AS key FROM tweet_count WHERE engagement <> like_count + 2 * retweet_count + 2 * quote_count + reply_count`,
  ],
  rankRule,
  [
    'a tweet has its words: otherwise searches miss it',
    `SELECT ${idText('id')} AS key FROM tweet WHERE pos NOT IN (SELECT id FROM word_docsize)
      AND pos NOT IN (SELECT pos FROM word_pending)`,
  ],
  ['words belong to a tweet', orphan('word_docsize', 'id', 'tweet', 'pos')],
  ['the words of the ranking belong to its tweets', orphan('top_word_docsize', 'id', 'top', 'rank')],
  ['a tweet of the ranking is there', orphan('top', 'pos', 'tweet')],
  [
    'a user has the words of the name',
    `SELECT ${idText('id')} AS key FROM person WHERE id NOT IN (SELECT id FROM name_word_docsize)`,
  ],
  ['words of a name belong to a user', orphan('name_word_docsize', 'id', 'person')],
  ['a mention belongs to a tweet', orphan('mention', 'tweet_id', 'tweet', 'id')],
];

const maxExamples = 5;
/** How many faults of pages and indexes are listed. */
const maxFaults = 20;

/** The steps of a check, for its progress. */
export const checkSteps = 1 + Object.keys(checkedTables).length + rules.length;

/** Checks a file by a connection that only reads. `onStep`: after each of `checkSteps`. Throws StoreError where nothing can be read. */
export function checkFile(database: SqliteDatabase, onStep: () => void = () => {}): FileFinding[] {
  const findings: FileFinding[] = [];
  // Of FTS5 too: SQLite checks the indexes of words with the tables.
  const faults = database.all<{ integrity_check: string }>(`PRAGMA integrity_check(${maxFaults})`);
  for (const { integrity_check: fault } of faults)
    if (fault !== 'ok') findings.push({ reason: fault.replaceAll('\n', ' '), loss: 'what cannot be read' });
  onStep();
  for (const [table, { key, text }] of Object.entries(checkedTables)) {
    attempt(findings, `the table ${table}`, () => checkChecksums(database, table, key, text, findings));
    onStep();
  }
  for (const each of rules) {
    const [rule, broken, loss = ''] = each;
    attempt(findings, rule, () => {
      // The next start of the service upgrades the schema.
      if (each === rankRule && !hasCommunityRanks(database)) return;
      const rows = database.all<{ key: string | number }>(`${broken} LIMIT ${maxExamples + 1}`);
      if (rows.length > 0) findings.push({ reason: `broken: ${rule} (${examplesOf(rows)})`, loss });
    });
    onStep();
  }
  return findings;
}

/** The file may be so damaged that a table cannot be read at all. */
function attempt(findings: FileFinding[], what: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    // The check of the pages has said why, where it is damage.
    if (findings.length === 0) throw error;
    findings.push({ reason: `${what}: cannot be checked, because its pages are damaged`, loss: 'what cannot be read' });
  }
}

function checkChecksums(
  database: SqliteDatabase,
  table: string,
  key: string,
  text: string,
  findings: FileFinding[],
): void {
  const wrong: { key: string | number }[] = [];
  let count = 0;
  for (const row of database.rows<{ key: string; text: string; crc: number }>(
    `SELECT ${key} AS key, ${text} AS text, crc FROM ${table} WHERE ${text} IS NOT NULL`,
  )) {
    if (checksumOf(row.text) === row.crc) continue;
    count++;
    if (wrong.length <= maxExamples) wrong.push({ key: row.key });
  }
  if (count === 0) return;
  const reason = `${count.toLocaleString('en')} rows of ${table} have a wrong checksum (${examplesOf(wrong)})`;
  findings.push({ reason, loss: 'these rows: their texts go into records.jsonl' });
}

const examplesOf = (rows: readonly { readonly key: string | number }[]): string =>
  rows
    .slice(0, maxExamples)
    .map(({ key }) => key)
    .join(', ')
    .concat(rows.length > maxExamples ? ', …' : '');
