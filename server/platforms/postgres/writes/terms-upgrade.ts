/**
 * Writes the search rows again whose terms the rules of server/search/language give another form since version 6 of the tables: an
 * old row would be found by old terms only.
 */
import type { ArchivedPlace, ArchivedUser } from '../../../domain/records.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import { personRow, placeRow, upsertRows } from '../rows/search-rows.ts';
import { SearchRows } from './search-row-writer.ts';

/** The characters that fold to another text than in version 5, and some beside them. */
const characters = String.raw`[\u00ad\u00c6\u00d0\u00d8\u00de\u00df\u00e6\u00f0\u00f8\u00fe\u0110-\u026b\u03a3\u03c2\u03f2\u03f9\u0591-\u06ff\u1ab0-\u1dff\u1e9e\u2060\u2094\u2107\u210f\u2c62\ua7f8\ua7f9\uab5e\ufb1d-\ufeff\U00010780-\U0001d7bb]`;
/** Languages with several tags, and percent-encoding and international names in links. */
const languages = String.raw`"lang":"(?:bh|in|iw|ji|jw|mo|nb|sh|tl|tw|(?!(?:und|zxx|art|q[a-z]{2})")[^"]{3,}|[^"]*[A-Z][^"]*)"`;
const links = '%[0-9A-Fa-f]{2}|[xX][nN]--';
const pattern = `${characters}|${languages}|${links}`;

const rowsAtOnce = 1000;

/** For a transaction of tables that nothing else writes to: the transaction decides whether all rows have the new terms, or none. */
export async function rewriteTerms(run: Run): Promise<void> {
  const rows = new SearchRows(run, 0);
  for await (const tweets of changed(run, 'tweet')) await rows.rewrite(tweets.map(({ id }) => id));
  for await (const people of changed(run, 'person'))
    await run(
      upsertRows(
        'person',
        ['id'],
        people.map(({ document }) => personRow(JSON.parse(document) as ArchivedUser)),
      ),
    );
  for await (const places of changed(run, 'place'))
    await run(
      upsertRows(
        'place',
        ['id'],
        places.map(({ document }) => placeRow(JSON.parse(document) as ArchivedPlace)),
      ),
    );
}

interface Stored {
  readonly id: string;
  readonly document: string;
}

/** The rows of a table whose document has something with other terms, in parts. */
async function* changed(run: Run, table: 'tweet' | 'person' | 'place'): AsyncGenerator<readonly Stored[], void> {
  for (let last: string | undefined; ;) {
    const part: readonly Stored[] = await run<Stored>({
      text: `SELECT id, document FROM social_data.${table} WHERE ${last === undefined ? '' : 'id > $3 AND'} document ~ $1
        ORDER BY id LIMIT $2`,
      params: [pattern, rowsAtOnce, ...(last === undefined ? [] : [last])],
    });
    if (part.length > 0) yield part;
    last = part.at(-1)?.id;
    if (part.length < rowsAtOnce) return;
  }
}
