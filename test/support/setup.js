// Jest globalSetup: the compile cache of the processes that tests start, the folder of what they share, and with TEST_PG=1 a
// PostgreSQL for the tests of shared storage. TEST_DATABASE_URL names another one.
import keepCompiled from './compiled.js';
import { makeRunFolder } from './run-folder.js';

export default async function setUp() {
  keepCompiled();
  makeRunFolder();
  if (process.env.TEST_PG !== '1' || process.env.TEST_DATABASE_URL) return;
  const { startEngine } = await import('../postgres/engine.js');
  globalThis.testEngine = await startEngine();
  process.env.TEST_DATABASE_URL = globalThis.testEngine.url;
}
