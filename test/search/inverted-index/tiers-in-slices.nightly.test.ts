/** Tiers are built in slices: tweets arrive, change and go meanwhile. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRandom, type Random } from '../../../scripts/sample/random.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { ChronologicalOrder } from '../../../server/search/inverted-index/chronological-order.ts';
import { EngagementTiers } from '../../../server/search/inverted-index/engagement-tiers.ts';
import { parse } from '../../../server/search/language/parse.ts';

const size = 20_000;

afterEach(() => void jest.restoreAllMocks());

/** Each look at the clock finds that the slice is over. */
function endEachSlice(): void {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
}

interface Tweet {
  createdAt: number;
  id: bigint;
  isGone: boolean;
  /** The revisions at which the engagement changed, oldest first. */
  readonly values: (readonly [revision: number, engagement: number])[];
}

/** The tweets that the tiers read. */
class Source {
  readonly tweets: Tweet[] = [];
  revision = 0;
  readonly #free: number[] = [];
  readonly #random: Random;
  readonly order = (a: number, b: number): number =>
    this.createdAt(a) - this.createdAt(b) || Number(this.id(a) - this.id(b));
  readonly chronology = new ChronologicalOrder(this.order);
  readonly tiers = new EngagementTiers(this, this.chronology);

  constructor(random: Random) {
    this.#random = random;
    for (let count = 0; count < size; count++) this.arrive();
  }

  isGone(ordinal: number): boolean {
    return this.tweets[ordinal]!.isGone;
  }
  createdAt(ordinal: number): number {
    return this.tweets[ordinal]!.createdAt;
  }
  id(ordinal: number): bigint {
    return this.tweets[ordinal]!.id;
  }
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean {
    const tweet = this.tweets[ordinal]!;
    return tweet.createdAt < createdAt || (tweet.createdAt === createdAt && tweet.id < id);
  }
  engagement(ordinal: number, revision: number): number {
    return this.tweets[ordinal]!.values.findLast(([at]) => at <= revision)?.[1] ?? 0;
  }

  #value(): number {
    return Math.floor(1 / (this.#random.next() + 0.0005));
  }

  #living(): number {
    for (;;) {
      const ordinal = this.#random.integer(0, this.tweets.length - 1);
      if (!this.isGone(ordinal)) return ordinal;
    }
  }

  arrive(): void {
    const ordinal = this.#free.pop() ?? this.tweets.length;
    this.tweets[ordinal] = {
      createdAt: this.#random.integer(0, 5_000),
      id: BigInt(this.revision),
      isGone: false,
      values: [[++this.revision, this.#value()]],
    };
    this.chronology.add(ordinal, false);
    this.tiers.changed(ordinal);
  }

  change(): void {
    const ordinal = this.#living();
    this.tweets[ordinal]!.values.push([++this.revision, this.#value()]);
    this.tiers.changed(ordinal);
  }

  /** A tweet that has much engagement loses it. */
  fall(): void {
    const ordinal = this.tweets.findIndex(({ isGone, values }) => !isGone && values.at(-1)![1] > 300);
    if (ordinal < 0) return;
    this.tweets[ordinal]!.values.push([++this.revision, 0]);
    this.tiers.changed(ordinal);
  }

  go(): void {
    this.revision++;
    this.tweets[this.#living()]!.isGone = true;
  }

  /** Other tweets get the ordinals of those that are gone. */
  replaceGone(): void {
    const gone = this.tweets.flatMap(({ isGone }, ordinal) => (isGone && !this.#free.includes(ordinal) ? ordinal : []));
    while (!this.chronology.sweep((ordinal) => this.isGone(ordinal), size));
    this.tiers.sweep((ordinal) => this.isGone(ordinal));
    this.#free.push(...gone);
    for (let count = 0; count < 20; count++) this.arrive();
  }

  /** Checks that the tiers have each tweet with the engagement of their threshold at a revision, in chronological order. */
  check(revision: number): void {
    const tiers = this.tiers.at(revision);
    expect(tiers.length).toBe(2);
    for (const { threshold, ordinals } of tiers) {
      const found = [...ordinals].filter((ordinal) => !this.isGone(ordinal));
      expect(found).toEqual([...new Set(found)].toSorted(this.order));
      const missing = this.tweets.flatMap((tweet, ordinal) =>
        !tweet.isGone && this.engagement(ordinal, revision) >= threshold && !found.includes(ordinal) ? ordinal : [],
      );
      expect(missing).toEqual([]);
    }
  }
}

test('tiers have all tweets of their engagement, whatever arrives, changes and goes while they are built', async () => {
  endEachSlice();
  for (let seed = 1; seed <= 6; seed++) {
    const source = new Source(createRandom(seed));
    let isReady = false;
    const ready = source.tiers.prepare()?.then(() => (isReady = true));
    let turns = 0;
    for (; !isReady; turns++) {
      expect(source.tiers.at(source.revision)).toEqual([]);
      for (let count = 0; count < 15; count++) source.arrive();
      for (let count = 0; count < 15; count++) source.change();
      for (let count = 0; count < 5; count++) source.fall();
      for (let count = 0; count < 15; count++) source.go();
      if (turns % 3 === seed % 3) source.replaceGone();
      await nextTurn();
    }
    await ready;
    expect(turns).toBeGreaterThan(3);
    expect(source.tiers.prepare()).toBeUndefined();
    const { revision } = source;
    source.check(revision);
    for (let count = 0; count < 50; count++) source.fall();
    source.check(revision);
    source.check(source.revision);
  }
});

test('tiers stay in use while new ones are built', async () => {
  endEachSlice();
  const source = new Source(createRandom(9));
  await source.tiers.prepare();
  const [before] = source.tiers.at(source.revision);
  for (let count = 0; count < size; count++) {
    source.change();
    // A search adds what has reached the tiers.
    if (count % 500 === 0) source.tiers.at(source.revision);
  }
  expect(source.tiers.prepare()).toBeUndefined();
  source.check(source.revision);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  source.check(source.revision);
  expect(source.tiers.at(source.revision)[0]?.threshold).not.toBe(before?.threshold);
});

test('a search by engagement that was prepared reads a small part of a large archive', async () => {
  endEachSlice();
  const archive = new Archive();
  const random = createRandom(3);
  for (let number = 0; number < 10_000; number++)
    archive.apply({
      kind: 'tweet',
      tweet: {
        ...{ id: String(1_000 + number), text: 'alpha', author_id: '1', created_at: '2026-01-01T00:00:00.000Z' },
        like_count: Math.floor(1 / (random.next() + 0.0005)),
      },
    });
  let [reads, largest] = [0, 0];
  const engagement = archive.engagement.bind(archive);
  archive.engagement = (ordinal, revision) => {
    reads++;
    return engagement(ordinal, revision);
  };
  let isReady = false;
  const ready = archive.index.prepareTop()?.then(() => (isReady = true));
  for (; !isReady; await nextTurn()) {
    // The first turn also reads the sample.
    largest = Math.max(largest, reads);
    reads = 0;
  }
  await ready;
  expect(largest).toBeGreaterThan(0);
  reads = 0;
  expect(archive.index.search(parse('alpha'), 'Top', { after: undefined, limit: 5 }).items).toHaveLength(5);
  expect(reads).toBeLessThan(1_000);
});
