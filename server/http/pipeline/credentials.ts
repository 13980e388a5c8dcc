/** Extracts the credentials from a request, and words the errors of rejected ones. */
import type { IncomingMessage } from 'node:http';
import { unescape } from 'node:querystring';
import type { CredentialPlace, Security, AcceptedScheme } from '../security.ts';
import { ServiceError, unavailable } from '../../contract/service-error.ts';
import type { AuthenticationFailure } from '../../keys/authenticator.ts';
import { setTarget, type Target } from './request-target.ts';

const decode = (part: string): string => unescape(part.replaceAll('+', ' '));

/** The parts of a request that can contain a credential. */
type RequestWithCredentials = Target & Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** A credential of a request, and its place. */
export interface Credential {
  readonly place: CredentialPlace;
  readonly value: string;
}

/** Removes every parameter of these names from the query and returns the values with their names. */
function extractFromQuery(request: Target, names: ReadonlySet<string>): { name: string; value: string }[] {
  const { url = '' } = request;
  const start = url.indexOf('?');
  if (start < 0) return [];
  const found: { name: string; value: string }[] = [];
  const others = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      if (!names.has(name)) return true;
      found.push({ name, value: equals < 0 ? '' : decode(pair.slice(equals + 1)) });
      return false;
    });
  if (found.length > 0) setTarget(request, url.slice(0, start) + (others.length > 0 ? `?${others.join('&')}` : ''));
  return found;
}

/** Removes every cookie of these names from the header and returns the values with their names. */
function extractFromCookies(
  { headers }: RequestWithCredentials,
  names: ReadonlySet<string>,
): { name: string; value: string }[] {
  const found: { name: string; value: string }[] = [];
  const others = (headers.cookie ?? '').split(';').filter((pair) => {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    if (!names.has(name)) return true;
    found.push({ name, value: pair.slice(equals + 1).trim() });
    return false;
  });
  if (found.length > 0) {
    if (others.length > 0) headers.cookie = others.join(';').trim();
    else delete headers.cookie;
  }
  return found;
}

/** All values of a header. `request.headers` joins some repeated headers and drops others. */
const headerValues = (request: RequestWithCredentials, name: string): readonly string[] =>
  request.headersDistinct[name] ?? [];

/** The credentials of a header, in a scheme where the place has one. A header of another scheme is no credential. */
function extractFromHeader(request: RequestWithCredentials, { name, scheme }: CredentialPlace): readonly string[] {
  const values = headerValues(request, name);
  if (scheme === undefined) return values;
  return values.flatMap((value) => {
    const [, given = '', credential = ''] = /^([^ \t]*)(?:[ \t]+(.*))?$/s.exec(value) ?? [];
    return given.toLowerCase() === scheme ? [credential] : [];
  });
}

/** Extracts the credentials of a request. */
export type ExtractCredentials = (request: RequestWithCredentials) => readonly Credential[];

/**
 * Returns the function that extracts the credentials from these places, and removes them from the URL and the headers, so that
 * none can reach a log, a metric, an error or a handler. `Authorization` is removed in any case.
 */
export function createExtractor(places: readonly CredentialPlace[]): ExtractCredentials {
  const namesIn = (where: CredentialPlace['in']): Set<string> =>
    new Set(places.filter((place) => place.in === where).map(({ name }) => name));
  const [queryNames, cookieNames] = [namesIn('query'), namesIn('cookie')];
  const headerNames = namesIn('header').add('authorization');
  return (request) => {
    const inQuery = queryNames.size === 0 ? [] : extractFromQuery(request, queryNames);
    const inCookies =
      cookieNames.size === 0 || request.headers.cookie === undefined ? [] : extractFromCookies(request, cookieNames);
    const found: Credential[] = [];
    for (const place of places) {
      if (place.in === 'header') for (const value of extractFromHeader(request, place)) found.push({ place, value });
      else
        for (const { name, value } of place.in === 'query' ? inQuery : inCookies)
          if (name === place.name) found.push({ place, value });
    }
    for (const name of headerNames) delete request.headers[name];
    return found;
  };
}

/** The challenge of a scheme without an error. The one of an API key in a header or in the query has no registered name. */
function plainChallenge({ place: { scheme, name } }: AcceptedScheme, realm: string): string {
  if (scheme === undefined) return `ApiKey realm="${realm}", name="${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const title = scheme[0]!.toUpperCase() + scheme.slice(1);
  return scheme === 'basic' ? `${title} realm="${realm}", charset="UTF-8"` : `${title} realm="${realm}"`;
}

/** The words for a credential: `the API key`, and for those of other authenticators `the credentials`. */
const subjectOf = (schemes: readonly AcceptedScheme[]): 'API key' | 'credentials' =>
  schemes.every(({ authenticator }) => authenticator === undefined) ? 'API key' : 'credentials';

/**
 * The challenges of a 401 (RFC 9110 §11.6.1), one for each authentication scheme; where a bearer token is accepted, the one of
 * Bearer names the violated rule (RFC 6750 §3). Without a key it has no error code, as RFC 6750 requires. Unknown, revoked and
 * expired keys get the same text, so that the response does not reveal whether a key ever existed. Several credentials in
 * one request are not verified at all.
 */
function challenge({ schemes, realm }: Security, credentials: readonly Credential[]): string {
  const bearer = schemes.find(({ place }) => place.scheme === 'bearer');
  // A bearer token is an API key, too: the challenge of Bearer is that of both.
  const others = schemes.filter(
    (scheme) => scheme.place.scheme !== 'bearer' && !(bearer !== undefined && scheme.authenticator === undefined),
  );
  const plain = [...new Set(others.map((scheme) => plainChallenge(scheme, realm)))];
  return [...(bearer === undefined ? [] : [bearerChallenge(schemes, realm, credentials)]), ...plain].join(', ');
}

function bearerChallenge(
  schemes: readonly AcceptedScheme[],
  realm: string,
  credentials: readonly Credential[],
): string {
  const error = (code: string, description: string): string =>
    `Bearer realm="${realm}", error="${code}", error_description="${description}"`;
  const [first, ...others] = credentials;
  if (first === undefined) return `Bearer realm="${realm}"`;
  const subject = subjectOf(schemes);
  const areMany = subject === 'credentials';
  if (others.length === 0)
    return error('invalid_token', `the ${subject} ${areMany ? 'are' : 'is'} unknown, revoked or expired`);
  const distinct = [...new Set(credentials.map(({ place }) => place.words))];
  if (distinct.length === 1)
    return error('invalid_request', `${distinct[0]} was sent ${credentials.length} times: send the ${subject} once`);
  return error(
    'invalid_request',
    `${areMany ? 'credentials were' : 'an API key was'} sent in ${distinct.join(' and in ')}: send ${areMany ? 'them' : 'it'} in only one place`,
  );
}

/** The error for a request whose credentials were rejected: 401, 429 or 503. `security`: what the operation accepts. */
export function authenticationError(
  failure: AuthenticationFailure,
  security: Security,
  credentials: readonly Credential[],
): ServiceError {
  const isKey = subjectOf(security.schemes) === 'API key';
  switch (failure.reason) {
    case 'invalid':
      return new ServiceError(401, `Invalid or missing ${subjectOf(security.schemes)}`, {
        'WWW-Authenticate': challenge(security, credentials),
      });
    case 'failures': {
      const { retryAfter } = failure;
      const wait = { 'Retry-After': String(retryAfter) };
      const what = isKey ? 'API keys' : 'credentials';
      return new ServiceError(429, `too many invalid ${what} from your address; retry in ${retryAfter} s`, wait);
    }
    case 'unavailable':
      return unavailable(`${isKey ? 'API keys' : 'credentials'} cannot be checked at the moment`, 1);
  }
}
