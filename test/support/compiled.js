// Jest globalSetup: the many processes that tests start keep what Node has compiled, types erased, for one another. Each would spend up to a
// third of a second of its start on it anew.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dayMs = 86_400_000;

/** Removes files that are older than a week: code in copies of the repository is compiled under a new path in each run. */
function removeOld(folder) {
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && statSync(path).mtimeMs < Date.now() - 7 * dayMs) rmSync(path, { force: true });
    }
  } catch {
    // There is no cache yet, or another run changes it at the same time.
  }
}

export default function keepCompiled() {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
  removeOld(folder);
  process.env.NODE_COMPILE_CACHE ??= folder;
  // Files are known by their place relative to the cache: see `compiledOf` in `copy.ts`.
  process.env.NODE_COMPILE_CACHE_PORTABLE = '1';
}
