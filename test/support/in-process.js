// Jest filter of `npm run test:fast`: the tests that need no other process. A test starts one where it, or a module that it imports, imports
// what starts processes; so no list has to be kept. A file that takes long says so in its first line, and the reason.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const imported =
  /^(?:import|export)\b[^'";]*?(?:\bfrom )?'([^']+)'(?:;| with)|\bimport\('([^']+)'\)|\bnew URL\('([^']+\.child\.ts)'/gm;
const starts = new Set(['node:child_process', 'playwright-core']);
const known = new Map();

function startsProcesses(path) {
  if (known.has(path)) return known.get(path);
  // A module that is on the way already adds nothing.
  known.set(path, false);
  const text = existsSync(path) && /\.[jt]s$/.test(path) ? readFileSync(path, 'utf8') : '';
  const names = Array.from(text.matchAll(imported), ([, from, dynamic, child]) => from ?? dynamic ?? child);
  const found = names.some(
    (name) => starts.has(name) || (name.startsWith('.') && startsProcesses(join(dirname(path), name))),
  );
  known.set(path, found);
  return found;
}

const takesLong = (path) => readFileSync(path, 'utf8').startsWith('// Not in `npm run test:fast`');

const inProcess = async (paths) => ({ filtered: paths.filter((path) => !startsProcesses(path) && !takesLong(path)) });
// Jest calls for it by `require`.
export { inProcess as 'module.exports' };
