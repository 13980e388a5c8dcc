/** The connection to a SQLite file. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';

let database: SqliteDatabase;
beforeEach(() => {
  database = new SqliteDatabase(':memory:');
  database.script('CREATE TABLE number (value INTEGER) STRICT');
});
afterEach(() => database.close());

const typeOf = (value: number | string | bigint | null): unknown =>
  database.first('SELECT typeof(?) AS type', value)?.type;

test('binds an integer as an integer, because FTS5 ignores a limit of the rowid that is not', () => {
  expect([1, -1, 2 ** 53 - 1, 0.5, 2 ** 60, 'a', null, 5n].map(typeOf)).toEqual([
    ...['integer', 'integer', 'integer', 'real', 'real', 'text', 'null', 'integer'],
  ]);
});

test('a transaction that throws changes nothing', () => {
  const failed = (): void =>
    database.transaction(() => {
      database.run('INSERT INTO number VALUES (?)', 1);
      throw new Error('failed');
    });
  expect(failed).toThrow('failed');
  expect(database.transaction(() => database.all('SELECT value FROM number'))).toEqual([]);
});

test('prepares more distinct statements than it keeps', () => {
  for (let n = 0; n < 1200; n++) expect(database.first(`SELECT ${n} AS n`)).toEqual({ n });
  expect(database.first('SELECT 1 AS n')).toEqual({ n: 1 });
});
