/**
 * How much a test does that repeats something: random values, kills, events. TEST_ROUNDS multiplies all of it. It is 0.05 in `npm test` and
 * `npm run test:fast`, and 10 in `npm run test:nightly`.
 */
const factor = Number(process.env.TEST_ROUNDS ?? 0.05);
if (!(factor > 0)) throw new Error(`TEST_ROUNDS=${process.env.TEST_ROUNDS}: expected a number above 0`);

/** Whether everything is tried, as in `npm run test:nightly`. */
export const isFull = factor >= 1;

/** Whether the tests that `npm test` leaves to the nightly run take part: there, and where the call names test files. */
export const runsAll = isFull || process.env.TEST_NAMED !== undefined;

/**
 * So many rounds at the factor 1. At a small factor `atLeast` remain, so that the test can still fail; fewer only where
 * `usual` is lower.
 */
export const rounds = (usual: number, atLeast = 5): number =>
  Math.max(Math.min(usual, atLeast), Math.round(usual * factor));

/** A part of the items, evenly spread: all of them at the factor 1 and above, a quarter at small ones. */
export const sampled = <Item>(items: readonly Item[]): Item[] => {
  const step = Math.min(4, Math.max(1, Math.ceil(1 / factor)));
  return items.filter((_, place) => place % step === 0);
};

/** As `sampled`, from a place on: items that are tried at many places are all tried, though not all at each of them. */
export const sampledFrom = <Item>(place: number, items: readonly Item[]): Item[] => {
  const start = place % items.length;
  return sampled([...items.slice(start), ...items.slice(0, start)]);
};

/** The first variants of a check, as many as `atLeast`; all of them at the factor 1 and above. For variants that test nearly the same. */
export const variants = <Item>(items: readonly Item[], atLeast: number): readonly Item[] =>
  factor >= 1 ? items : items.slice(0, atLeast);

/**
 * The turn of `npm test` and `.ci/run`: fixed, because a change must not pass on one day and fail on the next. The nightly run tries all
 * cases. Of the walks it is that of the packed client, which others install.
 */
export const usualTurn = '1';

/** As many of the items as `count`: the same in each `npm test`, others with another TEST_TURN; all of them at the factor 1 and above. */
export const inTurn = <Item>(
  items: readonly Item[],
  count: number,
  turn = Number(process.env.TEST_TURN ?? usualTurn),
): readonly Item[] => {
  if (isFull || count >= items.length) return items;
  const start = (turn * count) % items.length;
  return [...items.slice(start), ...items.slice(0, start)].slice(0, count);
};

/** Whether the check at this place is in turn, one of `count` for each TEST_TURN; each of them where the call names test files, and at the factor 1 and above. */
export const isTurnOf = (place: number, count: number): boolean =>
  isFull || process.env.TEST_NAMED !== undefined || (place - Number(process.env.TEST_TURN ?? usualTurn)) % count === 0;

/** Tests that use the tools and the packed client from end to end, 6 to 20 s of CPU time each. Other tests check the parts in every run. */
const walks = ['npm run dev', 'the packed client', 'spec/README.md', 'npm run scaffold', 'npm run release'] as const;

/** Whether this run makes the walk: one of them for each TEST_TURN; each of them where the call names its test file, and all at the factor 1 and above. */
export const isWalkInTurn = (walk: (typeof walks)[number]): boolean => isTurnOf(walks.indexOf(walk), walks.length);
