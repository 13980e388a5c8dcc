// Jest globalSetup: a folder for what one test file prepares and all others of the run use. See `prepared.ts`.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fastParent } from './folder.ts';

const prefix = 'social-data-run-';
const dayMs = 86_400_000;

/** Removes the folders of runs that were killed. */
function removeOld() {
  for (const name of readdirSync(fastParent).filter((each) => each.startsWith(prefix))) {
    const path = join(fastParent, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - dayMs)
      rmSync(path, { recursive: true, force: true });
  }
}

export function makeRunFolder() {
  removeOld();
  const folder = mkdtempSync(join(fastParent, prefix));
  // Some programs run as another user, and keep what Node has compiled for them.
  chmodSync(folder, 0o755);
  process.env.TEST_RUN_FOLDER = folder;
  const compiled = join(folder, 'compiled');
  mkdirSync(compiled);
  chmodSync(compiled, 0o777);
}

export const removeRunFolder = () => rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
