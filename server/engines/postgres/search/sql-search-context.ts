/** Looks up users, places and lists in PostgreSQL. */
import { fromDatabaseId } from '../../../archive/content/database-id.ts';
import { storedText } from '../../../archive/content/stored-text.ts';
import { SqlLookups } from '../../../archive/search/sql-lookups.ts';
import { adjacentIn } from '../../../search/language/evaluate.ts';
import type { RunAny } from '../store/database.ts';
import { longLexeme, phraseQuery, quoteLexeme } from '../rows/lexemes.ts';

export const sqlSearchContext = (run: RunAny): SqlLookups =>
  new SqlLookups(run, async (tokens) => {
    const words = tokens.filter((token) => token !== '*').map((token) => quoteLexeme(storedText(token)));
    const query = `${phraseQuery(tokens, storedText)} | (${[quoteLexeme(longLexeme), ...words].join(' & ')})`;
    const rows = await run<{ id: string; name: string }>({
      text: 'SELECT p.id, p.name FROM social_data.person p WHERE p.name_words @@ $1::tsquery',
      params: [query],
    });
    const lexemes = tokens.map((token) => (token === '*' ? token : storedText(token)));
    return rows
      .filter(({ name }) => name === '' || name.split('\n').some((line) => adjacentIn(line.trim().split(' '), lexemes)))
      .map(({ id }) => fromDatabaseId(id));
  });
