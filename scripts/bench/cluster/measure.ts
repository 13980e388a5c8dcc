/** What the benchmark of several instances reads of processes. Linux only; elsewhere NaN. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { key } from '../http/shapes.ts';

/** The log of the measurement, and a record of it: the time of its append by the clock of the machine, in microseconds. */
export const benchLog = 'bench';
export interface SentRecord {
  readonly sent: number;
}

const root = new URL('../../../', import.meta.url).pathname;
const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

interface Times {
  readonly parent: number;
  /** Of the process, and of its children that have ended, in seconds. */
  readonly own: number;
  readonly ended: number;
}

async function timesOf(pid: number | 'self'): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return undefined;
  const [parent = NaN, user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  );
  return { parent, own: (user + system) / ticks, ended: (endedUser + endedSystem) / ticks };
}

/** CPU seconds of a process. */
export const cpuOf = async (pid: number): Promise<number> => (await timesOf(pid))?.own ?? Number.NaN;

/** CPU seconds of the children of this process that have ended. */
const cpuOfEnded = async (): Promise<number> => (await timesOf('self'))?.ended ?? Number.NaN;

/** CPU seconds of a process with all its children. */
export async function cpuOfFamily(pid: number | undefined): Promise<number> {
  const head = pid === undefined ? undefined : await timesOf(pid);
  if (head === undefined) return Number.NaN;
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(names.map((name) => timesOf(Number(name))));
  return all.reduce(
    (sum, each) => sum + (each !== undefined && each.parent === pid ? each.own : 0),
    head.own + head.ended,
  );
}

export interface Run {
  readonly seconds: number;
  readonly cpu: number;
}

/** Runs a command of the service. Rejects where it fails. */
export async function runCommand(script: string, args: readonly string[], env: Record<string, string>): Promise<Run> {
  const [cpu, began] = [await cpuOfEnded(), performance.now()];
  const child = spawn(process.execPath, ['--max-old-space-size=8192', script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, cpu: (await cpuOfEnded()) - cpu };
}

export interface BenchServer {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the service. */
export async function startServer(env: Record<string, string>): Promise<BenchServer> {
  const child: ChildProcess = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: '0', API_KEYS: key, RATE_LIMIT: 'off', LOG_LEVEL: 'error', DEMO: '0', ...env },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout, pid } = child;
  if (stdout === null || pid === undefined) throw new Error('the server did not start');
  for await (const line of createInterface({ input: stdout })) {
    const port = /^listening on http:\/\/\S+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    stdout.resume();
    const stop = async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    return { pid, port: Number(port), stop };
  }
  throw new Error('the server did not start');
}
