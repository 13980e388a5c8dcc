/** Guards requests to configured hosts: a DNS answer must not lead into a private network. */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Address ranges that are not public (IANA special-purpose registries). */
const ranges = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // `::/96` and `::ffff:0:0:0/96` are old forms of IPv4 addresses, `2001::/32` and `2002::/16` tunnels to them.
  ipv6: [
    ...['::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48', '100::/64', '2001::/32', '2002::/16', 'fc00::/7', 'fe80::/10'],
    ...['fec0::/10', 'ff00::/8'],
  ],
} as const;

const notPublic = new BlockList();
for (const family of ['ipv4', 'ipv6'] as const) {
  for (const range of ranges[family]) {
    const [address = '', bits] = range.split('/');
    notPublic.addSubnet(address, Number(bits), family);
  }
}

/** The IPv4 address in an IPv6 address of NAT64 (`64:ff9b::/96`, RFC 6052), by which a network without IPv4 reaches it. */
function translatedAddress(address: string): string | undefined {
  // As the URL parser writes it: the zeros are one `::`.
  const text = URL.canParse(`http://[${address}]`) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : '';
  const [, high = '0', low] = /^64:ff9b::(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/.exec(text) ?? [];
  if (low === undefined) return undefined;
  const [first, last] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, last >> 8, last & 255].join('.');
}

/** Whether an address is in the public internet. IPv6 forms of IPv4 addresses count as these. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || notPublic.check(address, version === 4 ? 'ipv4' : 'ipv6')) return false;
  const translated = version === 6 ? translatedAddress(address) : undefined;
  return translated === undefined || isPublicAddress(translated);
}

/** Resolves a name to its addresses, as `lookup` of node:dns does with `all`. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

const systemResolve: Resolve = (hostname, done) => lookup(hostname, { all: true, verbatim: true }, done);

/**
 * A look-up function for sockets to a configured host (the host of a URL). It fails when one of the addresses is not public.
 * Undefined for a host that is an address or `localhost`: there the operator chose the address.
 */
export function publicLookup(host: string, resolve: Resolve = systemResolve): LookupFunction | undefined {
  const name = host.replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0 || name === 'localhost') return undefined;
  const refusal = (hostname: string): Error => new Error(`${hostname} has an address in a private network`);
  return checkedLookup(resolve, isPublicAddress, refusal);
}

/** A look-up function for sockets. It fails with what `refusal` returns where one of the addresses of a name is not permitted. */
export const checkedLookup =
  (resolve: Resolve, permits: (address: string) => boolean, refusal: (hostname: string) => Error): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => permits(address)))
        return done(refusal(hostname), '', 0);
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
