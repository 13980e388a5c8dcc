/** Bounds of the memory that garbage has. */
import { setFlagsFromString } from 'node:v8';

/**
 * Collects old garbage when the heap has grown by half of what is in use. V8 lets a small heap grow to several times of that first, which is most
 * of the memory of a process that holds no archive. A collection of a small heap takes some milliseconds of CPU.
 */
export const boundGarbage = (): void => setFlagsFromString('--heap-growing-percent=50');
