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

/** What a key may still ask for, as the RateLimit fields of the IETF draft tell it (draft-ietf-httpapi-ratelimit-headers). */
export interface Allowance {
  readonly allowed: boolean;
  /** The field RateLimit-Policy. */
  readonly policy: string;
  /** The field RateLimit: `r` requests left, full again in `t` seconds. */
  readonly state: string;
  /** Seconds until there is a request to take, at least 1; only to be told where none is left. */
  readonly retryAfter: number;
}

/** Draws a request of a key; undefined where there is no limit. */
export type DrawAllowance = (keyId: string) => Allowance | undefined;

/** Buckets of one size for all keys. */
export function createAllowances(limit: RateLimit | 'off'): DrawAllowance {
  if (limit === 'off') return () => undefined;
  const draw = createBuckets(limit);
  const policy = `"default";q=${limit.requests};w=${Math.ceil(limit.periodMs / 1000)}`;
  return (keyId) => {
    const { allowed, remaining, fullInMs, nextInMs } = draw(keyId);
    return { allowed, policy, state: `"default";r=${remaining};t=${seconds(fullInMs)}`, retryAfter: seconds(nextInMs) };
  };
}

/** Limits each key, and tells it where it stands. */
export function limitRate(draw: DrawAllowance): RequestHandler {
  return (_request, response, next) => {
    const allowance = draw(response.locals.keyId!);
    if (allowance === undefined) return next();
    const { allowed, policy, state, retryAfter } = allowance;
    response.set('RateLimit-Policy', policy);
    response.set('RateLimit', state);
    if (allowed) return next();
    throw new ServiceError(429, `the rate limit of this key is used up: try again in ${retryAfter} s`, { 'Retry-After': String(retryAfter) });
  };
}
