import { once } from 'node:events';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operationMetadata, type OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import { ServiceError, type ErrorStatus } from '../../../server/contract/service-error.ts';
import { ContractBreach } from '../../../server/http/pipeline/contract-breach.ts';
import { createErrorResponder } from '../../../server/http/pipeline/error-responder.ts';
import { initialFacts, type RequestFacts } from '../../../server/http/pipeline/request-summary.ts';
import { json } from '../../support/extended-contract.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';

const text = { type: 'string' };
const errorOf = (schema: object): object => ({
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: { error: schema },
});
const documentOf = (paths: object): OpenApiDocument =>
  ({ openapi: '3.1.0', paths, components: { schemas: {} } }) as unknown as OpenApiDocument;
const document = documentOf({
  '/own/{user-id}': {
    post: {
      operationId: 'own',
      parameters: [
        { name: 'user-id', in: 'path', required: true, schema: text },
        { name: 'limit', in: 'query', schema: text },
        { name: 'X-Mode', in: 'header', schema: text },
        { name: 'theme', in: 'cookie', schema: text },
      ],
      requestBody: { content: json({ type: 'object', properties: { note_text: text } }) },
      responses: { 200: { content: json({}) }, 404: { content: json(errorOf({ ...text, maxLength: 30 })) } },
    },
  },
  '/plain': { get: { operationId: 'plain', responses: { 409: { content: { 'text/plain': {} } } } } },
  '/bare': { get: { operationId: 'bare', responses: { 404: { content: { 'image/png': {} } }, 410: {} } } },
});

let act: (response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((_request, response) => act(response))));
afterAll(() => server.stop());

interface Given {
  readonly operation?: string | undefined;
  readonly headers?: readonly string[];
  readonly contract?: OpenApiDocument;
  /** What happens to the response before the error. */
  readonly before?: (response: ServerResponse) => void;
}

/** Prepares the answer to a thrown value; returns the facts that it leaves. */
function throwing(
  thrown: unknown,
  { operation = 'own', headers = [], contract = document, before }: Given = {},
): RequestFacts {
  const facts = initialFacts('r1', 'GET');
  facts.operationId = operation === 'none' ? undefined : (operation as OperationId);
  const respond = createErrorResponder(contract, operationMetadata(contract));
  act = (response) => {
    before?.(response);
    respond(thrown, { response, headers: [...headers], facts });
  };
  return facts;
}

async function answerTo(
  thrown: unknown,
  given: Given = {},
): Promise<{ response: Response; body: string; facts: RequestFacts }> {
  const facts = throwing(thrown, given);
  const response = await fetch(server.url);
  return { response, body: await response.text(), facts };
}

describe('an error', () => {
  test('has its status, its headers and the form of the contract', async () => {
    const error = new ServiceError(404, 'not here', { Allow: 'GET' });
    const headers = ['X-Request-Id', 'r1', 'Cache-Control', 'private, no-cache', 'X-Event-Cursor', 'epoch.1'];
    const { response, body, facts } = await answerTo(error, { headers });
    expect([response.status, body]).toEqual([404, '{"error":"not here"}']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': 'r1',
      allow: 'GET',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '20',
    });
    expect(response.headers.has('x-event-cursor')).toBe(false);
    expect(facts).toMatchObject({ code: 'not_found', parameter: undefined, fault: undefined });
  });

  test.each<[string, string, ErrorStatus, string | null, string]>([
    ['that of another operation with this status', 'own', 409, 'text/plain; charset=utf-8', 'busy'],
    ['that of any operation with this status', 'none', 404, 'application/json; charset=utf-8', '{"error":"busy"}'],
    ['none where the contract has no body', 'bare', 410, null, ''],
    [
      'that of any error where none has this status',
      'plain',
      403,
      'application/json; charset=utf-8',
      '{"error":"busy"}',
    ],
  ])('has the form: %s', async (_case, operation, status, type, body) => {
    const answer = await answerTo(new ServiceError(status, 'busy'), { operation });
    expect([answer.response.status, answer.response.headers.get('content-type'), answer.body]).toEqual([
      status,
      type,
      body,
    ]);
    expect(answer.facts.fault).toBeUndefined();
  });

  test('has the form of this service where the contract has no errors', async () => {
    const contract = documentOf({ '/a': { get: { operationId: 'own', responses: { 200: { content: json({}) } } } } });
    expect((await answerTo(new ServiceError(404, 'not here'), { contract })).body).toBe('{"error":"not here"}');
    const empty = await answerTo(new ServiceError(404, ''), { contract });
    expect([empty.response.status, empty.body]).toEqual([500, '{"error":"internal error"}']);
  });

  test('of a range or of any status has this form where no other one fits', async () => {
    for (const key of ['5XX', 'default']) {
      const responses = { 200: { content: json({}) }, 404: {}, [key]: { content: { 'text/plain': {} } } };
      const contract = documentOf({ '/a': { get: { operationId: 'own', responses } } });
      const { response, body } = await answerTo(new ServiceError(403, 'no'), { contract });
      expect([response.headers.get('content-type'), body]).toEqual(['text/plain; charset=utf-8', 'no']);
    }
  });

  test.each<[ErrorStatus, string]>([
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [405, 'method_not_allowed'],
    [412, 'precondition_failed'],
    [429, 'too_many_requests'],
    [503, 'unavailable'],
  ])('of status %d is %s in the log', async (status, code) => {
    expect((await answerTo(new ServiceError(status, 'wrong'))).facts.code).toBe(code);
  });
});

describe('the log has the parameter that an error is about', () => {
  test.each<[string, string | undefined]>([
    ["'limit' is wrong", 'limit'],
    ["parameter 'limit' is wrong", 'limit'],
    ["parameter 'user-id' is wrong", 'user-id'],
    ["header 'X-Mode' is wrong", 'X-Mode'],
    ["'theme' is wrong", 'theme'],
    ["member 'note_text' is wrong", 'note_text'],
    ["unknown parameter 'limit'", undefined],
    ["parameter 'words of a caller' is unknown", undefined],
    ["parameter 'other' is unknown", undefined],
    ['limit is wrong', undefined],
  ])('%s: %s', async (message, parameter) => {
    expect((await answerTo(new ServiceError(400, message))).facts.parameter).toBe(parameter);
  });
  test('only where the request is that of an operation', async () => {
    const { facts } = await answerTo(new ServiceError(400, "'limit' is wrong"), { operation: 'none' });
    expect(facts.parameter).toBeUndefined();
  });
});

describe('a fault of the server is a 500, and the log has its cause:', () => {
  test.each<[string, unknown, Given, string, RegExp]>([
    ['an error', new RangeError('on fire'), {}, 'RangeError', /^on fire$/],
    ['a value that is no error', { smoke: 1 }, {}, 'Error', /^thrown value is not an Error: \{ smoke: 1 \}$/],
    [
      'an error that its form does not allow',
      new ServiceError(404, 'a text that has more than thirty letters'),
      {},
      'ContractBreach',
      /^the body of the 404 is not an error of the contract$/,
    ],
    [
      'an error in a form that cannot be written',
      new ServiceError(404, 'not here'),
      { operation: 'bare' },
      'ContractBreach',
      /^the body of the 404 is not/,
    ],
    [
      'a header of the error that HTTP does not permit',
      new ServiceError(404, 'a', { Allow: 'a\nb' }),
      {},
      'TypeError',
      /Invalid character/,
    ],
    [
      'a header of the request that HTTP does not permit',
      new ServiceError(404, 'a'),
      { headers: ['X-A', 'a\nb'] },
      'TypeError',
      /Invalid character/,
    ],
  ])('%s', async (_case, thrown, given, name, message) => {
    const { response, body, facts } = await answerTo(thrown, given);
    expect([response.status, body]).toEqual([500, '{"error":"internal error"}']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(facts.code).toBe('internal');
    expect(facts.fault!.name === 'Error' ? facts.fault!.constructor.name : facts.fault!.name).toBe(name);
    expect(facts.fault!.message).toMatch(message);
  });
  test('also where the contract does not allow the text of the 500', async () => {
    const contract = documentOf({
      '/a': { get: { operationId: 'own', responses: { 500: { content: json(errorOf({ not: {} })) } } } },
    });
    const { response, body, facts } = await answerTo(new Error('on fire'), { contract });
    expect([response.status, body]).toEqual([500, '{"error":"internal error"}']);
    expect(facts.fault!.message).toBe('on fire');
  });
  test('the headers that were set before stay', async () => {
    const before = (response: ServerResponse): void => void response.setHeader('X-Before', '1');
    expect((await answerTo(new Error('on fire'), { before })).response.headers.get('x-before')).toBe('1');
  });
});

/** Reads a response to its end; resolves with what arrived, and whether it was complete. */
async function reading(): Promise<{ text: string; complete: boolean }> {
  const request = send(server.url).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let read = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (read += chunk));
  await new Promise((resolve) => response.on('error', () => {}).on('close', resolve));
  return { text: read, complete: response.complete };
}

describe('a response that has begun', () => {
  const begin = (response: ServerResponse): void => {
    response.writeHead(200, { 'Content-Length': '10' });
    response.write('part');
  };
  test('is cut off behind what is written of it', async () => {
    const fault = new Error('on fire');
    const facts = throwing(fault, { before: begin });
    expect(await reading()).toEqual({ text: 'part', complete: false });
    expect(facts).toMatchObject({ fault, code: undefined });
  });
  test('keeps the fault that the log has already, where an error of the caller follows', async () => {
    const fault = new ContractBreach(undefined, 'an item is wrong');
    const facts = throwing(new ServiceError(404, 'not here'), { before: begin });
    facts.fault = fault;
    expect((await reading()).complete).toBe(false);
    expect(facts.fault).toBe(fault);
  });
  test('is cut off at once where the caller does not read', async () => {
    const closed = Promise.withResolvers<void>();
    throwing(new Error('on fire'), {
      before: (response) => {
        response.on('close', closed.resolve).writeHead(200);
        response.write(Buffer.alloc(32 * 1024 * 1024));
      },
    });
    const request = send(server.url, (response) => response.on('error', () => {}).pause());
    request.on('error', () => {}).end();
    await closed.promise;
    request.destroy();
  });
  test('of a caller who has left is only recorded', async () => {
    const left = Promise.withResolvers<void>();
    const fault = new Error('on fire');
    const facts = initialFacts('r1', 'GET');
    const respond = createErrorResponder(document, operationMetadata(document));
    act = (response) => {
      response.writeHead(200).write('part');
      response.on('close', () => {
        respond(fault, { response, headers: [], facts });
        left.resolve();
      });
    };
    const request = send(server.url).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {}).destroy();
    await left.promise;
    expect(facts.fault).toBe(fault);
  });
});

test('the connection is closed where not even a 500 can be written', async () => {
  const facts = throwing(new ServiceError(404, 'not here'), {
    before: (response) => {
      response.setHeader = () => {
        throw new Error('no header can be set');
      };
    },
  });
  await expect(fetch(server.url)).rejects.toThrow();
  expect(facts).toMatchObject({ code: 'internal', fault: new Error('no header can be set') });
});
