/**
 * How much a test does that repeats something: random values, kills, events. TEST_ROUNDS multiplies all of it. It is 0.4 in `npm test`, 0.1 in
 * `npm run test:fast`, and 10 in `npm run test:nightly`.
 */
const factor = Number(process.env.TEST_ROUNDS ?? 0.4);
if (!(factor > 0)) throw new Error(`TEST_ROUNDS=${process.env.TEST_ROUNDS}: expected a number above 0`);

/** So many rounds at the factor 1; at least one everywhere. */
export const rounds = (usual: number): number => Math.max(1, Math.round(usual * factor));

/** A part of the items, evenly spread: all of them at the factor 1 and above. */
export const sampled = <Item>(items: readonly Item[]): Item[] => {
  const step = Math.max(1, Math.ceil(1 / factor));
  return items.filter((_, place) => place % step === 0);
};
