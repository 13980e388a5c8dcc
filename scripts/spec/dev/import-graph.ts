/** Which files of the project depend on which declarations, so that a check can leave out the files that a change cannot affect. */
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { changedPlaces, Dependents, type Place } from './dependents.ts';
import { SurfaceReader, type ModuleSurface } from './module-surface.ts';

/** What a file declares for all others, or whether it declares for all others because it is no module. */
const declaresForAll = /^\s*declare\s+(?:global|module|namespace)\b|^\s*\/\/\/\s*<reference/m;
const isModule = /^\s*(?:import|export)\b/m;
/** Syntax whose names the reader of surfaces does not follow. */
const isUnusual = /^\s*(?:export\s+)?(?:namespace|import\s+\w+\s*=|export\s*=|export\s+as\s)/m;
/** Endings that an import can have for the same module: `a.js` is the code of `a.d.ts`. */
const ending = /\.(?:d\.ts|[cm]?[jt]sx?)$/;
const moduleOf = (file: string): string => file.replace(ending, '');

/** For how long the graph blocks its thread. */
const maxBlockedMs = 10;

/** What the graph knows of a file. */
interface Node {
  readonly module: string;
  readonly surface: ModuleSurface;
  /** Whether the file declares for all others, or in a way that the reader does not follow. */
  readonly isGlobal: boolean;
  /** The modules that a global file names; empty for others. */
  readonly specifiers: readonly string[];
}

/** The dependencies between the files of a project. Paths start at `root`. */
export class ImportGraph {
  readonly #root: string;
  readonly #files = new Map<string, Node>();
  #aliases: ReadonlyMap<string, string> = new Map();
  /** It loads the compiler of TypeScript. */
  #reader: SurfaceReader | undefined;
  /** Undefined after a change. */
  #dependents: Promise<Dependents> | undefined;
  /** Whether the graph knows all files. */
  #isComplete = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads the files that the graph does not know, and forgets those that are not listed. */
  async update(files: Iterable<string>): Promise<void> {
    const listed = new Set(files);
    for (const file of this.#files.keys()) if (!listed.has(file)) this.#files.delete(file);
    const unknown = [...listed].filter((file) => !this.#files.has(file));
    if (this.#files.size === 0) this.#aliases = await this.#readAliases();
    await Promise.all(unknown.map((file) => this.#read(file)));
    this.#isComplete = true;
  }

  /** Forgets these files, so that `update` reads them again. Until then the graph is incomplete. */
  forget(files: Iterable<string>): void {
    for (const file of files) this.#files.delete(file);
    this.#dependents = undefined;
    this.#isComplete = false;
  }

  /**
   * The changed files, and all files that depend on a changed declaration, directly or through others. Undefined where a change
   * can affect every file, or where the graph is incomplete. Reads the changed files again.
   */
  async affectedBy(changed: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    if (!this.#isComplete) {
      this.forget(changed);
      return undefined;
    }
    // As before the change: what depended on no changed declaration is as it was.
    const dependents = await this.prepare();
    const before = new Map(changed.map((file) => [file, this.#files.get(file)]));
    const differences = (await Promise.all([...before].map(([file, node]) => this.#differences(file, node)))).flat();
    const affected = new Set([...changed, ...dependents.of(differences)]);
    const isGlobal = (file: string): boolean => this.#files.get(file)?.isGlobal ?? false;
    return [...before.values()].some((node) => node?.isGlobal) || [...affected].some(isGlobal) ? undefined : affected;
  }

  /**
   * Collects all dependencies, so that `affectedBy` need not. It takes a third of a second for a thousand files, in small parts:
   * a blocked thread would see the files of one save as those of several.
   */
  prepare(): Promise<Dependents> {
    return (this.#dependents ??= this.#collect([...this.#files]));
  }

  async #collect(files: readonly (readonly [string, Node])[]): Promise<Dependents> {
    const modules = new Map(files.map(([, { module, surface }]) => [module, surface]));
    const dependents = new Dependents(modules, (module, specifier) => this.#moduleNamed(module, specifier));
    let pausedAt = performance.now();
    for (const [file, { module, surface, specifiers }] of files) {
      dependents.addFile(file, module, surface, specifiers);
      if (performance.now() - pausedAt < maxBlockedMs) continue;
      await setImmediate();
      pausedAt = performance.now();
    }
    return dependents;
  }

  /** Reads the file again: what is different in it. */
  async #differences(file: string, before: Node | undefined): Promise<Place[]> {
    // A file that is no code of the project, such as JSON: all that it holds can be different.
    if (before === undefined) return [[moduleOf(file)]];
    const { module, surface } = await this.#read(file);
    return changedPlaces(module, before.surface, surface);
  }

  async #read(file: string): Promise<Node> {
    this.#reader ??= new SurfaceReader((await import('typescript')).default);
    const text = await readFile(join(this.#root, file), 'utf8').catch(() => '');
    const isGlobal = declaresForAll.test(text) || isUnusual.test(text) || !isModule.test(text);
    const specifiers = isGlobal ? this.#reader.specifiers(text) : [];
    const node = { module: moduleOf(file), surface: this.#reader.read(file, text), isGlobal, specifiers };
    this.#files.set(file, node);
    this.#dependents = undefined;
    return node;
  }

  /** The module of the project that an import names; undefined for a package. */
  #moduleNamed(module: string, specifier: string): string | undefined {
    const alias = this.#aliases.get(specifier);
    if (alias !== undefined) return moduleOf(alias);
    return specifier.startsWith('.') ? moduleOf(posix.join(posix.dirname(module), specifier)) : undefined;
  }

  /** The other names of modules, which tsconfig.json lists under `paths`. */
  async #readAliases(): Promise<ReadonlyMap<string, string>> {
    const text = await readFile(join(this.#root, 'tsconfig.json'), 'utf8').catch(() => '{}');
    const { compilerOptions } = JSON.parse(text) as { compilerOptions?: { paths?: Record<string, string[]> } };
    const paths = Object.entries(compilerOptions?.paths ?? {});
    return new Map(paths.flatMap(([name, [file]]) => (file === undefined ? [] : [[name, posix.normalize(file)]])));
  }
}
