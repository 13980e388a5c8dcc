/** The texts and the parameters of statements for SQLite. */
import { expect, test } from '@jest/globals';
import { among, given, sql } from '../../../server/archive/sql.ts';
import { rendered } from '../../../server/engines/sqlite/sqlite-dialect.ts';

const ids = (...list: readonly string[]) => ({ ids: list });

test('one value is compared, several and none are a table', () => {
  expect(rendered(among('t.id', ids('7')))).toEqual({ text: 't.id = ?', params: [7n] });
  expect(rendered(among('name', { texts: ['a"b'] }))).toEqual({ text: 'name = ?', params: ['a"b'] });
  const text = 't.id IN (SELECT value FROM json_each(?))';
  expect(rendered(among('t.id', ids('7', '-8')))).toEqual({ text, params: ['[7,-8]'] });
  expect(rendered(among('t.id', ids()))).toEqual({ text, params: ['[]'] });
});

test('parameters stand in the order of the text', () => {
  const statement = sql`SELECT 1 FROM ${given({ id: ids('1', '2'), name: { texts: ['a', 'b'] } })} WHERE ${among('x', ids('3'))} LIMIT ${4}`;
  expect(rendered(statement)).toEqual({
    text: 'SELECT 1 FROM (SELECT value ->> 0 AS id, value ->> 1 AS name FROM json_each(?)) AS given WHERE x = ? LIMIT ?',
    params: ['[[1,"a"],[2,"b"]]', 3n, 4n],
  });
});
