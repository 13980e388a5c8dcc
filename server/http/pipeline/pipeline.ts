/**
 * The pipeline of the requests that the strict reader accepts: read → authenticate → rate limit → scope → respond,
 * without Express. It declines every other request before any step has run, and Express handles that request with the
 * same steps.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from './admission.ts';
import { Exchange } from './exchange.ts';
import type { OperationInput, PreparedOperation, PreparedOperations } from './operation.ts';
import { requestId } from './request-log.ts';
import { initialFacts, whenFinished, type BeginTrace, type OnFinished } from './request-summary.ts';
import type { ResponseCache } from './response-cache.ts';
import { createHeaderReader, TargetReader, type ParsedHeaders, type ReadHeaders } from './strict-request-reader.ts';
import type { ContractSecurity } from '../security.ts';

export interface PipelineParts {
  readonly operations: PreparedOperations;
  readonly admission: Admission;
  readonly security: ContractSecurity;
  readonly cache: ResponseCache;
  /** The headers that every response to the origin has. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  readonly onFinished: OnFinished;
  readonly beginTrace: BeginTrace;
}

/** The strict reader declines operations with parameters in the path, in headers or in cookies. */
const noValues = {};

/** A request that the strict reader accepts. */
interface AcceptedRequest {
  readonly operation: PreparedOperation;
  readonly input: OperationInput;
  readonly headers: ParsedHeaders;
}

export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #reader: TargetReader;
  readonly #readHeaders: ReadHeaders;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#reader = new TargetReader(parts.operations.values());
    this.#readHeaders = createHeaderReader(parts.security.any.schemes);
  }

  /** Handles a request and returns true. Returns false when the strict reader declines it; then nothing has run. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const accepted = this.#read(request);
    if (accepted === undefined) return false;
    const exchange = this.#open(request, response, accepted);
    const { operation } = accepted;
    try {
      const pending = this.#parts.admission.admit(exchange, operation.security);
      if (pending === undefined) proceed(exchange, accepted);
      else pending.then(() => proceed(exchange, accepted)).catch((error: unknown) => operation.fail(exchange, error));
    } catch (error) {
      operation.fail(exchange, error);
    }
    return true;
  }

  /** Reads a request that has only one interpretation. Changes nothing. */
  #read({ method, rawHeaders, url = '' }: IncomingMessage): AcceptedRequest | undefined {
    if (method !== 'GET') return undefined;
    const headers = this.#readHeaders(rawHeaders);
    if (headers === undefined) return undefined;
    const cached = this.#parts.cache.get(url);
    const parsed = cached ?? this.#reader.read(url);
    if (parsed === undefined) return undefined;
    const operation = this.#parts.operations.get(parsed.id);
    // A cached response may be that of an operation whose other parameters only Express reads.
    if (operation?.readQuery === undefined) return undefined;
    const { path, query } = parsed;
    return {
      operation,
      headers,
      input: {
        target: url,
        path,
        pathValues: noValues,
        query,
        headers: noValues,
        cookies: noValues,
        body: undefined,
        contentType: undefined,
        cached,
      },
    };
  }

  #open(request: IncomingMessage, response: ServerResponse, { headers, input }: AcceptedRequest): Exchange {
    const { headersFor, onFinished, beginTrace } = this.#parts;
    const traced = beginTrace(headers.traceparent, () => request.headers['tracestate']);
    const facts = initialFacts(requestId(headers.requestId), 'GET', traced);
    whenFinished(response, input.path, facts, onFinished);
    return new Exchange(request, response, facts, [headers.credential], headers, [
      ...headersFor(headers.origin),
      'X-Request-Id',
      facts.id,
    ]);
  }
}

/** The steps after admission. Throws ServiceError 403; everything later becomes a response. */
function proceed(exchange: Exchange, { operation, input }: AcceptedRequest): void {
  operation.authorize(exchange);
  operation.respond(exchange, input);
}
