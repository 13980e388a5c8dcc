/** The real server as a separate process, on a free port and a separate data directory. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { bundledProgram } from './bundled-service.ts';
import { copySample } from './sample-data.ts';

export { temporaryFolder } from './folder.ts';

const root = new URL('../../', import.meta.url).pathname;
const service = 'server/main.ts';
const generousLoad = new URL('preload/generous-load.ts', import.meta.url).href;

export interface RunningServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything on standard output, and on standard error, so far. */
  readonly output: () => string;
  readonly errors: () => string;
  /** Ends it by a signal; resolves with the exit code, or null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs a program of the repository, as another user where one is given; resolves when it has ended. */
export async function run(
  script: string,
  args: string[],
  env: Record<string, string>,
  user: { uid?: number; gid?: number } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = await bundledProgram(script, env.NODE_OPTIONS ?? '');
  const child = spawn(process.execPath, [program ?? script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: output.stdout(), stderr: output.stderr() };
}

function collect(child: ChildProcess): { stdout(): string; stderr(): string } {
  const texts = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => void (texts.stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text));
  return { stdout: () => texts.stdout, stderr: () => texts.stderr };
}

/**
 * Starts the server, or another script that says where it listens, which asks no other host, and waits until it listens. Rejects with
 * what it said when it ends before. A new data directory gets a copy of the sample; DEMO says otherwise.
 */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
  script = service,
): Promise<RunningServer> {
  if (script === service) await copySample(dataDir, env, args, startServer);
  const { NODE_OPTIONS = '' } = { ...process.env, ...env };
  const program = await bundledProgram(script, NODE_OPTIONS);
  // The bundle has it already.
  const isPlain = script === service && program === undefined;
  const options = isPlain ? { NODE_OPTIONS: `${NODE_OPTIONS} --import=${generousLoad}` } : {};
  const child = spawn(process.execPath, [program ?? script, ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', TOKEN_RESOLVER: 'off', ...env, ...options },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = collect(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /^(?:mock )?listening on (http:\S+)$/m.exec(stdout())?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', (code) => reject(new Error(`the server ended with code ${code}: ${stdout()}${stderr()}`)));
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    url,
    child,
    output: stdout,
    errors: stderr,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}
