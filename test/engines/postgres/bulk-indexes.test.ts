/** The index of words and the other indexes are built at the same time. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
import { buildIndexes } from '../../../server/engines/postgres/maintenance/bulk-indexes.ts';

/** Notes which statements are in progress together; those with `failing` fail. */
class Builds {
  readonly #inProgress = new Set<string>();
  readonly together: (readonly string[])[] = [];
  readonly #failing: string | undefined;

  constructor(failing?: string) {
    this.#failing = failing;
  }

  get inProgress(): number {
    return this.#inProgress.size;
  }

  /** No index is there. */
  readonly run: Database['run'] = async () => [];

  readonly maintain = async (text: string): Promise<void> => {
    this.#inProgress.add(text);
    this.together.push([...this.#inProgress]);
    if (this.#failing !== undefined && text.includes(this.#failing)) {
      this.#inProgress.delete(text);
      throw new Error(`no ${this.#failing}`);
    }
    await turn();
    this.#inProgress.delete(text);
  };
}

test('the index of words is built while the others are', async () => {
  const builds = new Builds();
  const counts: (readonly [number, number])[] = [];
  await buildIndexes(builds, (...count) => counts.push(count));
  const [first, ...rest] = builds.together.filter((each) => each.length > 1);
  expect([first?.length, rest]).toEqual([2, []]);
  expect(first?.filter((text) => text.includes('CREATE INDEX tweet_words '))).toHaveLength(1);
  const all = counts.length - 1;
  expect(all).toBeGreaterThan(12);
  expect(counts).toEqual(Array.from(counts, (_, built) => [built, all]));
});

test.each(['tweet_words', 'tweet_newest'])(
  'without %s the call fails, and when no other build is in progress',
  async (name) => {
    const builds = new Builds(name);
    await expect(buildIndexes(builds)).rejects.toThrow(`no ${name}`);
    expect(builds.inProgress).toBe(0);
  },
);
