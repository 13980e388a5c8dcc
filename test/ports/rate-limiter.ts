/** The behaviour of every adapter of the port RateLimiter. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import type { RateLimit, RateLimitDecision, RateLimiter } from '../../server/ports/rate-limiter.ts';

/** Opens limiters of processes that share the storage of the adapter: one, where the adapter serves one process. */
export type OpenRateLimiters = (defaultLimit: RateLimit | 'off') => Promise<readonly [RateLimiter, ...RateLimiter[]]>;

const hour = 3_600_000;

/** Runs the suite. The clock is `performance.now`, which the suite replaces. */
export function describeRateLimiter(name: string, open: OpenRateLimiters): void {
  async function decide(limiter: RateLimiter, key = unrestrictedKey('k')): Promise<RateLimitDecision> {
    const decision = await limiter.consume(key);
    if (decision === undefined) throw new Error('this key has no limit');
    return decision;
  }

  describe(`${name}:`, () => {
    let now = 1_000;
    beforeEach(() => {
      now = 1_000;
      jest.spyOn(performance, 'now').mockImplementation(() => now);
    });
    afterEach(() => void jest.restoreAllMocks());

    test('allows the limit of requests, then none until the reported time', async () => {
      const [limiter] = await open({ requests: 3, periodMs: 60_000 });
      const key = unrestrictedKey('k');
      const remaining: number[] = [];
      for (let call = 0; call < 3; call++) {
        const decision = await decide(limiter, key);
        expect(decision).toMatchObject({ allowed: true, limit: { requests: 3, periodMs: 60_000 } });
        remaining.push(decision.remaining);
      }
      expect(remaining).toEqual(remaining.toSorted((first, second) => second - first));
      const refused = await decide(limiter, key);
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused.nextInMs).toBeGreaterThan(0);
      expect(refused.fullInMs).toBeLessThanOrEqual(60_000);
      now += refused.nextInMs;
      expect((await decide(limiter, key)).allowed).toBe(true);
      expect((await decide(limiter, key)).allowed).toBe(false);
    });

    test('refills evenly, and never above the limit', async () => {
      const [limiter] = await open({ requests: 4, periodMs: hour });
      const key = unrestrictedKey('k');
      await decide(limiter, key);
      now += 10 * hour;
      let allowed = 0;
      for (let call = 0; call < 9; call++) if ((await decide(limiter, key)).allowed) allowed++;
      expect(allowed).toBe(4);
      now += hour / 2 + 1;
      for (let call = 0; call < 9; call++) if ((await decide(limiter, key)).allowed) allowed++;
      expect(allowed).toBe(6);
    });

    test('limits each key separately, by its own rate or by the default', async () => {
      const [limiter] = await open({ requests: 1, periodMs: hour });
      const [first, second] = [unrestrictedKey('first'), unrestrictedKey('second')];
      const own = { ...unrestrictedKey('own'), rate: { requests: 2, periodMs: hour } };
      expect((await decide(limiter, first)).allowed).toBe(true);
      expect((await decide(limiter, first)).allowed).toBe(false);
      expect((await decide(limiter, second)).allowed).toBe(true);
      for (const allowed of [true, true, false]) expect((await decide(limiter, own)).allowed).toBe(allowed);
      expect((await decide(limiter, own)).limit).toEqual({ requests: 2, periodMs: hour });
    });

    test('has no decision for a key without a limit', async () => {
      const [limited] = await open({ requests: 1, periodMs: hour });
      const [unlimited] = await open('off');
      for (let call = 0; call < 3; call++) {
        expect(await limited.consume({ ...unrestrictedKey('free'), rate: 'off' })).toBeUndefined();
        expect(await unlimited.consume(unrestrictedKey('k'))).toBeUndefined();
      }
      expect(await unlimited.consume({ id: 'own', rate: { requests: 1, periodMs: hour } })).toMatchObject({
        allowed: true,
      });
    });

    test('never allows more than the limit in total, for all processes and concurrent requests', async () => {
      const requests = 100;
      const limiters = await open({ requests, periodMs: hour });
      // Each process has its own object for the key.
      const keys = limiters.map(() => unrestrictedKey('k'));
      const calls = limiters.flatMap((limiter, at) =>
        Array.from({ length: 2 * requests }, () => async () => limiter.consume(keys[at]!)),
      );
      const decisions = await Promise.all(calls.map((call) => call()));
      const allowed = decisions.filter((decision) => decision?.allowed === true).length;
      expect(allowed).toBeLessThanOrEqual(requests);
      // At most one slice of a twentieth stays unused in each process.
      expect(allowed).toBeGreaterThanOrEqual(requests - limiters.length * (requests / 20));
    });
  });
}
