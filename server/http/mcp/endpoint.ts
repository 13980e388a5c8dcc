/**
 * `/mcp`: the Model Context Protocol over Streamable HTTP, without sessions. Each POST is whole, and its answer is JSON, so that any
 * instance can answer it. It speaks the revision of 2026-07-28, and those before with `initialize`.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { OpenApiDocument, OperationMetadataMap } from '../../contract/openapi.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { RateLimitedKey } from '../../ports/rate-limiter.ts';
import { isObject, memberOf } from '../../text/object.ts';
import { readJsonUpTo } from '../express/body.ts';
import '../express/locals.ts';
import { credentialsFor, type Admission } from '../pipeline/admission.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { signalOf } from '../pipeline/request-summary.ts';
import type { ContractSecurity } from '../security.ts';
import type { Origin } from '../server/client-address.ts';
import { createAgentServer, type AgentCaller, type AgentParts } from './agent-server.ts';
import { plainAgentSite, type AgentSite } from './agent-site.ts';
import { OperationCaller, type OperationResponse } from './call-operation.ts';
import { createTools } from './tools.ts';

export interface EndpointParts {
  readonly document: OpenApiDocument;
  readonly metadata: OperationMetadataMap;
  readonly admission: Admission;
  readonly security: ContractSecurity;
  readonly site: AgentSite | undefined;
  /** The title of the service. */
  readonly title: string;
  /** Returns the origin by which the caller reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
  /** Handles the requests of the network. */
  readonly handle: RequestListener;
}

/** Maximum number of messages in a batch, which protocol 2025-03-26 has and later ones do not. */
const maxBatch = 10;
/** Maximum size of a message in bytes; the largest argument of a contract is a body, of 16 kB by default. */
const minBodyBytes = 256 * 1024;

/** The methods that call an operation, which consumes the request of the rate limit. */
const calls = new Set(['tools/call', 'resources/read']);

/** The headers of the caller that concern the address and the origin of a request. */
const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'traceparent', 'tracestate'];

const jsonRpcError = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

/** The size that a message can have: with twice the largest body of an operation. */
function maxMessageBytes(metadata: OperationMetadataMap): number {
  const bodies = Object.values(metadata).flatMap(({ requestBody }) => [...(requestBody?.content.values() ?? [])]);
  return Math.max(minBodyBytes, ...bodies.map(({ kind, maxBytes = 0 }) => (kind === 'json' ? 2 * maxBytes : 0)));
}

/** The number of messages in a body. Throws 400. */
function messagesOf(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) return [body];
  if (body.length > 0 && body.length <= maxBatch) return body;
  throw new ServiceError(400, `a batch has 1 to ${maxBatch} messages`);
}

/** Sends an answer as the protocol has it, with the headers of the exchange. */
function answer(response: ExpressResponse, status: number, body: string): void {
  response.locals.exchange.applyHeaders();
  response.status(status).set('Cache-Control', 'no-store');
  // Not by `send`, which would add an ETag.
  if (body !== '') response.type('json');
  response.end(body);
}

export class McpEndpoint {
  readonly #parts: EndpointParts;
  readonly #agent: AgentParts;
  readonly #caller: OperationCaller;
  readonly #read: ReturnType<typeof readJsonUpTo>;

  constructor(parts: EndpointParts) {
    const { document, metadata, site = plainAgentSite, title, handle } = parts;
    this.#parts = parts;
    const name = parts.security.any.realm;
    this.#agent = {
      tools: createTools(document, metadata),
      site,
      info: { name, title, version: document.info.version },
    };
    this.#caller = new OperationCaller(handle);
    this.#read = readJsonUpTo(maxMessageBytes(metadata));
  }

  /** Answers a POST. Throws, or rejects with, ServiceError: 400, 401, 413, 415, 429, 503. */
  async post(request: ExpressRequest, response: ExpressResponse): Promise<void> {
    const { exchange } = response.locals;
    const counted = await this.#parts.admission.identify(exchange, this.#parts.security.any);
    const body = await this.#bodyOf(request, response);
    if (body === undefined) {
      await this.#parts.admission.consume(exchange, counted);
      return answer(response, 400, jsonRpcError(-32700, 'the body is not valid JSON in UTF-8'));
    }
    const messages = messagesOf(body);
    const others = messages.filter((each) => !calls.has(String(memberOf(each, 'method'))));
    for (const _ of others) await this.#consume(exchange, counted);
    const state = { calls: 0 };
    const answered = await this.#serve(request, body, exchange, state);
    // A call that reached no operation.
    for (let left = messages.length - others.length - state.calls; left > 0; left--)
      await this.#consume(exchange, counted);
    answer(response, answered.status, await answered.text());
  }

  async #consume(exchange: Exchange, counted: RateLimitedKey): Promise<void> {
    exchange.headers.length = 0;
    await this.#parts.admission.consume(exchange, counted);
  }

  /** The parsed body; undefined where it is not JSON. Rejects with 413 and 415. */
  async #bodyOf(request: ExpressRequest, response: ExpressResponse): Promise<unknown> {
    try {
      await new Promise<void>((resolve, reject) => {
        const read = this.#read(request, response, (error?: unknown) =>
          error === undefined ? resolve() : reject(error as Error),
        );
        Promise.resolve(read).catch(reject);
      });
    } catch (error) {
      if (error instanceof ServiceError && error.status === 400) return undefined;
      throw error;
    }
    return request.body as unknown;
  }

  /** Lets the SDK answer: messages of the protocol since 2026-07-28, and those before. */
  async #serve(
    request: ExpressRequest,
    body: unknown,
    exchange: Exchange,
    state: { calls: number },
  ): Promise<Response> {
    const signal = signalOf(exchange.response);
    const web = webRequest(request, signal);
    const caller = this.#callerOf(request, exchange, state, signal);
    const create = (): Server => createAgentServer(this.#agent, caller);
    // Without subscriptions: no tool and no resource changes while the server runs.
    if (memberOf(body, 'method') === 'subscriptions/listen') return methodNotFound(body);
    if (!(await isLegacyRequest(web, body)))
      return createMcpHandler(create, { legacy: 'reject' }).fetch(web, { parsedBody: body });
    const server = create();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await transport.handleRequest(web, { parsedBody: body });
    } finally {
      await server.close();
    }
  }

  #callerOf(request: ExpressRequest, exchange: Exchange, state: { calls: number }, gone: AbortSignal): AgentCaller {
    const { security, originOf } = this.#parts;
    const { secure, host } = originOf(request);
    const scopes: ReadonlySet<string> | undefined = exchange.key?.scopes;
    const names = forwarded.flatMap((name) =>
      request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
    );
    return {
      may: (scope) => scopes === undefined || scopes.has(scope),
      credentials: credentialsFor(exchange, security.any),
      headers: {
        host: request.headers.host ?? 'localhost',
        'x-request-id': exchange.facts.id,
        ...Object.fromEntries(names),
      },
      base: host === undefined ? '' : `${secure ? 'https' : 'http'}://${host}`,
      call: async (call, signal) => {
        state.calls += 1;
        const response = await this.#caller.call(call, request.socket, AbortSignal.any([signal, gone]));
        keepRateLimit(exchange, response);
        return response;
      },
      report: (fault) => {
        // A call that its caller gave up is no fault.
        if (!gone.aborted) exchange.facts.fault = fault instanceof Error ? fault : new Error(String(fault));
      },
    };
  }
}

/** Shows the rate limit after the call of an operation. */
function keepRateLimit({ headers }: Exchange, response: OperationResponse): void {
  headers.length = 0;
  for (const name of ['RateLimit-Policy', 'RateLimit', 'Retry-After']) {
    const value = response.headers[name.toLowerCase()];
    if (value !== undefined) headers.push(name, value);
  }
}

/** The request as the SDK reads it. Its answer is always JSON, also where the caller does not name both types that the protocol demands. */
function webRequest({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const kept = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    signal,
  });
}

function methodNotFound(body: unknown): Response {
  const id = isObject(body) && ['string', 'number'].includes(typeof body.id) ? body.id : null;
  return Response.json({ jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id });
}
