/** Finds the remaining code of an operation that was removed from the contract. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { handlerFile, handlerName } from './handler.ts';
import { testFile } from './operation-test.ts';
import { lineAt, readTable, tableFile } from './table.ts';

/** A line of a file. */
export interface Place {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** What to delete, and what to look at. */
export interface Leftovers {
  readonly id: string;
  readonly files: readonly string[];
  /** Lines of the table of handlers. */
  readonly lines: readonly Place[];
  /** Everything else that names it. */
  readonly named: readonly Place[];
  /** Methods of ports that only its handler called. */
  readonly uncalled: readonly { readonly method: string; readonly places: readonly Place[] }[];
}

/** Where operations are named; generated/ is derived. */
const looked = ['server', 'client', 'scripts', 'test', 'spec', 'README.md'];
const extensions = /\.(ts|mts|js|mjs|cjs|html|md|yaml)$/;
/** What was is not changed. */
const passed = /(^|\/)(node_modules|dist|CHANGELOG\.md)(\/|$)/;

/** The sources of a project by their paths in it. */
export async function sourcesOf(root: string): Promise<Map<string, string>> {
  const listed = await Promise.all(
    looked.map(async (name) => {
      if (extensions.test(name)) return [name];
      const found = await readdir(join(root, name), { recursive: true }).catch(() => []);
      return found.map((file) => `${name}/${file.replaceAll('\\', '/')}`);
    }),
  );
  const files = listed.flat().filter((file) => extensions.test(file) && !passed.test(file));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(root, file), 'utf8').catch(() => undefined)] as const),
  );
  return new Map(texts.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function placesOf(sources: ReadonlyMap<string, string>, pattern: RegExp, files: (file: string) => boolean): Place[] {
  return [...sources].flatMap(([file, text]) => {
    if (!files(file)) return [];
    return text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [{ file, line: index + 1, text: line.trim() }] : []));
  });
}

/** The documents that list the operations: those with every one of these paths. */
export const listings = (sources: ReadonlyMap<string, string>, paths: readonly string[]): string[] =>
  [...sources]
    .filter(([file, text]) => file.endsWith('.md') && paths.length > 0 && paths.every((path) => text.includes(path)))
    .map(([file]) => file);

/** What operations the sources have handlers for: those of the table, and the files that stand beside it. */
export function handled(sources: ReadonlyMap<string, string>): string[] {
  const table = readTable(sources.get(tableFile) ?? '');
  const files = [...sources].flatMap(([file, text]) => {
    const id = /^(?:server\/operations\/(\w+)|test\/operations\/(\w+)\.test)\.ts$/.exec(file)?.slice(1).find(Boolean);
    return id !== undefined && new RegExp(`Handler<'${id}'>|exampleAnswer\\('${id}'\\)`).test(text) ? [id] : [];
  });
  return [...new Set([...(table?.entries ?? []).map(({ id }) => id), ...files])];
}

/** What is left of an operation. */
export function leftoversOf(id: string, sources: ReadonlyMap<string, string>): Leftovers {
  const files = [handlerFile(id), testFile(id)].filter((file) => sources.has(file));
  const index = sources.get(tableFile) ?? '';
  const table = readTable(index);
  const lines = [...(table?.imports ?? []), ...(table?.entries ?? [])]
    .filter((mention) => mention.id === id || mention.id === handlerName(id))
    .map(({ start }) => ({ file: tableFile, ...lineAt(index, start) }));
  const isLine = (place: Place): boolean => lines.some(({ line }) => place.file === tableFile && place.line === line);
  const named = placesOf(sources, new RegExp(`\\b${id}\\b`), (file) => !files.includes(file)).filter(
    (place) => !isLine(place),
  );

  const handler = sources.get(handlerFile(id)) ?? '';
  const methods = new Set(Array.from(handler.matchAll(/\bplatform\s*\??\.\s*(\w+)/g), ([, method]) => method!));
  const isElsewhere = (file: string): boolean => file.startsWith('server/') && file !== handlerFile(id);
  const uncalled = [...methods]
    .filter((method) => placesOf(sources, new RegExp(`\\bplatform\\??\\.${method}\\b`), isElsewhere).length === 0)
    .map((method) => ({
      method: `Platform.${method}`,
      places: placesOf(sources, new RegExp(`^\\s*(async )?${method}\\(.*[{;]$`), (file) =>
        /^server\/(platforms|ports)\//.test(file),
      ),
    }));
  return { id, files, lines, named, uncalled };
}
