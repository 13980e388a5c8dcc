/** The errors of the server have the form of the contract's schema, through the real server. */
import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../server/contract/service-error.ts';
import { json, startExtended } from '../support/extended-contract.ts';
import { inTurn } from '../support/rounds.ts';

const text = { type: 'string', minLength: 1 };
const problem = {
  type: 'object',
  required: ['title', 'status'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: text,
    status: { type: 'integer' },
    detail: text,
  },
};
const nested = {
  allOf: [{ type: 'object', required: ['success', 'errors'] }, { $ref: '#/components/schemas/Nested' }],
};
const schemas = {
  Nested: {
    type: 'object',
    properties: {
      success: { const: false },
      at: { type: 'string', format: 'date-time' },
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['code', 'message'],
          additionalProperties: false,
          properties: { code: { type: 'string', enum: ['not_found', 'bad_request'] }, message: text },
        },
      },
    },
  },
};

/** What a contract can say of errors: its name, the content, the media type, the body. */
const forms: readonly (readonly [name: string, content: object, type: string, body: unknown])[] = [
  [
    'problem details',
    { 'application/problem+json': { schema: problem } },
    'application/problem+json',
    { type: 'about:blank', title: 'Bad Request', status: 400, detail: expect.stringContaining("'x'") },
  ],
  [
    'a message',
    json({ type: 'object', required: ['message'], additionalProperties: false, properties: { message: text } }),
    'application/json; charset=utf-8',
    { message: expect.stringContaining("'x'") },
  ],
  [
    'code and message',
    json({ type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' }, message: text } }),
    'application/json; charset=utf-8',
    { code: 400, message: expect.stringContaining("'x'") },
  ],
  [
    'a list of errors',
    json(nested),
    'application/json; charset=utf-8',
    { success: false, errors: [{ code: 'bad_request', message: expect.stringContaining("'x'") }] },
  ],
  ['text', { 'text/plain': { schema: text } }, 'text/plain; charset=utf-8', expect.stringContaining("'x'")],
  ['no body', {}, '', ''],
];
/** Where it says so; `npm test` tries all of them for the first form. */
const places = ['400', '4XX', 'default'];

describe.each(forms)('errors of a contract with %s', (name, content, type, body) => {
  const tried = name === forms[0]![0] ? places : inTurn(places, 1);
  test.each(tried)('declared as %s have this form', async (key) => {
    const error = { description: 'Wrong.', ...(type !== '' && { content }) };
    const own = { 200: { description: 'Fine.', content: json({}) }, [key]: error };
    const fail = (): never => {
      throw new ServiceError(404, 'nothing here');
    };
    const { request, stop } = await startExtended(
      { mine: { route: 'GET /mine', described: { responses: own }, handle: fail } },
      schemas,
    );
    const response = await request('/mine?x=1');
    const sent = await response.text();
    expect([response.status, response.headers.get('content-type') ?? '']).toEqual([400, type]);
    expect(type.includes('json') ? JSON.parse(sent) : sent).toEqual(body);
    // A handler cannot send a status that the contract does not have.
    expect((await request('/mine')).status).toBe(key === '400' ? 500 : 404);
    await stop(0);
  });
});
