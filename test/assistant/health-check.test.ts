import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import { HealthCheck } from '../../server/assistant/health-check.ts';
import { ProviderError, type Provider } from '../../server/ports/assistant-provider.ts';
import { emptyDisk, memoryStore } from '../ports/reference/store.ts';

const second = 1_000;
const hour = 3_600 * second;

beforeEach(
  () =>
    void jest.useFakeTimers({
      now: Date.UTC(2026, 8, 1),
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'],
    }),
);
afterEach(() => void jest.useRealTimers());

/** A healthCheck of accounts that nothing is known of, with what was asked of them. */
async function probing(ids: string[], answer: () => void) {
  const store = memoryStore(emptyDisk());
  const pool = await openAccountPool({ store, quota: 20, deadlineMs: 60 * second, now: () => Date.now() });
  const probed: string[] = [];
  const warnings: unknown[] = [];
  const provider: Provider = {
    async probe({ id }) {
      probed.push(id);
      answer();
    },
    ask: () => Promise.reject(new Error('nobody asks')),
  };
  const healthCheck = new HealthCheck(pool, provider, {
    info: () => {},
    warn: (about: unknown) => void warnings.push(about),
  });
  for (const id of ids) pool.add({ id }, 'untested');
  healthCheck.start();
  return { pool, store, healthCheck, probed, warnings };
}

test('checks each untested account once, with one question', async () => {
  const { pool, probed, healthCheck } = await probing(['a', 'b', 'c'], () => {});
  await jest.advanceTimersByTimeAsync(hour);
  expect(probed).toEqual(['a', 'b', 'c']);
  expect(pool.status()).toMatchObject({ capable: 3, available: 3, untested: 0, capacity: { used_24h: 3 } });
  await healthCheck.stop();
});

test('does not check an account again after a check by the operator', async () => {
  const { healthCheck, probed } = await probing(['a'], () => {});
  expect(await healthCheck.probe('a')).toBe(true);
  await jest.advanceTimersByTimeAsync(hour);
  expect(probed).toEqual(['a']);
  await healthCheck.stop();
});

test.each([undefined, 0])(
  'checks an account of a busy provider (Retry-After: %s) with growing delays',
  async (retryAfterMs) => {
    const { probed, healthCheck } = await probing(['a'], () => {
      throw new ProviderError('limited', 'status 429', 0, { retryAfterMs });
    });
    await jest.advanceTimersByTimeAsync(29 * second);
    expect(probed.length).toBe(1);
    await jest.advanceTimersByTimeAsync(8 * hour);
    expect(probed.length).toBeGreaterThan(5);
    expect(probed.length).toBeLessThan(20);
    await healthCheck.stop();
  },
);

test('does not check an account if the check cannot be stored, and does not retry at once', async () => {
  const { store, pool, probed, healthCheck, warnings } = await probing([], () => {});
  store.fail();
  pool.add({ id: 'a' }, 'untested');
  await jest.advanceTimersByTimeAsync(59 * second);
  expect([probed.length, warnings.length]).toEqual([0, 1]);
  await jest.advanceTimersByTimeAsync(hour);
  expect([probed.length, warnings.length]).toEqual([0, 61]);
  await healthCheck.stop();
});

test('checks no account after the stop', async () => {
  const { pool, probed, healthCheck } = await probing([], () => {});
  await healthCheck.stop();
  pool.add({ id: 'a' }, 'untested');
  await jest.advanceTimersByTimeAsync(hour);
  expect([await healthCheck.probe('a'), probed]).toEqual([false, []]);
});
