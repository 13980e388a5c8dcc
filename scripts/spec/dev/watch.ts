/** Watches the sources of the project and reports files saved together as one change. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { watch as watchPaths } from 'chokidar';
import { isGenerated, merged, type ChangeKind, type Changes } from './changes.ts';

/** The watched paths. generated/ is among them, because version control changes it too. */
const sources = new Set([
  'spec',
  'generated',
  'pages',
  'server',
  'client',
  'scripts',
  'test',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]);
/** Ignored paths: installed and built files, and temporary files of editors. */
const ignored = /(^|\/)(node_modules|dist|\.[^/]+|4913|[^/]*~|[^/]*\.(sw[a-z]|tmp))(\/|$)/;
/** Debounce time in ms, because editors and version control save many files at once. */
const quietMs = 30;
/** The same for changes of generated/: version control writes its many files, whose events come late and one by one. */
const generatedQuietMs = 250;
/** Git has this file while it writes the work tree, for example during a switch of the branch. */
const gitLock = '.git/index.lock';
/** Time limit in ms for this: a lock can be left behind. */
const maxLockMs = 10_000;
/** An older modification time belongs to a moved or copied file. */
const oldestSaveMs = 1_000;

const kinds = { add: 'created', change: 'changed', unlink: 'deleted' } as const satisfies Record<string, ChangeKind>;

/** A running watch. */
export interface SourceWatcher {
  /** Watches these files too, by path from the folder; those in the watched folders are watched already. */
  watchToo(files: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Reports every change of the sources in `root` until it is closed; resolves when the watch is active.
 * Calls `failed` with errors of the watch, for example when the system permits no more watches.
 */
export async function watchSources(
  root: string,
  onChanges: (changes: Changes) => void,
  failed: (error: Error) => void,
): Promise<SourceWatcher> {
  let waiting: Changes | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Watched files outside of the sources. */
  const others = new Set<string>();
  // The watch covers the folder itself, so that a source may disappear for a time, as during a checkout.
  const watcher = watchPaths('.', {
    cwd: root,
    ignoreInitial: true,
    ignored: (path) => {
      const file = relative(root, resolve(root, path)).replaceAll('\\', '/');
      if (file === '' || others.has(file)) return false;
      return !sources.has(file.split('/')[0]!) || ignored.test(file);
    },
  });

  const note = async (file: string, kind: ChangeKind): Promise<void> => {
    const now = Date.now();
    const written =
      kind === 'deleted'
        ? now
        : await stat(join(root, file)).then(
            ({ mtimeMs }) => mtimeMs,
            () => now,
          );
    const savedAt = written <= now && written > now - oldestSaveMs ? written : now;
    waiting = merged(waiting, { files: new Map([[file, kind]]), savedAt });
    schedule(now + maxLockMs);
  };
  const schedule = (latest: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (existsSync(join(root, gitLock)) && Date.now() < latest) return schedule(latest);
      const changes = waiting;
      waiting = undefined;
      if (changes !== undefined && changes.files.size > 0) onChanges(changes);
    }, quietTime());
  };
  const quietTime = (): number => ([...(waiting?.files.keys() ?? [])].some(isGenerated) ? generatedQuietMs : quietMs);
  for (const [event, kind] of Object.entries(kinds))
    watcher.on(event as keyof typeof kinds, (file) => void note(file.replaceAll('\\', '/'), kind));
  watcher.on('error', (error) => failed(error as Error));
  await once(watcher, 'ready');
  return {
    watchToo(files) {
      const added = files.filter((file) => !others.has(file) && !sources.has(file.split('/')[0] ?? ''));
      for (const file of added) others.add(file);
      if (added.length > 0) watcher.add(added);
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
