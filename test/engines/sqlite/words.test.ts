/** The tokens of FTS5 are as distinct as the words and terms that they stand for. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { columnOf, phraseOf, tokenizer, tokenOf } from '../../../server/engines/sqlite/words.ts';
import fc, { anyCharacter } from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

let database: SqliteDatabase;
beforeEach(() => {
  database = new SqliteDatabase(':memory:');
  database.script(
    `CREATE VIRTUAL TABLE word USING fts5(text, content='', contentless_delete=1, tokenize="${tokenizer}");
     CREATE VIRTUAL TABLE vocabulary USING fts5vocab(word, row);`,
  );
});
afterEach(() => database.close());

const add = (rowid: number, texts: readonly (readonly string[])[]): void =>
  database.run('INSERT INTO word (rowid, text) VALUES (?, ?)', rowid, columnOf(texts));
const found = (tokens: readonly string[]): unknown[] =>
  database.all('SELECT rowid FROM word WHERE word MATCH ? ORDER BY rowid', phraseOf(tokens)).map(({ rowid }) => rowid);

/** Texts of characters that a tokenizer, a query or a file could treat in its own way. */
const text = fc.oneof(
  fc.string({
    unit: fc.oneof(fc.constantFrom(...'aA^" \u00a0\0\n\u007f|:*()\'-'), anyCharacter),
    minLength: 1,
    maxLength: 6,
  }),
  fc.constantFrom('\ud800', 'a\udfff', 'hash:00', 'x'.repeat(600), 'X'.repeat(600), '日'.repeat(600)),
);

test('FTS5 keeps each token whole, and distinct texts have distinct tokens', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 2, maxLength: 8 }), (texts) => {
      database.script("DELETE FROM word; INSERT INTO word (word) VALUES ('optimize')");
      for (const [place, each] of texts.entries()) add(place + 1, [[each]]);
      for (const [place, each] of texts.entries()) expect([each, found([each])]).toEqual([each, [place + 1]]);
      expect(new Set(texts.map(tokenOf)).size).toBe(texts.length);
    }),
    { numRuns: rounds(1000, 100) },
  );
});

test('a phrase is found in sequence and in one text only', () => {
  add(1, [['a', 'b'], ['c']]);
  add(2, [['b', 'a']]);
  expect(found(['a', 'b'])).toEqual([1]);
  expect(found(['b', 'c'])).toEqual([]);
  expect(found(['b'])).toEqual([1, 2]);
});
