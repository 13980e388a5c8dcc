/** The TypeScript and JavaScript blocks of client/README.md as modules that a compiler checks and Node runs. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runTool } from '../../support/packed.ts';

/** A block of code of the README. */
export interface Snippet {
  /** Its section, with a number from the second block of a section on: `Lists`, `Lists 2`. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

/** The blocks of code in TypeScript or JavaScript of a Markdown document, by section. */
export function snippetsOf(markdown: string): Snippet[] {
  const snippets: Snippet[] = [];
  let section = '';
  let count = 0;
  for (const match of markdown.matchAll(/^## (?<title>.+)$|^```(?<language>\w+)\n(?<code>[\s\S]*?)^```$/gm)) {
    const { title, language = '', code = '' } = match.groups ?? {};
    if (title !== undefined) [section, count] = [title, 0];
    else if (/^(?:tsx?|jsx?|typescript|javascript)$/.test(language))
      snippets.push({ name: ++count === 1 ? section : `${section} ${count}`, language, code });
  }
  return snippets;
}

export const readSnippets = async (): Promise<Snippet[]> =>
  snippetsOf(await readFile(join(root, 'client/README.md'), 'utf8'));

/** The name of the file of a snippet. */
export const fileOf = ({ name, language }: Snippet): string =>
  `${name.toLowerCase().replace(/\W+/g, '-')}.${language.endsWith('x') ? 'tsx' : 'ts'}`;

/** The package of the README as the sources of this repository. */
const useSources = (code: string): string =>
  code.replace(/'@social-data\/client(?:\/(\w+))?'/g, (_, entry = 'index') => `'${root}client/src/${entry}.ts'`);

/** A module with a function that runs the snippet; what the snippet does not declare is in its context. */
function moduleOf({ code }: Snippet, names: readonly string[]): string {
  const imports = /^import [\s\S]*?;$/gm;
  return `${useSources((code.match(imports) ?? []).join('\n'))}
import type { Context } from '${root}test/client/readme/context.ts';
export async function run(context: Context): Promise<unknown> {
  let { ${names.join(', ')} } = context;
  {
${code.replace(imports, '')}
  }
  return undefined;
}
`;
}

/** Writes the snippets as modules into a folder, with the packages of this repository. */
export async function writeModules(
  folder: string,
  snippets: readonly Snippet[],
  names: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, jsxImportSource: 'react' },
    include: ['*.ts', '*.tsx'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const snippet of snippets) await writeFile(join(folder, fileOf(snippet)), moduleOf(snippet, names));
}

/** What the compiler finds in the modules of a folder, one finding a line. */
export async function findingsIn(folder: string): Promise<string[]> {
  const output = await runTool(folder, 'typescript-native/bin/tsc', '-p', '.', '--pretty', 'false').catch(
    (error: unknown) => (error as Error).message,
  );
  return output.split('\n').filter((line) => line.includes('error TS'));
}
