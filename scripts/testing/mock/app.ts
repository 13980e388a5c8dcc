/** The mock server: the app of the service with responses from the document instead of handlers. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { securitySchemes } from '../../../server/contract/security-schemes.ts';
import { acceptedScheme } from '../../../server/http/security.ts';
import { isObject } from '../../../server/text/object.ts';
import { createAddressOf } from '../../../server/http/server/client-address.ts';
import { createApp, type App } from '../../../server/http/express/app.ts';
import type { CorsOrigins } from '../../../server/config/cors-origins.ts';
import type { Metrics } from '../../../server/http/pipeline/request-metrics.ts';
import type { DocumentWithOperations } from '../../../server/contract/operation-table.ts';
import {
  operationMetadata,
  type OperationMetadataMap,
  type OpenApiDocument,
} from '../../../server/contract/openapi.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import { csvPage, wantsCsv, type CsvItems } from '../../../server/http/pipeline/csv-page.ts';
import type { Responder } from '../../../server/http/express/routes.ts';
import { createAuthenticator } from '../../../server/keys/authenticator.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { LocalRateLimiter } from '../../../server/keys/rate-limiter.ts';
import type { AuthenticatedKey, Keys } from '../../../server/ports/keys.ts';
import { createSite } from '../../../server/site.ts';
import type { RateLimit } from '../../../server/ports/rate-limiter.ts';
import {
  Answerer,
  isJson,
  readPreference,
  type AnswerOptions,
  type MockAnswer,
  type Spec,
} from '../../contract-tools/mock/index.ts';
import { bodyText } from '../../contract-tools/verify/index.ts';

/** The options of a mock, in addition to its document. */
export interface MockOptions extends AnswerOptions {
  readonly keys: MockKeys;
  /** The delay of each response, in milliseconds. */
  readonly delayMs: number;
  readonly rateLimit: RateLimit | 'off';
  readonly corsOrigins: CorsOrigins;
  readonly logger: Logger;
  /** The metrics survive a reload of the document. */
  readonly metrics: Metrics;
  /** Whether the mock has an event stream. Default true. */
  readonly events?: boolean;
  /** The current event cursor, for the response header. */
  readonly eventCursor: () => string;
}

/** What the event stream of a mock needs. */
export interface StreamParts {
  /** The protocol beside the contract. */
  readonly protocol: object;
  readonly keys: Pick<Keys, 'verify'>;
  /** A value of a component, from the examples or generated. */
  readonly valueOf: (component: string) => unknown;
}

/** The event stream of a mock. */
export interface MockStream {
  /** The current event cursor. */
  cursor(): string;
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  stop(): void;
}
export type OpenStream = (parts: StreamParts) => MockStream;

type MockKeys = Pick<Keys, 'verify' | 'recordUse'>;

/** The maximum number of cached keys, when the mock accepts any key. */
const maxKeys = 1_000;

/** Accepts these keys, or any key when the list is empty. A key's id is a part of its hash. Every key has all scopes. */
export function mockKeys(keys: readonly string[]): MockKeys {
  const cache = new LRUCache<string, AuthenticatedKey>({ max: maxKeys });
  return {
    verify(key) {
      if (keys.length > 0 && !keys.includes(key)) return undefined;
      const id = `mock-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
      const authenticated = cache.get(id) ?? unrestrictedKey(id);
      cache.set(id, authenticated);
      return authenticated;
    },
    recordUse() {},
  };
}

/** Headers that the pipeline of the service sets itself. */
const pipelineHeaders = ['ratelimit', 'ratelimit-policy', 'x-request-id', 'x-event-cursor', 'etag'];

function write(response: Response, { status, headers, mediaType, body, applied }: MockAnswer): void {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) {
    const isPipelineHeader =
      pipelineHeaders.includes(name.toLowerCase()) && !(status === 304 && name.toLowerCase() === 'etag');
    if (!isPipelineHeader) response.set(name, value);
  }
  if (status >= 400) response.set('Cache-Control', 'no-store');
  if (applied.length > 0) response.set('Preference-Applied', applied.join(', '));
  if (response.hasHeader('Access-Control-Expose-Headers'))
    response.append('Access-Control-Expose-Headers', 'Preference-Applied');
  response.vary('Accept-Encoding').vary('Prefer');
  if (body === undefined || mediaType === undefined) return void response.end();
  response.type(mediaType);
  if (!isJson(mediaType)) response.send(bodyText(mediaType, body));
  // Error responses of the service have no ETag.
  else if (status >= 400) response.end(JSON.stringify(body));
  else response.json(body);
}

/** The page of an answer, as CSV with the headers of its next page where `items` says so. */
function pageOf(answer: MockAnswer, items: CsvItems | undefined, target: string): MockAnswer {
  const { Link: _, 'X-Next-Cursor': __, ...others } = answer.headers;
  if (items === undefined || answer.status !== 200) return { ...answer, headers: others };
  const { bytes, headers } = csvPage(answer.body as Record<string, unknown>, items, target);
  const [link, next] = [headers[1], headers[3]];
  const ofPage = link === undefined || next === undefined ? {} : { Link: link, 'X-Next-Cursor': next };
  return { ...answer, headers: { ...others, ...ofPage }, mediaType: 'text/csv', body: bytes.toString() };
}

const createResponder =
  (answerer: Answerer, metadata: OperationMetadataMap, delayMs: number, eventCursor: () => string): Responder =>
  (id) =>
  async (request, response) => {
    const { csvItems } = metadata[id as OperationId];
    const isCsv = csvItems !== undefined && wantsCsv(request.get('accept'));
    const preference = readPreference(request.get('prefer'));
    const parameters = { ...request.params, ...(request.query as object), ...((request.body ?? {}) as object) };
    const accept = isCsv ? 'application/json' : request.get('accept');
    const mockResponse = answerer.answer(id, parameters, preference, accept);
    if (delayMs > 0) await sleep(delayMs);
    if (response.destroyed) return;
    // The pipeline adds the cursor to reads; that of a write is known only after the write.
    const { status, headers } = mockResponse;
    if (request.method !== 'GET' && status < 400 && 'X-Event-Cursor' in headers)
      response.set('X-Event-Cursor', eventCursor());
    write(
      response,
      csvItems === undefined ? mockResponse : pageOf(mockResponse, isCsv ? csvItems : undefined, request.originalUrl),
    );
  };

/** Whether the app of the service can serve a document: its errors are `{ error }`, and its keys are API keys, whatever their names. */
export function isServedByApp(document: unknown): boolean {
  if (!isObject(document) || !isObject(document.components)) return false;
  const { schemas } = document.components;
  const error = isObject(schemas) ? schemas['Error'] : undefined;
  const hasError = isObject(error) && isObject(error.properties) && 'error' in error.properties;
  return (
    hasError && [...securitySchemes(document).values()].every((scheme) => acceptedScheme(scheme, []) !== undefined)
  );
}

/** Creates the app of a document and the source of its responses. Rejects when the document is not servable. */
export async function createMock(
  { document, text }: Pick<Spec, 'document' | 'text'>,
  options: MockOptions,
): Promise<{ app: App; answerer: Answerer }> {
  const { delayMs, keys, rateLimit, events, ...parts } = options;
  // The validator modifies its document, so the responses use a copy.
  const answerer = new Answerer(structuredClone(document) as DocumentWithOperations, options);
  const metadata = operationMetadata(structuredClone(document) as OpenApiDocument);
  const app = await createApp({
    ...parts,
    authenticate: createAuthenticator({ keys, failures: 'off' }),
    addressOf: createAddressOf('off'),
    rateLimiter: new LocalRateLimiter(rateLimit),
    document,
    documentText: text,
    ready: () => true,
    site: createSite({ events }),
    handlers: createResponder(answerer, metadata, delayMs, options.eventCursor),
  });
  return { app, answerer };
}
