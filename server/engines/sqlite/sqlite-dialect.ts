/** Statements for SQLite. */
import type { Dialect, Fragment, Insertion, List } from '../../archive/sql.ts';

type Parameter = string | number | bigint | boolean | null;

/** Ids are integers of JSON, which SQLite reads with all digits. */
const jsonOf = (list: List): string => ('ids' in list ? `[${list.ids.join(',')}]` : JSON.stringify(list.texts));
const valuesOf = (list: List): readonly string[] =>
  'ids' in list ? list.ids : list.texts.map((text) => JSON.stringify(text));

/** Adds a parameter, and returns its place. */
function add(params: Parameter[], value: Parameter): string {
  params.push(value);
  return '?';
}

const dialect: Dialect<Parameter> = {
  value(value, params) {
    if (typeof value === 'number') return add(params, BigInt(value));
    if (typeof value !== 'object' || value === null) return add(params, value);
    return 'id' in value ? add(params, BigInt(value.id)) : add(params, value.real);
  },
  among(column, list, params) {
    const values = 'ids' in list ? list.ids : list.texts;
    const [only] = values;
    // A table of one value takes three times as long as the value.
    if (only !== undefined && values.length === 1)
      return `${column} = ${this.value('ids' in list ? { id: only } : only, params)}`;
    return `${column} IN (SELECT value FROM json_each(${add(params, jsonOf(list))}))`;
  },
  given(columns, params) {
    const lists = Object.values(columns).map(valuesOf);
    const rows = (lists[0] ?? []).map((_, row) => `[${lists.map((list) => list[row]).join(',')}]`);
    const names = Object.keys(columns).map((name, index) => `value ->> ${index} AS ${name}`);
    return `(SELECT ${names.join(', ')} FROM json_each(${add(params, `[${rows.join(',')}]`)})) AS given`;
  },
  idText: (column) => idText(column),
  sameTweet: (counts, tweet) => `${counts}.pos = ${tweet}.pos`,
};

/** 2^63 in groups of nine digits: an id is the stored one plus 2^63, which 64 bits cannot hold. */
const [high, low, group] = [9_223_372_036, 854_775_808, 1_000_000_000];

/** The text of an id whose stored form is in a column. */
export const idText = (column: string): string => `CASE WHEN ${column} < 0
  THEN CAST(${column} + 9223372036854775807 + 1 AS TEXT)
  ELSE printf('%d%09d', ${high} + ${column} / ${group} + (${low} + ${column} % ${group}) / ${group}, (${low} + ${column} % ${group}) % ${group}) END`;

/** The text and the parameters of a statement. */
export function rendered(statement: Fragment): { readonly text: string; readonly params: readonly Parameter[] } {
  const params: Parameter[] = [];
  return { text: statement.render(dialect, params), params };
}

/** The text of an insertion of one row with these columns. */
export function insertionText({ table, conflict }: Insertion, columns: readonly string[]): string {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const text = `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
  if (conflict === undefined) return text;
  const { keys, action, except = [] } = conflict;
  const written = columns.filter((name) => !keys.includes(name) && !except.includes(name));
  if (action === 'keep' || written.length === 0) return `${text} ON CONFLICT DO NOTHING`;
  const values = written.map((name) => `"${name}" = excluded."${name}"`).join(', ');
  return `${text} ON CONFLICT (${keys.map((name) => `"${name}"`).join(', ')}) DO UPDATE SET ${values}`;
}
