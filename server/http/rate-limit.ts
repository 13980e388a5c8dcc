/** A token bucket for each key. */
import type { RequestHandler } from 'express';
import { ServiceError } from '../errors.ts';
import './locals.ts';

/** `requests` at once, refilled evenly over `periodMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly periodMs: number;
}

export interface Draw {
  readonly allowed: boolean;
  /** Whole requests left now. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full again. */
  readonly fullInMs: number;
  /** Milliseconds until there is a request to take; 0 while some are left. */
  readonly nextInMs: number;
}

/** Refilling adds fractions, whose rounding errors must not cost a request that is due. */
const rounding = 1e-9;

/** Buckets by name, full at first. `now` is a clock in milliseconds that never goes back. */
export function createBuckets(limit: RateLimit, now: () => number = () => performance.now()): (name: string) => Draw {
  const { requests, periodMs } = limit;
  const buckets = new Map<string, { tokens: number; at: number }>();
  const msPerToken = periodMs / requests;
  return (name) => {
    const time = now();
    const bucket = buckets.get(name) ?? { tokens: requests, at: time };
    bucket.tokens = Math.min(requests, bucket.tokens + (time - bucket.at) / msPerToken);
    bucket.at = time;
    const allowed = bucket.tokens + rounding >= 1;
    if (allowed) bucket.tokens -= 1;
    buckets.set(name, bucket);
    return {
      allowed,
      remaining: Math.max(0, Math.floor(bucket.tokens + rounding)),
      fullInMs: (requests - bucket.tokens) * msPerToken,
      nextInMs: Math.max(0, (1 - bucket.tokens) * msPerToken),
    };
  };
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000 - rounding));

/**
 * Limits each key, and tells it where it stands in the RateLimit fields of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers): `r` requests left, full again in `t` seconds.
 */
export function limitRate(limit: RateLimit | 'off'): RequestHandler {
  if (limit === 'off') return (_request, _response, next) => next();
  const draw = createBuckets(limit);
  const policy = `"default";q=${limit.requests};w=${Math.ceil(limit.periodMs / 1000)}`;
  return (_request, response, next) => {
    const { allowed, remaining, fullInMs, nextInMs } = draw(response.locals.keyId!);
    response.set('RateLimit-Policy', policy);
    response.set('RateLimit', `"default";r=${remaining};t=${seconds(fullInMs)}`);
    if (allowed) return next();
    const wait = seconds(nextInMs);
    throw new ServiceError(429, `the rate limit of this key is used up: try again in ${wait} s`, { 'Retry-After': String(wait) });
  };
}
