/** Prints the number of threads of V8's pool, and of the processors that this process may use. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const names = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim());
console.log(
  JSON.stringify({ threads: names.filter((name) => name === 'V8Worker').length, processors: availableParallelism() }),
);
