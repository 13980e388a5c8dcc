/** The assistant: what the service adds to a provider that takes no time, over HTTP, beside a bare server and a plain GET of the service. */
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import type { Service } from './assistant/service.ts';
import { startProcess } from './stream/calls.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';

const tweetId = '1890000000000000001';
const warmUp = 300;
const concurrencies = [1, 8] as const;

/** The measured requests with their providers. */
const targets = {
  'a bare server': { path: '/', provider: undefined },
  'GET /social/assistant/status': { path: '/social/assistant/status', provider: undefined },
  'assistant, stub in the process': { path: `/social/tweet/assistant?tweet_id=${tweetId}`, provider: 'stub' },
  'assistant, openai with the bare server': { path: `/social/tweet/assistant?tweet_id=${tweetId}`, provider: 'openai' },
  'assistant, local': { path: `/social/tweet/assistant?tweet_id=${tweetId}`, provider: 'local' },
} as const;
type Target = keyof typeof targets;
const names = Object.keys(targets) as Target[];

export interface AssistantBench {
  readonly rounds: number;
  /** Calls of each kind in each round. */
  readonly calls: number;
}

/** Makes calls, so many at once, and gives the milliseconds that each took. Throws where one has no answer. */
async function timed(url: string, calls: number, atOnce: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const one = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      get(url, { agent, headers: { 'x-api-key': 'bench' } }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - began);
          else reject(new Error(`${url} was answered with ${response.statusCode}`));
        });
      }).once('error', reject);
    });
  const times: number[] = [];
  const caller = async (): Promise<void> => {
    while (calls-- > 0) times.push(await one());
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  agent.destroy();
  return times;
}

/** Measures and prints a table; `json`: a file for all the figures. */
export async function benchAssistant({ rounds, calls }: AssistantBench, json?: string): Promise<void> {
  const service = await startProcess<Service>('../assistant/service.ts');
  try {
    const urls = await service.call('urls');
    const measure = async (name: Target, count: number, atOnce: number): Promise<number[]> => {
      const { path, provider } = targets[name];
      if (provider !== undefined) await service.call('use', { name: provider, questions: count });
      return timed((name === 'a bare server' ? urls.bare : urls.service) + path, count, atOnce);
    };
    for (const name of names) await measure(name, warmUp, 1);

    const results = names.map((name) => ({
      name,
      figures: concurrencies.map((atOnce) => ({ atOnce, p50: [] as number[], p99: [] as number[] })),
    }));
    const appends: number[] = [];
    // In turn, so that what else the machine does falls on all of them.
    for (let round = 0; round < rounds; round++) {
      appends.push(...(await service.call('append', 200)));
      for (const { name, figures } of results) {
        for (const { atOnce, p50, p99 } of figures) {
          const times = await measure(name, calls, atOnce);
          p50.push(median(times));
          p99.push(percentile(times, 0.99));
        }
      }
    }

    const rows = results.map(({ name, figures }) => ({
      'ms, medians of the rounds': name,
      ...Object.fromEntries(
        figures.flatMap(({ atOnce, p50, p99 }) => [
          [`p50, ${atOnce} at once`, milliseconds(median(p50))],
          [`p99, ${atOnce} at once`, milliseconds(median(p99))],
        ]),
      ),
    }));
    const roundsOf = (wanted: Target): number[] => results.find(({ name }) => name === wanted)!.figures[0]!.p50;
    const added = roundsOf('assistant, stub in the process').map(
      (p50, round) => p50 - roundsOf('a bare server')[round]!,
    );
    console.log(
      `\nAssistant: ${calls} calls a round, ${rounds} rounds, a pool of ${Math.ceil(calls / 20)} accounts\n\n${markdownTable(rows)}`,
    );
    console.log(
      `\nA durable line of the journal alone: p50 ${milliseconds(median(appends))} ms. An answer has two: the reservation before it, its turn after it.`,
    );
    console.log(
      `What the service adds to a provider that takes no time, one at a time: p50 ${milliseconds(median(added))} ms, ${milliseconds(Math.min(...added))} ms in the quietest round.`,
    );
    if (json !== undefined)
      await writeFile(json, `${JSON.stringify({ rounds, calls, results, append: median(appends) }, null, 2)}\n`);
  } finally {
    await service.end();
  }
}
