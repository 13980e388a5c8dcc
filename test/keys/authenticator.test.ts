import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createAuthenticator, type AuthenticatorOptions } from '../../server/keys/authenticator.ts';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { networkPrefix } from '../../server/keys/network-prefix.ts';

let time = 0;
let hashed: string[] = [];
const [mine, theirs] = [unrestrictedKey('mine'), unrestrictedKey('theirs')];
const keys: AuthenticatorOptions['keys'] = {
  verify(given) {
    hashed.push(given);
    return given === 'mine' ? mine : given === 'theirs' ? theirs : undefined;
  },
  recordUse({ id }, from) {
    Object.assign((id === 'mine' ? mine : theirs).lastUse, { at: Date.now(), from });
  },
};
const invalid = { reason: 'invalid' };
beforeEach(() => {
  time = 1000;
  hashed = [];
  for (const { lastUse } of [mine, theirs]) Object.assign(lastUse, { at: 0, from: '' });
  jest.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => void jest.restoreAllMocks());

const authenticatorWith = (more: Partial<AuthenticatorOptions> = {}) =>
  createAuthenticator({ keys, failures: { requests: 3, periodMs: 60_000 }, ...more });

test('accepts exactly one valid key, and records its use', () => {
  const authenticate = authenticatorWith();
  for (const presented of [[], [''], ['mine', 'mine'], ['mine', ''], ['nobody']])
    expect(authenticate(presented, 'a')).toEqual(invalid);
  expect(hashed).toEqual(['nobody']);
  expect(mine.lastUse.at).toBe(0);
  const before = Date.now();
  expect(authenticate(['mine'], '192.0.2.1')).toBe(mine);
  expect(mine.lastUse).toEqual({ at: expect.any(Number), from: '192.0.2.1' });
  expect(mine.lastUse.at).toBeGreaterThanOrEqual(before);
  expect(mine.lastUse.at).toBeLessThanOrEqual(Date.now());
});

test('rejects an address after too many invalid keys, for a time, and no other address', () => {
  const blocked: string[] = [];
  const authenticate = authenticatorWith({ onBlocked: (network) => blocked.push(network) });
  for (let guess = 0; guess < 3; guess += 1) expect(authenticate(['x'], '192.0.2.1')).toEqual(invalid);
  expect(authenticate(['x'], '192.0.2.1')).toEqual({ reason: 'failures', retryAfter: 20 });
  expect(authenticate(['mine'], '192.0.2.1')).toEqual({ reason: 'failures', retryAfter: 20 });
  expect(mine.lastUse.at).toBe(0);
  expect(authenticate(['x'], '192.0.2.2')).toEqual(invalid);
  expect(authenticate(['mine'], '192.0.2.2')).toBe(mine);
  time += 20_001;
  expect(authenticate(['x'], '192.0.2.1')).toEqual(invalid);
  expect(authenticate(['x'], '192.0.2.1')).toMatchObject({ reason: 'failures' });
  expect(blocked).toEqual(['192.0.2.1']);
  time += 60_001;
  expect(authenticate(['theirs'], '192.0.2.1')).toBe(theirs);
});

test('accepts a key that was last used from the address or its network', () => {
  const authenticate = authenticatorWith();
  authenticate(['mine'], '2001:db8:0:1::5');
  for (let guess = 0; guess < 9; guess += 1) authenticate(['x'], `2001:db8:0:1::${guess}`);
  expect(authenticate(['theirs'], '2001:db8:0:1::5')).toMatchObject({ reason: 'failures' });
  expect(authenticate(['mine'], '2001:db8:0:1::5')).toBe(mine);
  expect(authenticate(['mine'], '2001:db8:0:1:aaaa::7')).toBe(mine);
});

test('valid keys and requests without a key do not count', () => {
  const authenticate = authenticatorWith();
  for (let call = 0; call < 50; call += 1) {
    expect(authenticate(['mine'], 'a')).toBe(mine);
    expect(authenticate([], 'a')).toEqual(invalid);
  }
  expect(authenticate(['x'], 'a')).toEqual(invalid);
});

test('rejects no address without a limit', () => {
  const authenticate = authenticatorWith({ failures: 'off' });
  for (let guess = 0; guess < 100; guess += 1) expect(authenticate(['x'], 'a')).toEqual(invalid);
  expect(authenticate(['mine'], 'a')).toBe(mine);
});

test('remembers a bounded number of addresses', () => {
  const authenticate = authenticatorWith();
  for (let guess = 0; guess < 4; guess += 1) authenticate(['x'], '192.0.2.1');
  for (let other = 0; other < 10_000; other += 1) authenticate(['x'], `10.0.${other >> 8}.${other & 255}`);
  expect(authenticate(['x'], '192.0.2.1')).toEqual(invalid);
});

test('does not reject or block any caller while the stored keys cannot be read', () => {
  let isReachable = false;
  const authenticate = authenticatorWith({
    keys: {
      ...keys,
      verify(given) {
        if (!isReachable) throw new StoreError('the keys cannot be read');
        return keys.verify(given);
      },
    },
  });
  for (let call = 0; call < 9; call += 1) expect(authenticate(['x'], 'a')).toEqual({ reason: 'unavailable' });
  isReachable = true;
  expect(authenticate(['x'], 'a')).toEqual(invalid);
  expect(authenticate(['mine'], 'a')).toBe(mine);
});

describe('the network of', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('%s is %s', (address, network) => expect(networkPrefix(address)).toBe(network));
});
