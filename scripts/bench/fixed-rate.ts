/**
 * Requests at a fixed rate: each has a time at which it is due, whatever the server does, and its latency counts from then on. autocannon
 * sends the requests of a second at its begin, as fast as it can, so it cannot measure this.
 */
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { key } from './service.ts';

export interface Call {
  readonly path: string;
  /** Sent as JSON by POST; without it, the call is a GET. */
  readonly body?: object;
  readonly key?: string;
  /** The statuses that are no fault; default: 200. */
  readonly expected?: readonly number[];
}

/** At most so many requests wait for their responses. */
const maxPending = 256;

/** Sends a request and reads its response. Rejects for another status than the expected ones. */
export async function send(agent: Agent, url: string, call: Call): Promise<void> {
  const body = call.body && JSON.stringify(call.body);
  const sent = request(url + call.path, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...{ 'x-api-key': call.key ?? key, 'accept-encoding': 'gzip' },
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response').catch((error: NodeJS.ErrnoException) => {
    // The server may close an idle connection at the moment at which the agent uses it again.
    if (sent.reusedSocket && error.code === 'ECONNRESET') return [];
    throw error;
  })) as [IncomingMessage?];
  if (response === undefined) return send(agent, url, call);
  response.resume();
  await once(response, 'close');
  const { statusCode = 0, complete } = response;
  if (!complete) throw new Error(`${call.path}: the response is not complete`);
  if (!(call.expected ?? [200]).includes(statusCode)) throw new Error(`${call.path}: status ${statusCode}`);
}

export interface FixedRate {
  readonly url: string;
  readonly perSecond: number;
  readonly next: (number: number) => Call;
  readonly isOn: () => boolean;
  /** Called with each failure; without it, the first one ends the load. */
  readonly onFault?: (fault: Error) => void;
}

/** Sends requests while `isOn` holds. Resolves with the milliseconds from the due time of each to the end of its response. */
export async function atFixedRate({ url, perSecond, next, isOn, onFault }: FixedRate): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  let failure: Error | undefined;
  const began = performance.now();
  for (let number = 0; isOn() && failure === undefined; number++) {
    const due = began + (number * 1000) / perSecond;
    await pause(Math.max(0, due - performance.now()));
    if (pending.size >= maxPending) await Promise.race(pending);
    const sent = send(agent, url, next(number))
      .then(() => void times.push(performance.now() - due))
      .catch((error: Error) => (onFault === undefined ? void (failure ??= error) : onFault(error)))
      .finally(() => pending.delete(sent));
    pending.add(sent);
  }
  await Promise.all(pending);
  agent.destroy();
  if (failure !== undefined) throw failure;
  return times;
}
