/** Questions to the local assistant over HTTP, one after the other, each about another tweet. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { localAccounts } from '../../server/assistant/accounts.ts';
import { idOf, writeTweets } from '../sample/many-tweets.ts';
import { createRandom } from '../sample/random.ts';
import { send } from './fixed-rate.ts';
import type { Command } from './options.ts';
import { cpuSeconds } from './process-usage.ts';
import { finite, ourRow, type Outcome } from './result.ts';
import { importFile, startService } from './service.ts';
import { createPlace } from './stored-archive.ts';
import { percentile } from './table.ts';

/** One question of each kind that the provider answers in another way; empty: an explanation. */
const prompts = [
  '',
  'tl;dr',
  'who is the author?',
  'is that a lot of likes?',
  'what do the replies say?',
  'who disagrees?',
  'is this true?',
  'what happened next?',
  'how many bananas did the minister buy in Lisbon?',
  'why was the bridge closed last year?',
];

interface Measured {
  readonly times: number[];
  /** The CPU time of the server for an answer in milliseconds. */
  readonly cpu: number;
}

/** Asks `count` questions of each kind, about random tweets. */
async function measure(server: { pid: number; url: string }, tweets: number, count: number, seed: number) {
  const agent = new Agent({ keepAlive: true });
  const random = createRandom(seed);
  const times: number[] = [];
  const before = await cpuSeconds(server.pid);
  for (let number = 0; number < count * prompts.length; number++) {
    const prompt = prompts[number % prompts.length] ?? '';
    const asked = { tweet_id: idOf(random.integer(0, tweets - 1)), ...(prompt === '' ? {} : { prompt }) };
    const startedAt = performance.now();
    await send(agent, server.url, { path: `/social/tweet/assistant?${new URLSearchParams(asked).toString()}` });
    times.push(performance.now() - startedAt);
  }
  agent.destroy();
  return { times, cpu: (1000 * ((await cpuSeconds(server.pid)) - before)) / times.length } satisfies Measured;
}

/** Measures answers over one archive. */
export async function benchAssistant(command: Command): Promise<Outcome> {
  const tweets = command.number('tweets');
  const count = command.number('queries');
  const place = await createPlace(command.values.platform);
  try {
    const file = join(place.folder, 'tweets.jsonl');
    await writeTweets(file, tweets);
    console.error(`assistant: importing ${tweets.toLocaleString('en')} tweets`);
    await importFile(file, place.variables);
    await place.maintain();
    // More than the questions of all rounds; each slot of a quota costs some time.
    const quota = String(
      Math.ceil((count * prompts.length * (command.number('rounds') + 1)) / localAccounts.length) + 1,
    );
    const server = await startService({ ...place.variables, ASSISTANT_QUOTA: quota });
    try {
      await measure(server, tweets, Math.ceil(count / 4), 1);
      const rounds: Measured[] = [];
      for (let round = 1; round <= command.number('rounds'); round++)
        rounds.push(await measure(server, tweets, count, 1 + round));
      const row = (name: string, valueOf: (each: Measured) => number) =>
        ourRow(`${tweets.toLocaleString('en')} tweets, ${name}`, 'ms', rounds.map(valueOf));
      return {
        rows: finite([
          row('answer, p50', ({ times }) => percentile(times, 0.5)),
          row('answer, p95', ({ times }) => percentile(times, 0.95)),
          row('CPU of an answer', ({ cpu }) => cpu),
        ]),
      };
    } finally {
      await server.stop();
    }
  } finally {
    await place.remove();
  }
}
