/**
 * The live source of X: the filtered stream and recent search of API v2, within a budget of reads.
 *
 * It uses no client library. `twitter-api-v2` was considered: its stream is an event emitter that keeps what comes in memory, so it
 * has no backpressure and no bound of a line, it sends requests by itself when it reconnects, which the budget must
 * count before, and its hosts are constants.
 */
import { SourceError, type LiveSource } from '../../ports/live-source.ts';
import { systemClock } from '../clock.ts';
import { XApi } from './api.ts';
import { complianceCheck } from './compliance.ts';
import { historyOf } from './history.ts';
import { createSend } from '../http.ts';
import type { SourceParts, XOptions } from './options.ts';
import { refresh } from './refresh.ts';
import { XStream } from './stream.ts';
import { parseTarget, resolveTarget } from './targets.ts';

export { openReadBudget } from './budget.ts';

/** Recent search reaches back 7 days. An hour is left for its reading. */
const maxGapMs = 7 * 24 * 60 * 60 * 1000 - 60 * 60 * 1000;

/** Creates the source. Opens no connection. Throws SourceError for an address that it must not use. */
export function createXSource(options: XOptions): LiveSource {
  const { apiUrl, token, budget, held, observer, resolve, clock = systemClock, send = createSend(resolve) } = options;
  checkUrl(apiUrl);
  const api = new XApi({ apiUrl, token, send, clock, observer });
  const parts: SourceParts = { api, send, budget, held, observer, clock };
  return {
    name: 'x',
    title: 'X',
    maxGapMs,
    get readsLeft() {
      return budget.left;
    },
    parse: parseTarget,
    resolve: (target, signal) => resolveTarget(parts, target, signal),
    stream: (request) => new XStream(parts, request),
    history: (target, request) => historyOf(parts, target, request),
    refresh: (tweets, signal) => refresh(parts, tweets, signal),
    complianceCheck: (tweets, signal) => complianceCheck(parts, tweets, signal),
  };
}

function checkUrl(apiUrl: string): void {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return;
  throw new SourceError('FOLLOW_X_API must be an https: address, or an http: address of this machine', {
    isPermanent: true,
  });
}
