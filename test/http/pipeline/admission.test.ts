import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { scopes as allScopes } from '../../../generated/scopes.ts';
import { Admission, credentialsFor, type AdmissionParts } from '../../../server/http/pipeline/admission.ts';
import { Exchange } from '../../../server/http/pipeline/exchange.ts';
import { initialFacts } from '../../../server/http/pipeline/request-summary.ts';
import { contractSecurity, type Security } from '../../../server/http/security.ts';
import { createAuthenticator } from '../../../server/keys/authenticator.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import type { Authenticator, Caller } from '../../../server/ports/authenticator.ts';
import type { RateLimitDecision, RateLimitedKey } from '../../../server/ports/rate-limiter.ts';

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2' },
  openId: { type: 'openIdConnect' },
};
type Name = keyof typeof securitySchemes;

const callers: Readonly<Record<string, Caller>> = {
  ali: { id: 'ali', scopes: ['read', 'other'] },
  admin: { id: 'admin', scopes: 'all' },
};
/** Authenticates what begins with the name of its kind. */
const authenticatorOf = (kind: string): Authenticator => ({
  accepts: ({ type, in: place, scheme }) => [type, place, scheme].includes(kind),
  async authenticate(credential) {
    if (credential === 'broken') throw new Error('the directory of users is away');
    const [name, user = ''] = credential.split(':');
    return name === kind ? callers[user] : undefined;
  },
});
const authenticators = ['cookie', 'basic', 'oauth2', 'openIdConnect'].map(authenticatorOf);
const security = contractSecurity(
  {
    info: { title: 'A Test' },
    paths: {
      '/': Object.fromEntries(
        Object.entries({
          key: [{ key: [] }],
          session: [{ session: [] }],
          basic: [{ basic: [] }],
          mixed: [{ key: [] }, { session: [] }],
          tokens: [{ oauth: [] }, { openId: [] }],
          optional: [{}, { key: [] }, { session: [] }],
        }).map(([name, requirements]) => [name, { security: requirements }]),
      ),
    },
    components: { securitySchemes },
  },
  authenticators,
);
const needs = (name: string): Security => security.of('/', name);
const key = unrestrictedKey('k1');
/** The outcome of a request whose credentials are wrong, where not only API keys are accepted. */
const invalid = [401, 'Invalid or missing credentials', undefined];
const decision: RateLimitDecision = {
  allowed: true,
  limit: { requests: 100, periodMs: 59_001 },
  remaining: 42,
  fullInMs: 12_001,
  nextInMs: 0,
};

/** An admission, and what the limiter was asked about. */
function admissionWith(parts: Partial<AdmissionParts> = {}) {
  const counted: RateLimitedKey[] = [];
  const admission = new Admission({
    authenticate: createAuthenticator({
      keys: { verify: (presented) => (presented === 'good' ? key : undefined), recordUse() {} },
      failures: 'off',
    }),
    addressOf: ({ headers }) => String(headers['x-address'] ?? '192.0.2.1'),
    rateLimiter: { consume: (each) => (counted.push(each), decision) },
    ...parts,
  });
  return { admission, counted };
}

/** An exchange with these credentials. */
function exchangeWith(credentials: Partial<Record<Name, string>>, address?: string): Exchange {
  const request = new IncomingMessage(new Socket());
  if (address !== undefined) request.headers['x-address'] = address;
  const given = Object.entries(credentials).map(([name, value]) => ({
    place: security.any.schemes.find(({ described }) => described === securitySchemes[name as Name])!.place,
    value,
  }));
  const preferences = { acceptEncoding: undefined, ifNoneMatch: undefined };
  return new Exchange(request, new ServerResponse(request), initialFacts('r1', 'GET'), given, preferences);
}

/** What becomes of a request: its caller, or the error. */
async function outcome(
  { admission }: { readonly admission: Admission },
  exchange: Exchange,
  needed: Security,
): Promise<unknown> {
  try {
    await admission.admit(exchange, needed);
    return exchange.facts.keyId ?? 'no key';
  } catch (error) {
    const { status, message, headers } = error as { status: number; message: string; headers: Record<string, string> };
    return [status, message, headers['Retry-After']];
  }
}

describe('a request with an API key', () => {
  test('is authenticated, counted, and gets the state of its rate limit', () => {
    const { admission, counted } = admissionWith();
    const exchange = exchangeWith({ key: 'good' });
    expect(admission.admit(exchange, needs('key'))).toBeUndefined();
    expect([exchange.key, exchange.facts.keyId]).toEqual([key, 'k1']);
    expect(counted).toEqual([key]);
    expect(exchange.headers).toEqual([
      ...['RateLimit-Policy', '"default";q=100;w=60'],
      ...['RateLimit', '"default";r=42;t=13'],
    ]);
  });
  test('is authenticated by all its values, its address and its connection', () => {
    const seen: unknown[] = [];
    const { admission } = admissionWith({ authenticate: (...given) => (seen.push(given), key) });
    const exchange = exchangeWith({ key: 'a', session: 'b', basic: 'c' }, '192.0.2.7');
    void admission.admit(exchange, needs('mixed'));
    expect(seen).toEqual([[['a', 'b'], '192.0.2.7', exchange.request.socket]]);
  });
  test('is refused where the key is unknown, before it is counted', async () => {
    const own = admissionWith();
    const exchange = exchangeWith({ key: 'wrong' });
    expect(await outcome(own, exchange, needs('key'))).toEqual([401, 'Invalid or missing API key', undefined]);
    expect([own.counted, exchange.headers, exchange.key]).toEqual([[], [], undefined]);
  });
  test('is refused where its requests are used up, with the state of the limit', async () => {
    const refused = { ...decision, allowed: false, remaining: 0, nextInMs: 2_500 };
    for (const consume of [() => refused, async () => refused]) {
      const exchange = exchangeWith({ key: 'good' });
      const own = admissionWith({ rateLimiter: { consume } });
      expect(await outcome(own, exchange, needs('key'))).toEqual([429, 'rate limit exceeded; retry in 3 s', '3']);
      expect(exchange.headers).toContain('"default";r=0;t=13');
    }
  });
  test('has no headers of a limit where the key has none', async () => {
    const exchange = exchangeWith({ key: 'good' });
    expect(await outcome(admissionWith({ rateLimiter: { consume: () => undefined } }), exchange, needs('key'))).toBe(
      'k1',
    );
    expect(exchange.headers).toEqual([]);
  });
  test('that was authenticated before is only counted', () => {
    const { admission, counted } = admissionWith();
    const exchange = exchangeWith({});
    expect(admission.admitKey(exchange, key)).toBeUndefined();
    expect([exchange.key, exchange.facts.keyId, counted]).toEqual([key, 'k1', [key]]);
    expect(exchange.headers).toContain('RateLimit');
  });
});

test('only the credentials that the operation accepts count', () => {
  const { credentials } = exchangeWith({ key: 'a', session: 'b', basic: 'c' });
  const [first, second] = credentials;
  expect(credentialsFor({ credentials }, needs('key'))).toEqual([first]);
  expect(credentialsFor({ credentials }, needs('mixed'))).toEqual([first, second]);
  expect(credentialsFor({ credentials: [second!] }, needs('key'))).toEqual([]);
  expect(credentialsFor({ credentials: [first!] }, needs('key'))).toEqual([first]);
  expect(credentialsFor({ credentials: [] }, needs('key'))).toEqual([]);
});

describe('a request without a credential', () => {
  test('is counted for its network where the operation permits that', async () => {
    const own = admissionWith();
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:1::1', '192.0.2.1'])
      expect(await outcome(own, exchangeWith({}, address), needs('optional'))).toBe('no key');
    expect(own.counted).toHaveLength(4);
    expect(own.counted[1]).toBe(own.counted[0]);
    expect(new Set(own.counted).size).toBe(3);
    expect(own.counted[3]).toEqual({ id: 'address 192.0.2.1', rate: undefined });
  });
  test('is refused where it needs one', async () => {
    expect(await outcome(admissionWith(), exchangeWith({}), needs('key'))).toEqual([
      401,
      'Invalid or missing API key',
      undefined,
    ]);
    expect(await outcome(admissionWith(), exchangeWith({ basic: 'x' }), needs('session'))).toEqual([
      401,
      'Invalid or missing credentials',
      undefined,
    ]);
  });
  test('is another request than one with a wrong credential', async () => {
    expect(await outcome(admissionWith(), exchangeWith({ key: 'wrong' }), needs('optional'))).toEqual(invalid);
    expect(await outcome(admissionWith(), exchangeWith({ key: 'good' }), needs('optional'))).toBe('k1');
  });
});

describe('a caller of another authenticator', () => {
  test('has the scopes of the contract, no end and no limit of its own', async () => {
    const own = admissionWith();
    const exchange = exchangeWith({ session: 'cookie:ali' });
    expect(await outcome(own, exchange, needs('mixed'))).toBe('ali');
    expect(exchange.key).toEqual({
      id: 'ali',
      rate: undefined,
      scopes: new Set(['read', 'other']),
      expiresAt: Infinity,
      lastUse: { at: 0, from: '' },
    });
    expect(exchange.headers).toContain('RateLimit');
    const admin = exchangeWith({ basic: 'basic:admin' });
    expect(await outcome(own, admin, needs('basic'))).toBe('admin');
    expect(admin.key?.scopes).toEqual(new Set(Object.keys(allScopes)));
  });
  test('is counted as one, at each place', async () => {
    const own = admissionWith();
    await outcome(own, exchangeWith({ session: 'cookie:ali' }), needs('session'));
    await outcome(own, exchangeWith({ basic: 'basic:ali' }), needs('basic'));
    await outcome(own, exchangeWith({ basic: 'basic:admin' }), needs('basic'));
    expect(own.counted.map(({ id }) => id)).toEqual(['caller ali', 'caller ali', 'caller admin']);
    expect(own.counted[1]).toBe(own.counted[0]);
  });
  test('is authenticated by the first scheme at its place that knows the credential', async () => {
    const own = admissionWith();
    expect(await outcome(own, exchangeWith({ oauth: 'oauth2:ali' }), needs('tokens'))).toBe('ali');
    expect(await outcome(own, exchangeWith({ oauth: 'openIdConnect:admin' }), needs('tokens'))).toBe('admin');
    expect(await outcome(own, exchangeWith({ oauth: 'basic:ali' }), needs('tokens'))).toEqual(invalid);
  });
  test('is refused with an unknown credential, with two, and where the authenticator fails', async () => {
    const own = admissionWith();
    expect(await outcome(own, exchangeWith({ session: 'cookie:nobody' }), needs('session'))).toEqual(invalid);
    expect(await outcome(own, exchangeWith({ key: 'good', session: 'cookie:ali' }), needs('mixed'))).toEqual(invalid);
    expect(await outcome(own, exchangeWith({ session: 'cookie:ali', key: 'good' }), needs('mixed'))).toEqual(invalid);
    expect(await outcome(own, exchangeWith({ session: 'broken' }), needs('session'))).toEqual([
      503,
      'credentials cannot be checked at the moment',
      '1',
    ]);
    expect(own.counted).toEqual([]);
    expect(await outcome(own, exchangeWith({ key: 'good' }), needs('mixed'))).toBe('k1');
  });
  test('is refused where the network has sent too many wrong credentials, unless it was there before', async () => {
    const own = admissionWith({ failures: { requests: 2, periodMs: 3_600_000 } });
    const from = (address: string, credential: string): Promise<unknown> =>
      outcome(own, exchangeWith({ session: credential }, address), needs('session'));
    expect(await from('192.0.2.1', 'cookie:ali')).toBe('ali');
    expect(await from('192.0.2.1', 'wrong')).toEqual(invalid);
    expect(await from('192.0.2.1', 'wrong')).toEqual(invalid);
    const blocked = [
      429,
      expect.stringMatching(/^too many invalid credentials from your address; retry in \d+ s$/),
      expect.stringMatching(/^\d+$/),
    ];
    expect(await from('192.0.2.1', 'wrong')).toEqual(blocked);
    expect(await from('192.0.2.1', 'cookie:admin')).toEqual(blocked);
    expect(await from('192.0.2.1', 'cookie:ali')).toBe('ali');
    expect(await from('198.51.100.1', 'cookie:admin')).toBe('admin');
    expect(await from('198.51.100.1', 'cookie:ali')).toBe('ali');
    // This caller is known for another network by now.
    expect(await from('192.0.2.1', 'cookie:ali')).toEqual(blocked);
  });
  test('can be wrong any number of times without a limit', async () => {
    const own = admissionWith();
    for (let call = 0; call < 50; call++)
      expect(await outcome(own, exchangeWith({ session: 'wrong' }), needs('session'))).toEqual(invalid);
    expect(await outcome(own, exchangeWith({ session: 'cookie:ali' }), needs('session'))).toBe('ali');
  });
});

describe('the scope of an admitted request', () => {
  const { admission } = admissionWith();
  const keyed = (scopes: string[]): Exchange => {
    const exchange = exchangeWith({});
    exchange.key = { ...key, scopes: new Set(scopes) as never };
    return exchange;
  };
  test('is one of those that its key has', () => {
    expect(() => admission.authorize(keyed(['read', 'write']), 'write', needs('key'))).not.toThrow();
    expect(() => admission.authorize(keyed(['read']), 'write', needs('key'))).toThrow(
      expect.objectContaining({
        status: 403,
        message: "this API key lacks the scope 'write'",
        headers: { 'WWW-Authenticate': 'Bearer realm="a-test", error="insufficient_scope", scope="write"' },
      }),
    );
    expect(() => admission.authorize(keyed([]), 'read', needs('mixed'))).toThrow(/this API key lacks/);
  });
  test('is said in other words where only other authenticators take callers', () => {
    expect(() => admission.authorize(keyed([]), 'read', needs('session'))).toThrow(
      expect.objectContaining({ status: 403, message: "the caller lacks the scope 'read'", headers: {} }),
    );
  });
  test('is not needed without a key, where the operation permits that', () => {
    expect(() => admission.authorize(exchangeWith({}), 'read', needs('optional'))).not.toThrow();
    expect(() => admission.authorize(keyed([]), 'read', needs('optional'))).toThrow(/lacks the scope/);
    expect(() => admission.authorize(exchangeWith({}), 'read', needs('key'))).toThrow(/lacks the scope/);
  });
});
