/**
 * The TypeScript modules that a page runs in the browser: the files of the server, with their types stripped by Node.
 * So the page parses queries with the server's parser, and there is no build step.
 */
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** The folder that the paths of modules are relative to. */
const root = new URL('../../../', import.meta.url);

const imports = /^(?:import|export)\b[^'";]*\bfrom '([^']+)'|^import '([^']+)'/gm;

/**
 * Strips the types. Node warns that this function is experimental; the warning is suppressed, because the version is
 * pinned and the operator cannot act on it.
 */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Returns a module and all its imports as JavaScript, by path relative to `server/`, such as `search/parse.ts`. Rejects
 * when one imports a module that browsers lack, such as `node:fs`, or a file outside `server/`.
 */
export async function modulesOf(entry: string): Promise<ReadonlyMap<string, string>> {
  const modules = new Map<string, string>();
  const queue = [new URL(entry, root)];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    const path = url.href.slice(root.href.length);
    if (modules.has(path)) continue;
    const code = stripTypes(await readFile(url, 'utf8'));
    modules.set(path, code);
    for (const [, namedImport, sideEffectImport] of code.matchAll(imports)) {
      const specifier = namedImport ?? sideEffectImport ?? '';
      const next = new URL(specifier, url);
      const isLocal = specifier.startsWith('.') && next.href.startsWith(root.href);
      if (!isLocal) throw new Error(`${path} imports '${specifier}', which no browser has`);
      queue.push(next);
    }
  }
  return modules;
}
