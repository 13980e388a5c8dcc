/** `npm run dev` in a copy of the project, as somebody at a terminal meets it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = new URL('../../../', import.meta.url).pathname;
/** What the loop works with, but for the tests. */
const copied = [
  'spec',
  'generated',
  'server',
  'client/src',
  'client/build.ts',
  'client/tsconfig.json',
  'client/package.json',
  'scripts',
  'package.json',
  'tsconfig.json',
];

/** On a busy machine a round takes many times as long. */
const patienceMs = 200_000;

/** A copy of the project with these of its tests, and the same installed packages; `remove` it. */
export async function copyProject(tests: string): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'dev-')));
  for (const name of [...copied, tests])
    await cp(join(project, name), join(path, name), {
      recursive: true,
      filter: (from) => !from.includes('node_modules'),
    });
  await symlink(join(project, 'node_modules'), join(path, 'node_modules'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface Loop {
  /** The text from where the last wait ended to the end of what matches. Rejects with what was said when the command ends before, or takes too long. */
  until(pattern: RegExp): Promise<string>;
  /** Everything so far. */
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
  const tell = (): void => {
    more.resolve();
    more = Promise.withResolvers();
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      tell();
    });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let ended = false;
  void closed.then(() => {
    ended = true;
    tell();
  });
  return {
    async until(pattern) {
      const deadline = AbortSignal.timeout(patienceMs);
      deadline.addEventListener('abort', tell);
      for (;;) {
        const found = pattern.exec(text.slice(read));
        if (found !== null) {
          const from = read;
          read += found.index + found[0].length;
          return text.slice(from, read);
        }
        if (ended || deadline.aborted)
          throw new Error(`it ${ended ? 'ended' : 'took too long'} before it said ${pattern}:\n${text.slice(read)}`);
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

/** Saves as many editors do: a new file takes the place of the old one. */
export async function save(path: string, file: string, text: string): Promise<void> {
  await writeFile(join(path, `${file}~`), text);
  await rename(join(path, `${file}~`), join(path, file));
}

/** Replaces a text everywhere in a file. Throws where it is not there. */
export async function edit(path: string, file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(path, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  await save(
    path,
    file,
    text.replaceAll(from, () => to),
  );
}
