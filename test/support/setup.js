// Jest globalSetup: the compile cache of the processes that tests start, and with TEST_PG=1 a PostgreSQL for the tests of
// shared storage. TEST_DATABASE_URL names another one.
import keepCompiled from './compiled.js';

export default async function setUp() {
  keepCompiled();
  if (process.env.TEST_PG !== '1' || process.env.TEST_DATABASE_URL) return;
  const { startEngine } = await import('../postgres/engine.js');
  globalThis.testEngine = await startEngine();
  process.env.TEST_DATABASE_URL = globalThis.testEngine.url;
}
