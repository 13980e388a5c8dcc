/** The changed files of a round, and the steps that depend on them. */

export type ChangeKind = 'created' | 'changed' | 'deleted';

export interface Changes {
  /** By path from the project's folder. */
  readonly files: ReadonlyMap<string, ChangeKind>;
  /** When the first of them was saved, in milliseconds since 1970. */
  readonly savedAt: number;
}

/** Combines two consecutive changes of one file; undefined when they cancel out. */
function together(first: ChangeKind | undefined, second: ChangeKind): ChangeKind | undefined {
  if (first === 'created') return second === 'deleted' ? undefined : 'created';
  if (first === 'deleted' && second === 'created') return 'changed';
  return second;
}

/** Combines earlier and later changes. */
export function merged(earlier: Changes | undefined, later: Changes): Changes {
  if (earlier === undefined) return later;
  const files = new Map(earlier.files);
  for (const [file, kind] of later.files) {
    const both = together(files.get(file), kind);
    if (both === undefined) files.delete(file);
    else files.set(file, both);
  }
  return { files, savedAt: Math.min(earlier.savedAt, later.savedAt) };
}

/** Whether the file can be a source of generated/: it stands in spec/, but is not the contract of the last release. */
export const isSpec = (file: string): boolean => /^spec\/(?!released\/).+\.(?:ya?ml|json)$/.test(file);
/** Whether the file can be a part of the scripts and styles of the pages, or of the dashboard, which generated/ holds. */
export const isPage = (file: string): boolean =>
  file === 'server/deploy/grafana/dashboard.yaml' ||
  /^(?:pages|client\/src|server\/(?:contract|search\/language|text))\/.+\.(?:tsx?|css|js)$/.test(file);
/** Whether the file is derived from spec/ or pages/. */
export const isGenerated = (file: string): boolean => file.startsWith('generated/');
/** What decides which packages are installed: all that was loaded before may be another version now. */
export const isInstallation = (file: string): boolean => file === 'package.json' || file === 'package-lock.json';
/** What the type checker reads: code, data that code imports, and its own settings. */
export const isTyped = (file: string): boolean => /\.(tsx?|json)$/.test(file);
/** Generated files that only the client reads. */
const clientOnly = ['generated/client.ts', 'generated/mocks.ts', 'generated/shapes.ts'];
/** What a running server has read, and must be started again to read anew. */
export const isServed = (file: string): boolean =>
  file.startsWith('server/') || (file.startsWith('generated/') && !clientOnly.includes(file)) || isInstallation(file);
