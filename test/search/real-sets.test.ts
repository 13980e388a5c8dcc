// Not in `npm run test:fast`: it reads large data sets.
/**
 * On real tweets too, the index and the standing queries find what looking at each tweet alone finds: the collected queries, and queries
 * made of what the tweets themselves hold.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Archive } from '../../server/platforms/archive/archive.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { documentOf, contextFrom, type TweetDocument } from '../../server/search/document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { hasSets } from '../support/real-sets.ts';
import { nightlyDescribe } from '../support/nightly.ts';
import { rounds } from '../support/rounds.ts';
import { collected, importSets, madeOf, sinkOf } from './real-queries.ts';

const now = Date.now();

(hasSets ? nightlyDescribe : describe.skip)('the real data sets', () => {
  const archive = new Archive();
  /** By ordinal; the sets delete some of their tweets. */
  const documents = new Map<number, TweetDocument>();
  let queries: Map<string, Condition>;

  beforeAll(
    async () => {
      await importSets(sinkOf(archive));
      const around = contextFrom(archive);
      for (const ordinal of archive.ordinals()) documents.set(ordinal, documentOf(archive.tweet(ordinal), around));
      const texts = [...collected(), ...madeOf(archive)];
      queries = new Map(texts.map((text) => [text, compileQuery(parse(text))]));
    },
    600_000 + rounds(60_000),
  );

  // The module stays in memory as long as the worker.
  afterAll(() => {
    documents.clear();
    queries?.clear();
  });

  test(
    'give the same results with the index and with a scan',
    () => {
      let found = 0;
      for (const [text, condition] of queries) {
        const looked = [...documents].flatMap(([ordinal, document]) =>
          matches(condition, document, now) ? [ordinal] : [],
        );
        const { items } = archive.index.search(parse(text), 'Latest', { after: undefined, limit: archive.size });
        expect([text, items]).toEqual([text, looked.toSorted((a, b) => archive.order(b, a))]);
        found += looked.length > 0 ? 1 : 0;
      }
      expect(documents.size).toBeGreaterThan(1_000);
      expect(found).toBeGreaterThan(rounds(100));
    },
    600_000 + rounds(60_000),
  );

  test(
    'match the registered queries',
    () => {
      const standing = new Percolator<string>();
      for (const [text, condition] of queries) standing.set(text, condition);
      for (const [place, [ordinal, document]] of [...documents].entries()) {
        if (place % 7 !== 0) continue;
        const expected = [...queries]
          .filter(([, condition]) => matches(condition, document, now))
          .map(([text]) => text);
        expect([ordinal, standing.match(document, now).toSorted()]).toEqual([ordinal, expected.toSorted()]);
      }
    },
    600_000 + rounds(60_000),
  );
});
