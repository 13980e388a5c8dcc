import { expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import type { Page, PageRequest } from '../../../server/contract/page.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { createRandom, type Random } from '../../../scripts/sample/random.ts';
import { rounds } from '../../support/rounds.ts';

/** Enough for tiers. */
const startSize = 2_600;
const words = ['alpha', 'beta', 'gamma', 'delta', 'rare'];

/** Queries, and the tweets that match them. */
const queries: readonly (readonly [text: string, matches: (tweet: ArchivedTweet) => boolean])[] = [
  ['alpha', ({ text }) => text.includes('alpha')],
  ['rare', ({ text }) => text.includes('rare')],
  ['alpha OR beta', ({ text }) => /alpha|beta/.test(text)],
  ['"alpha beta"', ({ text }) => text.includes('alpha beta')],
  ['gamma -delta', ({ text }) => text.includes('gamma') && !text.includes('delta')],
  ['-alpha', ({ text }) => !text.includes('alpha')],
  ['min_faves:60', ({ like_count = 0 }) => like_count >= 60],
  ['rare min_retweets:3', ({ text, retweet_count = 0 }) => text.includes('rare') && retweet_count >= 3],
  ['min_retweets:3', ({ retweet_count = 0 }) => retweet_count >= 3],
  [
    'beta (min_retweets:20 OR min_faves:900)',
    ({ text, like_count = 0, retweet_count = 0 }) =>
      text.includes('beta') && (retweet_count >= 20 || like_count >= 900),
  ],
  [
    'alpha OR beta OR gamma OR delta OR rare OR p0 OR p1 OR p2 OR p3 OR p4',
    ({ text }) => /alpha|beta|gamma|delta|rare|p[0-4]\b/.test(text),
  ],
];

/** An archive whose tweets have engagement as real ones do: most have little, a few have much. */
class Trial {
  readonly archive = new Archive();
  readonly #random: Random;
  readonly #ids: string[] = [];
  #observed = Date.UTC(2026, 1, 1);

  constructor(random: Random) {
    this.#random = random;
    for (let number = 0; number < startSize; number++) this.addTweet();
  }

  #below(end: number): number {
    return Math.floor(this.#random.next() * end);
  }

  #counts(): Pick<ArchivedTweet, 'like_count' | 'retweet_count'> {
    const scale = Math.floor(1 / (this.#random.next() + 0.0005));
    return { like_count: this.#below(3) * scale, retweet_count: this.#below(2) * Math.floor(scale / 4) };
  }

  #someId(): string {
    return this.#ids[this.#below(this.#ids.length)] ?? '1';
  }

  /** A tweet at any time, also before others. */
  addTweet(): void {
    const id = String(1_000_000 + this.#below(1e9));
    const text = Array.from({ length: 1 + this.#below(4) }, () => words[this.#below(this.#below(20) === 0 ? 5 : 4)]);
    const created_at = new Date(Date.UTC(2026, 0, 1) + this.#below(20_000) * 1000).toISOString();
    this.#ids.push(id);
    this.archive.apply({
      kind: 'tweet',
      tweet: { id, text: `${text.join(' ')} p${this.#below(50)}`, created_at, author_id: '1', ...this.#counts() },
    });
  }

  changeCounts(id = this.#someId(), counts: Partial<ArchivedTweet> = this.#counts()): void {
    const ordinal = this.archive.ordinal(id);
    if (ordinal === undefined) return;
    const observed_at = new Date((this.#observed += 1000)).toISOString();
    this.archive.apply({ kind: 'tweet', tweet: { ...this.archive.tweet(ordinal), ...counts, observed_at } });
  }

  /** The tweets with the most engagement lose it. */
  coolDown(): void {
    const best = this.archive.index.search(parse('-nothing'), 'Top', { after: undefined, limit: 150 }).items;
    for (const ordinal of best)
      this.changeCounts(String(this.archive.id(ordinal)), { like_count: 0, retweet_count: 0 });
  }

  /** A few tweets, which then go, reach much engagement. */
  riseAndGo(): void {
    for (let count = 0; count < 400; count++) {
      const id = this.#someId();
      this.changeCounts(id, { like_count: 5_000 + count });
      this.archive.apply({ kind: 'delete', tweet_id: id, at: '2026-02-20T00:00:00.000Z' });
    }
    Array.from(this.archive.sweepIndex());
    for (let count = 0; count < 300; count++) this.addTweet();
  }

  unlike(): void {
    this.archive.apply({
      kind: 'unlike',
      tweet_id: this.#someId(),
      at: new Date((this.#observed += 1000)).toISOString(),
    });
  }

  delete(): void {
    this.archive.apply({ kind: 'delete', tweet_id: this.#someId(), at: '2026-02-20T00:00:00.000Z' });
  }

  /** So many changes that the thresholds are computed again. */
  changeMuch(): void {
    for (const id of this.#ids) if (this.#random.next() < 0.8) this.changeCounts(id);
  }

  /** So many deletions that the index sweeps, and that other tweets get the ordinals. */
  replaceMany(): void {
    for (let count = 0; count < 500; count++) this.delete();
    Array.from(this.archive.sweepIndex());
    for (let count = 0; count < 400; count++) this.addTweet();
  }
}

/** The page that a scan of all tweets gives. */
function scannedPage(
  { archive }: Trial,
  matches: (tweet: ArchivedTweet) => boolean,
  { after, limit }: PageRequest,
): Page<number> {
  const [revision = archive.revision, score = Infinity, at = Infinity, id = '0'] = (after ?? []) as [
    number?,
    number?,
    number?,
    string?,
  ];
  const isAfter = (ordinal: number): boolean => {
    const engagement = archive.engagement(ordinal, revision);
    return engagement < score || (engagement === score && archive.isOlder(ordinal, at, BigInt(id)));
  };
  const found = Array.from({ length: archive.ordinalCount }, (_, ordinal) => ordinal)
    .filter((ordinal) => !archive.isGone(ordinal) && archive.arrivedAt(ordinal) <= revision && isAfter(ordinal))
    .filter((ordinal) => matches(archive.tweet(ordinal)))
    .toSorted((a, b) => archive.engagement(b, revision) - archive.engagement(a, revision) || archive.order(b, a));
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next:
      last === undefined || found.length <= limit
        ? null
        : [revision, archive.engagement(last, revision), archive.createdAt(last), String(archive.id(last))],
  };
}

const smallChanges = ['addTweet', 'changeCounts', 'unlike', 'delete'] as const;
const largeChanges = ['changeMuch', 'replaceMany', 'coolDown', 'riseAndGo'] as const;
/** A change, and how often it happens. */
const change = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...smallChanges), fc.integer({ min: 1, max: 20 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...largeChanges), fc.constant(1)) },
);
const steps = fc.array(
  fc.record({
    query: fc.constantFrom(...queries),
    limit: fc.constantFrom(1, 2, 5, 20),
    /** The number of pages, with changes before each. */
    pages: fc.array(fc.array(change, { maxLength: 2 }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  { minLength: 12, maxLength: 12 },
);

test('pages by engagement are those of a scan, while tweets arrive, change and go', () => {
  fc.assert(
    fc.property(steps, fc.integer(), (all, seed) => {
      const trial = new Trial(createRandom(seed));
      for (const {
        query: [text, matches],
        limit,
        pages,
      } of all) {
        let after: PageRequest['after'];
        for (const changed of pages) {
          for (const [name, times] of changed) for (let count = 0; count < times; count++) trial[name]();
          const page = trial.archive.index.search(parse(text), 'Top', { after, limit });
          expect([text, page]).toEqual([text, scannedPage(trial, matches, { after, limit })]);
          if (page.next === null) break;
          after = page.next;
        }
      }
    }),
    { numRuns: rounds(30, 3) },
  );
});

test('a search by engagement reads a small part of the tweets', () => {
  const trial = new Trial(createRandom(1));
  const { archive } = trial;
  let reads = 0;
  const engagement = archive.engagement.bind(archive);
  archive.engagement = (ordinal, revision) => {
    reads++;
    return engagement(ordinal, revision);
  };
  const readsOf = (text: string): number => {
    reads = 0;
    archive.index.search(parse(text), 'Top', { after: undefined, limit: 5 });
    return reads;
  };
  readsOf('alpha');
  for (const text of ['alpha', 'alpha OR beta OR gamma', '-rare', 'min_faves:500'])
    expect([text, readsOf(text) < startSize / 10]).toEqual([text, true]);
  const [best] = archive.index.search(parse('alpha'), 'Top', { after: undefined, limit: 1 }).items;
  let largest = 0;
  for (let count = 0; count < 1_000; count++) {
    trial.changeCounts(String(archive.id(best ?? 0)), { like_count: 100_000 + count });
    if (count % 10 === 0) largest = Math.max(largest, readsOf('alpha'));
  }
  expect(largest).toBeLessThan(startSize / 10);
});
