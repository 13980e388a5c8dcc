/** What a running process uses. */
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** The ticks in which the kernel counts, in a second. */
const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/** The CPU times of a process in seconds. */
export interface CpuTimes {
  readonly parent: number;
  /** Of the process itself. */
  readonly process: number;
  /** Of its children that have ended. */
  readonly children: number;
}

/** The CPU times of a process; undefined where it has ended, and on systems without /proc. */
export async function cpuTimes(pid: number | 'self'): Promise<CpuTimes | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (index: number): number => Number(fields[index] ?? Number.NaN);
  return { parent: field(1), process: (field(11) + field(12)) / ticks, children: (field(13) + field(14)) / ticks };
}

/** The CPU time of a running process in seconds; Linux only, elsewhere NaN. */
export const cpuSeconds = async (pid: number): Promise<number> => (await cpuTimes(pid))?.process ?? Number.NaN;

/** The CPU time of the children of this process that have ended, in seconds; Linux only, elsewhere NaN. */
export const cpuSecondsOfEnded = async (): Promise<number> => (await cpuTimes('self'))?.children ?? Number.NaN;

/** The CPU time of a process with all its children in seconds; Linux only, elsewhere NaN. */
export async function cpuSecondsOfFamily(pid: number | undefined): Promise<number> {
  const head = pid === undefined ? undefined : await cpuTimes(pid);
  if (head === undefined) return Number.NaN;
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(names.map((name) => cpuTimes(Number(name))));
  return all.reduce(
    (sum, each) => sum + (each !== undefined && each.parent === pid ? each.process : 0),
    head.process + head.children,
  );
}

/** Bytes that this process uses in its JavaScript heap and outside of it. Node counts shared memory only among the array buffers. */
export function ownMemory(): { resident: number; heap: number; external: number } {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { resident: rss, heap: heapUsed, external: Math.max(external, arrayBuffers) };
}

/** Resident memory of a running process in bytes, and its peak; Linux only, elsewhere NaN. */
export async function memory(pid: number): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { resident: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}
