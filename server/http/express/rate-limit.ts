/** The rate limit of each API key, reported in the response headers. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/service-error.ts';
import type { ConsumeRateLimit } from '../../keys/rate-limiter.ts';
import './locals.ts';

/** Creates the middleware that consumes a token of the key's bucket and reports the state of the limit. Throws 429. */
export function limitRate(consumeRateLimit: ConsumeRateLimit): RequestHandler {
  return (_request, response, next) => {
    const decision = consumeRateLimit(response.locals.key!);
    if (decision === undefined) return next();
    const { allowed, policy, state, retryAfter } = decision;
    response.set('RateLimit-Policy', policy);
    response.set('RateLimit', state);
    if (allowed) return next();
    const wait = { 'Retry-After': String(retryAfter) };
    throw new ServiceError(429, `rate limit exceeded; retry in ${retryAfter} s`, wait);
  };
}
