/** Requests at a fixed rate, and their latency. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../sample/random.ts';
import { vocabulary, wordOf } from '../tweets.ts';

/** The API key of the server. */
export const key = 'sd_bench_background_key';

const perSecond = 100;

type Answer = NodeJS.ReadableStream & { statusCode: number };

/** Sends a GET request and reads its response. Throws unless the status is 200. */
export async function send(agent: Agent, port: number, path: string): Promise<void> {
  const call = request({ agent, port, path, host: '127.0.0.1', headers: { 'x-api-key': key } }).end();
  const [response] = (await once(call, 'response').catch((error: NodeJS.ErrnoException) => {
    // The server may close an idle connection at the moment at which the agent uses it again.
    if (call.reusedSocket && error.code === 'ECONNRESET') return [];
    throw error;
  })) as [Answer?];
  if (response === undefined) return send(agent, port, path);
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
}

/** Paths of requests: half searches for two words, half pages of an author, who has about 20 tweets. */
export function createTargets(authors: number): (number: number) => string {
  const random = createRandom(7);
  return (number) => {
    if (number % 2 === 0) return `/social/user/last_tweets?username=user_${random.integer(0, authors - 1)}`;
    const words = [1, 2].map(() => wordOf(random.integer(1, vocabulary)));
    return `/social/tweet/advanced_search?query=${words.join('%20OR%20')}&limit=20`;
  };
}

/**
 * Sends requests at a fixed rate while `isOn` holds. Returns the milliseconds of each, from its scheduled time, so that a wait of the
 * server counts for every request that it delays.
 */
export async function latencies(
  port: number,
  target: (number: number) => string,
  isOn: () => boolean,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  try {
    for (let number = 0; isOn(); number++) {
      const scheduled = began + (number * 1000) / perSecond;
      await pause(Math.max(0, scheduled - performance.now()));
      const sent = send(agent, port, target(number)).then(() => void times.push(performance.now() - scheduled));
      // Prevents an unhandled rejection until it is awaited.
      sent.catch(() => {});
      pending.push(sent);
    }
    await Promise.all(pending);
    return times;
  } finally {
    agent.destroy();
  }
}
