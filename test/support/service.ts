/** A real listening server over fixed handlers, for tests of everything in front of the handlers. */
import { Writable } from 'node:stream';
import { operationIds, type Call, type Handlers, type OperationId } from '../../server/contract/operations.ts';
import { createApp, type AppParts } from '../../server/http/express/app.ts';
import { createAddressOf } from '../../server/http/server/client-address.ts';
import { createAuthenticator } from '../../server/keys/authenticator.ts';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { createLogger } from '../../server/observability/logger.ts';
import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import type { AuthenticatedKey } from '../../server/ports/keys.ts';
import type { RateLimit } from '../../server/ports/rate-limiter.ts';
import { listen, type HttpServer } from '../../server/http/server/listen.ts';
import { createLoad } from '../../server/http/server/load-monitor.ts';
import { exampleCall, exampleResult, requestOf } from './contract.ts';
import { generousLimits } from './generous-limits.ts';
import { createSite } from '../../server/site.ts';

/** The keys that the test server knows, with their ids. */
export const key = 'sd_test0001_QmVhbnNUb21hdG9lc09uaW9ucw';
export const otherKey = 'sd_test0002_Q2Fycm90c0FuZFBhcnNsZXlz';
const known: Readonly<Record<string, AuthenticatedKey>> = {
  [key]: unrestrictedKey('test0001'),
  [otherKey]: unrestrictedKey('test0002'),
};
const keys = {
  verify: (candidate: string) => (Object.hasOwn(known, candidate) ? known[candidate] : undefined),
  recordUse() {},
};

export type AnyHandler = (call: Call<OperationId>) => unknown;

/** Handlers that answer the examples of the contract, but for those given. */
export function exampleHandlers(others: Partial<Record<OperationId, AnyHandler>> = {}): Handlers {
  return Object.fromEntries(
    operationIds.map((id) => [id, others[id] ?? (() => exampleResult(id))]),
  ) as unknown as Handlers;
}

export interface Service extends HttpServer {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  /** Every log line so far, parsed. */
  readonly log: Record<string, unknown>[];
  /** A request with the test key, unless the headers say otherwise. */
  request(target: string, init?: RequestInit): Promise<Response>;
  /** A request without a key. */
  bare(target: string, init?: RequestInit): Promise<Response>;
}

/** The parts that a test replaces; `rateLimit` is the limit of the keys in memory. */
export type ServiceParts = Partial<AppParts> & { readonly rateLimit?: RateLimit | 'off' };

/** Starts a server on a free port. */
export async function startService({
  rateLimit = { requests: 6000, periodMs: 60_000 },
  ...parts
}: ServiceParts = {}): Promise<Service> {
  const log: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const app = await createApp({
    handlers: exampleHandlers(),
    authenticate: createAuthenticator({ keys, failures: 'off' }),
    addressOf: createAddressOf('off'),
    rateLimiter: new LocalRateLimiter(rateLimit),
    corsOrigins: '*',
    logger: createLogger('debug', sink),
    ready: () => true,
    eventCursor: () => 'epoch.1',
    site: createSite(),
    load: createLoad(generousLimits),
    ...parts,
  });
  const listening = await listen(app.handle, { host: '127.0.0.1', port: 0 });
  const bare = (target: string, init?: RequestInit): Promise<Response> => fetch(listening.url + target, init);
  return {
    ...listening,
    app,
    log,
    bare,
    request: (target, init = {}) =>
      bare(target, { ...init, headers: { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) } }),
  };
}

/** A request target of the operation that has all it needs. */
export const validTarget = (id: OperationId): string => requestOf(id, exampleCall(id)).target;

/** How the operation is called with all it needs. */
export const validInit = (id: OperationId): RequestInit & { readonly headers: Record<string, string> } =>
  requestOf(id, exampleCall(id)).init;
