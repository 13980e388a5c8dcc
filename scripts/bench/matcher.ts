/** Standing queries: one tweet against ten thousand of them, against asking each in turn. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { documentOf, type DocumentContext, type TweetDocument } from '../../server/search/document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { createRandom } from '../sample/random.ts';
import { recordsOf } from './engines/engine.ts';
import { markdownTable, median } from './table.ts';
import { vocabulary, wordOf, writeTweets } from './tweets.ts';

/** Queries as people leave them standing: names, tags and words that are worth watching, seldom the commonest. */
export function createStandingTexts(count: number, authors: number): string[] {
  const { integer, next } = createRandom(4);
  const word = (): string => wordOf(Math.floor(200 * (vocabulary / 200) ** next()));
  const words = (least: number, most: number): string[] => Array.from({ length: integer(least, most) }, word);
  const author = (): string => `from:user_${integer(0, authors - 1)}`;
  const mixed: readonly (readonly [share: number, create: () => string])[] = [
    [25, author],
    [13, word],
    [10, () => words(2, 3).join(' ')],
    [10, () => `#${word()}`],
    [8, () => `$${word().slice(0, 4).toUpperCase()}`],
    [8, () => `"${words(2, 2).join(' ')}"`],
    [9, () => words(2, 6).join(' OR ')],
    [5, () => `(${author()} OR ${author()} OR ${author()}) ${words(1, 2).join(' OR ')}`],
    [5, () => `${word()} lang:en min_faves:${integer(10, 400)}`],
    [4, () => `${word()} -${word()} -${word()}`],
    [3, () => `(${words(2, 4).join(' OR ')}) (lang:ja OR min_faves:450) -filter:replies`],
  ];
  const create = (): string => {
    let left = next() * 100;
    return (mixed.find(([share]) => (left -= share) < 0) ?? mixed[0]!)[1]();
  };
  return Array.from({ length: count }, create);
}

async function readTweets(count: number): Promise<{ tweets: ArchivedTweet[]; around: DocumentContext }> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(directory, 'tweets.jsonl');
    await writeTweets(file, count);
    const users = new Map<string, ArchivedUser>();
    const tweets: ArchivedTweet[] = [];
    for await (const record of recordsOf(file)) {
      if (record.kind === 'user') users.set(record.user.id, record.user);
      if (record.kind === 'tweet') tweets.push(record.tweet);
    }
    return { tweets, around: { user: (id) => users.get(id), authorOf: () => undefined } };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** How many tweets have a token or a term. */
function countTerms(documents: readonly TweetDocument[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tokens, terms } of documents)
    for (const term of tokens.union(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const rounds = 7;

/** Prints how many tweets a second are told from `queries` standing queries. The loop sees each hundredth tweet. */
export async function benchMatcher({
  tweets: tweetCount,
  queries: queryCount,
}: {
  tweets: number;
  queries: number;
}): Promise<void> {
  process.stderr.write(`${queryCount} standing queries, ${tweetCount} tweets: preparing\n`);
  const { tweets, around } = await readTweets(tweetCount);
  const prepare = (tweet: ArchivedTweet): TweetDocument => documentOf(tweet, around);
  const documents = tweets.map(prepare);
  const frequencies = countTerms(documents);
  const conditions = createStandingTexts(queryCount, Math.floor(tweetCount / 20)).map((text) =>
    compileQuery(parse(text)),
  );
  const standing = new Percolator<number>((term) => frequencies.get(term) ?? 0);
  const began = performance.now();
  for (const [key, condition] of conditions.entries()) standing.set(key, condition);
  const setSeconds = (performance.now() - began) / 1000;

  const now = Date.now();
  const oneByOne = (document: TweetDocument): number[] =>
    conditions.flatMap((condition: Condition, key) => (matches(condition, document, now) ? key : []));
  const few = documents.filter((_document, n) => n % 100 === 0);
  const wrong = few.filter(
    (document) =>
      standing
        .match(document, now)
        .toSorted((a, b) => a - b)
        .join() !== oneByOne(document).join(),
  ).length;

  let answers = 0;
  const rate = <Item>(items: readonly Item[], act: (item: Item) => readonly number[]): number => {
    const start = performance.now();
    answers = 0;
    for (const item of items) answers += act(item).length;
    return items.length / ((performance.now() - start) / 1000);
  };
  const rates = { matcher: [] as number[], prepared: [] as number[], loop: [] as number[] };
  let perTweet = 0;
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}\n`);
    rates.matcher.push(rate(documents, (document) => standing.match(document, now)));
    perTweet = answers / documents.length;
    rates.prepared.push(rate(tweets, (tweet) => standing.match(prepare(tweet), now)));
    rates.loop.push(rate(few, oneByOne));
  }

  const [matcher, prepared, loop] = [median(rates.matcher), median(rates.prepared), median(rates.loop)];
  const row = (way: string, each: number): Record<string, string | number> => ({
    way,
    'tweets/s': Math.round(each),
    'times the loop': (each / loop).toFixed(0),
  });
  console.log(
    `\nMatcher: ${queryCount} standing queries (set in ${setSeconds.toFixed(2)} s), ${tweetCount} tweets, ${perTweet.toFixed(1)} answered by a tweet; median of ${rounds} rounds, one core\n`,
  );
  console.log(
    markdownTable([
      row('one by one', loop),
      row('standing queries', matcher),
      row('with the document made too', prepared),
    ]),
  );
  console.log(
    wrong === 0
      ? `\nThe answers are those of the loop on all ${few.length} tweets compared.`
      : `\n${wrong} of ${few.length} tweets compared got other answers than from the loop.`,
  );
}
