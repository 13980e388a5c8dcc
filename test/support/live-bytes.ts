/** The bytes of buffers that are in use: what the next garbage collection would free does not count. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Collects garbage first, so the result does not depend on when V8 would have done so. */
export function liveBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
