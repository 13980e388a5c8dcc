import { describe, expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import type { TrustProxy } from '../../server/config/trust-proxy.ts';
import { createAddressOf } from '../../server/http/server/client-address.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';

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

  test.each([
    '203.0.113.9:51234',
    '  203.0.113.9:1\t',
    '"203.0.113.9:51234"',
    '::ffff:203.0.113.9',
    '[::ffff:203.0.113.9]:443',
    '::ffff:203.0.113.9:443',
  ])('is found in %j, whatever the port', (element) => {
    for (const trust of [1, ['loopback']] as const)
      expect(createAddressOf(trust)(from('127.0.0.1', `6.6.6.6, ${element}`)).replace('::ffff:', '')).toBe(
        '203.0.113.9',
      );
  });

  test.each([
    '[2001:db8::5]:51234',
    '[2001:db8::5]',
    '2001:db8::5',
    '"[2001:db8::5]:8"',
    '2001:db8::5%eth0',
    '[2001:db8::5%25eth0]:7',
  ])('is found in %j', (element) => {
    for (const trust of [1, ['loopback']] as const)
      expect(createAddressOf(trust)(from('::1', `6.6.6.6,${element}`))).toBe('2001:db8::5');
  });

  test('is found behind trusted proxies that are written with ports', () => {
    const header = '6.6.6.6:1, 203.0.113.9:2, 10.0.0.3:3,[::ffff:10.0.0.2]:4';
    expect(createAddressOf(['10.0.0.0/8'])(from('10.0.0.1', header))).toBe('203.0.113.9');
    expect(createAddressOf(3)(from('10.0.0.1', header))).toBe('203.0.113.9');
    expect(createAddressOf(['2001:db8::/64'])(from('2001:db8::1', '203.0.113.9, 2001:db8:0:0:0:0:0:2:80'))).toBe(
      '203.0.113.9',
    );
  });

  test.each([
    'unknown',
    '_hidden',
    '',
    ' ',
    'unix:',
    'client.example',
    'client.example:80',
    '203.0.113.9:',
    '203.0.113.9:port',
    '203.0.113.9:123456',
    '203.0.113',
    '010.0.0.1',
    '[203.0.113.9',
    '203.0.113.9]',
    '[]',
    '[]:80',
    '""',
    '"',
    ':80',
    '%',
    '203.0.113.9 198.51.100.7',
    '203.0.113.9;proto=https',
    'for=203.0.113.9',
    `${'9'.repeat(2_000)}:80`,
  ])('is the proxy that forwarded %j: what stands before it is not believed', (element) => {
    for (const trust of [1, ['loopback']] as const)
      for (const before of ['6.6.6.6,', '6.6.6.6:80, ', ''])
        expect(createAddressOf(trust)(from('127.0.0.1', `${before}${element}`))).toBe('127.0.0.1');
  });

  test('is undefined for a closed socket', () => {
    expect(createAddressOf('off')(from(undefined))).toBe('');
    expect(createAddressOf(['loopback'])(from(undefined, '203.0.113.9'))).toBe('');
  });
});

test('a caller behind a proxy that writes ports is limited alone', async () => {
  const folder = await temporaryFolder();
  const key = 'a-key-behind-a-proxy';
  const server = await startLocalServer(folder.path, { API_KEYS: key, TRUST_PROXY: 'loopback', DEMO: '0' });
  const statusOf = async (address: string, apiKey: string): Promise<number> => {
    const headers = { 'x-api-key': apiKey, 'x-forwarded-for': address };
    return (await fetch(`${server.url}/social/assistant/status`, { headers })).status;
  };
  try {
    const statuses = [];
    for (let call = 0; call < 80; call++) statuses.push(await statusOf(`203.0.113.7:${50_000 + call}`, `bad${call}`));
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(await statusOf('203.0.113.7:9', key)).toBe(429);
    for (const other of ['198.51.100.9:5000', '[2001:db8::7]:51234', 'unknown', ''])
      expect(await statusOf(other, key)).toBe(200);
  } finally {
    await server.end();
    await folder.dispose();
  }
});
