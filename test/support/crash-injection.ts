/** Processes that are killed at an operation on their files, not by the clock: at the same point of their work on a machine of any speed. */
import { fileURLToPath } from 'node:url';

/** NODE_OPTIONS of a process that can die so. */
export const mortal = `--import=${fileURLToPath(new URL('../faults/preload/die.ts', import.meta.url))}`;

/** When, with regard to the operation; `half` does a part of it, where it writes. */
export const moments = ['before', 'half', 'after'] as const;

/** The environment of a process that dies at its nth operation that changes files, counted from 1. */
export function dyingAt(operation: number, moment: (typeof moments)[number]): Record<string, string> {
  return { NODE_OPTIONS: mortal, DIE_AT: String(operation), DIE_HOW: moment };
}
