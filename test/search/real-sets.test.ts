// Not in `npm run test:fast`: it reads large data sets.
/**
 * On real tweets too, the index and the standing queries find what looking at each tweet alone finds: the collected queries, and queries
 * made of what the tweets themselves hold.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Condition } from '../../server/search/language/condition.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { hasSets } from '../support/real-sets.ts';
import { nightlyDescribe } from '../support/nightly.ts';
import { rounds } from '../support/rounds.ts';
import { collected, importSets, madeOf } from './real-queries.ts';
import { searchedArchives, type EvaluatedContent, type SearchedArchive } from './searched-archive.ts';

const now = Date.now();

(hasSets ? nightlyDescribe : describe.skip)('the real data sets', () => {
  const open = searchedArchives();
  let archive: SearchedArchive;
  let content: EvaluatedContent;
  let queries: Map<string, Condition>;

  beforeAll(
    async () => {
      archive = await open();
      await importSets(archive.sink);
      content = await archive.content();
      const texts = [...collected(), ...madeOf([...content.tweets.values()])];
      queries = new Map(texts.map((text) => [text, compileQuery(parse(text))]));
    },
    600_000 + rounds(60_000),
  );

  test(
    'give the same results with the index and with a scan',
    async () => {
      let found = 0;
      for (const [text, condition] of queries) {
        const looked = content.matching(condition, 'Latest', now);
        expect([text, await archive.ids(text, now)]).toEqual([text, looked]);
        found += looked.length > 0 ? 1 : 0;
      }
      expect(content.tweets.size).toBeGreaterThan(1_000);
      expect(found).toBeGreaterThan(rounds(100));
    },
    600_000 + rounds(60_000),
  );

  test(
    'match the registered queries',
    () => {
      const standing = new Percolator<string>();
      for (const [text, condition] of queries) standing.set(text, condition);
      for (const [place, id] of [...content.tweets.keys()].entries()) {
        if (place % 7 !== 0) continue;
        const document = content.document(id);
        const expected = [...queries]
          .filter(([, condition]) => matches(condition, document, now))
          .map(([text]) => text);
        expect([id, standing.match(document, now).toSorted()]).toEqual([id, expected.toSorted()]);
      }
    },
    600_000 + rounds(60_000),
  );
});
