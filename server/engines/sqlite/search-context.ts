/** Looks up users, places and lists in SQLite. */
import { fromDatabaseId } from '../../archive/content/database-id.ts';
import { SqlLookups } from '../../archive/search/sql-lookups.ts';
import type { ArchivedUser } from '../../domain/records.ts';
import { nameTexts } from '../../search/document.ts';
import { adjacentIn } from '../../search/language/evaluate.ts';
import type { Integer } from '../../archive/sql.ts';
import { runsOf } from './search-plan.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { phraseOf } from './words.ts';

export const sqliteSearchContext = (database: SqliteDatabase): SqlLookups =>
  new SqlLookups(database.runSql, async (tokens) => {
    const rows = database.all<{ id: Integer; document: string }>(
      'SELECT p.id, p.document FROM name_word CROSS JOIN person p ON p.id = name_word.rowid WHERE name_word MATCH ?',
      runsOf(tokens).map(phraseOf).join(' AND '),
    );
    const isNamed = ({ document }: { document: string }): boolean =>
      nameTexts(JSON.parse(document) as ArchivedUser).some((name) => adjacentIn(name, tokens));
    return (tokens.includes('*') ? rows.filter(isNamed) : rows).map(({ id }) => fromDatabaseId(id));
  });
