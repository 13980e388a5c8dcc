// Jest globalSetup: the compile cache and other settings of the processes that tests start, the folder of what they share, and with
// TEST_PG=1 a PostgreSQL for the tests of shared storage. TEST_DATABASE_URL names another one.
import keepCompiled from './compiled.js';
import { fastParent } from './folder.ts';
import { makeRunFolder } from './run-folder.js';
import { usualTurn } from './rounds.ts';

export default async function setUp({ nonFlagArgs }) {
  keepCompiled();
  // The type checker, linter and bundler are written in Go: less garbage collection saves a quarter of their CPU time.
  process.env.GOGC ??= '400';
  // They work on several threads otherwise, which costs a sixth more: other tests use the other cores.
  process.env.GOMAXPROCS ??= '1';
  // The data directories and other folders of tests: a disk takes time for each write that has to be durable.
  process.env.TMPDIR ??= fastParent;
  makeRunFolder();
  // See `inTurn` and `isWalkInTurn` in `rounds.ts`.
  // The same on each day: a change must not pass on one day and fail on the next.
  process.env.TEST_TURN ??= usualTurn;
  if (nonFlagArgs.length > 0) process.env.TEST_NAMED = '1';
  if (process.env.TEST_TURN !== usualTurn)
    console.log(`cases that are tried in turn: those of TEST_TURN=${process.env.TEST_TURN}`);
  if (process.env.TEST_PG !== '1' || process.env.TEST_DATABASE_URL) return;
  const { startEngine } = await import('../postgres/engine.js');
  globalThis.testEngine = await startEngine();
  process.env.TEST_DATABASE_URL = globalThis.testEngine.url;
}
