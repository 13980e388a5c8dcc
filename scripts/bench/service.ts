/** The measured service: a server in a separate process, and the commands. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cpuSecondsOfEnded } from './process-usage.ts';
import { hasTaskset } from './stream/calls.ts';
import manifest from '../../package.json' with { type: 'json' };

/** The folder of the repository. */
export const root = new URL('../../', import.meta.url).pathname;

/** The options of Node with which `npm start` runs the service. */
export const startFlags: readonly string[] = manifest.scripts.start.match(/--\S+/g) ?? [];

/** The environment variables that `npm run` sets for a command: the defaults in its line of package.json. */
function variablesOf(script: string): Record<string, string> {
  const line = Object.values(manifest.scripts).find((text) => text.endsWith(` ${script}`)) ?? '';
  return Object.fromEntries(Array.from(line.matchAll(/(\w+)=\$\{\1:-([^}]*)\}/g), ([, name, value]) => [name, value]));
}

/** The environment of a service that is measured: no sample, no limits, no other hosts. */
const environment = { PORT: '0', DEMO: '0', RATE_LIMIT: 'off', TOKEN_RESOLVER: 'off', LOG_LEVEL: 'error' };

type OnLine = (line: string) => void;

export interface ServiceOptions {
  /** Options of Node beside those of `npm start`. */
  readonly flags?: readonly string[];
  /** The core that the process is bound to, where `taskset` is installed. */
  readonly core?: number;
  /** Gets each line of standard output. */
  readonly onOutput?: OnLine;
  /** What becomes of the log; default: standard error of this process. */
  readonly log?: 'inherit' | 'ignore' | OnLine;
}

export interface Service {
  readonly pid: number;
  readonly port: number;
  /** `http://HOST:PORT`. */
  readonly url: string;
  /** From the start of the process until it listened. */
  readonly seconds: number;
  hasEnded(): boolean;
  /** Ends the service with SIGTERM. Resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the service and waits until it listens. Rejects when it ends before. It ends with this process. */
export async function startService(
  variables: Readonly<Record<string, string>>,
  { flags = [], core, onOutput, log = 'inherit' }: ServiceOptions = {},
): Promise<Service> {
  const startedAt = performance.now();
  const parameters = [...startFlags, ...flags, 'server/main.ts'];
  const [command, args] =
    core !== undefined && hasTaskset
      ? ['taskset', ['-c', String(core), process.execPath, ...parameters]]
      : [process.execPath, parameters];
  const child: ChildProcess = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...environment, ...variables },
    stdio: ['ignore', 'pipe', typeof log === 'string' ? log : 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  void exited.then(() => process.off('exit', end));
  const url = await listeningAt(child, onOutput, typeof log === 'string' ? undefined : log);
  return {
    pid: child.pid ?? Number.NaN,
    port: Number(new URL(url).port),
    url,
    seconds: (performance.now() - startedAt) / 1000,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      end();
      return (await exited)[0];
    },
  };
}

/** Reads the output of a service, to its end. Resolves with its address when it listens; rejects when it ends before. */
function listeningAt(child: ChildProcess, onOutput: OnLine | undefined, onLog: OnLine | undefined): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      onOutput?.(line);
      const url = /^listening on (http:\S+)$/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', (line) => onLog?.(line));
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`the service ended with code ${code}`)));
  return promise;
}

/** A command that has ended: seconds on the clock, and of CPU time. */
export interface CommandRun {
  readonly seconds: number;
  readonly cpu: number;
}

/** Starts a command of the service, given as the path of its script, with the environment of `npm run`. */
export const spawnCommand = (
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  { flags = [], stderr = 'inherit' }: { readonly flags?: readonly string[]; readonly stderr?: 'inherit' | 'pipe' } = {},
): ChildProcess =>
  spawn(process.execPath, [...flags, script, ...args], {
    cwd: root,
    env: { ...variablesOf(script), ...process.env, ...variables },
    stdio: ['ignore', 'ignore', stderr],
  });

/** Runs a command of the service, given as the path of its script. Rejects where it fails. */
export async function runCommand(
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<CommandRun> {
  const [cpu, began] = [await cpuSecondsOfEnded(), performance.now()];
  const child = spawnCommand(script, args, variables, { flags: ['--max-old-space-size=8192'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, cpu: (await cpuSecondsOfEnded()) - cpu };
}
