/** The mock: the service's own app, whose operations answer from the document instead of from handlers. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createAddressOf } from '../../../server/http/server/client-address.ts';
import { createApp, type App } from '../../../server/http/express/app.ts';
import type { CorsOrigins } from '../../../server/http/express/cors.ts';
import type { Metrics } from '../../../server/http/pipeline/request-metrics.ts';
import type { DocumentWithOperations } from '../../../server/contract/operation-table.ts';
import type { Responder } from '../../../server/http/express/routes.ts';
import { createAuthenticator } from '../../../server/keys/authenticator.ts';
import { unrestrictedKey, type Keys, type AuthenticatedKey } from '../../../server/keys/keys.ts';
import type { RateLimit } from '../../../server/keys/rate.ts';
import { createAnswerer, type Answerer, type AnswerOptions, type MockAnswer } from './answer.ts';
import { isJson } from './examples.ts';
import { readPreference } from './prefer.ts';
import type { Spec } from './spec.ts';

/** How a mock answers, beside its document. */
export interface MockOptions extends AnswerOptions {
  readonly keys: MockKeys;
  /** How long each answer is held back, in milliseconds. */
  readonly delayMs: number;
  readonly rateLimit: RateLimit | 'off';
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** Kept while the document changes. */
  readonly metrics: Metrics;
  /** Whether there is an event stream; true when left out. */
  readonly events?: boolean;
  /** The place in the event stream that answers tell. */
  readonly eventCursor: () => string;
}

type MockKeys = Pick<Keys, 'verify'>;

/** How many keys are told apart at once, where any will do. */
const mostKeys = 1_000;

/** Knows these keys, or any where there are none; a key is named by a piece of its hash, never by itself, and may do everything. */
export function mockKeys(keys: readonly string[]): MockKeys {
  const known = new LRUCache<string, AuthenticatedKey>({ max: mostKeys });
  return {
    verify(key) {
      if (keys.length > 0 && !keys.includes(key)) return undefined;
      const id = `mock-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
      const found = known.get(id) ?? unrestrictedKey(id);
      known.set(id, found);
      return found;
    },
  };
}

/** What the server writes itself wherever it belongs. */
const serversOwn = ['ratelimit', 'ratelimit-policy', 'x-request-id', 'x-event-cursor', 'etag'];

function write(response: Response, { status, headers, mediaType, body, applied }: MockAnswer): void {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) {
    const ours = serversOwn.includes(name.toLowerCase()) && !(status === 304 && name.toLowerCase() === 'etag');
    if (!ours) response.set(name, value);
  }
  if (status >= 400) {
    response.set('Cache-Control', 'no-store');
    response.locals.error = (body as { error?: string } | undefined)?.error ?? '';
  }
  if (applied.length > 0) response.set('Preference-Applied', applied.join(', '));
  if (response.hasHeader('Access-Control-Expose-Headers'))
    response.append('Access-Control-Expose-Headers', 'Preference-Applied');
  response.vary('Accept-Encoding').vary('Prefer');
  if (body === undefined || mediaType === undefined) return void response.end();
  response.type(mediaType);
  if (!isJson(mediaType)) response.send(String(body));
  // Errors are written as those of the service, which have no ETag.
  else if (status >= 400) response.end(JSON.stringify(body));
  else response.json(body);
}

const ending =
  ({ answer }: Answerer, delayMs: number): Responder =>
  (id) =>
  async (request, response) => {
    const preference = readPreference(request.get('prefer'));
    const given = { ...request.params, ...(request.query as object), ...((request.body ?? {}) as object) };
    const answered = answer(id, given, preference);
    if (delayMs > 0) await sleep(delayMs);
    if (!response.destroyed) write(response, answered);
  };

/** The app of a document, and what it answers. Rejects where the document cannot be served. */
export async function createMock(
  { document, text }: Spec,
  options: MockOptions,
): Promise<{ app: App; answerer: Answerer }> {
  const { delayMs, keys, ...parts } = options;
  // A copy, because the validator writes into the document it is given.
  const answerer = createAnswerer(structuredClone(document) as DocumentWithOperations, options);
  const app = await createApp({
    ...parts,
    authenticate: createAuthenticator({ keys, failures: 'off' }),
    addressOf: createAddressOf('off'),
    document,
    documentText: text,
    ready: () => true,
    handlers: ending(answerer, delayMs),
  });
  return { app, answerer };
}
