/** A page of a list as CSV: a line of names, a line for each item, and the cursor of the next page in headers. */
import { valueOfColumn } from '../../contract/item-columns.ts';
import { csvOf } from '../../text/csv.ts';
import { preferredOf } from '../../contract/media-preference.ts';

/** The member of a page with its items, and their columns. */
export interface CsvItems {
  readonly items: string;
  readonly columns: () => readonly string[];
}

/** Whether a request prefers CSV to JSON. Most requests do not name it. */
export const wantsCsv = (accept: string | undefined): boolean =>
  accept !== undefined && /csv/i.test(accept) && preferredOf(['application/json', 'text/csv'], accept) === 'text/csv';

export interface CsvPage {
  readonly bytes: Buffer;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** `page`: the validated JSON of a page. `target`: the target of its request, without an API key. */
export function csvPage(
  page: Readonly<Record<string, unknown>>,
  { items, columns }: CsvItems,
  target: string,
): CsvPage {
  const names = columns();
  const rows = (page[items] as readonly unknown[]).map((item) => names.map((name) => valueOfColumn(item, name)));
  const { next_cursor: next } = page;
  return {
    bytes: Buffer.from(csvOf([names, ...rows])),
    headers: typeof next === 'string' ? ['Link', linkTo(target, next), 'X-Next-Cursor', next] : [],
  };
}

/** A link to the next page (RFC 8288), relative to the page, so that it holds behind any proxy. */
function linkTo(target: string, cursor: string): string {
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  query.set('cursor', cursor);
  return `<?${query}>; rel="next"`;
}
