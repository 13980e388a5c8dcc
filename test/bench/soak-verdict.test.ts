import { expect, test } from '@jest/globals';
import { liveBytes, type Sample, type SoakResults } from '../../scripts/bench/soak/measure.ts';
import { verdictOf } from '../../scripts/bench/soak/verdict.ts';
import { seededRandom } from './report/random.ts';

interface Shape {
  readonly minutes: number;
  /** Bytes a minute. */
  readonly live?: number;
  readonly external?: number;
  readonly resident?: number;
  /** Profiles a minute. */
  readonly users?: number;
  /** What a start leaves behind: bytes that memory rises by in the first tenth. */
  readonly warmUp?: number;
}

/** A soak with collections every few seconds and garbage between them. */
function soak({ minutes, live = 0, external = 0, resident = 0, users = 0, warmUp = 0 }: Shape): SoakResults {
  const random = seededRandom(3);
  const filled = (at: number): number => Math.min(1, at / minutes / 0.1) * warmUp;
  const sample = (at: number): Sample => ({
    ...{ at, openFiles: 1, handles: 1, delay: 5, maxDelay: 9, requests: 1, shed: 0, followed: 1, tweets: 1 },
    resident: 380e6 + filled(at) + resident * at + 3e6 * random.next(),
    heap: 90e6 + live * at + 30e6 * random.next(),
    external: 45e6 + external * at + 12e6 * random.next(),
    users: 1_000 + users * at,
    tombstones: 40,
  });
  return {
    options: { minutes, rate: 200, listeners: 20, tweets: 20_000, followed: 20 },
    samples: Array.from({ length: minutes * 12 }, (_, index) => sample((index + 1) / 12)),
    collections: Array.from({ length: minutes * 20 }, (_, index) => ({
      at: index / 20,
      value: 90e6 + filled(index / 20) + (live * index) / 20 + 5e6 * random.next(),
    })),
    tally: { done: {}, faults: {} },
    logged: [],
  };
}
const judgements = (shape: Shape): Record<string, string> =>
  Object.fromEntries(verdictOf(soak(shape)).courses.map(({ name, judgement }) => [name, judgement]));

test('an hour with constant memory and much garbage is constant, also after a warm-up', () => {
  expect(verdictOf(soak({ minutes: 60, warmUp: 40e6 }))).toMatchObject({ memory: 'constant', problems: [], kept: 0 });
});

test.each([
  ['the heap', { live: 0.5e6 }, 'heap after full collections'],
  ['buffers', { external: 0.6e6 }, 'buffers outside the heap'],
  ['resident memory', { resident: 0.6e6 }, 'resident'],
])('a leak in %s of half a megabyte a minute is found within the hour', (_where, leak, name) => {
  expect(judgements({ minutes: 60, ...leak })[name]).toBe('rises');
  expect(verdictOf(soak({ minutes: 60, ...leak })).memory).toBe('rises');
});

test('a leak that a look at the resident memory would take for noise is found in the heap', () => {
  expect(judgements({ minutes: 60, live: 0.35e6 })).toMatchObject({
    'heap after full collections': 'rises',
    resident: 'constant',
  });
});

test('half an hour finds a fast leak; a soak in which caches still fill has no verdict', () => {
  expect(verdictOf(soak({ minutes: 30, live: 2.2e6 })).memory).toBe('rises');
  expect(verdictOf(soak({ minutes: 10, live: 2.2e6 })).memory).toBe('undecided');
  expect(verdictOf(soak({ minutes: 1 })).memory).toBe('undecided');
});

test('what the service keeps by design is allowed, and said', () => {
  const grown = { minutes: 60, users: 200, live: 0.3e6 };
  expect(verdictOf(soak(grown))).toMatchObject({ kept: expect.closeTo(300_000, -4), memory: 'constant' });
  expect(verdictOf(soak({ ...grown, users: 0 })).memory).toBe('rises');
});

test('errors of the load and of the log are problems', () => {
  const results = soak({ minutes: 1 });
  const problems = [...results.samples];
  const last = problems.pop();
  const { problems: found } = verdictOf({
    ...results,
    samples: [...problems, ...(last === undefined ? [] : [{ ...last, shed: 3 }])],
    tally: { done: {}, faults: { 'page: status 500': 2 } },
    logged: ['{"level":30,"msg":"fine"}', '{"level":50,"msg":"bad"}', 'a stack'],
  });
  expect(found).toEqual([
    '2 × page: status 500',
    'logged: {"level":50,"msg":"bad"}',
    'logged: a stack',
    '3 requests were shed',
  ]);
});

test.each([
  ['[1:0x4]      457 ms: Mark-Compact 39.2 (91.3) -> 33.7 (98.4) MB, pooled: 0 MB, 37.67 / 0.00 ms', 33.7 * 2 ** 20],
  ['[1:0x4]      457 ms: Mark-Compact (reduce) 39.2 (91.3) -> 8.0 (98.4) MB, pooled: 0 MB', 8 * 2 ** 20],
  ['[1:0x4]      457 ms: Scavenge 39.2 (91.3) -> 33.7 (98.4) MB, pooled: 0 MB', undefined],
  ['listening on http://localhost:1', undefined],
])("the line %j of V8's trace", (line, bytes) => {
  expect(liveBytes(line)).toBe(bytes);
});
