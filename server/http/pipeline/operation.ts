/** A prepared operation: the steps of its requests, compiled once from the contract. */
import type { IncomingMessage } from 'node:http';
import type { Handlers, OperationId } from '../../contract/operations.ts';
import { isFrameRequestHeader } from '../../contract/frame-headers.ts';
import {
  responseFor,
  type OperationMetadata,
  type OperationMetadataMap,
  type OpenApiDocument,
} from '../../contract/openapi.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import type { Origin } from '../server/client-address.ts';
import type { ContractSecurity, Security } from '../security.ts';
import { inTrace } from '../../observability/trace-context.ts';
import { preconditionFailed, ServiceError } from '../../contract/service-error.ts';
import type { Admission } from './admission.ts';
import { ContractBreach } from './contract-breach.ts';
import type { ErrorResponder } from './error-responder.ts';
import type { Exchange } from './exchange.ts';
import { operationEntries } from './operation-entries.ts';
import { csvPage, wantsCsv } from './csv-page.ts';
import { preferredMediaType } from '../../contract/media-preference.ts';
import { Representation } from './representation.ts';
import { signalOf } from './request-summary.ts';
import type { CacheEntry, ResponseCache } from './response-cache.ts';
import { ReplyWriter } from './reply.ts';
import { createSerialisers, SerialiserCompiler, type Serialise } from './serialiser.ts';
import { createQueryReader, type QueryValues, type ReadQuery } from './strict-request-reader.ts';

/**
 * The revision of the data that the response to a query depends on. While the revision is the same, the response is the
 * same. Undefined if the response depends on the clock, the caller or another service: such a response is not
 * cached.
 */
export type RevisionOf = (id: OperationId, query: QueryValues) => number | undefined;

/** The shared parts of all prepared operations. */
export interface OperationServices {
  readonly security: ContractSecurity;
  readonly admission: Admission;
  readonly cache: ResponseCache;
  /** The cursor of the last event whose change every response reflects. */
  readonly eventCursor: () => string;
  /** Waits until every response reflects the events up to a cursor: see `CursorWait`. */
  readonly cursorReached: (cursor: string) => Promise<void> | undefined;
  readonly revisionOf: RevisionOf;
  readonly respondWithError: ErrorResponder;
  /** Returns the origin by which the caller reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
}

/** A validated request of an operation. */
export interface OperationInput {
  /** The request target, without an API key. */
  readonly target: string;
  readonly path: string;
  /** The parameters in the path. */
  readonly pathValues: QueryValues;
  readonly query: QueryValues;
  /** The parameters that are headers and cookies. */
  readonly headers: QueryValues;
  readonly cookies: QueryValues;
  readonly body: unknown;
  /** The media type of the body, where the operation has several. */
  readonly contentType: string | undefined;
  /** The cached response to the target, of any revision. */
  readonly cached: CacheEntry | undefined;
}

/**
 * A handler of any operation. The pipeline validates its input and its result against the contract; the types
 * of `contract/operations.ts` say the same to the handlers.
 */
type AnyHandler = (call: LazyCall) => unknown;

/** Writes a response body; may return a promise. */
export type WriteBody = (body: unknown) => unknown;

interface OperationSteps {
  readonly security: Security;
  readonly readQuery: ReadQuery | undefined;
  readonly handle: AnyHandler;
  readonly serialise: Serialise | undefined;
  readonly replies: ReplyWriter;
}

export class PreparedOperation {
  readonly id: OperationId;
  readonly metadata: OperationMetadata;
  readonly security: Security;
  /**
   * Reads and validates a query that has only one interpretation. Undefined if express-openapi-validator decides
   * about all requests of the operation.
   */
  readonly readQuery: ReadQuery | undefined;
  readonly #handle: AnyHandler;
  /** Writes the body that the handler returns; undefined where it returns a reply. */
  readonly #serialise: Serialise | undefined;
  readonly #replies: ReplyWriter;
  readonly #services: OperationServices;
  /** Whether a response can depend on the request target and the data alone: the target is the key of the response cache. */
  readonly #isCacheable: boolean;

  constructor(id: OperationId, metadata: OperationMetadata, steps: OperationSteps, services: OperationServices) {
    this.id = id;
    this.metadata = metadata;
    this.security = steps.security;
    this.readQuery = steps.readQuery;
    this.#handle = steps.handle;
    this.#serialise = steps.serialise;
    this.#replies = steps.replies;
    this.#services = services;
    const { conditional, headerParameters, cookieParameters } = metadata;
    this.#isCacheable =
      conditional && cookieParameters.size === 0 && [...headerParameters.keys()].every(isFrameRequestHeader);
  }

  /** Compiles what the first request would compile, with all that the operations share. */
  prepare(): void {
    this.readQuery?.('');
    try {
      this.#serialise?.(undefined);
    } catch {
      // This is no body of a response.
    }
  }

  /**
   * Records the operation for the log and the metrics, adds the headers of a deprecation, and checks the scope of an admitted
   * request. Throws 403.
   */
  authorize(exchange: Exchange): void {
    exchange.facts.operationId = this.id;
    exchange.headers.push(...this.metadata.deprecation);
    const { scope } = this.metadata.entry;
    if (scope !== undefined) this.#services.admission.authorize(exchange, scope, this.security);
  }

  /** Adds the headers of the operation. It reads the event cursor, so it must run before any data is read. */
  begin({ headers }: Exchange): void {
    const { conditional, sendsEventCursor } = this.metadata;
    headers.push('Cache-Control', conditional ? 'private, no-cache' : 'no-store');
    if (sendsEventCursor && !this.#writes) headers.push('X-Event-Cursor', this.#services.eventCursor());
  }

  /** Whether the event cursor of the response is that of a change which the operation makes. */
  get #writes(): boolean {
    return this.metadata.sendsEventCursor && this.metadata.entry.method !== 'get';
  }

  /**
   * Answers an admitted and validated request: from the response cache, or by the handler, whose result is validated,
   * serialised and sent. Every error becomes an error response. `write` replaces the last three steps.
   */
  respond(exchange: Exchange, input: OperationInput, write?: WriteBody): void {
    // Not around other routes: an action of the operator can start what runs for days.
    inTrace(exchange.facts.trace, () => this.#respond(exchange, input, write));
  }

  #respond(exchange: Exchange, input: OperationInput, write: WriteBody | undefined): void {
    try {
      // An operation without an ETag may cost a question, or make a change.
      if (!this.metadata.conditional) this.#requireMatch(exchange);
      const cursor = this.metadata.sendsEventCursor ? exchange.request.headers['x-event-cursor'] : undefined;
      const reached = cursor === undefined ? undefined : this.#services.cursorReached(String(cursor));
      if (reached === undefined) return this.#answer(exchange, input, write);
      reached.then(
        () => this.#answer(exchange, input, write),
        (error: unknown) => this.fail(exchange, error),
      );
    } catch (error) {
      this.fail(exchange, error);
    }
  }

  /**
   * Checks If-Match (RFC 9110 §13.1.1), where the response without it would be 200 (§13.2.1). It compares strongly, and all ETags are weak, so that only `*` matches,
   * where there is a representation: not for POST. If-Unmodified-Since is ignored, because no response has a date of modification
   * (RFC 9110 §13.1.4). Throws 412.
   */
  #requireMatch({ request }: Exchange): void {
    const ifMatch = request.headers['if-match'];
    // A handler whose contract has this parameter compares it itself.
    if (ifMatch === undefined || this.metadata.headerParameters.has('if-match')) return;
    if (ifMatch.trim() === '*' && this.metadata.entry.method === 'get') return;
    throw preconditionFailed();
  }

  #answer(exchange: Exchange, input: OperationInput, write: WriteBody | undefined): void {
    try {
      this.begin(exchange);
      const { cached, query } = input;
      const isCsv = this.#sendsCsv(exchange);
      if (!isCsv && cached !== undefined && cached.revision === this.#services.revisionOf(this.id, query)) {
        this.#requireMatch(exchange);
        const sent = exchange.send(cached.representation, this.metadata.conditional);
        if (sent !== undefined) sent.catch((error: unknown) => this.fail(exchange, error));
      } else void this.#callHandler(exchange, input, isCsv ? (page) => this.#sendCsv(exchange, input, page) : write);
    } catch (error) {
      this.fail(exchange, error);
    }
  }

  #sendsCsv({ request }: Exchange): boolean {
    return this.metadata.csvItems !== undefined && wantsCsv(request.headers.accept);
  }

  /** Validates a page as the JSON that it is, and sends it as CSV. */
  async #sendCsv(exchange: Exchange, { target }: OperationInput, page: unknown): Promise<void> {
    const { csvItems, conditional } = this.metadata;
    if (csvItems === undefined || this.#serialise === undefined) throw new Error('the operation has no list');
    const written = JSON.parse(this.#serialise(page).toString()) as Record<string, unknown>;
    const { bytes, headers } = csvPage(written, csvItems, target);
    const vary = exchange.response.getHeader('vary');
    exchange.headers.push(...headers, 'Vary', vary === undefined ? 'Accept' : `${String(vary)}, Accept`);
    await exchange.send(new Representation(bytes), conditional, 'text/csv; charset=utf-8');
  }

  /** Sends the error response for a thrown value. */
  fail(exchange: Exchange, thrown: unknown): void {
    this.#services.respondWithError(thrown, exchange);
  }

  async #callHandler(exchange: Exchange, input: OperationInput, write: WriteBody | undefined): Promise<void> {
    try {
      const revision = this.#isCacheable ? this.#services.revisionOf(this.id, input.query) : undefined;
      const result = await this.#handle(new LazyCall(input, exchange, this.metadata, this.#services.originOf));
      if (this.metadata.conditional) this.#requireMatch(exchange);
      if (this.#writes) exchange.headers.push('X-Event-Cursor', this.#services.eventCursor());
      if (this.#serialise === undefined) return await this.#replies.send(exchange, result);
      exchange.response.statusCode = this.metadata.entry.success ?? 200;
      if (write !== undefined) return void (await write(result));
      const representation = this.#represent(input, revision, this.#serialise(result));
      const sent = exchange.send(representation, this.metadata.conditional);
      if (sent !== undefined) await sent;
    } catch (error) {
      this.fail(exchange, this.#declared(error));
    }
  }

  /** The error of a handler, unless the contract does not declare its status. */
  #declared(error: unknown): unknown {
    if (!(error instanceof ServiceError) || responseFor(this.metadata, error.status) !== undefined) return error;
    return new ContractBreach(this.id, `${this.id}: status ${error.status} is not declared`);
  }

  #represent({ target, path, query }: OperationInput, revision: number | undefined, bytes: Buffer): Representation {
    // A change that was applied while the handler ran may be in the response or not, so the response is not cached.
    if (revision === undefined || revision !== this.#services.revisionOf(this.id, query))
      return new Representation(bytes);
    return this.#services.cache.store(target, { id: this.id, path, query }, revision, bytes);
  }
}

/**
 * A call that creates its AbortSignal at the first access. It is a class, because an object literal with a getter gets
 * a new hidden class each time, which costs more than the request and lives until the next full garbage collection.
 */
class LazyCall {
  readonly path: QueryValues;
  readonly query: QueryValues;
  readonly headers: QueryValues;
  readonly cookies: QueryValues;
  readonly body: unknown;
  readonly contentType: string | undefined;
  readonly keyId: string;
  readonly credentialEnds: number;
  readonly #exchange: Exchange;
  readonly #metadata: OperationMetadata;
  readonly #originOf: OperationServices['originOf'];

  constructor(
    input: OperationInput,
    exchange: Exchange,
    metadata: OperationMetadata,
    originOf: OperationServices['originOf'],
  ) {
    this.path = input.pathValues;
    this.query = input.query;
    this.headers = input.headers;
    this.cookies = input.cookies;
    this.body = input.body;
    this.contentType = input.contentType;
    this.keyId = exchange.key?.id ?? '';
    this.credentialEnds = exchange.key?.expiresAt ?? Infinity;
    this.#exchange = exchange;
    this.#metadata = metadata;
    this.#originOf = originOf;
  }

  get origin(): string {
    const { secure, host = 'localhost' } = this.#originOf(this.#exchange.request);
    return `${secure ? 'https' : 'http'}://${host}`;
  }

  get signal(): AbortSignal {
    return signalOf(this.#exchange.response);
  }

  /** The media type of the successful responses that the request accepts best. */
  get accept(): string | undefined {
    return preferredMediaType(this.#metadata, this.#exchange.request.headers.accept);
  }
}

/** The prepared operations by id. */
export type PreparedOperations = ReadonlyMap<OperationId, PreparedOperation>;

/** The handler where something else writes the responses. */
const noHandler: AnyHandler = () => {
  throw new Error('this operation has no handler');
};

/**
 * Prepares every operation of the contract. The schemas of an operation are compiled at the first request that needs
 * them. `handlers` is undefined if something else writes the responses.
 */
export function prepareOperations(
  document: OpenApiDocument,
  metadata: OperationMetadataMap,
  handlers: Handlers | undefined,
  services: OperationServices,
): PreparedOperations {
  const compile = compilerWithin(document);
  const compiler = new SerialiserCompiler(document);
  const serialisers = createSerialisers(metadata, compiler);
  return new Map(
    operationEntries(metadata).map(([id, operation]) => {
      const security = services.security.of(operation.entry.path, operation.entry.method);
      // The reader knows the headers of API keys only.
      const isSimple = !security.isOptional && security.others.length === 0;
      const steps = {
        security,
        readQuery: isSimple ? createQueryReader(document, compile, operation) : undefined,
        // The type system cannot follow that the query and the body of an id belong to the handler of the same id.
        handle: (handlers?.[id] as AnyHandler | undefined) ?? noHandler,
        serialise: serialisers.get(id),
        replies: new ReplyWriter(id, operation, compiler),
      };
      return [id, new PreparedOperation(id, operation, steps, services)];
    }),
  );
}
