/** Checks the types of the project again and again with TypeScript's native checker, which keeps what it has read. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { API, type Diagnostic, type Project, type Snapshot } from 'typescript-native/unstable/async';
import { isInstallation, type ChangeKind } from './changes.ts';

/** What does not compile, and where. */
export interface TypeFault {
  readonly file: string;
  /** Counted from 1; 0 where the whole project is meant. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface TypeChecker {
  /** Everything that does not compile, in the order of the files. `changes`: what was written since the last time, by path from the folder. */
  check(changes: ReadonlyMap<string, ChangeKind>): Promise<TypeFault[]>;
  close(): Promise<void>;
}

/** Checks the projects of these tsconfig.json, whose paths are relative to `root`. */
export function createTypeChecker(root: string, configs: readonly string[]): TypeChecker {
  const api = new API({ cwd: root });
  let snapshot: Snapshot | undefined;

  async function update(changes: ReadonlyMap<string, ChangeKind>): Promise<Snapshot> {
    const of = (kind: ChangeKind): string[] => [...changes].filter(([, other]) => other === kind).map(([file]) => join(root, file));
    const fileChanges = [...changes.keys()].some(isInstallation)
      ? ({ invalidateAll: true } as const)
      : { created: of('created'), changed: of('changed'), deleted: of('deleted') };
    const next = await api.updateSnapshot(snapshot === undefined ? { openProjects: configs.map((config) => join(root, config)) } : { fileChanges });
    await snapshot?.dispose();
    return (snapshot = next);
  }

  return {
    async check(changes) {
      const found = (await Promise.all((await update(changes)).getProjects().map(diagnosticsOf))).flat();
      const texts = new Map<string, string>();
      for (const { fileName } of found)
        if (fileName !== undefined && !texts.has(fileName)) texts.set(fileName, await readFile(fileName, 'utf8').catch(() => ''));
      const faults = found.map((diagnostic) => faultOf(root, diagnostic, texts));
      // A file that belongs to both projects has its faults twice.
      const once = new Map(faults.map((fault) => [Object.values(fault).join('\n'), fault]));
      return [...once.values()].sort((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1));
    },
    async close() {
      await api.close();
    },
  };
}

/** As the compiler on the command line: a file that cannot be parsed hides what follows from it. */
async function diagnosticsOf({ program }: Project): Promise<readonly Diagnostic[]> {
  const form = await Promise.all([program.getConfigFileParsingDiagnostics(), program.getSyntacticDiagnostics()]);
  if (form.flat().length > 0) return form.flat();
  return (await Promise.all([program.getProgramDiagnostics(), program.getGlobalDiagnostics(), program.getSemanticDiagnostics()])).flat();
}

function faultOf(root: string, { fileName, pos, code, text }: Diagnostic, texts: ReadonlyMap<string, string>): TypeFault {
  const message = `${text} (TS${code})`;
  if (fileName === undefined) return { file: 'tsconfig.json', line: 0, column: 0, message };
  const before = texts.get(fileName)!.slice(0, pos).split('\n');
  return { file: relative(root, fileName), line: before.length, column: before.at(-1)!.length + 1, message };
}
