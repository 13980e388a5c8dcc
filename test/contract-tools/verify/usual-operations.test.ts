/** verify finds no fault in the service itself, whatever operations a team adds to its contract. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readContract } from '../../../scripts/contract-tools/verify/contract.ts';
import { verify } from '../../../scripts/testing/verify/verify.ts';
import type { Document } from '../../../scripts/spec/contract-document.ts';
import {
  extendedContract,
  json,
  responses,
  startExtended,
  type TestOperation,
} from '../../support/extended-contract.ts';
import { key, type Service } from '../../support/service.ts';

const secured = { security: [{ apiKeyHeader: ['read'] }] };
const ok = { 200: { description: 'Fine.', content: json({ type: 'object' }) } };
const query = (name: string, schema: object, more: object = {}): object => ({ name, in: 'query', schema, ...more });
const handle = (): object => ({});
const operations: Readonly<Record<string, TestOperation>> = {
  listThings: {
    route: 'GET /social/things',
    described: {
      ...secured,
      parameters: [
        query('langs', { type: 'array', minItems: 1, items: { enum: ['en', 'de'] } }, { explode: false }),
        query(
          'filter',
          { type: 'object', additionalProperties: false, properties: { min: { type: 'integer' } } },
          { style: 'deepObject' },
        ),
        query(
          'ids',
          { type: 'array', items: { type: 'string', pattern: '^[0-9]+$' } },
          { style: 'pipeDelimited', explode: false },
        ),
        { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'integer', minimum: 1, maximum: 9 } },
        { name: 'session', in: 'cookie', required: true, schema: { type: 'string', minLength: 3 } },
      ],
      responses: responses(ok),
    },
    handle,
  },
  getThing: {
    route: 'GET /social/things/{id}',
    described: {
      ...secured,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } }],
      responses: responses(ok),
    },
    handle,
  },
  ping: {
    route: 'GET /social/ping',
    described: { security: [], responses: { ...ok, 400: responses({})['4XX'] } },
    handle,
  },
  subscribe: {
    route: 'POST /social/things',
    described: {
      security: [{ apiKeyHeader: ['write'] }],
      requestBody: { required: true, content: json({ type: 'object', required: ['url'] }) },
      responses: {
        '2XX': { description: 'Done.' },
        '4XX': { description: 'Wrong.', content: json({ $ref: '#/components/schemas/Error' }) },
        default: { description: 'Broken.', content: json({ $ref: '#/components/schemas/Error' }) },
      },
    },
    handle: () => ({ status: 200 }),
  },
};

const form = {
  type: 'object',
  required: ['picture'],
  properties: { picture: { type: 'string', format: 'binary' }, alt: { type: 'string', maxLength: 9 } },
};
const upload: TestOperation = {
  route: 'POST /social/pictures',
  described: {
    security: [{ apiKeyHeader: ['write'] }],
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: form, encoding: { picture: { contentType: 'image/png' } } } },
    },
    responses: responses(ok),
  },
  handle,
};

let service: Service;
beforeAll(async () => void (service = await startExtended({ ...operations, upload })));
afterAll(() => service.stop(0));

test('lists, deepObject, headers, cookies, templates beside literal paths, ranges and public operations', async () => {
  const contract = readContract((await extendedContract({ ...operations, upload })) as unknown as Document);
  const report = await verify({
    ...{ base: service.url, contract, key, seed: 5, runs: 10, write: true },
    operations: [...Object.keys(operations), 'upload'],
    // The contract need not declare what every response has.
    allowedHeaders: ['x-request-id', 'x-event-cursor', 'ratelimit', 'ratelimit-policy'],
  });
  expect(report.findings.map(({ check, expected, actual, curl }) => [check, expected, actual, curl])).toEqual([]);
});
