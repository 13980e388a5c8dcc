/** What the server does not carry is refused with its place: by the lint, before anything is generated, and at the start. */
import { describe, expect, test } from '@jest/globals';
import { bundleOf } from '../../scripts/contract-tools/files/bundle.ts';
import { ownFaults } from '../../scripts/spec/lint/own-rules.ts';
import { typesOf } from '../../scripts/spec/generate-types.ts';
import { refusals } from '../../server/http/unsupported-parts.ts';
import { extendedContract, json, responses } from '../support/extended-contract.ts';
import { startService } from '../support/service.ts';

const ok = responses({ 200: { description: 'Fine.', content: json({}) } });
const text = { type: 'string' };
const parameter = (name: string, place: string, more: object): Record<string, unknown> => ({
  parameters: [{ name, in: place, required: true, ...more }],
  responses: ok,
});
const nested = { type: 'array', items: { type: 'array', items: text } };

describe('the server refuses', () => {
  test.each<[string, string, Record<string, unknown>, string, RegExp]>([
    ['a HEAD', 'HEAD /x', { responses: ok }, '/paths/~1x/head', /HEAD/],
    ['a TRACE', 'TRACE /x', { responses: ok }, '/paths/~1x/trace', /TRACE/],
    [
      'a body of GET',
      'GET /x',
      { requestBody: { content: json({}) }, responses: ok },
      '/paths/~1x/get/requestBody',
      /no body/,
    ],
    [
      'a body without a type',
      'POST /x',
      { requestBody: { content: {} }, responses: ok },
      '/paths/~1x/post/requestBody',
      /no media type/,
    ],
    [
      'JSON lines in a request',
      'POST /x',
      { requestBody: { content: { 'application/x-ndjson': {} } }, responses: ok },
      '/paths/~1x/post/requestBody/content/application~1x-ndjson',
      /cannot read/,
    ],
    [
      'another multipart',
      'POST /x',
      { requestBody: { content: { 'multipart/mixed': {} } }, responses: ok },
      '/paths/~1x/post/requestBody/content/multipart~1mixed',
      /cannot read/,
    ],
    [
      'a form in a response',
      'GET /x',
      { responses: responses({ 200: { description: '', content: { 'multipart/form-data': {} } } }) },
      '/paths/~1x/get/responses/200/content/multipart~1form-data',
      /cannot send/,
    ],
    [
      'an interim response',
      'GET /x',
      { responses: { ...ok, 101: { description: '' } } },
      '/paths/~1x/get/responses/101',
      /cannot answer 101/,
    ],
    [
      'a list of lists',
      'GET /x',
      parameter('a', 'query', { schema: nested }),
      '/paths/~1x/get/parameters/0',
      /lists or objects inside/,
    ],
    [
      'a deepObject that is none',
      'GET /x',
      parameter('a', 'query', { style: 'deepObject', schema: text }),
      '/paths/~1x/get/parameters/0',
      /deepObject/,
    ],
    [
      'a cookie with explode',
      'GET /x',
      parameter('a', 'cookie', { schema: { type: 'array', items: text } }),
      '/paths/~1x/get/parameters/0',
      /explode/,
    ],
    [
      'an image in a parameter',
      'GET /x',
      parameter('a', 'query', { content: { 'image/png': {} } }),
      '/paths/~1x/get/parameters/0',
      /image\/png/,
    ],
    [
      'an error without a text',
      'GET /x',
      { responses: { ...ok, 400: { description: '', content: json({ type: 'integer', maximum: 9 }) } } },
      '/paths/~1x/get/responses/400',
      /cannot write an error/,
    ],
    [
      'a schema with an address',
      'GET /x',
      parameter('a', 'query', { schema: { $id: 'https://a.example/x', type: 'string' } }),
      '/paths/~1x/get/parameters/0/schema/$id',
      /address/,
    ],
  ])('%s', async (_name, route, described, pointer, message) => {
    const document = await extendedContract({ mine: { route, described, handle: () => ({}) } });
    expect(refusals(document)).toEqual([{ pointer, message: expect.stringMatching(message), fix: expect.any(String) }]);
    await expect(startService({ document })).rejects.toThrow(message);
    const lines = JSON.stringify(document, null, 1);
    const faults = ownFaults(bundleOf({ entry: 'it.json', texts: new Map([['it.json', lines]]) }), []);
    const [fault] = faults.filter(({ rule }) => rule === 'unsupported');
    expect(fault).toMatchObject({ file: 'it.json', message: expect.stringMatching(message), fix: expect.any(String) });
    expect(fault?.line).toBeGreaterThan(10);
  });
});

test('the types have the members of each direction, and Blob for bytes; webhooks and callbacks are no operations', async () => {
  const post = {
    operationId: 'hook',
    requestBody: { content: json({ type: 'object' }) },
    responses: { 200: { description: '' } },
  };
  const account = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true }, name: text },
  };
  const document = await extendedContract(
    {
      mine: {
        route: 'POST /mine',
        described: {
          callbacks: { onEvent: { '{$request.body#/url}': { post: { ...post, operationId: 'onEvent' } } } },
          requestBody: { content: json({ $ref: '#/components/schemas/Owner' }) },
          responses: responses({
            200: {
              description: '',
              content: {
                ...json({ $ref: '#/components/schemas/Owner' }),
                'image/png': { schema: { type: 'string', format: 'binary' } },
              },
            },
          }),
        },
        handle: () => ({}),
      },
    },
    { Account: account, Owner: { type: 'object', properties: { account: { $ref: '#/components/schemas/Account' } } } },
  );
  const types = await typesOf({ ...document, webhooks: { hook: { post } } } as never);
  const declaration = (name: string): string =>
    new RegExp(`export interface ${name} \\{([^}]*)\\}`).exec(types)?.[1]?.replaceAll(/\s+/g, ' ') ?? '';
  expect(declaration('Account')).toBe(' readonly id: string; name: string; ');
  expect(declaration('AccountInput')).toBe(' secret: string; name: string; ');
  expect([declaration('Owner'), declaration('OwnerInput')]).toEqual([
    ' account?: Account; ',
    ' account?: AccountInput; ',
  ]);
  const operation = types.slice(types.indexOf('    mine: {'));
  expect(operation).toMatch(/requestBody\?: \{\s+content: \{\s+"application\/json": OwnerInput;/);
  expect(operation).toMatch(/"application\/json": Owner;\s+"image\/png": Blob;/);
  expect(types.slice(types.search(/export (?:type|interface) operations/))).not.toMatch(/^ {4}(hook|onEvent): \{/m);
});
