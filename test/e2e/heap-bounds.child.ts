/** Prints the largest heap in MB while values that live for a moment replace each other. `bounded`: as a service that has started. */
import { boundGarbage, createYoung } from '../../server/process/heap-bounds.ts';

if (process.argv.includes('bounded')) {
  createYoung();
  boundGarbage();
}
const live = Array.from({ length: 400_000 }, (_, index) => ({ index, text: `value ${index}` }));
let largest = 0;
for (let index = 0; index < 5_000_000; index++) {
  live[(index * 7919) % live.length] = { index, text: `value ${index}` };
  if (index % 10_000 === 0) largest = Math.max(largest, process.memoryUsage().heapUsed);
}
console.log(Math.round(largest / 1e6));
