// Jest globalTeardown: ends the PostgreSQL of `setup.js`.
export default async function tearDown() {
  await globalThis.testEngine?.stop();
}
