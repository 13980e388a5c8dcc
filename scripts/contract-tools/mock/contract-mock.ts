/**
 * The mock of any OpenAPI document: it judges requests as `npm run verify` does, and answers with examples or generated values.
 * The document of this project is served by the app of the service instead (app.ts), which knows more than OpenAPI says.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import rawBody from 'raw-body';
import type { DocumentWithOperations } from '../../../server/contract/operation-table.ts';
import { messageOf } from '../../../server/contract/values.ts';
import { ServiceError } from '../../../server/contract/service-error.ts';
import type { ObservedCall } from '../traffic/observed-call.ts';
import { TrafficJudge } from '../traffic/judge.ts';
import { follow } from '../arbitrary/schema.ts';
import { parametersOf } from '../verify/call.ts';
import { readContract, type Contract, type Operation } from '../verify/contract.ts';
import { contentTypeOf } from '../verify/request-body.ts';
import { bodyText } from '../verify/stream-items.ts';
import { Answerer, type AnswerOptions, type MockAnswer } from './answer.ts';
import { readPreference } from './prefer.ts';
import type { Spec } from './spec.ts';

export interface ContractMockOptions extends AnswerOptions {
  /** The accepted keys, or `name:password` pairs of Basic; empty: any. */
  readonly apiKeys: readonly string[];
  readonly delayMs: number;
}

/** The largest body that the mock reads, in bytes. */
const maxBody = 4 << 20;

export class ContractMock {
  readonly contract: Contract;
  readonly #options: ContractMockOptions;
  readonly #judge: TrafficJudge;
  readonly #answerer: Answerer;
  readonly #document: string;
  readonly #text: string;

  /** Throws a ContractError for a document that cannot be mocked. */
  constructor({ document, text }: Pick<Spec, 'document' | 'text'>, options: ContractMockOptions) {
    this.contract = readContract(document);
    this.#options = options;
    this.#judge = new TrafficJudge(this.contract);
    this.#answerer = new Answerer(this.contract.responses as DocumentWithOperations, options);
    this.#document = JSON.stringify(document);
    this.#text = text;
  }

  /** Answers a request. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#respond(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const status = error instanceof ServiceError ? error.status : 500;
      sendJson(response, status, { error: messageOf(error) });
    });
  };

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', rawHeaders } = request;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cache-Control', 'no-store');
    if (method === 'GET' && url === '/openapi.json')
      return void response.setHeader('content-type', 'application/json').end(this.#document);
    if (method === 'GET' && url === '/openapi.yaml')
      return void response.setHeader('content-type', 'application/yaml').end(this.#text);
    const body = await rawBody(request, { limit: maxBody }).catch((error: { status?: number }) => {
      throw new ServiceError(error.status === 413 ? 413 : 400, 'the body cannot be read');
    });
    const received = { method, target: url, rawHeaders, body: body.length === 0 ? undefined : body };
    const observed = this.#judge.read(received);
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    if (method === 'OPTIONS' && isPreflight && observed.operation === undefined) return sendPreflight(response);
    const wrongKey = this.#hasWrongKey(observed);
    const { expectation } = await this.#judge.request(observed);
    if (this.#options.delayMs > 0) await sleep(this.#options.delayMs);
    const { operation = expectation.operation, call } = observed;
    if (expectation.allow !== undefined) response.setHeader('Allow', expectation.allow.join(', '));
    if (!expectation.valid) {
      const { statuses, reason, pointer } = expectation;
      const status = statuses.find((each) => operation.responses.get(each) !== undefined) ?? statuses[0] ?? 400;
      // Wrong credentials come before any other fault, as missing ones do.
      if (status === 401 || !wrongKey) return this.#refuse(response, operation, status, reason, pointer);
    }
    if (wrongKey) return this.#refuse(response, operation, 401, 'the credentials are wrong');
    const given = Array.from(parametersOf(call), ([name, [value]]): [string, unknown] => [name, value]);
    // A call without a parameter is the call with its default.
    const parameters = Object.fromEntries([...this.#defaultsOf(operation), ...given]);
    const preference = readPreference(headerOf(request, 'prefer'));
    const answer = this.#answerer.answer(operation.id, parameters, preference, request.headers.accept);
    send(response, answer, method === 'HEAD');
  }

  /** The default values of the single values of an operation, as a request has them. */
  #defaultsOf({ parameters }: Operation): [string, unknown][] {
    return [...parameters.values()].flatMap(({ name, node, form }): [string, unknown][] => {
      const schema: object = follow(this.contract.requests, node).schema;
      return form === undefined && 'default' in schema ? [[name, String(schema.default)]] : [];
    });
  }

  /** Whether the credentials of a request are none of the given ones. */
  #hasWrongKey({ operation, secrets, call }: ObservedCall): boolean {
    const { apiKeys } = this.#options;
    if (apiKeys.length === 0 || operation === undefined || operation.keyLocations.length === 0) return false;
    if (call.keys.length === 0) return !operation.isPublic;
    const basic = apiKeys.map((key) => Buffer.from(key).toString('base64'));
    return !secrets.some((secret) => apiKeys.includes(secret) || basic.includes(secret));
  }

  /** Answers with the declared error of a status, and the reason in a header. */
  #refuse(response: ServerResponse, operation: Operation, status: number, reason: string, pointer = '/security'): void {
    response.setHeader('Mock-Reason', `${reason} (#${pointer})`.replace(/[^\x20-\x7e]/g, '?').slice(0, 500));
    if (status === 401)
      response.setHeader(
        'WWW-Authenticate',
        operation.keyLocations.some(({ basic }) => basic) ? 'Basic realm="mock"' : 'Bearer',
      );
    if (operation.responses.get(status) === undefined) return sendJson(response, status, { error: reason });
    const answer = this.#answerer.answer(operation.id, {}, { code: status, example: undefined, dynamic: false });
    send(response, { ...answer, applied: [] }, false);
  }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => [headers[name]].flat()[0];

function sendPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '600',
  });
  response.end();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function send(response: ServerResponse, answer: MockAnswer, isHead: boolean): void {
  const { status, headers, mediaType, body, applied } = answer;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value.replace(/[^\x20-\x7e]/g, '?'));
  if (applied.length > 0) response.setHeader('Preference-Applied', applied.join(', '));
  response.statusCode = status;
  if (mediaType === undefined || body === undefined) {
    // HEAD has the headers of GET.
    if (status >= 200 && status !== 204 && status !== 304) response.setHeader('content-length', 0);
    return void response.end();
  }
  response.setHeader('content-type', contentTypeOf(mediaType));
  const text = bodyText(mediaType, body);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(isHead ? undefined : text);
}

/** The operations of the document, for the start. */
export function contractOverview({ operations, unsupported }: Contract, url: string): string {
  const longest = Math.max(0, ...operations.map(({ path }) => path.length));
  return [
    ...operations.map(({ method, path, id }) => `  ${method.padEnd(7)}${path.padEnd(longest)}  ${id}`),
    ...unsupported.map(
      ({ operation, pointer, message }) => `  not served: ${operation}: ${message} is not supported (#${pointer})`,
    ),
    `the contract: ${url}/openapi.json`,
  ].join('\n');
}
