/** Compares the percolator with the evaluation of each registered query in turn. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { documentOf, type DocumentContext } from '../../server/search/document.ts';
import type { TweetDocument } from '../../server/domain/tweet-document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { createRandom } from '../sample/random.ts';
import { recordsOf } from './engines/engine.ts';
import { ourselves, type Outcome } from './report/result.ts';
import { markdownTable, median } from './table.ts';
import { vocabulary, wordOf, writeTweets } from './tweets.ts';

/** Typical registered queries: authors, hashtags and rarer words. */
function createRegisteredQueries(count: number, authors: number): string[] {
  const { integer, next } = createRandom(4);
  const word = (): string => wordOf(Math.floor(200 * (vocabulary / 200) ** next()));
  const words = (min: number, max: number): string[] => Array.from({ length: integer(min, max) }, word);
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
    let remaining = next() * 100;
    const [, createOne] = mixed.find(([share]) => (remaining -= share) < 0) ?? [0, author];
    return createOne();
  };
  return Array.from({ length: count }, create);
}

interface TweetSet {
  readonly tweets: readonly ArchivedTweet[];
  readonly context: DocumentContext;
}

async function readTweets(count: number): Promise<TweetSet> {
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
    return { tweets, context: { user: (id) => users.get(id), authorOf: () => undefined } };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The number of tweets with each token or term. */
function countTerms(documents: readonly TweetDocument[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tokens, terms } of documents)
    for (const term of new Set([...tokens.lists, ...terms.lists].flat())) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** The prepared data: the tweets, their documents and the percolator with the registered queries. */
class MatcherBench {
  readonly #now = Date.now();
  readonly #tweets: readonly ArchivedTweet[];
  readonly #context: DocumentContext;
  readonly #documents: readonly TweetDocument[];
  readonly #conditions: readonly Condition[];
  readonly #percolator: Percolator<number>;
  /** A hundredth of the documents or less, because the loop over all queries is slow. */
  readonly #sample: readonly TweetDocument[];
  readonly registrationSeconds: number;

  constructor({ tweets, context }: TweetSet, queryCount: number) {
    this.#tweets = tweets;
    this.#context = context;
    this.#documents = tweets.map((tweet) => documentOf(tweet, context));
    this.#sample = this.#documents.filter((_document, index) => index % Math.max(100, queryCount / 100) === 0);
    const frequencies = countTerms(this.#documents);
    const texts = createRegisteredQueries(queryCount, Math.floor(tweets.length / 20));
    this.#conditions = texts.map((text) => compileQuery(parse(text)));
    this.#percolator = new Percolator<number>((term) => frequencies.get(term) ?? 0);
    const startedAt = performance.now();
    for (const [key, condition] of this.#conditions.entries()) this.#percolator.set(key, condition);
    this.registrationSeconds = (performance.now() - startedAt) / 1000;
  }

  /** Tweets per second and matches of the percolator. */
  percolator(): Rate {
    return rate(this.#documents, (document) => this.#percolator.match(document, this.#now));
  }

  /** The same with the creation of the documents. */
  percolatorWithDocuments(): Rate {
    return rate(this.#tweets, (tweet) => this.#percolator.match(documentOf(tweet, this.#context), this.#now));
  }

  /** The same by evaluation of each query in turn. */
  loop(): Rate {
    return rate(this.#sample, (document) => this.#evaluateAll(document));
  }

  /** The number of documents that percolator and loop match differently, and the number of compared documents. */
  differences(): { readonly wrong: number; readonly compared: number } {
    const matchesOf = (document: TweetDocument): string =>
      this.#percolator
        .match(document, this.#now)
        .toSorted((a, b) => a - b)
        .join();
    const wrong = this.#sample.filter((document) => matchesOf(document) !== this.#evaluateAll(document).join());
    return { wrong: wrong.length, compared: this.#sample.length };
  }

  #evaluateAll(document: TweetDocument): number[] {
    return this.#conditions.flatMap((condition, key) => (matches(condition, document, this.#now) ? key : []));
  }
}

interface Rate {
  readonly perSecond: number;
  /** The mean number of matches per item. */
  readonly matches: number;
}

function rate<Item>(items: readonly Item[], match: (item: Item) => readonly number[]): Rate {
  const startedAt = performance.now();
  let count = 0;
  for (const item of items) count += match(item).length;
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: items.length / seconds, matches: count / items.length };
}

interface MatcherSize {
  readonly tweets: number;
  /** The numbers of registered queries to measure. */
  readonly queries: readonly number[];
  readonly rounds: number;
}

/** Measures and prints the tweets per second for the given numbers of tweets and registered queries. */
export async function benchMatcher({ tweets, queries, rounds }: MatcherSize): Promise<Outcome> {
  const set = await readTweets(tweets);
  const outcomes = queries.map((count) => benchQueries(set, count, rounds));
  return { rows: outcomes.flatMap(({ rows }) => rows), details: outcomes.map(({ details }) => details) };
}

function benchQueries(set: TweetSet, queries: number, rounds: number): Outcome {
  process.stderr.write(`${queries} registered queries, ${set.tweets.length} tweets: preparing\n`);
  const bench = new MatcherBench(set, queries);
  const { wrong, compared } = bench.differences();
  const runs: { percolator: Rate; withDocuments: Rate; loop: Rate }[] = [];
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}\n`);
    runs.push({
      percolator: bench.percolator(),
      withDocuments: bench.percolatorWithDocuments(),
      loop: bench.loop(),
    });
  }
  const medianOf = (kind: 'percolator' | 'withDocuments' | 'loop'): number =>
    median(runs.map((run) => run[kind].perSecond));
  const row = (method: string, perSecond: number): Record<string, string | number> => ({
    method,
    'tweets/s': Math.round(perSecond),
    'ratio to the loop': (perSecond / medianOf('loop')).toFixed(0),
  });
  const perTweet = median(runs.map(({ percolator }) => percolator.matches));
  console.log(
    `\nPercolator: ${queries} registered queries (registration ${bench.registrationSeconds.toFixed(2)} s), ${set.tweets.length} tweets, ${perTweet.toFixed(1)} matches per tweet; median of ${rounds} rounds, one core\n`,
  );
  console.log(
    markdownTable([
      row('each query in turn', medianOf('loop')),
      row('percolator', medianOf('percolator')),
      row('percolator, with the creation of the document', medianOf('withDocuments')),
    ]),
  );
  console.log(
    wrong === 0
      ? `\nPercolator and loop agree on all ${compared} compared tweets.`
      : `\nPercolator and loop disagree on ${wrong} of ${compared} compared tweets.`,
  );
  const perSecond = (metric: string, subject: string, kind: keyof (typeof runs)[number]) => ({
    ...{ metric, subject, unit: 'tweets/s', better: 'higher' as const, values: runs.map((run) => run[kind].perSecond) },
  });
  const rows = [
    perSecond(`matching ${queries} queries`, ourselves, 'percolator'),
    perSecond(`matching ${queries} queries`, 'each query in turn', 'loop'),
    perSecond(`matching ${queries} queries, with the creation of the document`, ourselves, 'withDocuments'),
  ];
  return { rows, details: { tweets: set.tweets.length, queries, rounds, wrong, compared, runs } };
}
