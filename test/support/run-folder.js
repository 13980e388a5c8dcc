// Jest globalSetup: a folder for what one test file prepares and all others of the run use. See `prepared.ts`.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fastParent } from './folder.ts';

export function makeRunFolder() {
  const folder = mkdtempSync(join(fastParent, 'social-data-run-'));
  // Some programs run as another user, and keep what Node has compiled for them.
  chmodSync(folder, 0o755);
  process.env.TEST_RUN_FOLDER = folder;
  const compiled = join(folder, 'compiled');
  mkdirSync(compiled);
  chmodSync(compiled, 0o777);
}

export const removeRunFolder = () => rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
