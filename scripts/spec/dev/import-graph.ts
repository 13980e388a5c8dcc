/** Which files of the project import which, so that a check can leave out the files that a change cannot affect. */
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** What a file declares for all others, or whether it declares for all others because it is no module. */
const declaresForAll = /^\s*declare\s+(?:global|module|namespace)\b|^\s*\/\/\/\s*<reference/m;
const isModule = /^\s*(?:import|export)\b/m;
/** Endings that an import can have for the same module: `a.js` is the code of `a.d.ts`. */
const ending = /\.(?:d\.ts|[cm]?[jt]sx?)$/;

/** What the graph knows of a file. */
interface Node {
  /** The imported modules: paths from the folder, without endings. */
  readonly imports: readonly string[];
  readonly declaresForAll: boolean;
}

/** The imports between the files of a project. Paths start at `root`. */
export class ImportGraph {
  readonly #root: string;
  readonly #nodes = new Map<string, Node>();
  #aliases: ReadonlyMap<string, string> = new Map();
  /** Whether the graph knows all files as they are. */
  #isComplete = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads the files that the graph does not know, and forgets those that are not listed. */
  async update(files: Iterable<string>): Promise<void> {
    const listed = new Set(files);
    for (const file of this.#nodes.keys()) if (!listed.has(file)) this.#nodes.delete(file);
    const unknown = [...listed].filter((file) => !this.#nodes.has(file));
    if (this.#nodes.size === 0) this.#aliases = await this.#readAliases();
    // It loads the compiler of TypeScript.
    const { default: ts } = await import('typescript');
    const importsIn = (text: string): string[] =>
      ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName);
    await Promise.all(unknown.map((file) => this.#read(file, importsIn)));
    this.#isComplete = true;
  }

  /**
   * The changed files, and all files that import them, directly or through others. Undefined where a change can affect every
   * file, or where `update` has not read the files of earlier changes. Forgets the changed files; `update` reads them again.
   */
  affectedBy(changed: readonly string[]): ReadonlySet<string> | undefined {
    const canBeAll = !this.#isComplete || changed.some((file) => this.#nodes.get(file)?.declaresForAll);
    const importers = new Map<string, string[]>();
    for (const [file, { imports }] of this.#nodes)
      for (const module of imports) importers.set(module, [...(importers.get(module) ?? []), file]);
    for (const file of changed) this.#nodes.delete(file);
    this.#isComplete = false;
    if (canBeAll) return undefined;
    const affected = new Set(changed);
    // The set grows while the loop runs over it.
    for (const file of affected) for (const importer of importers.get(moduleOf(file)) ?? []) affected.add(importer);
    return affected;
  }

  async #read(file: string, importsIn: (text: string) => readonly string[]): Promise<void> {
    const text = await readFile(join(this.#root, file), 'utf8').catch(() => '');
    const imports = importsIn(text).flatMap((name) => this.#moduleNamed(file, name) ?? []);
    this.#nodes.set(file, { imports, declaresForAll: declaresForAll.test(text) || !isModule.test(text) });
  }

  /** The file of the project that an import names; undefined for a package. */
  #moduleNamed(file: string, name: string): string | undefined {
    const alias = this.#aliases.get(name);
    if (alias !== undefined) return moduleOf(alias);
    return name.startsWith('.') ? moduleOf(posix.join(posix.dirname(file), name)) : undefined;
  }

  /** The other names of modules, which tsconfig.json lists under `paths`. */
  async #readAliases(): Promise<ReadonlyMap<string, string>> {
    const text = await readFile(join(this.#root, 'tsconfig.json'), 'utf8').catch(() => '{}');
    const { compilerOptions } = JSON.parse(text) as { compilerOptions?: { paths?: Record<string, string[]> } };
    const paths = Object.entries(compilerOptions?.paths ?? {});
    return new Map(paths.flatMap(([name, [file]]) => (file === undefined ? [] : [[name, posix.normalize(file)]])));
  }
}

const moduleOf = (file: string): string => file.replace(ending, '');
