// Jest globalTeardown: removes the folder of the run, and ends the PostgreSQL of `setup.js`.
import { removeRunFolder } from './run-folder.js';

export default async function tearDown() {
  removeRunFolder();
  await globalThis.testEngine?.stop();
}
