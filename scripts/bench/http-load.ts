/** HTTP load by autocannon: each connection sends its next request after a response. */
import type { EventEmitter } from 'node:events';
import { importPeer } from './peer-packages.ts';
import { key } from './service.ts';
import { percentile } from './table.ts';

type Autocannon = (options: object) => EventEmitter & PromiseLike<{ errors: number; non2xx: number }>;

export interface LoadOptions {
  readonly url: string;
  /** The target of the next request. */
  readonly target: () => string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Rejects where a response has another status than 200 to 299, or fails. */
export async function runLoad({ url, target, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const { default: autocannon } = await importPeer<{ default: Autocannon }>('autocannon');
  const times: number[] = [];
  const startedAt = performance.now();
  const setupRequest = (request: object): object => ({ ...request, path: target() });
  const running = autocannon({
    ...{ url, connections, duration: seconds, headers: { 'x-api-key': key }, requests: [{ setupRequest }] },
    // The run ends with an interval of its statistics.
    ...{ sampleInt: Math.min(1000, 200 * seconds), timeout: 60 },
  });
  // Its own histograms have whole milliseconds.
  running.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => void times.push(ms));
  const { errors, non2xx } = await running;
  if (errors + non2xx > 0) throw new Error(`${url}${target()}: ${non2xx} responses without success, ${errors} errors`);
  const elapsed = (performance.now() - startedAt) / 1000;
  return {
    ...{ requests: times.length, perSecond: times.length / elapsed, seconds: elapsed },
    ...{ p50: percentile(times, 0.5), p99: percentile(times, 0.99) },
  };
}
