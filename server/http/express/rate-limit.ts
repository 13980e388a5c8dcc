/** The limit of each key, told in the answers. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../../contract/service-error.ts';
import type { ConsumeRateLimit } from '../../keys/rate-limiter.ts';
import './locals.ts';

/** Limits each key, and tells it where it stands. */
export function limitRate(draw: ConsumeRateLimit): RequestHandler {
  return (_request, response, next) => {
    const allowance = draw(response.locals.key!);
    if (allowance === undefined) return next();
    const { allowed, policy, state, retryAfter } = allowance;
    response.set('RateLimit-Policy', policy);
    response.set('RateLimit', state);
    if (allowed) return next();
    const wait = { 'Retry-After': String(retryAfter) };
    throw new ServiceError(429, `the rate limit of this key is used up: try again in ${retryAfter} s`, wait);
  };
}
