/** The addresses that webhooks may have: no address in another writing, and no name, leads into a private network. */
import { describe, expect, test } from '@jest/globals';
import {
  addressGuard,
  AddressRefused,
  readAddress,
  type WebhookNetworks,
} from '../../server/alerts/webhook-address.ts';
import { isPublicAddress } from '../../server/upstream/public-lookup.ts';

const error = (text: string, networks: WebhookNetworks): string | undefined => {
  try {
    readAddress(text, networks);
    return undefined;
  } catch (thrown) {
    expect(thrown).toMatchObject({ status: 400 });
    return (thrown as Error).message;
  }
};

/** Addresses of private networks and of this machine, in all writings that URLs permit. */
const internal = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1'],
  ...[
    '[::ffff:10.0.0.1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer',
    'db.internal',
  ],
  ...['nas.local', 'router.lan', '①②⑦.⓪.⓪.①'],
];
/** Addresses that no webhook has. */
const unreachable = [
  ...['0.0.0.0', '0', '169.254.169.254', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[fe80::1]', '[::]'],
  ...['224.0.0.1', '255.255.255.255', '[ff02::1]', '[::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::7f00:1]'],
  ...[
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '[2001:0:7f00:1::]',
    '[fec0::1]',
    '[::ffff:0:127.0.0.1]',
    '192.0.0.8',
    '198.18.0.1',
    '240.0.0.1',
  ],
];

describe('an address', () => {
  test.each([...internal, ...unreachable])('of %s is refused by default', (host) => {
    expect(error(`https://${host}/hook`, 'public')).toBe("'url' must name a host in the public internet");
  });
  test.each(internal)('of %s is permitted with WEBHOOKS=private, also by http', (host) => {
    expect(error(`http://${host}/hook`, 'private')).toBeUndefined();
  });
  test.each(unreachable)('of %s is refused with WEBHOOKS=private, too', (host) => {
    expect(error(`http://${host}/hook`, 'private')).toBe("'url' must name a host that webhooks may reach");
  });
  test.each(['https://hooks.example.com/a?b=c', 'https://93.184.215.14:8443/', 'https://[2606:2800:21f::1]/'])(
    '%s is permitted',
    (text) => expect(error(text, 'public')).toBeUndefined(),
  );
  test.each([
    ['http://hooks.example.com/', /begins with https:\/\//],
    ['ftp://hooks.example.com/', /begins with https:\/\//],
    ['file:///etc/passwd', /begins with https:\/\//],
    ['javascript:alert(1)', /begins with https:\/\//],
    ['hooks.example.com', /begins with https:\/\//],
    ['https://', /begins with https:\/\//],
    ['https://ada:pass@hooks.example.com/', /user name/],
    ['https://hooks.example.com/#a', /fragment/],
    ['https://hooks.example.com:99999/', /begins with https:\/\//],
  ])('%s is refused', (text, message) => expect(error(text, 'public')).toMatch(message));
  test('is refused where the operator permits none', () =>
    expect(error('https://hooks.example.com/', 'off')).toBe("this service sends no webhooks: leave out 'url'"));
});

describe('a look-up', () => {
  const look = (addresses: readonly string[], networks: WebhookNetworks = 'public'): Promise<unknown> =>
    new Promise((resolve) => {
      const guard = addressGuard(networks, async () => addresses.map((address) => ({ address, family: 4 })));
      guard.lookup('name.example', { all: true }, (fault, found) => resolve(fault ?? found));
    });
  test('gives public addresses', async () =>
    expect(await look(['93.184.215.14'])).toEqual([{ address: '93.184.215.14', family: 4 }]));
  test.each([['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['::ffff:169.254.169.254'], ['64:ff9b::a9fe:a9fe'], []])(
    'fails for %s %s',
    async (...addresses: string[]) => expect(await look(addresses)).toBeInstanceOf(AddressRefused),
  );
  test.each(['100.100.100.200', 'fd00:ec2::254', '169.254.169.254'])(
    'fails for the metadata of a cloud, %s, in private networks',
    async (address) => expect(await look([address], 'private')).toBeInstanceOf(AddressRefused),
  );
});

test('an address of NAT64 counts as the IPv4 address in it', () => {
  expect(isPublicAddress('64:ff9b::93.184.215.14')).toBe(true);
  expect(isPublicAddress('64:ff9b::5db8:d70e')).toBe(true);
  expect(isPublicAddress('64:ff9b::1')).toBe(false);
  expect(isPublicAddress('64:ff9b::10.0.0.1')).toBe(false);
});
