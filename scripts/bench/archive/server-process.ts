/** The server of the archive benchmark, as a separate process, with its CPU time and memory. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export const root = new URL('../../../', import.meta.url).pathname;
export const key = 'bench-key-0001';

export interface Server {
  readonly url: string;
  readonly seconds: number;
  readonly child: ChildProcess;
}

/** Starts a server with settings, and waits until it listens. */
export async function startServer(settings: Readonly<Record<string, string>>): Promise<Server> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      API_KEYS: key,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
      DEMO: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (http:\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, child, seconds: (performance.now() - startedAt) / 1000 };
  }
  throw new Error('the server did not start');
}

export async function stopServer({ child }: Server): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The CPU time of a running process in seconds; Linux only, elsewhere NaN. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  // The kernel counts hundredths of a second.
  return (Number(user ?? Number.NaN) + Number(system ?? Number.NaN)) / 100;
}

/** Resident memory of a running process in bytes, and its peak; Linux only, elsewhere NaN. */
export async function memory(pid: number): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { resident: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}
