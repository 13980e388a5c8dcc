/** The API key of a request: taken out of it first, checked later. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { unescape } from 'node:querystring';
import { forbidden, ServiceError } from '../../contract/service-error.ts';
import type { Authenticate, AuthenticationFailure } from '../../keys/authenticator.ts';
import { setTarget, type Target } from '../express/canonical-request.ts';
import '../express/locals.ts';

const decode = (part: string): string => unescape(part.replaceAll('+', ' '));

/** All of a request in which a key may be. */
type Presenting = Target & Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** Takes every `api_key` out of the query and returns the values. */
function takeFromQuery(request: Target): string[] {
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

/** The values of a header, each time it was sent: `request.headers` joins some repeated headers and drops others. */
const sent = (request: Presenting, name: string): readonly string[] => request.headersDistinct[name] ?? [];

/** A place in a request that a key may stand in, as the description of an error names it. */
export type KeyPlace = 'the query parameter api_key' | 'the header x-api-key' | 'the header Authorization';
/** A key that a request presents, and where it stood. */
export interface PresentedKey {
  readonly key: string;
  readonly place: KeyPlace;
}

/**
 * Collects the keys that the request presents, in all three ways, and takes them out of the URL and the headers: what is no
 * longer there cannot reach a log, a metric, an error or a handler. An Authorization of another scheme is not a key.
 */
export function takePresentedKeys(request: Presenting): PresentedKey[] {
  const bearer = sent(request, 'authorization').flatMap(
    (value) => /^bearer(?:[ \t]+(.*))?$/is.exec(value)?.slice(1, 2) ?? [],
  );
  const at = (place: KeyPlace, keys: readonly (string | undefined)[]): PresentedKey[] =>
    keys.map((key = '') => ({ key, place }));
  const presented = [
    ...at('the query parameter api_key', takeFromQuery(request)),
    ...at('the header x-api-key', sent(request, 'x-api-key')),
    ...at('the header Authorization', bearer),
  ];
  delete request.headers['x-api-key'];
  delete request.headers.authorization;
  return presented;
}

/** The same without the places, for those who only judge the keys. */
export const extractKeys = (request: Presenting): string[] => takePresentedKeys(request).map(({ key }) => key);

/** Keeps them aside for requireKey. */
export const extractCredentials: RequestHandler = (request, response, next) => {
  const presented = takePresentedKeys(request);
  response.locals.credentials = presented.map(({ key }) => key);
  response.locals.keyPlaces = presented.map(({ place }) => place);
  next();
};

/**
 * Lets a request pass that presented exactly one key, once, that is valid. All others are told the same 401, before anything
 * else about the request is told; the challenge follows RFC 6750 §3. Where too many wrong keys came from the address it is 429.
 */
export function requireKey(enter: Authenticate, addressOf: (request: IncomingMessage) => string): RequestHandler {
  return (request, response, next) => {
    const entered = enter(response.locals.credentials, addressOf(request));
    if ('reason' in entered) throw authenticationError(entered, response.locals.keyPlaces);
    response.locals.key = entered;
    response.locals.keyId = entered.id;
    next();
  };
}

/**
 * The challenge of a 401 (RFC 6750 §3), which names the broken rule. Without a key it has no error code, as RFC 6750 asks. A key that is
 * unknown, one that was revoked and one that has expired get the same words, so that nobody learns whether a key ever existed; keys that
 * are sent together are not looked up at all.
 */
function challenge(places: readonly KeyPlace[]): string {
  const realm = 'Bearer realm="social-data"';
  const error = (code: string, description: string): string =>
    `${realm}, error="${code}", error_description="${description}"`;
  const [first, ...others] = places;
  if (first === undefined) return realm;
  if (others.length === 0) return error('invalid_token', 'the API key is unknown, revoked or expired');
  const distinct = [...new Set(places)];
  if (distinct.length === 1)
    return error('invalid_request', `${first} was sent ${places.length} times: send the API key once`);
  return error('invalid_request', `an API key was sent in ${distinct.join(' and in ')}: send it in only one place`);
}

/** The error for a caller whose keys, which stood in these places, were refused. */
export function authenticationError(refused: AuthenticationFailure, places: readonly KeyPlace[]): ServiceError {
  if (refused.reason === 'invalid') {
    return new ServiceError(401, 'Invalid or missing API key', { 'WWW-Authenticate': challenge(places) });
  }
  const { retryAfter } = refused;
  const wait = { 'Retry-After': String(retryAfter) };
  return new ServiceError(429, `too many wrong API keys came from your address: try again in ${retryAfter} s`, wait);
}

/** Lets a request pass whose key was made for this. */
export function requireScope(scope: string): RequestHandler {
  const refused = forbidden(scope);
  return (_request, response, next) => {
    if ((response.locals.key!.scopes as ReadonlySet<string>).has(scope)) next();
    else next(refused);
  };
}
