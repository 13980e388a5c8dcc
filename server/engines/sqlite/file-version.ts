/** The marks in the header of a database file: that it is of this service, and the number of its schema; and the upgrades of schemas before. */
import { communityRankSql } from '../../search/community-rank.ts';
import { StoreError } from '../../ports/storage.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** “SoDa” in ASCII; `file` and other programs show it. */
const applicationId = 0x536f4461;
/** What turns the schema of each number, from 1 on, into that of the next one. The statements of a number never change. */
const upgrades = [
  // The followers of a user and the quotes of a tweet in the order of pages.
  `CREATE INDEX tweet_quotes_newest ON tweet (quoted_id, created_at, id)
     WHERE quoted_id IS NOT NULL AND retweeted_id IS NULL;
   CREATE INDEX follow_followers ON follow (following_id, at, follower_id);
   DROP INDEX follow_by_following;`,
  // The ranks of tweets in their communities, and mentions without an id.
  `ALTER TABLE tweet_count ADD COLUMN community_id INTEGER;
   ALTER TABLE tweet_count ADD COLUMN rank INTEGER;
   UPDATE tweet_count SET community_id = t.community_id, rank = ${communityRankSql('engagement', 't.created_at')}
     FROM tweet t WHERE t.community_id IS NOT NULL AND t.pos = tweet_count.pos;
   CREATE INDEX tweet_count_community ON tweet_count (community_id, rank) WHERE community_id IS NOT NULL;
   ALTER TABLE engagement_before ADD COLUMN community_id INTEGER;
   UPDATE engagement_before SET community_id = t.community_id FROM tweet t WHERE t.id = engagement_before.id;
   CREATE INDEX engagement_before_community ON engagement_before (community_id, "commit") WHERE community_id IS NOT NULL;
   CREATE INDEX mention_without_id ON mention (username, created_at, tweet_id) WHERE user_id IS NULL;`,
];
/** The number of the schema in tables.sql. */
const schemaVersion = 1 + upgrades.length;

/** Whether a file has the ranks of tweets in their communities. */
export const hasCommunityRanks = (database: SqliteDatabase): boolean => numberOf(database, 'user_version') >= 3;

/** Statements that mark a new file. */
export const schemaMarks = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`;

/**
 * Whether a file has no tables yet. Throws StoreError for a file of another program or of a newer version. Reads need no upgrade of a schema
 * before.
 */
export function isNewFile(database: SqliteDatabase, path: string): boolean {
  const tables = database.first<{ n: number }>('SELECT count(*) AS n FROM sqlite_schema')?.n ?? 0;
  if (tables === 0) return true;
  if (numberOf(database, 'application_id') !== applicationId)
    throw new StoreError(`${path} is a database of another program: set DATA_DIR to another folder`);
  const version = numberOf(database, 'user_version');
  if (version > schemaVersion)
    throw new StoreError(
      `${path} is of a newer version of this service (schema ${version}, this version knows ${schemaVersion}): start that version, or restore a backup of before its start`,
    );
  if (version < 1)
    throw new StoreError(`${path} is of a version before the first release (schema ${version}): move it away`);
  return false;
}

/** Turns the tables of a schema before into those of this version, in one transaction. Needs a connection that writes. */
export function upgradeFile(database: SqliteDatabase): void {
  if (numberOf(database, 'user_version') === schemaVersion) return;
  database.transaction(() => {
    const version = numberOf(database, 'user_version');
    database.script(`${upgrades.slice(version - 1).join('\n')} PRAGMA user_version = ${schemaVersion};`);
  });
}

const numberOf = (database: SqliteDatabase, pragma: string): number =>
  Object.values(database.first<Record<string, number>>(`PRAGMA ${pragma}`) ?? {})[0] ?? 0;
