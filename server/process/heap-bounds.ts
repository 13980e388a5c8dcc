/** Bounds of the memory that garbage has. */
import { setFlagsFromString } from 'node:v8';

/**
 * Creates all objects in the young generation. V8 otherwise creates some at once in the old generation, because earlier ones of the same place in
 * the code lived long. Those of a request live briefly: they, and all objects that they refer to, then stay until the next full collection.
 */
export const createYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * Collects old garbage when the heap has grown by half of what is in use. V8 lets a small heap grow to several times of that first, which is most
 * of the memory of the process. A collection of a small heap takes some milliseconds of CPU. For the time after the start: the heap
 * of a start grows, with little garbage, and the collections would find little.
 */
export const boundGarbage = (): void => setFlagsFromString('--heap-growing-percent=50');
