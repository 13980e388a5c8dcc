/** Checks the types of the project repeatedly with TypeScript's native checker, which caches the files it read. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { API, type Diagnostic, type Project, type Snapshot } from 'typescript-native/unstable/async';
import { isInstallation, type ChangeKind } from './changes.ts';

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
   * Checks everything, server and client first. `changes`: what was written since the last time, by path from the folder.
   * Throws when the checker itself fails. The rest must have come before the next time.
   */
  check(changes: ReadonlyMap<string, ChangeKind>): Promise<Checked>;
  /** Stops the process of the checker. */
  close(): void;
}

/** A time limit well above the duration of a full check on a loaded machine. */
const timeoutMs = 120_000;

/** The changed files in the form of the checker. */
function fileChangesOf(root: string, changes: ReadonlyMap<string, ChangeKind>) {
  if ([...changes.keys()].some(isInstallation)) return { invalidateAll: true } as const;
  const of = (kind: ChangeKind): string[] =>
    [...changes].filter(([, other]) => other === kind).map(([file]) => join(root, file));
  return { created: of('created'), changed: of('changed'), deleted: of('deleted') };
}

/** Checks the projects of these tsconfig.json, whose paths are relative to `root`. */
export function createTypeChecker(root: string, configs: readonly string[]): TypeChecker {
  let api = new API({ cwd: root });
  let snapshot: Snapshot | undefined;
  /** Aborts at `close`. The checker must get no request after that: its client would fail outside of any promise. */
  const closing = new AbortController();

  async function update(changes: ReadonlyMap<string, ChangeKind>): Promise<Snapshot> {
    const openProjects = configs.map((config) => join(root, config));
    const next = await api.updateSnapshot(
      snapshot === undefined ? { openProjects } : { fileChanges: fileChangesOf(root, changes) },
    );
    closing.signal.throwIfAborted();
    await snapshot?.dispose();
    return (snapshot = next);
  }

  /** Discards the process of the checker; the next one reads all files again. */
  const failed = (error: unknown): never => {
    if (closing.signal.aborted) throw error;
    void api.close().catch(() => undefined);
    api = new API({ cwd: root });
    snapshot = undefined;
    throw error;
  };
  const isProduct = (file: string): boolean => /^(server|client|generated)\//.test(relative(root, file));

  async function product(projects: readonly Project[]): Promise<{ faults: TypeFault[]; parses: boolean }> {
    closing.signal.throwIfAborted();
    const form = (
      await Promise.all(
        projects.flatMap(({ program }) => [
          program.getConfigFileParsingDiagnostics(),
          program.getSyntacticDiagnostics(),
        ]),
      )
    ).flat();
    // As the compiler on the command line: a file that cannot be parsed hides what follows from it.
    const follows = form.some(({ fileName }) => fileName === undefined || isProduct(fileName))
      ? []
      : await semantic(projects, isProduct, closing.signal);
    return { faults: await faultsOf(root, [...form, ...follows]), parses: form.length === 0 };
  }

  async function rest(projects: readonly Project[]): Promise<TypeFault[]> {
    const found = await semantic(projects, (file) => !isProduct(file), closing.signal);
    closing.signal.throwIfAborted();
    const whole = await Promise.all(
      projects.flatMap(({ program }) => [program.getProgramDiagnostics(), program.getGlobalDiagnostics()]),
    );
    return faultsOf(root, [...found, ...whole.flat()]);
  }

  return {
    async check(changes) {
      const projects = (await inTime(update(changes)).catch(failed)).getProjects();
      const { faults, parses } = await inTime(product(projects)).catch(failed);
      const later = parses ? inTime(rest(projects)).catch(failed) : Promise.resolve([]);
      // The awaiting caller gets the rejection; this handler only prevents an unhandled rejection.
      later.catch(() => undefined);
      return { product: faults, rest: later };
    },
    close() {
      closing.abort();
      void api.close().catch(() => undefined);
    },
  };
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

/**
 * The type errors of these files, one file at a time, because the checker handles one request at a time. Rejects when the
 * signal aborts.
 */
async function semantic(
  projects: readonly Project[],
  holds: (file: string) => boolean,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const { program, rootFiles } of projects) {
    for (const file of rootFiles.filter(holds)) {
      signal.throwIfAborted();
      found.push(...(await program.getSemanticDiagnostics(file)));
    }
  }
  return found;
}

async function faultsOf(root: string, found: readonly Diagnostic[]): Promise<TypeFault[]> {
  const texts = new Map<string, string>();
  for (const { fileName } of found)
    if (fileName !== undefined && !texts.has(fileName))
      texts.set(fileName, await readFile(fileName, 'utf8').catch(() => ''));
  const faults = found.map((diagnostic) => faultOf(root, diagnostic, texts));
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
