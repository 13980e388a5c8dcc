/** The assistant benchmark: the overhead of the service with immediate providers, compared with a bare server and a simple GET request. */
import { Agent, get } from 'node:http';
import type { Service } from './assistant/service.ts';
import { ourselves, type Outcome, type Row as ResultRow } from './report/result.ts';
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

/** Sends requests with a fixed concurrency and returns their durations in milliseconds. Throws for a status other than 200. */
async function measureCalls(url: string, calls: number, concurrency: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const call = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      get(url, { agent, headers: { 'x-api-key': 'bench' } }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - startedAt);
          else reject(new Error(`${url} returned the status ${response.statusCode}`));
        });
      }).once('error', reject);
    });
  const times: number[] = [];
  const caller = async (): Promise<void> => {
    while (calls-- > 0) times.push(await call());
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  agent.destroy();
  return times;
}

/** The targets in the results: an answer of the service and the bare server are of one metric. */
const inResults: Record<Target, readonly [metric: string, subject: string]> = {
  'a bare server': ['answer', 'a bare server'],
  'GET /social/assistant/status': ['status of the pool', ourselves],
  'assistant, stub in the process': ['answer', ourselves],
  'assistant, openai with the bare server': ['answer of an OpenAI-compatible endpoint', ourselves],
  'assistant, local': ['answer of the local provider', ourselves],
};

interface Measured {
  readonly name: Target;
  readonly figures: readonly { readonly concurrency: number; readonly p50: number[]; readonly p99: number[] }[];
}

const rowsOf = (results: readonly Measured[]): ResultRow[] =>
  results.flatMap(({ name, figures }) => {
    const [metric, subject] = inResults[name];
    return figures.flatMap(({ concurrency, p50, p99 }) => [
      { metric: `${metric}, ${concurrency} at once, p50`, subject, unit: 'ms', better: 'lower', values: p50 },
      { metric: `${metric}, ${concurrency} at once, p99`, subject, unit: 'ms', better: 'lower', values: p99 },
    ]);
  });

/** Measures and prints a table. */
export async function benchAssistant({ rounds, calls }: AssistantBench): Promise<Outcome> {
  const service = await startProcess<Service>('../assistant/service.ts');
  try {
    const urls = await service.call('urls');
    const measure = async (name: Target, count: number, concurrency: number): Promise<number[]> => {
      const { path, provider } = targets[name];
      if (provider !== undefined) await service.call('use', { name: provider, questions: count });
      return measureCalls((name === 'a bare server' ? urls.bare : urls.service) + path, count, concurrency);
    };
    for (const name of names) await measure(name, warmUp, 1);

    const results = names.map((name) => ({
      name,
      figures: concurrencies.map((concurrency) => ({ concurrency, p50: [] as number[], p99: [] as number[] })),
    }));
    const appends: number[] = [];
    // All targets alternate in each round, so other load on the machine affects all of them.
    for (let round = 0; round < rounds; round++) {
      appends.push(...(await service.call('append', 200)));
      for (const { name, figures } of results) {
        for (const { concurrency, p50, p99 } of figures) {
          const times = await measure(name, calls, concurrency);
          p50.push(median(times));
          p99.push(percentile(times, 0.99));
        }
      }
    }

    const rows = results.map(({ name, figures }) => ({
      'ms, medians of the rounds': name,
      ...Object.fromEntries(
        figures.flatMap(({ concurrency, p50, p99 }) => [
          [`p50, ${concurrency} concurrent`, milliseconds(median(p50))],
          [`p99, ${concurrency} concurrent`, milliseconds(median(p99))],
        ]),
      ),
    }));
    const roundsOf = (target: Target): number[] => results.find(({ name }) => name === target)!.figures[0]!.p50;
    const added = roundsOf('assistant, stub in the process').map(
      (p50, round) => p50 - roundsOf('a bare server')[round]!,
    );
    console.log(
      `\nAssistant: ${calls} calls per round, ${rounds} rounds, a pool of ${Math.ceil(calls / 20)} accounts\n\n${markdownTable(rows)}`,
    );
    console.log(
      `\nOne durable write to the database file: p50 ${milliseconds(median(appends))} ms. Each answer needs two: its reservation and its conversation turn.`,
    );
    console.log(
      `Overhead of the service without concurrency: p50 ${milliseconds(median(added))} ms, ${milliseconds(Math.min(...added))} ms in the fastest round.`,
    );
    return { rows: rowsOf(results), details: { rounds, calls, results, append: median(appends) } };
  } finally {
    await service.end();
  }
}
