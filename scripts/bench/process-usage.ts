/** What a running process uses. Linux only: elsewhere, the figures are NaN. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The ticks in which the kernel counts, in a second. */
const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/** The CPU time of a running process in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) / ticks;
}

/** Resident memory of a running process in bytes, and its peak. */
export async function memory(pid: number): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { resident: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}
