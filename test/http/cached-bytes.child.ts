// Prints by how many bytes of buffers the process grew for each answer that the server keeps, of tweets that stay. Run with --expose-gc.
import { setImmediate } from 'node:timers/promises';
import type { Schemas } from '../../server/contract/operations.ts';
import { exampleAnswer } from '../support/contract.ts';
import { exampleHandlers, startService } from '../support/service.ts';

type Page = Schemas['LastTweetsPage'];
const [example] = (exampleAnswer('getUserLastTweets') as Page).tweets;
/** As the archive keeps forms: frozen, so that the server keeps what it has written of them. */
const forms = new Map<string, Page>();
function pageOf(username: string): Page {
  const page = forms.get(username) ?? {
    tweets: [Object.freeze({ ...example!, text: username })],
    has_next_page: false,
    next_cursor: null,
  };
  forms.set(username, page);
  return page;
}

const handler = ({ query }: { query: unknown }): Page => pageOf((query as { username: string }).username);
const handlers = exampleHandlers({ getUserLastTweets: handler });
const service = await startService({ rateLimit: 'off', revisionOf: () => 1, handlers });
async function answers(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n++) {
    // The second time it is kept.
    for (let time = 0; time < 2; time++)
      await (await service.request(`/social/user/last_tweets?username=u${n}`)).text();
    // What else a server does meanwhile: half of what Node makes short buffers in.
    Buffer.from('x'.repeat(Buffer.poolSize / 2 - 1));
  }
  service.log.length = 0;
}
/** What a collection finds is let go of in the turns after it. */
async function held(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc!();
    await setImmediate();
  }
  return process.memoryUsage().arrayBuffers;
}
await answers(0, 100);
const before = await held();
const count = 300;
await answers(100, count);
console.log(Math.round(((await held()) - before) / count));
await service.stop(1000);
