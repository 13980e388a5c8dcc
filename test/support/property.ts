/**
 * Property tests with the same random values in each run, so that a run fails only because of a change. `npm run test:nightly` takes
 * new values each time (TEST_SEED=random); a failure prints its seed, and TEST_SEED=<seed> repeats it.
 */
import fc from 'fast-check';

const { TEST_SEED: seed = '20261122' } = process.env;
if (seed !== 'random' && !/^-?\d+$/.test(seed)) throw new Error(`TEST_SEED=${seed}: expected an integer, or random`);
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

/** Code points that are no halves of surrogate pairs. */
const halves = { first: 0xd8_00, count: 0x8_00 };
const characterAt = (place: number): string =>
  String.fromCodePoint(place < halves.first ? place : place + halves.count);
function placeOf(character: unknown): number {
  const codePoint = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (codePoint === undefined || character !== String.fromCodePoint(codePoint)) throw new Error('not one character');
  return codePoint < halves.first ? codePoint : codePoint - halves.count;
}

/**
 * Units of random strings: `binary` and `grapheme` of fast-check keep a table of all characters, which takes a second to make, and which
 * the garbage collector visits in all later tests.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ff_ff - halves.count }).map(characterAt, placeOf);
const visible = anyCharacter.filter((character) => /^[\p{L}\p{N}\p{P}\p{S}\p{Zs}]$/u.test(character));
/** What a reader takes for one character: composed, or with combining characters. */
export const anyGrapheme = fc.oneof(
  visible,
  visible.map(
    (character) => character.normalize('NFD'),
    (value) => (typeof value === 'string' ? value.normalize('NFC') : ''),
  ),
);

export default fc;
