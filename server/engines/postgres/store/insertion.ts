/** Statements that write rows. */
import type { Insertion, Row } from '../../../archive/sql.ts';
import type { Statement } from './statement.ts';

/** The statement of an insertion. */
export function insertionOf({ table, rows, conflict }: Insertion): Statement {
  if (conflict === undefined) return copyRows(table, rows);
  const { keys, action, except = [] } = conflict;
  if (action === 'keep') return insertRows(table, rows, 'ON CONFLICT DO NOTHING');
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !keys.includes(name) && !except.includes(name));
  const values = columns.map((name) => `"${name}" = excluded."${name}"`).join(', ');
  const update = columns.length === 0 ? 'NOTHING' : `UPDATE SET ${values}`;
  return insertRows(table, rows, `ON CONFLICT (${keys.join(', ')}) DO ${update}`);
}

/** A statement that inserts rows of one table, which all have the same columns. */
export function insertRows(table: string, rows: readonly Row[], conflict = ''): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const definition = columns.map((name) => `"${name}"`).join(', ');
  return {
    text: `INSERT INTO social_data.${table} (${definition})
      SELECT ${definition} FROM jsonb_populate_recordset(NULL::social_data.${table}, $1::jsonb) ${conflict}`,
    params: [JSON.stringify(rows)],
  };
}

/** As `insertRows`, with less work for PostgreSQL, for rows whose keys no other row has. */
export function copyRows(table: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return {
    text: `COPY social_data.${table} (${columns.map((name) => `"${name}"`).join(', ')}) FROM STDIN`,
    copied: rows.map((row) => `${columns.map((name) => copyField(row[name])).join('\t')}\n`).join(''),
  };
}

const copyField = (value: Row[string] | undefined): string =>
  value == null ? String.raw`\N` : typeof value === 'string' ? escapedField(value) : String(value);
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
const escapedField = (text: string): string =>
  /[\\\n\t\r]/.test(text) ? text.replaceAll(/[\\\n\t\r]/g, (character) => escapes[character] ?? character) : text;
