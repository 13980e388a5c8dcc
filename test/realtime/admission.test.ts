import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import type { AuthenticationFailure } from '../../server/keys/authenticator.ts';
import type { AuthenticatedKey } from '../../server/ports/keys.ts';
import { Admission } from '../../server/realtime/admission.ts';
import { defaultLimits } from '../../server/realtime/limits.ts';

const key: AuthenticatedKey = unrestrictedKey('k1');
const other: AuthenticatedKey = unrestrictedKey('k2');

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** An admission with two connections of a key, and three new ones in a minute for each of them. */
function admissionOf(parts: { found?: AuthenticatedKey | AuthenticationFailure; elsewhere?: number } = {}) {
  const { found = key, elsewhere = 0 } = parts;
  const state = { found, elsewhere, isOverloaded: false, asked: [] as unknown[] };
  const admission = new Admission({
    authenticate: (...presented) => (state.asked.push(presented), state.found),
    limits: { ...defaultLimits, connections: 2, connectsPerMinute: 3 },
    connectionsElsewhere: (id) => (id === 'k1' ? state.elsewhere : 0),
    isOverloaded: () => state.isOverloaded,
  });
  return { state, admission, admit: (target = '/ws') => admission.admit(['a', 'b'], '10.0.0.1', target) };
}

describe('a handshake', () => {
  test('of a valid key is admitted, by the keys and the address that it came with', () => {
    const { admit, state } = admissionOf();
    expect(admit()).toBe(key);
    expect(state.asked).toEqual([[['a', 'b'], '10.0.0.1']]);
  });

  test.each<[AuthenticationFailure, string]>([
    [{ reason: 'invalid' }, 'key'],
    [{ reason: 'failures', retryAfter: 3 }, 'rate'],
    [{ reason: 'unavailable' }, 'overload'],
  ])('whose authentication fails with %j is rejected', (found, rejected) => {
    expect(admissionOf({ found }).admit()).toEqual({ rejected });
  });

  test('is rejected for a key without the scope, and for parameters', () => {
    const found: AuthenticatedKey = { ...key, scopes: new Set(['admin']) };
    expect(admissionOf({ found }).admit('/ws?a=1')).toEqual({ rejected: 'scope' });
    expect(admissionOf().admit('/ws?a=1')).toEqual({ rejected: 'parameter' });
  });

  test('is rejected by an overloaded server before it looks at the key', () => {
    const { admit, state } = admissionOf();
    state.isOverloaded = true;
    expect([admit(), state.asked]).toEqual([{ rejected: 'overload' }, []]);
  });

  test('is rejected by a server that stops', () => {
    const { admit, admission } = admissionOf();
    admission.stop();
    expect([admit(), admission.admitKey(other)]).toEqual([{ rejected: 'restart' }, 'restart']);
  });
});

describe('the connections of a key', () => {
  test('are limited, and each key has its own', () => {
    const { admit, admission } = admissionOf();
    admission.opened('k1');
    expect(admit()).toBe(key);
    admission.opened('k1');
    expect(admit()).toEqual({ rejected: 'connections' });
    expect(admission.admitKey(other)).toBeUndefined();
    admission.closed('k1');
    expect(admit()).toBe(key);
  });

  test('in other processes count too', () => {
    const { admit, admission, state } = admissionOf({ elsewhere: 1 });
    expect(admit()).toBe(key);
    admission.opened('k1');
    expect(admit()).toEqual({ rejected: 'connections' });
    state.elsewhere = 0;
    expect(admit()).toBe(key);
  });

  test('are listed while there are any', () => {
    const { admission } = admissionOf();
    for (const id of ['k1', 'k1', 'k2']) admission.opened(id);
    expect(Object.fromEntries(admission.open)).toEqual({ k1: 2, k2: 1 });
    for (const id of ['k1', 'k2', 'k3']) admission.closed(id);
    expect(Object.fromEntries(admission.open)).toEqual({ k1: 1 });
  });
});

describe('new connections', () => {
  test('are limited by minute for each connection that a key may have', () => {
    const { admission } = admissionOf();
    const admitted = (count: number, of = key) => Array.from({ length: count }, () => admission.admitKey(of));
    expect(admitted(6)).toEqual(Array(6).fill(undefined));
    expect(admitted(1)).toEqual(['rate']);
    expect(admitted(1, other)).toEqual([undefined]);
    jest.advanceTimersByTime(10_000);
    expect(admitted(2)).toEqual([undefined, 'rate']);
  });

  test('of tokens count for the key that they were made from', () => {
    const { admission } = admissionOf();
    const tokens = [1, 2].map((n): AuthenticatedKey => ({ ...unrestrictedKey(`t${n}`), issuer: key }));
    const rejections = Array.from({ length: 7 }, (_, n) => admission.admitKey(tokens[n % 2]!));
    expect(rejections).toEqual([...Array(6).fill(undefined), 'rate']);
    expect(admission.admitKey(key)).toBe('rate');
  });
});
