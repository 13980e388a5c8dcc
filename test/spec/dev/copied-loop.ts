/** Runs `npm run dev` in a copy of the project. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = new URL('../../../', import.meta.url).pathname;
/** The files of the loop without the tests. */
const copied = ['spec', 'generated', 'pages', 'server', 'client', 'scripts', 'package.json', 'tsconfig.json'];

/** The time limit of a wait; a loaded machine needs many times the usual duration. */
const timeoutMs = 200_000;

/**
 * Copies the project with the given tests, `without` some folders, into a new folder in `parent`, and links its packages. The caller must `remove` the
 * copy.
 */
export async function copyProject(
  tests: string,
  without: readonly string[] = [],
  parent = tmpdir(),
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(parent, 'dev-')));
  for (const name of [...copied, tests])
    await cp(join(project, name), join(path, name), {
      recursive: true,
      filter: (from) => !from.includes('node_modules') && !without.some((left) => from === join(project, left)),
    });
  await symlink(join(project, 'node_modules'), join(path, 'node_modules'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface Loop {
  /** The output from the last match to the end of this one. Rejects when the command ends first, or after the time limit. */
  until(pattern: RegExp): Promise<string>;
  /** All output so far. */
  output(): string;
  /** Sends a signal; resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command in a copy. */
export function startLoop(path: string, parameters: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Loop {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const child = spawn(process.execPath, ['scripts/spec/dev/main.ts', ...parameters], {
    cwd: path,
    env: { ...inherited, PORT: '0', DATA_DIR: join(path, 'data'), TOKEN_RESOLVER: 'off', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let read = 0;
  let more = Promise.withResolvers<void>();
  const notify = (): void => {
    more.resolve();
    more = Promise.withResolvers();
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      notify();
    });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let ended = false;
  void closed.then(() => {
    ended = true;
    notify();
  });
  return {
    async until(pattern) {
      const deadline = AbortSignal.timeout(timeoutMs);
      deadline.addEventListener('abort', notify);
      for (;;) {
        const found = pattern.exec(text.slice(read));
        if (found !== null) {
          const from = read;
          read += found.index + found[0].length;
          return text.slice(from, read);
        }
        if (ended || deadline.aborted)
          throw new Error(`the command ${ended ? 'ended' : 'timed out'} before ${pattern}:\n${text.slice(read)}`);
        await more.promise;
      }
    },
    output: () => text,
    async end(signal = 'SIGINT') {
      child.kill(signal);
      return (await closed)[0];
    },
  };
}

/** Saves as many editors do: a new file replaces the old one. */
export async function save(path: string, file: string, text: string): Promise<void> {
  await writeFile(join(path, `${file}~`), text);
  await rename(join(path, `${file}~`), join(path, file));
}

/** Replaces all occurrences of a text in a file. Throws an Error when there is none. */
export async function edit(path: string, file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(path, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  await save(
    path,
    file,
    text.replaceAll(from, () => to),
  );
}
