/** Load shedding: rejects requests beyond the capacity of the server with 503, with as little work as possible. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { errorResponse } from '../pipeline/error-body.ts';
import type { Load, Overload } from './load-monitor.ts';
import { requestId } from '../pipeline/request-log.ts';
import { isProbe } from '../pipeline/probes.ts';

export interface SheddingParts {
  readonly load: Load;
  /** The headers that every response to the origin has. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  /** Counts a rejected request. */
  readonly count: (reason: Overload) => void;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** Rejects a request beyond the capacity and returns true; otherwise tracks it as in flight and returns false. */
export type Shed = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The values of Retry-After, in rotation, in seconds. With one value for all, the callers would retry at the same time.
 */
const retryAfterSeconds = [1, 2, 3];
/** For the log an overload ends after this time without a rejection, in milliseconds. */
const quietMs = 1_000;

const responses = retryAfterSeconds.map((seconds) => {
  const { headers, body } = errorResponse(`the server is overloaded; retry in ${seconds} s`);
  return { head: Object.entries({ 'Retry-After': String(seconds), ...headers }).flat(), body };
});

export function createShedding({ load, headersFor, count, logger }: SheddingParts): Shed {
  let rejected = 0;
  let lastSeen = 0;
  let timer: NodeJS.Timeout | undefined;

  /**
   * Logs one line at the start and one at the end of an overload. A line for each request would take more work than the
   * response.
   */
  function record(reason: Overload): void {
    rejected++;
    if (timer !== undefined) return;
    const [previous, startedAt] = [rejected - 1, performance.now()];
    lastSeen = rejected;
    logger.warn({ reason, inFlight: load.inFlight }, 'overloaded: requests are rejected with 503');
    timer = setInterval(() => {
      if (rejected > lastSeen) return void (lastSeen = rejected);
      clearInterval(timer);
      timer = undefined;
      logger.info(
        { refused: rejected - previous, seconds: Math.round((performance.now() - startedAt) / 1000) },
        'no longer overloaded',
      );
    }, quietMs).unref();
  }

  return (request, response) => {
    const reason = load.overload();
    if (reason === undefined || isProbe(request.url ?? '')) {
      load.track(response);
      return false;
    }
    record(reason);
    count(reason);
    const { origin, 'x-request-id': provided } = request.headers;
    const { head: headers, body } = responses[rejected % responses.length]!;
    response
      .writeHead(503, [...headersFor(origin), 'X-Request-Id', requestId(provided?.toString()), ...headers])
      .end(body);
    return true;
  };
}
