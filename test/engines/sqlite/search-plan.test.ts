/** How SQLite reads the tweets of a search: by words or an index, from the place at which the page begins. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ResolvedCondition } from '../../../server/archive/search/resolved-condition.ts';
import { scansOf } from '../../../server/engines/sqlite/search-plan.ts';
import { newestStatement, topStatement, type Selection } from '../../../server/engines/sqlite/search-statements.ts';
import { levelOf } from '../../../server/engines/sqlite/top.ts';
import { nativeRetweet } from '../../../server/search/language/condition.ts';
import fc from '../../support/property.ts';
import { SqliteWorld } from './search-world.ts';

let world: SqliteWorld;
beforeAll(async () => {
  const tweet = { id: '1', text: 'a', author_id: '1', created_at: '2026-01-01T00:00:00.000Z' };
  world = await SqliteWorld.create([{ kind: 'tweet', tweet }]);
});
afterAll(() => world.database.close());

const planOf = ({ text, params }: Selection): string[] =>
  world.database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...params).map(({ detail }) => detail);
const limits = { from: 0, to: 1_000_000 };
/** What each scan of the first page reads. */
const plansOf = (condition: ResolvedCondition): string[][] =>
  scansOf(condition).map((scan) => planOf(newestStatement(scan, limits, 21)));

const all = (...parts: readonly ResolvedCondition[]): ResolvedCondition => ({ is: 'all', parts });
const any = (...parts: readonly ResolvedCondition[]): ResolvedCondition => ({ is: 'any', parts });
const word = (text: string): ResolvedCondition => ({ is: 'words', within: 'text', tokens: [text] });
const likes = (min: number): ResolvedCondition => ({ is: 'count', count: 'like_count', min });
const authors = (count: number): ResolvedCondition => ({
  ...{ is: 'ids', prefix: 'from:', ids: Array.from({ length: count }, (_, n) => String(n)) },
});
const noRetweet: ResolvedCondition = { is: 'not', part: { is: 'term', term: nativeRetweet } };
/** FTS5 with a query (M), and with limits of the rowid (= < >), in the order of the rowid. */
const words = expect.stringMatching(
  /^SCAN word VIRTUAL TABLE INDEX \d+:M\d?[<>]+$|^SCAN word VIRTUAL TABLE INDEX \d+:[<>]+M\d?$/,
);

test('words and terms are one query of FTS5 with limits of the position', () => {
  expect(plansOf(all(word('a'), word('b'), noRetweet))).toEqual([[words]]);
  expect(plansOf(any(word('a'), authors(2)))).toEqual([[words]]);
});

test('counts are compared with the narrow table, and select by levels', () => {
  expect(plansOf(all(word('a'), likes(10)))).toEqual([[words, 'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)']]);
  expect(scansOf(likes(500))[0]?.match).toContain('"^l480"');
});

test('alternatives that FTS5 does not have are scans of their own', () => {
  expect(plansOf(all(any(word('a'), likes(10)), noRetweet))).toEqual([
    [words],
    [words, 'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)'],
  ]);
  const alternatives = Array.from({ length: 10 }, (_, n) => any(word(`a${n}`), likes(n)));
  expect(plansOf(all(...alternatives))).toHaveLength(1);
});

test('many authors are read in the order of their index', () => {
  const [plan = []] = plansOf(all(authors(300), noRetweet));
  expect(plan).toContainEqual(
    expect.stringMatching(/SEARCH t USING (COVERING )?INDEX tweet_author \(author_id=\? AND rowid>\? AND rowid<\?\)/),
  );
  expect(plan.filter((line) => /SCAN (t|n)\b/.test(line))).toEqual([]);
});

test('the ranking reads ranks within limits', () => {
  const [scan] = scansOf(word('a'));
  expect(planOf(topStatement(scan!, limits, 21))).toEqual([
    expect.stringMatching(/^SCAN top_word VIRTUAL TABLE INDEX \d+:/),
    'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});

test('a higher engagement has the same level or a higher one', () => {
  expect([0, 1, 2, 3, 4, 64, 65, 127, 128].map(levelOf)).toEqual([0, 1, 65, 97, 129, 385, 386, 448, 449]);
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat(3), (engagement, more) => {
      const higher = Math.min(engagement + more, Number.MAX_SAFE_INTEGER);
      expect(levelOf(higher)).toBeGreaterThanOrEqual(levelOf(engagement));
    }),
  );
});
