import { describe, expect, test } from '@jest/globals';
import type { AuthenticationFailure } from '../../../server/keys/authenticator.ts';
import { authenticationError, createExtractor, type Credential } from '../../../server/http/pipeline/credentials.ts';
import { contractSecurity, type ContractSecurity } from '../../../server/http/security.ts';
import type { Authenticator } from '../../../server/ports/authenticator.ts';

const schemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  other: { type: 'apiKey', in: 'query', name: 'other' },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  device: { type: 'apiKey', in: 'cookie', name: 'did' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  negotiate: { type: 'http', scheme: 'Negotiate' },
  quoted: { type: 'apiKey', in: 'query', name: String.raw`a"b\c` },
} as const;
type Name = keyof typeof schemes;

/** Authenticates what API keys do not. */
const authenticator: Authenticator = {
  accepts: ({ type, in: place, scheme }) => place === 'cookie' || (type === 'http' && scheme !== 'bearer'),
  authenticate: () => undefined,
};
const securityWith = (names: readonly Name[]): ContractSecurity =>
  contractSecurity(
    {
      info: { title: 'A Test' },
      paths: {},
      components: { securitySchemes: Object.fromEntries(names.map((name) => [name, schemes[name]])) },
    },
    [authenticator],
  );

interface Given {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
/** What is extracted, and what is left of the request. */
function extract(names: readonly Name[], { url = '/a', headers = {} }: Given) {
  const distinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]));
  const request = {
    url,
    originalUrl: url,
    headers: Object.fromEntries(Object.entries(distinct).map(([name, values]) => [name, values.join(', ')])),
    headersDistinct: distinct,
  };
  const found = createExtractor(securityWith(names).places)(request);
  return {
    found: found.map(({ place, value }) => [place.words, value]),
    url: request.url,
    originalUrl: request.originalUrl,
    headers: request.headers,
  };
}

describe('credentials in the query are extracted, and removed from the target', () => {
  const query = 'the query parameter api key';
  test.each<[string, string, string[][], string]>([
    ['the only parameter', '/a?api%20key=k', [[query, 'k']], '/a'],
    ['a name with a plus sign', '/a?api+key=k', [[query, 'k']], '/a'],
    ['between others', '/a?x=1&api+key=k&y=%20', [[query, 'k']], '/a?x=1&y=%20'],
    ['a value that is encoded', '/a?api+key=a%20b+c%3d=&x', [[query, 'a b c==']], '/a?x'],
    ['a value that is not valid', '/a?api+key=%ff%', [[query, '\ufffd%']], '/a'],
    ['an empty value', '/a?api+key=', [[query, '']], '/a'],
    ['no value', '/a?api+key', [[query, '']], '/a'],
    ['a value behind a second question mark', '/a?b?api+key=k', [], '/a?b?api+key=k'],
    [
      'two of one name, and one of another',
      '/a?other=1&api+key=k&api+key=l',
      [
        [query, 'k'],
        [query, 'l'],
        ['the query parameter other', '1'],
      ],
      '/a',
    ],
    ['nothing', '/a?x=1&y', [], '/a?x=1&y'],
    ['nothing without a query', '/a', [], '/a'],
    ['nothing from a name in other letters', '/a?API+KEY=k', [], '/a?API+KEY=k'],
    ['nothing from a path', '/api+key=k', [], '/api+key=k'],
  ])('%s', (_case, url, found, left) => {
    expect(extract(['query', 'other'], { url })).toEqual({ found, url: left, originalUrl: left, headers: {} });
  });
  test('only where the contract has one', () => {
    expect(extract(['key'], { url: '/a?api+key=k' })).toMatchObject({ found: [], url: '/a?api+key=k' });
  });
});

describe('credentials in cookies are extracted, and removed from the header', () => {
  const cookie = 'the cookie sid';
  test.each<[string, string, string[][], string | undefined]>([
    ['the only cookie', 'sid=s1', [[cookie, 's1']], undefined],
    ['the first one', 'sid=s1; a=b', [[cookie, 's1']], 'a=b'],
    ['the last one', 'a=b;sid = s1 ', [[cookie, 's1']], 'a=b'],
    ['between others', 'a=b; sid=s=1; c=d', [[cookie, 's=1']], 'a=b; c=d'],
    [
      'twice',
      'sid=s1; sid=s2',
      [
        [cookie, 's1'],
        [cookie, 's2'],
      ],
      undefined,
    ],
    [
      'two names',
      'did=d1; sid=s1',
      [
        [cookie, 's1'],
        ['the cookie did', 'd1'],
      ],
      undefined,
    ],
    ['an empty one', 'sid=', [[cookie, '']], undefined],
    ['nothing', ' a=b; c', [], ' a=b; c'],
    ['nothing from a name alone', 'sid', [], 'sid'],
  ])('%s', (_case, header, found, left) => {
    expect(extract(['session', 'device'], { headers: { cookie: header } })).toEqual({
      found,
      url: '/a',
      originalUrl: '/a',
      headers: left === undefined ? {} : { cookie: left },
    });
  });
  test('nothing from a request without cookies, or where the contract has none', () => {
    expect(extract(['session'], {})).toMatchObject({ found: [], headers: {} });
    expect(extract(['key'], { headers: { cookie: 'sid=s1' } })).toMatchObject({
      found: [],
      headers: { cookie: 'sid=s1' },
    });
  });
});

describe('credentials in headers are extracted, and removed', () => {
  const header = 'the header Authorization';
  test.each<[string, readonly Name[], Given['headers'], string[][]]>([
    ['a key', ['key'], { 'x-api-key': 'k' }, [['the header x-api-key', 'k']]],
    [
      'a key twice',
      ['key'],
      { 'x-api-key': ['k', 'l'] },
      [
        ['the header x-api-key', 'k'],
        ['the header x-api-key', 'l'],
      ],
    ],
    ['a token', ['bearer'], { authorization: 'Bearer t' }, [[header, 't']]],
    ['a token with other letters and spaces', ['bearer'], { authorization: 'bEARER \t a b ' }, [[header, 'a b ']]],
    ['a token with a line feed', ['bearer'], { authorization: 'Bearer a\nb' }, [[header, 'a\nb']]],
    ['an empty token', ['bearer'], { authorization: 'Bearer' }, [[header, '']]],
    ['a password', ['bearer', 'basic'], { authorization: 'Basic YTpi' }, [[header, 'YTpi']]],
    ['nothing of another scheme', ['bearer'], { authorization: 'Basic YTpi' }, []],
    ['nothing of a longer name', ['bearer'], { authorization: 'Bearers t' }, []],
    ['nothing of a header that begins with a space', ['bearer'], { authorization: ' Bearer t' }, []],
    ['nothing of an Authorization that the contract does not have', ['key'], { authorization: 'Bearer t' }, []],
  ])('%s', (_case, names, headers, found) => {
    expect(extract(names, { headers: { ...headers, accept: 'x' } })).toMatchObject({ found, headers: { accept: 'x' } });
    expect(Object.keys(extract(names, { headers: { ...headers, accept: 'x' } }).headers)).toEqual(['accept']);
  });
});

test('a name is that of a credential at its own place only', () => {
  const given = { url: '/a?sid=1&x-api-key=2', headers: { other: '3', cookie: 'other=4; x-api-key=5' } };
  expect(extract(['other', 'session', 'key'], given)).toEqual({ found: [], ...given, originalUrl: given.url });
});

test('credentials at several places come in the order of the places', () => {
  const { found, url, headers } = extract(['session', 'bearer', 'key', 'query'], {
    url: '/a?api+key=q',
    headers: { authorization: 'Bearer t', 'x-api-key': 'k', cookie: 'sid=s' },
  });
  expect(found).toEqual([
    ['the query parameter api key', 'q'],
    ['the header Authorization', 't'],
    ['the header x-api-key', 'k'],
    ['the cookie sid', 's'],
  ]);
  expect([url, headers]).toEqual(['/a', {}]);
});

/** The error of a request with credentials for these schemes. */
function errorOf(
  names: readonly Name[],
  sent: readonly Name[],
  failure: AuthenticationFailure = { reason: 'invalid' },
) {
  const { any } = securityWith(names);
  const credentials: Credential[] = sent.map((name) => ({
    place: any.schemes.find(({ described }) => described === schemes[name])!.place,
    value: 'x',
  }));
  const { status, message, headers } = authenticationError(failure, any, credentials);
  return { status, message, headers };
}

describe('the challenges of a 401', () => {
  const realm = 'realm="a-test"';
  const key = `ApiKey ${realm}, name="x-api-key"`;
  const invalid = (code: string, words: string): string =>
    `Bearer ${realm}, error="${code}", error_description="${words}"`;
  test.each<[readonly Name[], readonly Name[], string]>([
    [['key'], [], key],
    [['key'], ['key'], key],
    [['quoted'], [], String.raw`ApiKey realm="a-test", name="a\"b\\c"`],
    [['basic'], ['basic'], `Basic ${realm}, charset="UTF-8"`],
    [['negotiate'], [], `Negotiate ${realm}`],
    [['session'], [], `ApiKey ${realm}, name="sid"`],
    [['basic', 'key', 'session'], [], `Basic ${realm}, charset="UTF-8", ${key}, ApiKey ${realm}, name="sid"`],
    [['bearer'], [], `Bearer ${realm}`],
    [['bearer', 'key', 'query'], [], `Bearer ${realm}`],
    [['bearer', 'session'], [], `Bearer ${realm}, ApiKey ${realm}, name="sid"`],
    [['bearer', 'key'], ['key'], invalid('invalid_token', 'the API key is unknown, revoked or expired')],
    [
      ['bearer', 'basic'],
      ['bearer'],
      `${invalid('invalid_token', 'the credentials are unknown, revoked or expired')}, Basic ${realm}, charset="UTF-8"`,
    ],
    [
      ['bearer', 'key'],
      ['key', 'key', 'key'],
      invalid('invalid_request', 'the header x-api-key was sent 3 times: send the API key once'),
    ],
    [
      ['bearer', 'key', 'query'],
      ['key', 'bearer', 'key'],
      invalid(
        'invalid_request',
        'an API key was sent in the header x-api-key and in the header Authorization: send it in only one place',
      ),
    ],
    [
      ['bearer', 'session'],
      ['session', 'bearer'],
      `${invalid(
        'invalid_request',
        'credentials were sent in the cookie sid and in the header Authorization: send them in only one place',
      )}, ApiKey ${realm}, name="sid"`,
    ],
  ])('where the contract has %j, with %j', (names, sent, challenge) => {
    const isKey = names.every((name) => ['key', 'query', 'quoted', 'bearer'].includes(name));
    expect(errorOf(names, sent)).toEqual({
      status: 401,
      message: `Invalid or missing ${isKey ? 'API key' : 'credentials'}`,
      headers: { 'WWW-Authenticate': challenge },
    });
  });
});

describe('where credentials are not checked, the error', () => {
  test.each<[readonly Name[], string]>([
    [['key', 'bearer'], 'API keys'],
    [['key', 'session'], 'credentials'],
  ])('of a contract with %j names the %s', (names, words) => {
    expect(errorOf(names, ['key'], { reason: 'failures', retryAfter: 7 })).toEqual({
      status: 429,
      message: `too many invalid ${words} from your address; retry in 7 s`,
      headers: { 'Retry-After': '7' },
    });
    expect(errorOf(names, ['key'], { reason: 'unavailable' })).toEqual({
      status: 503,
      message: `${words} cannot be checked at the moment`,
      headers: { 'Retry-After': '1' },
    });
  });
});
