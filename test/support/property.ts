/**
 * Property tests with the same random values in each run, so that a run fails only because of a change. `npm run test:nightly` takes
 * new values each time (TEST_SEED=random); a failure prints its seed, and TEST_SEED=<seed> repeats it.
 */
import fc from 'fast-check';

const { TEST_SEED: seed = '20261122' } = process.env;
if (seed !== 'random' && !/^-?\d+$/.test(seed)) throw new Error(`TEST_SEED=${seed}: expected an integer, or random`);
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export default fc;
