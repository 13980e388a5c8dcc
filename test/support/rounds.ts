/**
 * How much a test does that repeats something: random values, kills, events. TEST_ROUNDS multiplies all of it: `npm run test:nightly` makes ten
 * times as many rounds as `npm test`, `npm run test:fast` a tenth.
 */
const factor = Number(process.env.TEST_ROUNDS ?? 1);
if (!(factor > 0)) throw new Error(`TEST_ROUNDS=${process.env.TEST_ROUNDS}: expected a number above 0`);

/** So many rounds in `npm test`; at least one everywhere. */
export const rounds = (usual: number): number => Math.max(1, Math.round(usual * factor));
