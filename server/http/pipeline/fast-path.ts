/**
 * The short way of a request that is plainly right: read, answered from what was answered before or by its handler, validated and sent,
 * with no step through Express. Whatever is not plainly right it leaves untouched to the long way.
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
import { createTargetReader, readHead, type ParsedHeaders, type ParsedTarget } from './strict-request-reader.ts';
import type { ErrorResponder } from './error-responder.ts';
import { Representation } from './representation.ts';
import { sendResponse } from './send.ts';
import { createSerialisers } from './serialiser.ts';

/**
 * The number of the state that the answer to a query is a function of: as long as it is the same, so is the answer. Undefined
 * where there is no such number, because the answer depends on the clock, the caller or another service.
 */
export type RevisionOf = (id: OperationId, query: ParsedTarget['query']) => number | undefined;

export interface FastPathParts {
  readonly document: OpenApiDocument;
  readonly facts: OperationMetadataMap;
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly consumeRateLimit: ConsumeRateLimit;
  /** The headers that every answer to the origin has. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  readonly eventCursor: () => string;
  readonly revisionOf: RevisionOf;
  readonly respondWithError: ErrorResponder;
  readonly summarise: OnFinished;
}

/** Bytes of answers that are kept at most, what they are found by included. */
const mostKept = 32 * 1024 * 1024;
/** What an answer takes beside its bytes and its target, about. */
const overhead = 500;

/** An answer, and the state it is a function of. */
interface Kept extends ParsedTarget {
  readonly revision: number;
  readonly representation: Representation;
}

/** Takes a request, or returns false and has done nothing. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Prepares the short way of each operation; what a schema needs is compiled for the first request that needs it. */
export function createFastPath(parts: FastPathParts): FastPath {
  const {
    facts,
    handlers,
    authenticate: enter,
    addressOf,
    consumeRateLimit: draw,
    headersFor: headFor,
    eventCursor,
    revisionOf,
    respondWithError: answerError,
    summarise: conclude,
  } = parts;
  const readTarget = createTargetReader(parts.document, facts);
  const serialisers = createSerialisers(parts.document, facts);
  const kept = new LRUCache<string, Kept>({
    maxSize: mostKept,
    sizeCalculation: ({ representation }, target) => representation.size + 2 * target.length + overhead,
  });

  const isAskedAgain = createAdmissionFilter();

  /** Asks the handler. Throws what it throws, and ContractBreach. */
  async function ask(
    target: string,
    { id, path, query }: ParsedTarget,
    keyId: string,
    response: ServerResponse,
  ): Promise<Representation> {
    const revision = revisionOf(id, query);
    const answer = await (handlers[id] as Handler<OperationId>)(new PlainCall(query, keyId, response));
    const bytes = serialisers.get(id)!(answer);
    // A change that came while the handler was at work may be in the answer or not.
    const isLasting = revision !== undefined && revision === revisionOf(id, query);
    if (!isLasting || !(kept.has(target) || isAskedAgain(target))) return new Representation(bytes);
    const representation = new Representation(detachedCopy(bytes), () => {
      const entry = kept.peek(target);
      if (entry?.representation === representation) kept.set(target, { ...entry });
    });
    kept.set(target, { id, path, query, revision, representation });
    return representation;
  }

  /** The headers that all answers to this caller have. */
  function headOf({ origin }: ParsedHeaders, requestId: string): string[] {
    const head = headFor(origin).slice();
    head.push('X-Request-Id', requestId);
    return head;
  }

  function refuse(
    thrown: unknown,
    head: readonly string[],
    response: ServerResponse,
    locals: RequestSummary['locals'],
  ): void {
    if (!response.headersSent) for (let at = 0; at < head.length; at += 2) response.setHeader(head[at]!, head[at + 1]!);
    answerError(thrown, response, locals);
  }

  return (request, response) => {
    if (request.method !== 'GET') return false;
    const given = readHead(request.rawHeaders);
    if (given === undefined) return false;
    const target = request.url!;
    const known = kept.get(target);
    const plain = known ?? readTarget(target);
    if (plain === undefined) return false;
    const { id, path, query } = plain;
    const { entry: row, sendsEventCursor: tellsEventCursor } = facts[id];

    const locals: RequestSummary['locals'] = { id: requestId(given.requestId), method: 'GET' };
    const key = enter([given.key], addressOf(request), request.socket);
    if ('reason' in key) {
      // Told here, because a wrong key counts once.
      whenFinished(response, path, locals, conclude);
      // The head has exactly one key, in one of the two headers: which one is not told.
      refuse(authenticationError(key, ['the header x-api-key']), headOf(given, locals.id), response, locals);
      return true;
    }
    if (row.scope !== undefined && !(key.scopes as ReadonlySet<string>).has(row.scope)) return false;
    const allowance = draw(key);
    if (allowance?.allowed === false) return false;

    locals.operationId = id;
    locals.keyId = key.id;
    whenFinished(response, path, locals, conclude);
    const head = headOf(given, locals.id);
    head.push('Cache-Control', 'private, no-cache');
    // The place in the event stream is noted before anything is read.
    if (tellsEventCursor) head.push('X-Event-Cursor', eventCursor());
    if (allowance !== undefined) head.push('RateLimit-Policy', allowance.policy, 'RateLimit', allowance.state);
    if (known !== undefined && known.revision === revisionOf(id, query)) {
      sendResponse(response, head, known.representation, true, given);
    } else {
      ask(target, plain, key.id, response)
        .then((representation) => sendResponse(response, head, representation, true, given))
        .catch((thrown: unknown) => refuse(thrown, head, response, locals));
    }
    return true;
  };
}

/**
 * A call whose signal is made only for who asks for it. A class, because an object literal with a getter gets a hidden class of
 * its own each time, which costs more than the request and lives until the next full garbage collection.
 */
class PlainCall {
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
