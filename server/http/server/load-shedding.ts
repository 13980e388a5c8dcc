/** Refuses requests beyond what the server can do: at once, and for as little work as an answer can be had for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { errorResponse } from '../pipeline/error-body.ts';
import type { Load, Overload } from './load-monitor.ts';
import { requestId } from '../pipeline/request-log.ts';
import { isProbe } from './probes.ts';

export interface SheddingParts {
  readonly load: Load;
  /** The headers that every answer to the origin has. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  /** Counts a request that was refused. */
  readonly count: (reason: Overload) => void;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** Answers a request that there is no room for, and returns true; else counts it until it is answered. */
export type Shed = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The seconds that those who are refused wait, in turn: told the same, all would come back together. */
const waits = [1, 2, 3];
/** An overload is over for the log when nothing was refused for so long. */
const quietMs = 1_000;

const answers = waits.map((seconds) => {
  const { headers: head, body } = errorResponse(`the server is overloaded; retry in ${seconds} s`);
  return { head: Object.entries({ 'Retry-After': String(seconds), ...head }).flat(), body };
});

export function createShedding({ load, headersFor: headFor, count, logger }: SheddingParts): Shed {
  let shed = 0;
  let told = 0;
  let timer: NodeJS.Timeout | undefined;

  /** One line when it begins and one when it is over: a line for each would be more work than the answer. */
  function note(reason: Overload): void {
    shed++;
    if (timer !== undefined) return;
    const [before, began] = [shed - 1, performance.now()];
    told = shed;
    logger.warn({ reason, inFlight: load.inFlight }, 'overloaded: requests are refused with 503');
    timer = setInterval(() => {
      if (shed > told) return void (told = shed);
      clearInterval(timer);
      timer = undefined;
      logger.info(
        { refused: shed - before, seconds: Math.round((performance.now() - began) / 1000) },
        'no longer overloaded',
      );
    }, quietMs).unref();
  }

  return (request, response) => {
    const reason = load.overload();
    if (reason === undefined || isProbe(request.url!)) {
      load.track(response);
      return false;
    }
    note(reason);
    count(reason);
    const { origin, 'x-request-id': given } = request.headers;
    const { head, body } = answers[shed % answers.length]!;
    response
      .writeHead(503, [...headFor(origin), 'X-Request-Id', requestId(given as string | undefined), ...head])
      .end(body);
    return true;
  };
}
