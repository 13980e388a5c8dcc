/**
 * The TypeScript modules that a page runs in the browser: the very files that the server runs, with their types erased as Node
 * itself erases them. So the page reads queries with the server's own parser, and there is no build.
 */
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** The folder that modules are named from. */
const root = new URL('../../../', import.meta.url);

const imports = /^(?:import|export)\b[^'";]*\bfrom '([^']+)'|^import '([^']+)'/gm;

/** Node warns that this function may change: but its version is pinned, and who starts the server can do nothing about it. */
function erase(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * A module and all that it imports, as JavaScript by their paths from `server/`, such as `search/parse.ts`. Rejects when one
 * imports what a browser does not have, such as `node:fs`, or what lies outside `server/`.
 */
export async function modulesOf(entry: string): Promise<ReadonlyMap<string, string>> {
  const modules = new Map<string, string>();
  const waiting = [new URL(entry, root)];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const path = url.href.slice(root.href.length);
    if (modules.has(path)) continue;
    const code = erase(await readFile(url, 'utf8'));
    modules.set(path, code);
    for (const [, from, bare] of code.matchAll(imports)) {
      const wanted = from ?? bare!;
      const next = new URL(wanted, url);
      const isOurs = wanted.startsWith('.') && next.href.startsWith(root.href);
      if (!isOurs) throw new Error(`${path} imports '${wanted}', which no browser has`);
      waiting.push(next);
    }
  }
  return modules;
}
