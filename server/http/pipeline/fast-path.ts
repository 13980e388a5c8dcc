/**
 * The fast path of GET requests that have only one interpretation: read, respond from the cache or the handler,
 * validate and send, without Express. It declines every other request without side effects, and Express handles it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Handler, Handlers, OperationId } from '../../contract/operations.ts';
import type { ConsumeRateLimit } from '../../keys/rate-limiter.ts';
import type { Authenticate } from '../../keys/authenticator.ts';
import { detachedCopy } from '../../collections/detached-copy.ts';
import { createAdmissionFilter } from './admission-filter.ts';
import { signalOf, whenFinished, type OnFinished, type RequestSummary } from './request-summary.ts';
import { authenticationError } from './credentials.ts';
import { requestId } from './request-log.ts';
import type { OperationMetadataMap, OpenApiDocument } from '../../contract/openapi.ts';
import { createTargetReader, readHeaders, type ParsedHeaders, type ParsedTarget } from './strict-request-reader.ts';
import type { ErrorResponder } from './error-responder.ts';
import { Representation } from './representation.ts';
import { sendResponse } from './send.ts';
import { createSerialisers } from './serialiser.ts';

/**
 * The revision of the data that the response to a query depends on. While the revision is the same, the response is the
 * same. Undefined where the response depends on the clock, the caller or another service: such a response is not
 * cached.
 */
export type RevisionOf = (id: OperationId, query: ParsedTarget['query']) => number | undefined;

export interface FastPathParts {
  readonly document: OpenApiDocument;
  readonly metadata: OperationMetadataMap;
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly consumeRateLimit: ConsumeRateLimit;
  /** The headers that every response to the origin has. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  readonly eventCursor: () => string;
  readonly revisionOf: RevisionOf;
  readonly respondWithError: ErrorResponder;
  readonly summarise: OnFinished;
}

/** Maximum size of the response cache in bytes, its keys included. */
const maxCacheBytes = 32 * 1024 * 1024;
/** Estimated bytes of a cache entry besides the response body and the target. */
const entryOverheadBytes = 500;

/** A cached response, and the revision of the data that it depends on. */
interface CacheEntry extends ParsedTarget {
  readonly revision: number;
  readonly representation: Representation;
}

/** Handles a request and returns true, or declines it without side effects and returns false. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Prepares the fast path of every operation. The schemas of an operation are compiled at the first request that needs
 * them.
 */
export function createFastPath(parts: FastPathParts): FastPath {
  const {
    metadata,
    handlers,
    authenticate,
    addressOf,
    consumeRateLimit,
    headersFor,
    eventCursor,
    revisionOf,
    respondWithError,
    summarise,
  } = parts;
  const readTarget = createTargetReader(parts.document, metadata);
  const serialisers = createSerialisers(parts.document, metadata);
  const cache = new LRUCache<string, CacheEntry>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ representation }, target) => representation.size + 2 * target.length + entryOverheadBytes,
  });

  const isRequestedAgain = createAdmissionFilter();

  /** Calls the handler, and caches the response if possible. Throws ContractBreach and what the handler throws. */
  async function callHandler(
    target: string,
    { id, path, query }: ParsedTarget,
    keyId: string,
    response: ServerResponse,
  ): Promise<Representation> {
    const revision = revisionOf(id, query);
    const body = await (handlers[id] as Handler<OperationId>)(new LazySignalCall(query, keyId, response));
    const bytes = serialisers.get(id)!(body);
    // A change that was applied while the handler ran may be in the response or not, so the response is not cached.
    const isCacheable = revision !== undefined && revision === revisionOf(id, query);
    if (!isCacheable || !(cache.has(target) || isRequestedAgain(target))) return new Representation(bytes);
    const representation = new Representation(detachedCopy(bytes), () => {
      const entry = cache.peek(target);
      if (entry?.representation === representation) cache.set(target, { ...entry });
    });
    cache.set(target, { id, path, query, revision, representation });
    return representation;
  }

  /** The headers that every response to this request has. */
  function headersOf({ origin }: ParsedHeaders, requestId: string): string[] {
    const headers = headersFor(origin).slice();
    headers.push('X-Request-Id', requestId);
    return headers;
  }

  function sendError(
    error: unknown,
    headers: readonly string[],
    response: ServerResponse,
    locals: RequestSummary['locals'],
  ): void {
    if (!response.headersSent)
      for (let index = 0; index < headers.length; index += 2) response.setHeader(headers[index]!, headers[index + 1]!);
    respondWithError(error, response, locals);
  }

  return (request, response) => {
    if (request.method !== 'GET') return false;
    const parsedHeaders = readHeaders(request.rawHeaders);
    if (parsedHeaders === undefined) return false;
    const target = request.url!;
    const cached = cache.get(target);
    const parsed = cached ?? readTarget(target);
    if (parsed === undefined) return false;
    const { id, path, query } = parsed;
    const { entry: operation, sendsEventCursor } = metadata[id];

    const locals: RequestSummary['locals'] = { id: requestId(parsedHeaders.requestId), method: 'GET' };
    const key = authenticate([parsedHeaders.key], addressOf(request), request.socket);
    if ('reason' in key) {
      // The fast path sends this error itself, because Express would count the invalid key a second time.
      whenFinished(response, path, locals, summarise);
      // The request has exactly one key, in one of two headers. The challenge for one key does not name the header.
      sendError(
        authenticationError(key, ['the header x-api-key']),
        headersOf(parsedHeaders, locals.id),
        response,
        locals,
      );
      return true;
    }
    if (operation.scope !== undefined && !(key.scopes as ReadonlySet<string>).has(operation.scope)) return false;
    const rateLimit = consumeRateLimit(key);
    if (rateLimit?.allowed === false) return false;

    locals.operationId = id;
    locals.keyId = key.id;
    whenFinished(response, path, locals, summarise);
    const headers = headersOf(parsedHeaders, locals.id);
    headers.push('Cache-Control', 'private, no-cache');
    // The event cursor is read before any data, so that no event after it is missed.
    if (sendsEventCursor) headers.push('X-Event-Cursor', eventCursor());
    if (rateLimit !== undefined) headers.push('RateLimit-Policy', rateLimit.policy, 'RateLimit', rateLimit.state);
    if (cached !== undefined && cached.revision === revisionOf(id, query)) {
      sendResponse(response, headers, cached.representation, true, parsedHeaders);
    } else {
      callHandler(target, parsed, key.id, response)
        .then((representation) => sendResponse(response, headers, representation, true, parsedHeaders))
        .catch((error: unknown) => sendError(error, headers, response, locals));
    }
    return true;
  };
}

/**
 * A call that creates its AbortSignal at the first access. It is a class, because an object literal with a getter gets
 * a new hidden class each time, which costs more than the request and lives until the next full garbage collection.
 */
class LazySignalCall {
  readonly query: ParsedTarget['query'];
  readonly body = undefined;
  readonly keyId: string;
  readonly #response: ServerResponse;

  constructor(query: ParsedTarget['query'], keyId: string, response: ServerResponse) {
    this.query = query;
    this.keyId = keyId;
    this.#response = response;
  }

  get signal(): AbortSignal {
    return signalOf(this.#response);
  }
}
