import { expect, test } from '@jest/globals';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { createRandom } from '../../../scripts/sample/random.ts';

/** More than one step of a sweep reads. */
const size = 4_500;
const words = ['alpha', 'beta', 'gamma', 'delta'];
const queries: readonly (readonly [text: string, matches: (text: string) => boolean])[] = [
  ['common', () => true],
  ['alpha beta', (text) => text.includes('alpha') && text.includes('beta')],
  ['beta OR gamma', (text) => /beta|gamma/.test(text)],
  ['common -delta', (text) => !text.includes('delta')],
  ['-alpha', (text) => !text.includes('alpha')],
  ['"common alpha"', (text) => text.includes('common alpha')],
];

const timeOf = (id: string): number => (Number(id) * 7919) % 100_000;

/** An archive whose tweets arrive in any order, change, go, and come back. */
class Trial {
  readonly archive = new Archive();
  readonly #random = createRandom(5);
  readonly #texts = new Map<string, string>();
  readonly #removed: string[] = [];
  #observed = Date.UTC(2026, 1, 1);

  constructor() {
    for (let number = 0; number < size; number++) this.add(String(1_000_000 + number));
  }

  below(end: number): number {
    return this.#random.integer(0, end - 1);
  }

  /** A tweet at a time that depends on its id alone, so that a tweet that comes back has its old place. */
  add(id: string): void {
    const created_at = new Date(Date.UTC(2026, 0, 1) + timeOf(id) * 1000).toISOString();
    const text = ['common', ...words.filter(() => this.below(2) === 0)].join(' ');
    const observed_at = new Date((this.#observed += 1000)).toISOString();
    this.archive.apply({ kind: 'tweet', tweet: { id, text, created_at, observed_at, author_id: '1' } });
    this.#texts.set(id, text);
  }

  change(): void {
    const id = this.#someId();
    if (id !== undefined) this.add(id);
  }

  delete(): void {
    const id = this.#someId();
    if (id === undefined) return;
    this.archive.apply({ kind: 'delete', tweet_id: id, at: '2026-02-20T00:00:00.000Z' });
    this.#texts.delete(id);
    this.#removed.push(id);
  }

  restore(): void {
    const id = this.#removed.pop();
    if (id === undefined) return;
    this.archive.apply({ kind: 'restore', tweet_id: id });
    this.add(id);
  }

  #someId(): string | undefined {
    const id = String(1_000_000 + this.below(2 * size));
    return this.#texts.has(id) ? id : undefined;
  }

  /** The ids of the tweets that a search finds, newest first. */
  found(query: string): string[] {
    const { archive } = this;
    const { items } = archive.index.search(parse(query), 'Latest', { after: undefined, limit: 3 * size });
    return items.map((ordinal) => String(archive.id(ordinal)));
  }

  /** The ids of the tweets with matching texts, newest first. */
  scanned(matches: (text: string) => boolean): string[] {
    return [...this.#texts]
      .filter(([, text]) => matches(text))
      .toSorted(([a], [b]) => timeOf(b) - timeOf(a) || Number(b) - Number(a))
      .map(([id]) => id);
  }
}

test('searches find the tweets of a scan while removals sweep the index step by step', () => {
  const trial = new Trial();
  for (let step = 0, next = size; step < 30; step++) {
    for (let count = 0; count < 150; count++) trial.delete();
    for (let count = 0; count < 25; count++) trial.change();
    for (let count = 0; count < 40; count++) trial.restore();
    for (let count = 0; count < 40; count++) trial.add(String(1_000_000 + next++));
    for (const [text, matches] of queries)
      expect([step, text, trial.found(text)]).toEqual([step, text, trial.scanned(matches)]);
  }
});

test('no removal reads more than a few thousand ordinals', () => {
  const { archive } = new Trial();
  let reads = 0;
  const isGone = archive.isGone.bind(archive);
  archive.isGone = (ordinal) => {
    reads++;
    return isGone(ordinal);
  };
  let largest = 0;
  let all = 0;
  for (let number = 0; number < size / 2; number++) {
    reads = 0;
    archive.apply({ kind: 'delete', tweet_id: String(1_000_000 + number), at: '2026-02-20T00:00:00.000Z' });
    largest = Math.max(largest, reads);
    all += reads;
  }
  expect(largest).toBeLessThan(5_000);
  // The sweeps have read the lists.
  expect(all).toBeGreaterThan(10 * size);
});
