/** Checks the types of the project repeatedly with TypeScript's native checker, which caches the files it read. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { API, type Diagnostic, type Project, type Snapshot } from 'typescript-native/unstable/async';
import { isInstallation, type ChangeKind } from './changes.ts';
import { ImportGraph } from './import-graph.ts';

/** A type error with its position. */
export interface TypeFault {
  readonly file: string;
  /** The line, from 1; 0 for an error of the whole project. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The type errors in file order: first of server and client, later of all other files. */
export interface Checked {
  readonly product: readonly TypeFault[];
  readonly rest: Promise<readonly TypeFault[]>;
}

export interface TypeChecker {
  /**
   * Checks all files that the changes can affect, server and client first; the errors of the others are still known.
   * `changes`: what was written since the last time, by path from the folder. Throws when the checker itself fails. The rest must have come before the next time.
   */
  check(changes: ReadonlyMap<string, ChangeKind>): Promise<Checked>;
  /** Stops the process of the checker. */
  close(): void;
}

/** A time limit well above the duration of a full check on a loaded machine. */
const timeoutMs = 120_000;

/** Whether the file decides how all others are checked. */
const isSettings = (file: string): boolean => isInstallation(file) || /(?:^|\/)tsconfig[^/]*\.json$/.test(file);

/** The changed files in the form of the checker. */
function fileChangesOf(root: string, changes: ReadonlyMap<string, ChangeKind>) {
  if ([...changes.keys()].some(isInstallation)) return { invalidateAll: true } as const;
  const of = (kind: ChangeKind): string[] =>
    [...changes].filter(([, other]) => other === kind).map(([file]) => join(root, file));
  return { created: of('created'), changed: of('changed'), deleted: of('deleted') };
}

const isProduct = (file: string): boolean => /^(server|client|generated)\//.test(file);

/** Checks the projects of these tsconfig.json, whose paths are relative to `root`. */
export class NativeChecker implements TypeChecker {
  readonly #root: string;
  readonly #configs: readonly string[];
  #api: API;
  #snapshot: Snapshot | undefined;
  /** Aborts at `close`. The checker must get no request after that: its client would fail outside of any promise. */
  readonly #closing = new AbortController();
  readonly #graph: ImportGraph;
  /** The errors of the files that no change has affected since they were checked, by project and file. */
  readonly #known = new Map<string, Map<string, readonly TypeFault[]>>();
  /** The errors of no file; undefined where a change can affect all files. */
  #globalFaults: readonly TypeFault[] | undefined;
  #filesChecked = 0;

  constructor(root: string, configs: readonly string[]) {
    this.#root = root;
    this.#configs = configs;
    this.#api = new API({ cwd: root });
    this.#graph = new ImportGraph(root);
  }

  /** The number of files that the last check looked at. */
  get filesChecked(): number {
    return this.#filesChecked;
  }

  async check(changes: ReadonlyMap<string, ChangeKind>): Promise<Checked> {
    this.#filesChecked = 0;
    await this.#forget(changes);
    const projects = (await inTime(this.#update(changes)).catch(this.#failed)).getProjects();
    const { faults, parses } = await inTime(this.#product(projects)).catch(this.#failed);
    const later = parses ? inTime(this.#rest(projects)).catch(this.#failed) : Promise.resolve([]);
    // In the pause behind the report. The awaiting caller gets a rejection; this handler only prevents an unhandled one.
    later.then(() => this.#graph.prepare()).catch(() => undefined);
    return { product: faults, rest: later };
  }

  close(): void {
    this.#closing.abort();
    void this.#api.close().catch(() => undefined);
  }

  /** Forgets the errors of all files that the changes can affect. */
  async #forget(changes: ReadonlyMap<string, ChangeKind>): Promise<void> {
    // A new file, or one less, can change what the imports of all others mean; a file of settings changes everything.
    const isPlain = [...changes].every(([file, kind]) => kind === 'changed' && !isSettings(file));
    // Read before the checker reads: a file that is saved in between is then checked again in the next round.
    const affected = isPlain ? await this.#graph.affectedBy([...changes.keys()]) : undefined;
    if (!isPlain) this.#graph.forget(changes.keys());
    if (affected === undefined) return this.#forgetAll();
    for (const files of this.#known.values()) for (const file of affected) files.delete(file);
  }

  #forgetAll(): void {
    this.#known.clear();
    this.#globalFaults = undefined;
  }

  async #update(changes: ReadonlyMap<string, ChangeKind>): Promise<Snapshot> {
    const openProjects = this.#configs.map((config) => join(this.#root, config));
    const next = await this.#api.updateSnapshot(
      this.#snapshot === undefined ? { openProjects } : { fileChanges: fileChangesOf(this.#root, changes) },
    );
    this.#closing.signal.throwIfAborted();
    await this.#snapshot?.dispose();
    return (this.#snapshot = next);
  }

  /** Discards the process of the checker; the next one reads all files again. */
  readonly #failed = (error: unknown): never => {
    if (this.#closing.signal.aborted) throw error;
    void this.#api.close().catch(() => undefined);
    this.#api = new API({ cwd: this.#root });
    this.#snapshot = undefined;
    this.#forgetAll();
    throw error;
  };

  async #product(projects: readonly Project[]): Promise<{ faults: TypeFault[]; parses: boolean }> {
    this.#closing.signal.throwIfAborted();
    const form = (
      await Promise.all(
        projects.flatMap(({ program }) => [
          program.getConfigFileParsingDiagnostics(),
          program.getSyntacticDiagnostics(),
        ]),
      )
    ).flat();
    const formFaults = await faultsOf(this.#root, form);
    // As the compiler on the command line: a file that cannot be parsed hides what follows from it.
    const hides = form.some(({ fileName }) => fileName === undefined || isProduct(relative(this.#root, fileName)));
    const follows = hides ? [] : await this.#semantic(projects, isProduct);
    return { faults: inOrder([...formFaults, ...follows]), parses: form.length === 0 };
  }

  async #rest(projects: readonly Project[]): Promise<TypeFault[]> {
    // The checker works on the first request while this thread reads the imports.
    const [found] = await Promise.all([
      this.#semantic(projects, (file) => !isProduct(file)),
      this.#graph.update(projects.flatMap(({ rootFiles }) => rootFiles.map((file) => relative(this.#root, file)))),
    ]);
    this.#closing.signal.throwIfAborted();
    const settings = await Promise.all(projects.map(({ program }) => program.getProgramDiagnostics()));
    // The checker would check all files for these. They are about the libraries of the language, which settings decide.
    this.#globalFaults ??= await faultsOf(
      this.#root,
      (await Promise.all(projects.map(({ program }) => program.getGlobalDiagnostics()))).flat(),
    );
    return inOrder([...found, ...(await faultsOf(this.#root, settings.flat())), ...this.#globalFaults]);
  }

  /**
   * The type errors of the files with such paths. Asks for one file at a time, because the checker handles one request at a
   * time, and only for files that a change has affected. Rejects after `close`.
   */
  async #semantic(projects: readonly Project[], holds: (file: string) => boolean): Promise<TypeFault[]> {
    const found: TypeFault[] = [];
    for (const { configFileName, program, rootFiles } of projects) {
      const known = this.#known.get(configFileName) ?? new Map<string, readonly TypeFault[]>();
      this.#known.set(configFileName, known);
      for (const path of rootFiles) {
        const file = relative(this.#root, path);
        if (!holds(file)) continue;
        const faults = known.get(file) ?? (await this.#faultsIn(program, path));
        known.set(file, faults);
        found.push(...faults);
      }
    }
    return found;
  }

  async #faultsIn(program: Project['program'], path: string): Promise<readonly TypeFault[]> {
    this.#closing.signal.throwIfAborted();
    this.#filesChecked++;
    return faultsOf(this.#root, await program.getSemanticDiagnostics(path));
  }
}

/** Detects the exit of the checker's process, because its client would wait forever. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the type checker has not answered for ${timeoutMs / 1000} seconds`)),
    timeoutMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function faultsOf(root: string, found: readonly Diagnostic[]): Promise<TypeFault[]> {
  const texts = new Map<string, string>();
  for (const { fileName } of found)
    if (fileName !== undefined && !texts.has(fileName))
      texts.set(fileName, await readFile(fileName, 'utf8').catch(() => ''));
  return found.map((diagnostic) => faultOf(root, diagnostic, texts));
}

/** The errors in the order of files and lines. */
function inOrder(faults: readonly TypeFault[]): TypeFault[] {
  // A file that belongs to both projects reports its errors twice.
  const once = new Map(faults.map((fault) => [Object.values(fault).join('\n'), fault]));
  return [...once.values()].sort((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  );
}

/** The innermost message of a chain, which is the most specific one. */
const innermost = ({ text, messageChain }: Diagnostic): string =>
  messageChain?.[0] === undefined ? text : innermost(messageChain[0]);

function faultOf(root: string, diagnostic: Diagnostic, texts: ReadonlyMap<string, string>): TypeFault {
  const { fileName, pos, code } = diagnostic;
  const message = `${innermost(diagnostic)} (TS${code})`;
  if (fileName === undefined) return { file: 'tsconfig.json', line: 0, column: 0, message };
  const before = texts.get(fileName)!.slice(0, pos).split('\n');
  return { file: relative(root, fileName), line: before.length, column: before.at(-1)!.length + 1, message };
}
