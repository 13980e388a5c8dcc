// Tests server/http/express/security-headers.ts.
/** Security schemes and requirements of a contract, through the real server. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusals } from '../../server/http/unsupported-parts.ts';
import { operationMetadata, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { contractSecurity } from '../../server/http/security.ts';
import { prepareOperations } from '../../server/http/pipeline/operation.ts';
import { createHeaderReader } from '../../server/http/pipeline/strict-request-reader.ts';
import type { Authenticator } from '../../server/ports/authenticator.ts';
import { exampleHandlers, key, startService, type Service, type ServiceParts } from '../support/service.ts';
import { extendedContract, json, responses, type TestOperation } from '../support/extended-contract.ts';

const basic: Authenticator = {
  accepts: ({ type, scheme }) => type === 'http' && scheme?.toLowerCase() === 'basic',
  authenticate(credential) {
    const [name = '', password] = Buffer.from(credential, 'base64').toString().split(':');
    if (name === 'broken') throw new Error('the directory of users is away');
    return password === 'open sesame' ? { id: name, scopes: name === 'ali' ? 'all' : [] } : undefined;
  },
};
const tokens: Authenticator = {
  accepts: ({ type }) => type === 'oauth2',
  authenticate: async (credential) => (credential === 'token of ali' ? { id: 'ali', scopes: ['read'] } : undefined),
};
const cookies: Authenticator = {
  accepts: ({ type, in: place }) => type === 'apiKey' && place === 'cookie',
  authenticate: (credential) => (credential === 's1' ? { id: 'session', scopes: 'all' } : undefined),
};

const securitySchemes = {
  museumKey: { type: 'apiKey', in: 'header', name: 'X-Museum-Key' },
  keyInQuery: { type: 'apiKey', in: 'query', name: 'museum_key' },
  password: { type: 'http', scheme: 'Basic' },
  oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://auth.example/token', scopes: {} } } },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
};
const seen: Record<string, unknown>[] = [];
const operation = (route: string, security: unknown): TestOperation => ({
  route,
  described: {
    security,
    responses: responses({
      200: { description: 'Who called.', content: json({ type: 'object', properties: { id: { type: 'string' } } }) },
    }),
  },
  handle: (call) => {
    seen.push({ ...call.headers, ...call.query, ...call.cookies });
    return { id: (call as unknown as { keyId: string }).keyId };
  },
});
const operations = {
  open: operation('GET /open', []),
  keyed: operation('GET /keyed/{id}', [{ museumKey: ['read'] }, { keyInQuery: ['read'] }]),
  withPassword: operation('GET /password', [{ password: ['read'] }]),
  withToken: operation('GET /token', [{ oauth: ['read'] }]),
  either: operation('GET /either', [{ password: [] }, { session: [] }]),
  optional: operation('GET /optional', [{}, { museumKey: ['read'] }]),
};
operations.keyed = {
  ...operations.keyed,
  described: {
    ...operations.keyed.described,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  },
};

async function contract(): Promise<OpenApiDocument> {
  const document = await extendedContract(operations);
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: { ...(document.components as { securitySchemes?: object }).securitySchemes, ...securitySchemes },
    },
  } as OpenApiDocument;
}
const start = async (parts: ServiceParts = {}): Promise<Service> =>
  startService({
    document: await contract(),
    authenticators: [basic, tokens, cookies],
    handlers: {
      ...exampleHandlers(),
      ...Object.fromEntries(Object.entries(operations).map(([id, { handle }]) => [id, handle])),
    } as never,
    ...parts,
  });
const ofBasic = (pair: string): Record<string, string> => ({ authorization: `Basic ${btoa(pair)}` });

let service: Service;
beforeAll(async () => {
  service = await start();
});
afterAll(() => service.stop(0));

describe('an operation is called', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['without a key where it is public', '/open', {}, ''],
    ['with a key that a public operation does not need', '/open', { 'x-api-key': key }, ''],
    ['with the header that the contract names', '/keyed/1', { 'x-museum-key': key }, 'test0001'],
    ['with the query parameter that the contract names', `/keyed/1?museum_key=${key}`, {}, 'test0001'],
    ['with a password', '/password', ofBasic('ali:open sesame'), 'ali'],
    ['with a token of OAuth 2', '/token', { authorization: 'Bearer token of ali' }, 'ali'],
    ['with a cookie', '/either', { cookie: 'a=b; sid=s1' }, 'session'],
    ['with one of two schemes', '/either', ofBasic('guest:open sesame'), 'guest'],
    ['without a key where it is optional', '/optional', {}, ''],
    ['with a key where it is optional', '/optional', { 'x-museum-key': key }, 'test0001'],
  ])('%s', async (_, target, headers, id) => {
    const response = await service.bare(target, { headers });
    expect([response.status, await response.json()]).toEqual([200, { id }]);
    expect(response.headers.has('ratelimit')).toBe(true);
    expect(JSON.stringify([seen, service.log])).not.toMatch(/open sesame|token of ali|sd_test0001|"s1"/);
  });
});

describe('a call is refused', () => {
  const password = 'Basic realm="social-data", charset="UTF-8"';
  test.each<[string, string, Record<string, string>, number, RegExp]>([
    [
      'without a key',
      '/keyed/1',
      {},
      401,
      /^ApiKey realm="social-data", name="museum_key", ApiKey .*name="x-museum-key"$/,
    ],
    ['with the key of another scheme', '/keyed/1', { 'x-api-key': key }, 401, /^ApiKey/],
    ['with two keys', `/keyed/1?museum_key=${key}`, { 'x-museum-key': key }, 401, /^ApiKey/],
    ['with an API key in place of a password', '/password', { 'x-api-key': key }, 401, new RegExp(`^${password}$`)],
    ['with an API key in place of a token', '/token', { authorization: `Bearer ${key}` }, 401, /invalid_token/],
    ['with a wrong password', '/password', ofBasic('ali:x'), 401, new RegExp(`^${password}$`)],
    ['with two kinds of credentials', '/either', { ...ofBasic('ali:open sesame'), cookie: 'sid=s1' }, 401, /^Basic/],
    ['with a wrong key where it is optional', '/optional', { 'x-museum-key': 'x' }, 401, /^ApiKey/],
    ['without the scope', '/password', ofBasic('guest:open sesame'), 403, /^$/],
    ['while the authenticator fails', '/password', ofBasic('broken:x'), 503, /^$/],
    ['without a key, at an unknown path', '/nothing', {}, 401, /Bearer/],
  ])('%s', async (_, target, headers, status, challenge) => {
    const response = await service.bare(target, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate') ?? '').toMatch(challenge);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test('after too many public calls, and too many wrong passwords, of one network', async () => {
    const limits = { requests: 2, periodMs: 3_600_000 };
    const bounded = await start({ rateLimit: limits, failures: limits });
    const statuses = async (target: string, headers: Record<string, string>): Promise<number[]> => {
      const found: number[] = [];
      for (let index = 0; index < 3; index++) found.push((await bounded.bare(target, { headers })).status);
      return found;
    };
    expect(await statuses('/open', {})).toEqual([200, 200, 429]);
    expect(await statuses('/password', ofBasic('ali:x'))).toEqual([401, 401, 429]);
    expect((await bounded.bare('/password', { headers: ofBasic('ali:open sesame') })).status).toBe(429);
    await bounded.stop(0);
  });
});

test('the reader without Express still reads the operations that know nothing of the other schemes', async () => {
  const document = await contract();
  const security = contractSecurity(document, [basic, tokens, cookies]);
  const metadata = operationMetadata(document);
  const prepared = prepareOperations(document, metadata, undefined, { security } as never);
  expect(prepared.get('getSpace')?.readQuery?.('id=1')).toEqual({ id: '1' });
  const read = createHeaderReader(security.any.schemes);
  for (const name of ['X-Api-Key', 'X-Museum-Key'])
    expect(read([name, key])?.credential).toMatchObject({ value: key, place: { name: name.toLowerCase() } });
  expect(read(['X-Api-Key', key, 'X-Museum-Key', key])).toBeUndefined();
});

describe('a contract is refused', () => {
  const faults = async (schemes: object, security: unknown): Promise<string[]> => {
    const document = await extendedContract({ secured: operation('GET /secured', security) });
    const components = { ...document.components, securitySchemes: schemes };
    return refusals({ ...document, components } as never, [basic])
      .filter(({ pointer }) => pointer.includes('ecur') && !/apiKeyHeader|bearer|apiKeyQuery/.test(pointer))
      .map(({ pointer, message }) => `${pointer}: ${message}`);
  };
  test.each<[string, object]>([
    ['OAuth 2', securitySchemes.oauth],
    ['a cookie', securitySchemes.session],
    ['OpenID Connect', { type: 'openIdConnect', openIdConnectUrl: 'https://auth.example' }],
    ['mutual TLS', { type: 'mutualTLS' }],
    ['HTTP Digest', { type: 'http', scheme: 'digest' }],
    ['a key in Authorization', { type: 'apiKey', in: 'header', name: 'Authorization' }],
  ])('with %s, which no authenticator accepts', async (_, scheme) => {
    expect(await faults({ other: scheme }, [{ other: ['read'] }])).toEqual([
      expect.stringMatching(/^\/components\/securitySchemes\/other: the server has no authenticator for /),
    ]);
  });

  test('with requirements that cannot be checked as they are', async () => {
    const schemes = { password: securitySchemes.password, museumKey: securitySchemes.museumKey };
    expect(await faults(schemes, [{ password: [], museumKey: [] }])).toEqual([
      '/paths/~1secured/get/security/0: the server cannot demand password and museumKey together.',
    ]);
    expect(await faults(schemes, [{ password: ['read'] }, { museumKey: ['write'] }])).toEqual([
      expect.stringContaining('/paths/~1secured/get/security: the server demands one scope'),
    ]);
    expect(await faults(schemes, [{ password: [] }, {}])).toEqual([]);
    expect(await faults(schemes, [{ pasword: [] }])).toEqual([
      "/paths/~1secured/get/security/0/pasword: there is no security scheme 'pasword'.",
    ]);
  });

  test('at the start', async () => {
    await expect(start({ authenticators: [basic, cookies] })).rejects.toThrow(
      "the contract cannot be served: /components/securitySchemes/oauth: the server has no authenticator for the security scheme 'oauth' (oauth2)",
    );
  });
});
