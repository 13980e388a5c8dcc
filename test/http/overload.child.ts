// A server whose one slow operation keeps the thread busy for 5 ms. With `1000` connections it could only answer each after 5 seconds.
import { exampleAnswer } from '../support/contract.ts';
import { exampleHandlers, startService } from '../support/service.ts';

const service = await startService({
  rateLimit: 'off',
  handlers: exampleHandlers({
    getSpace() {
      const until = performance.now() + 5;
      while (performance.now() < until);
      return exampleAnswer('getSpace');
    },
  }),
});
console.log(`listening on ${service.url}`);
process.once('SIGTERM', async () => {
  await service.stop(1000);
  process.exit(0);
});
