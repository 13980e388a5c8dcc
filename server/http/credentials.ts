/** The API key of a request: taken out of it first, checked later. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { unescape } from 'node:querystring';
import { forbidden, ServiceError } from '../errors.ts';
import type { Entrance, Refusal } from '../keys/entrance.ts';
import { setTarget, type Target } from './canonical.ts';
import './locals.ts';

const decode = (part: string): string => unescape(part.replaceAll('+', ' '));

/** All of a request in which a key may be. */
type Presenting = Target & Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** Takes every `api_key` out of the query and returns the values. */
function takeFromQuery(request: Target): string[] {
  const { url = '' } = request;
  const start = url.indexOf('?');
  if (start < 0) return [];
  const keys: string[] = [];
  const others = url.slice(start + 1).split('&').filter((pair) => {
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

/**
 * Collects the keys that the request presents, in all three ways, and takes them out of the URL and the headers: what is no
 * longer there cannot reach a log, a metric, an error or a handler. An Authorization of another scheme is not a key.
 */
export function takeKeys(request: Presenting): string[] {
  const bearer = sent(request, 'authorization').flatMap((value) => /^bearer(?:[ \t]+(.*))?$/is.exec(value)?.slice(1, 2) ?? []);
  const keys = [...takeFromQuery(request), ...sent(request, 'x-api-key'), ...bearer.map((key) => key ?? '')];
  delete request.headers['x-api-key'];
  delete request.headers.authorization;
  return keys;
}

/** Keeps them aside for requireKey. */
export const takeCredentials: RequestHandler = (request, response, next) => {
  response.locals.credentials = takeKeys(request);
  next();
};

/**
 * Lets a request pass that presented exactly one key, once, that is valid. All others are told the same 401, before anything
 * else about the request is told; the challenge follows RFC 6750 §3. Where too many wrong keys came from the address it is 429.
 */
export function requireKey(enter: Entrance, addressOf: (request: IncomingMessage) => string): RequestHandler {
  return (request, response, next) => {
    const entered = enter(response.locals.credentials, addressOf(request));
    if ('refused' in entered) throw refusal(entered);
    response.locals.key = entered;
    response.locals.keyId = entered.id;
    next();
  };
}

/** What is told to who may not come in. */
export function refusal(refused: Refusal): ServiceError {
  if (refused.refused === 'invalid') {
    return new ServiceError(401, 'Invalid or missing API key', { 'WWW-Authenticate': 'Bearer realm="social-data"' });
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
