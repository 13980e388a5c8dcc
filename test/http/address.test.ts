import { describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import type { TrustProxy } from '../../server/config/trust-proxy.ts';
import { createAddressOf } from '../../server/http/server/client-address.ts';

const from = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

describe('the caller of a request', () => {
  test.each<[string, TrustProxy, string, string | undefined, string]>([
    ['is the peer without TRUST_PROXY, for any header', 'off', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['is the client of the only proxy', 1, '10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['is the client of the outer of two proxies', 2, '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['is the proxy that forwards nothing', 1, '10.0.0.1', undefined, '10.0.0.1'],
    [
      'is the first that is not a trusted proxy',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '6.6.6.6, 203.0.113.9, 10.0.0.2',
      '203.0.113.9',
    ],
    ['is the peer if it is not a trusted proxy', ['10.0.0.0/8'], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['is found where IPv4 is written as IPv6', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is the proxy if its header has no valid address', ['loopback'], '127.0.0.1', 'x'.repeat(500), '127.0.0.1'],
    ['is found by name of a range', ['loopback'], '::1', '2001:db8::5', '2001:db8::5'],
  ])('%s', (_what, trust, remote, forwarded, expected) => {
    expect(createAddressOf(trust)(from(remote, forwarded))).toBe(expected);
  });

  test('is undefined for a closed socket', () => {
    expect(createAddressOf('off')(from(undefined))).toBe('');
    expect(createAddressOf(['loopback'])(from(undefined, '203.0.113.9'))).toBe('');
  });
});
