/**
 * The collected queries of the platform: each says in a small language of its own what it means. Here that is read by itself, and the
 * evaluator must agree with it on tweets made of the case's own words.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../server/domain/records.ts';
import { documentOf } from '../../server/search/document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { meaning, now, type Draft } from './expectation-language.ts';

interface Case {
  readonly query: string;
  readonly expect: string;
  readonly valid: boolean;
}
const file = new URL('../../../shared/search/cases.jsonl', import.meta.url).pathname;
const cases = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case)
  : [];

/** Valid queries of the platform that need what no source carries: they are refused by name. */
const beyond = /filter:(follows|social)|near:me/;

const refusal = (query: string): unknown => {
  try {
    parse(query);
    return undefined;
  } catch (error) {
    return error;
  }
};

/** The id of a user contains the name. */
const hex = (username: string): string => Buffer.from(username).toString('hex');
const username = (id: string): string => Buffer.from(id, 'hex').toString();

/** A tweet of which no part of a meaning is true yet. */
const plain = (): Draft => ({
  id: '1500000000000000000',
  text: '',
  created_at: '2019-06-01T00:00:00Z',
  username: 'someone',
  words: [],
  links: [],
  entities: { mentions: [], hashtags: [], cashtags: [], urls: [] },
});

/** Each way to take some of `count` things and leave the others; of more than a thousand ways, some of all kinds (the step is odd). */
function* choices(count: number): Generator<boolean[], void> {
  const ways = 2 ** count;
  for (let way = ways - 1; way >= 0; way -= Math.ceil(ways / 1024) | 1)
    yield Array.from({ length: count }, (_, place) => Math.floor(way / 2 ** place) % 2 === 1);
}

(cases.length > 0 ? describe : describe.skip)('the collected queries', () => {
  test('parse if they are valid, and return 400 otherwise', () => {
    for (const { query, valid } of cases.filter((each) => !beyond.test(each.query))) {
      expect([query, refusal(query)]).toEqual([query, valid ? undefined : expect.objectContaining({ status: 400 })]);
    }
  });

  test("return 400 with the operator's name if the archive lacks the data", () => {
    for (const { query } of cases.filter((each) => beyond.test(each.query))) {
      expect([query, refusal(query)]).toEqual([query, expect.objectContaining({ status: 400 })]);
    }
  });

  const answered = cases.filter(({ query, valid }) => valid && !beyond.test(query));
  const unclear: string[] = [];
  for (const each of answered) {
    const meant = meaning(each.expect, each.query);
    if (meant === undefined) {
      unclear.push(each.query);
      continue;
    }
    test(`${each.query} finds: ${each.expect}`, () => {
      const condition = compileQuery(parse(each.query));
      const retweetsToo = /(?<!-)(include|filter):nativeretweets|retweets_of/.test(each.query);
      let met = 0;
      for (const picks of choices(meant.used.length)) {
        for (const native of [false, true]) {
          const draft = plain();
          picks.forEach((pick, place) => pick && meant.used[place]!.make(draft));
          if (native) draft.retweeted_tweet_id ??= '1';
          const { username: author, words, links, verified, blueVerified, lists = [], ...record } = draft;
          const tweet = {
            ...record,
            text: words.join(' ; '),
            expanded_urls: links,
            author_id: hex(author),
          } as ArchivedTweet;
          const around = {
            user: (id: string) => ({
              id,
              username: username(id),
              verified: verified === true,
              is_blue_verified: blueVerified === true,
            }),
            listTerms: (id: string) => (id === hex(author) ? lists.map((list) => `list:${list}`) : []),
            authorOf: (id: string) => (id === '910' ? hex('twitterdev') : undefined),
          };
          const expected = meant.holds(draft) && (retweetsToo || draft.retweeted_tweet_id === undefined);
          if (expected) met++;
          expect([draft, matches(condition, documentOf(tweet, around), now)]).toEqual([draft, expected]);
        }
      }
      const metNever = each.expect === 'nothing';
      expect([each.query, met > 0]).toEqual([each.query, !metNever]);
    });
  }

  test('have an expectation that this test can parse', () => {
    expect(unclear).toEqual([]);
  });
});
