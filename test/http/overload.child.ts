// A server with an operation that keeps its thread busy for 5 ms. At its end it prints how often each turn of the event loop began one.
import { exampleAnswer } from '../support/contract.ts';
import { exampleHandlers, startService } from '../support/service.ts';

const turns: number[] = [];
let isTurn = false;
const service = await startService({
  rateLimit: 'off',
  handlers: exampleHandlers({
    getSpace() {
      if (!isTurn) {
        isTurn = true;
        turns.push(0);
        setImmediate(() => (isTurn = false));
      }
      turns[turns.length - 1]!++;
      const until = performance.now() + 5;
      while (performance.now() < until);
      return exampleAnswer('getSpace');
    },
  }),
});
console.log(`listening on ${service.url}`);
process.once('SIGTERM', async () => {
  await service.stop(0);
  console.log(`turns ${JSON.stringify(turns)}`);
});
