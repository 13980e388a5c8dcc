import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import { createTokenBucket } from '../../server/keys/token-bucket.ts';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { readRate } from '../../server/text/rate.ts';

let time = 0;
beforeEach(() => {
  time = 5;
  jest.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => void jest.restoreAllMocks());

test.each([
  [3, 1000],
  [7, 1000],
  [100, 60_000],
  [6000, 60_000],
])('a bucket of %i per %i ms allows a full burst, then refills evenly', (requests, periodMs) => {
  const bucket = createTokenBucket({ requests, periodMs });
  for (let left = requests - 1; left >= 0; left -= 1)
    expect(bucket.consume()).toMatchObject({ allowed: true, remaining: left });
  expect(bucket.consume()).toMatchObject({ allowed: false, remaining: 0, fullInMs: periodMs });
  for (let round = 0; round < 5; round += 1) {
    time += bucket.consume().nextInMs;
    expect(bucket.consume().allowed).toBe(true);
    expect(bucket.consume().allowed).toBe(false);
  }
  time += periodMs * 10;
  expect(bucket.peek()).toMatchObject({ allowed: true, remaining: requests, fullInMs: 0, nextInMs: 0 });
  expect(bucket.consume().remaining).toBe(requests - 1);
});

test('a bucket never allows more than the limit plus the refill', () => {
  const bucket = createTokenBucket({ requests: 10, periodMs: 1000 });
  let given = 0;
  for (let step = 0; step < 5000; step += 1) {
    time += (step * 7919) % 23;
    if (bucket.consume().allowed) given += 1;
    expect(given).toBeLessThanOrEqual(10 + time / 100 + 1e-6);
  }
});

test('reading the state consumes nothing', () => {
  const bucket = createTokenBucket({ requests: 2, periodMs: 1000 });
  for (let look = 0; look < 5; look += 1) expect(bucket.peek()).toMatchObject({ allowed: true, remaining: 2 });
});

test('each key has a bucket with its own or the default rate', () => {
  const limiter = new LocalRateLimiter({ requests: 2, periodMs: 60_000 });
  const [usual, other] = [unrestrictedKey('usual'), unrestrictedKey('other')];
  const [own, free] = [
    { ...unrestrictedKey('own'), rate: readRate('10/1h') },
    { ...unrestrictedKey('free'), rate: readRate('off') },
  ];
  expect(limiter.consume(usual)).toEqual({
    allowed: true,
    limit: { requests: 2, periodMs: 60_000 },
    remaining: 1,
    fullInMs: 30_000,
    nextInMs: 0,
  });
  expect(limiter.consume(usual)).toMatchObject({ allowed: true, remaining: 0, fullInMs: 60_000 });
  expect(limiter.consume(usual)).toMatchObject({ allowed: false, nextInMs: expect.closeTo(30_000, 1) });
  expect(limiter.consume(other)).toMatchObject({ allowed: true });
  expect(limiter.consume(own)).toMatchObject({ limit: { requests: 10, periodMs: 3_600_000 }, remaining: 9 });
  expect(limiter.consume(free)).toBeUndefined();
  expect(new LocalRateLimiter('off').consume(usual)).toBeUndefined();
  expect(new LocalRateLimiter('off').consume(own)).toMatchObject({ allowed: true });
});
