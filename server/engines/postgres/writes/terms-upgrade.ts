/**
 * Writes the search rows again whose terms the rules of server/search/language give another form since version 6 of the tables: an
 * old row would be found by old terms only.
 */
import type { ArchivedPlace, ArchivedUser } from '../../../domain/records.ts';
import { itemsOf } from '../../../archive/content/content.ts';
import { childRowsOf } from '../../../archive/content/content-rows.ts';
import { fromDatabaseId } from '../../../archive/content/database-id.ts';
import { TweetWriter } from '../../../archive/writes/tweet-writer.ts';
import type { Run, RunAny } from '../store/database.ts';
import { nameColumns } from '../rows/search-rows.ts';
import { PostgresSearchRows } from './postgres-search-rows.ts';

/** The characters that fold to another text than in version 5, and some beside them. */
const characters = String.raw`[\u00ad\u00c6\u00d0\u00d8\u00de\u00df\u00e6\u00f0\u00f8\u00fe\u0110-\u026b\u03a3\u03c2\u03f2\u03f9\u0591-\u06ff\u1ab0-\u1dff\u1e9e\u2060\u2094\u2107\u210f\u2c62\ua7f8\ua7f9\uab5e\ufb1d-\ufeff\U00010780-\U0001d7bb]`;
/** Languages with several tags, and percent-encoding and international names in links. */
const languages = String.raw`"lang":"(?:bh|in|iw|ji|jw|mo|nb|sh|tl|tw|(?!(?:und|zxx|art|q[a-z]{2})")[^"]{3,}|[^"]*[A-Z][^"]*)"`;
const links = '%[0-9A-Fa-f]{2}|[xX][nN]--';
const pattern = `${characters}|${languages}|${links}`;

const rowsAtOnce = 1000;

/** For a transaction of tables that nothing else writes to: the transaction decides whether all rows have the new terms, or none. */
export async function rewriteTerms(run: RunAny): Promise<void> {
  const rows = new PostgresSearchRows(run, 0);
  const tweets = new TweetWriter(run, rows);
  for await (const part of changed(run, 'tweet')) await tweets.rewrite(part.map(({ id }) => fromDatabaseId(id)));
  for await (const part of changed(run, 'person'))
    for (const { id, document } of part) {
      const { name, name_words: words, is_long: isLong } = nameColumns(JSON.parse(document) as ArchivedUser);
      const text = 'UPDATE social_data.person SET name = $2, name_words = $3::tsvector, is_long = $4 WHERE id = $1';
      await run({ text, params: [id, name ?? '', words ?? '', isLong ?? false] });
    }
  for await (const part of changed(run, 'place'))
    for (const { document } of part) await rewritePlace(run, JSON.parse(document) as ArchivedPlace);
}

async function rewritePlace(run: RunAny, place: ArchivedPlace): Promise<void> {
  const [item] = itemsOf([{ kind: 'place', place }]).values();
  await run({ text: 'DELETE FROM social_data.place_term WHERE place_id = $1', params: [place.id] });
  const terms = item === undefined ? [] : childRowsOf(item);
  if (terms.length > 0) await run({ table: 'place_term', rows: terms });
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
