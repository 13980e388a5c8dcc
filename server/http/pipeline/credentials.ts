/** Extracts the API keys from a request, and authenticates the request later. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { unescape } from 'node:querystring';
import { forbidden, ServiceError } from '../../contract/service-error.ts';
import type { Authenticate, AuthenticationFailure } from '../../keys/authenticator.ts';
import { setTarget, type Target } from '../express/canonical-request.ts';
import '../express/locals.ts';

const decode = (part: string): string => unescape(part.replaceAll('+', ' '));

/** The parts of a request that can contain an API key. */
type RequestWithCredentials = Target & Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** Removes every `api_key` from the query and returns the values. */
function extractFromQuery(request: Target): string[] {
  const { url = '' } = request;
  const start = url.indexOf('?');
  if (start < 0) return [];
  const keys: string[] = [];
  const others = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      if (decode(name) !== 'api_key') return true;
      keys.push(equals < 0 ? '' : decode(pair.slice(equals + 1)));
      return false;
    });
  if (keys.length > 0) setTarget(request, url.slice(0, start) + (others.length > 0 ? `?${others.join('&')}` : ''));
  return keys;
}

/** All values of a header. `request.headers` joins some repeated headers and drops others. */
const headerValues = (request: RequestWithCredentials, name: string): readonly string[] =>
  request.headersDistinct[name] ?? [];

/** Where a request can contain an API key, as the error description names it. */
export type KeyLocation = 'the query parameter api_key' | 'the header x-api-key' | 'the header Authorization';
/** An API key of a request, and its location. */
export interface PresentedKey {
  readonly key: string;
  readonly location: KeyLocation;
}

/**
 * Extracts the API keys from all three locations, and removes them from the URL and the headers, so that no key can
 * reach a log, a metric, an error or a handler. An Authorization header of another scheme is not an API key.
 */
export function extractPresentedKeys(request: RequestWithCredentials): PresentedKey[] {
  const bearer = headerValues(request, 'authorization').flatMap(
    (value) => /^bearer(?:[ \t]+(.*))?$/is.exec(value)?.slice(1, 2) ?? [],
  );
  const withLocation = (location: KeyLocation, keys: readonly (string | undefined)[]): PresentedKey[] =>
    keys.map((key = '') => ({ key, location }));
  const presented = [
    ...withLocation('the query parameter api_key', extractFromQuery(request)),
    ...withLocation('the header x-api-key', headerValues(request, 'x-api-key')),
    ...withLocation('the header Authorization', bearer),
  ];
  delete request.headers['x-api-key'];
  delete request.headers.authorization;
  return presented;
}

/** Extracts the API keys like {@link extractPresentedKeys}, without their locations. */
export const extractKeys = (request: RequestWithCredentials): string[] =>
  extractPresentedKeys(request).map(({ key }) => key);

/** Stores the API keys in the locals for requireKey. */
export const extractCredentials: RequestHandler = (request, response, next) => {
  const presented = extractPresentedKeys(request);
  response.locals.credentials = presented.map(({ key }) => key);
  response.locals.keyLocations = presented.map(({ location }) => location);
  next();
};

/**
 * Accepts a request that has exactly one valid API key. Every other request gets the same 401 before any other check;
 * the challenge follows RFC 6750 §3. The status is 429 where the address sent too many invalid keys.
 */
export function requireKey(
  authenticate: Authenticate,
  addressOf: (request: IncomingMessage) => string,
): RequestHandler {
  return (request, response, next) => {
    const result = authenticate(response.locals.credentials, addressOf(request));
    if ('reason' in result) throw authenticationError(result, response.locals.keyLocations);
    response.locals.key = result;
    response.locals.keyId = result.id;
    next();
  };
}

/**
 * The challenge of a 401 (RFC 6750 §3), which names the violated rule. Without a key it has no error code, as RFC 6750
 * requires. Unknown, revoked and expired keys get the same text, so that the response does not reveal whether a key
 * ever existed. Several keys in one request are not verified at all.
 */
function challenge(locations: readonly KeyLocation[]): string {
  const realm = 'Bearer realm="social-data"';
  const error = (code: string, description: string): string =>
    `${realm}, error="${code}", error_description="${description}"`;
  const [first, ...others] = locations;
  if (first === undefined) return realm;
  if (others.length === 0) return error('invalid_token', 'the API key is unknown, revoked or expired');
  const distinct = [...new Set(locations)];
  if (distinct.length === 1)
    return error('invalid_request', `${first} was sent ${locations.length} times: send the API key once`);
  return error('invalid_request', `an API key was sent in ${distinct.join(' and in ')}: send it in only one place`);
}

/** The error for a request whose API keys, at these locations, were rejected. */
export function authenticationError(failure: AuthenticationFailure, locations: readonly KeyLocation[]): ServiceError {
  if (failure.reason === 'invalid') {
    return new ServiceError(401, 'Invalid or missing API key', { 'WWW-Authenticate': challenge(locations) });
  }
  const { retryAfter } = failure;
  const wait = { 'Retry-After': String(retryAfter) };
  return new ServiceError(429, `too many invalid API keys from your address; retry in ${retryAfter} s`, wait);
}

/** Accepts a request whose API key has the scope. Throws 403 otherwise. */
export function requireScope(scope: string): RequestHandler {
  const error = forbidden(scope);
  return (_request, response, next) => {
    if ((response.locals.key!.scopes as ReadonlySet<string>).has(scope)) next();
    else next(error);
  };
}
