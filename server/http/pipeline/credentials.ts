/** Extracts the API keys from a request, and words the errors of rejected keys. */
import type { IncomingMessage } from 'node:http';
import { unescape } from 'node:querystring';
import { ServiceError, unavailable } from '../../contract/service-error.ts';
import type { AuthenticationFailure } from '../../keys/authenticator.ts';
import { setTarget, type Target } from './request-target.ts';

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

/** The possible locations of an API key in a request, as the error description names them. */
export type KeyLocation = 'the query parameter api_key' | 'the header x-api-key' | 'the header Authorization';

/** The API keys of a request, and the location of each. */
export interface Credentials {
  readonly keys: readonly string[];
  readonly locations: readonly KeyLocation[];
}

/**
 * Extracts the API keys from all three locations, and removes them from the URL and the headers, so that no key can
 * reach a log, a metric, an error or a handler. An Authorization header of another scheme is not an API key.
 */
export function extractCredentials(request: RequestWithCredentials): Credentials {
  const keys: string[] = [];
  const locations: KeyLocation[] = [];
  const add = (location: KeyLocation, found: readonly string[]): void => {
    for (const key of found) {
      keys.push(key);
      locations.push(location);
    }
  };
  const bearer = headerValues(request, 'authorization').flatMap((value) => {
    const match = /^bearer(?:[ \t]+(.*))?$/is.exec(value);
    return match === null ? [] : [match[1] ?? ''];
  });
  add('the query parameter api_key', extractFromQuery(request));
  add('the header x-api-key', headerValues(request, 'x-api-key'));
  add('the header Authorization', bearer);
  delete request.headers['x-api-key'];
  delete request.headers.authorization;
  return { keys, locations };
}

/** Extracts the API keys like {@link extractCredentials}, without their locations. */
export const extractKeys = (request: RequestWithCredentials): readonly string[] => extractCredentials(request).keys;

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

/** The error for a request whose API keys, at these locations, were rejected: 401, 429 or 503. */
export function authenticationError(failure: AuthenticationFailure, locations: readonly KeyLocation[]): ServiceError {
  switch (failure.reason) {
    case 'invalid':
      return new ServiceError(401, 'Invalid or missing API key', { 'WWW-Authenticate': challenge(locations) });
    case 'failures': {
      const { retryAfter } = failure;
      const wait = { 'Retry-After': String(retryAfter) };
      return new ServiceError(429, `too many invalid API keys from your address; retry in ${retryAfter} s`, wait);
    }
    case 'unavailable':
      return unavailable('API keys cannot be checked at the moment', 1);
  }
}
