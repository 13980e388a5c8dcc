/** The measured programs: the service, its commands, and servers that it is compared with. Each is a process of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import manifest from '../../package.json' with { type: 'json' };

/** The folder of the repository. */
export const root = new URL('../../', import.meta.url).pathname;

/** The API key of the measured services. */
export const key = 'sd_bench_key_of_the_load';

/** The options of Node with which `npm start` runs the service. */
export const startFlags: readonly string[] = manifest.scripts.start.match(/--\S+/g) ?? [];

/**
 * Options of Node for processes that are measured in turn on one core. V8 then has one thread beside the main one, as in the service, and does not
 * collect garbage some seconds after a load has ended: that would fall into the measurement of another process.
 */
export const sharedCoreFlags: readonly string[] = ['--v8-pool-size=0', '--no-memory-reducer'];

/** Servers run on one core and the load on another, where `taskset` is installed. */
export const [serverCore, loadCore] = [0, 1];
export const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** Binds a process with all its threads to a core. */
export function bindToCore(pid: number, core: number): void {
  if (hasTaskset) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)]);
}

/** The options of Node and the environment variables with which `npm run` calls a command: those of its line in package.json. */
function callOf(script: string): { readonly flags: readonly string[]; readonly variables: Record<string, string> } {
  const line = Object.values(manifest.scripts).find((text) => text.endsWith(` ${script}`)) ?? '';
  const variables = Array.from(line.matchAll(/(\w+)=\$\{\1:-([^}]*)\}/g), ([, name, value]) => [name, value] as const);
  return { flags: line.match(/--\S+/g) ?? [], variables: Object.fromEntries(variables) };
}

/** The environment of a service that is measured: no sample, no limits, no other hosts. */
const environment = {
  ...{ PORT: '0', DEMO: '0', RATE_LIMIT: 'off', TOKEN_RESOLVER: 'off', LOG_LEVEL: 'error', API_KEYS: key },
};

type Variables = Readonly<Record<string, string>>;

export interface ServerOptions {
  /** Options of Node. */
  readonly flags?: readonly string[];
  /** What runs the arguments; default: Node. */
  readonly program?: string;
  /** Whether the process is bound to the core of the servers. */
  readonly isBound?: boolean;
  /** Gets each line of standard output and of standard error; default: the errors go to those of this process. */
  readonly onOutput?: (line: string) => void;
}

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** `http://HOST:PORT`. */
  readonly url: string;
  /** From the start of the process until it listened. */
  readonly seconds: number;
  hasEnded(): boolean;
  /** Ends the server with SIGTERM. Resolves with its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts a program that writes `listening on URL`, or what uvicorn writes, and waits for this line. Rejects when it ends before. It ends with
 * this process. `args`: the script with its arguments.
 */
export async function startServer(
  args: readonly string[],
  variables: Variables,
  { flags = [], program = process.execPath, isBound = false, onOutput }: ServerOptions = {},
): Promise<Server> {
  const startedAt = performance.now();
  const node = [program, ...flags, ...args];
  // Without taskset, the processes share the cores.
  const [command = '', ...parameters] = isBound && hasTaskset ? ['taskset', '-c', String(serverCore), ...node] : node;
  const child = spawn(command, parameters, {
    ...{ cwd: root, env: { ...process.env, ...variables } },
    stdio: ['ignore', 'pipe', onOutput === undefined ? 'inherit' : 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  void exited.then(() => process.off('exit', end));
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => {
        onOutput?.(line);
        const url = /^(?:listening|INFO: +Uvicorn running) on (http:\S+)/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
  child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with code ${code}`)));
  const url = await listening;
  return {
    ...{ pid: child.pid ?? Number.NaN, url, port: Number(new URL(url).port) },
    seconds: (performance.now() - startedAt) / 1000,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      end();
      return (await exited)[0];
    },
  };
}

/** Starts the service as `npm start` does. */
export const startService = (variables: Variables, options: ServerOptions = {}): Promise<Server> =>
  startServer(
    ['server/main.ts'],
    { ...environment, ...variables },
    { ...options, flags: [...startFlags, ...(options.flags ?? [])] },
  );

/** Runs a command of the service, given as the path of its script, with the environment of `npm run`. Rejects where it fails. */
export async function runCommand(
  [script = '', ...args]: readonly string[],
  variables: Variables,
  onStart: (pid: number) => void = () => {},
): Promise<{ readonly seconds: number }> {
  const began = performance.now();
  const call = callOf(script);
  const child = spawn(process.execPath, [...call.flags, script, ...args], {
    ...{ cwd: root, env: { ...call.variables, ...process.env, ...variables } },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid !== undefined) onStart(child.pid);
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${errors.slice(-500)}`);
  return { seconds: (performance.now() - began) / 1000 };
}

export const importFile = (file: string, variables: Variables, onStart?: (pid: number) => void) =>
  runCommand(['scripts/cli/import.ts', file], variables, onStart);
