/** The addresses that a webhook may have. The name is checked when it is stored, and each address that it resolves to when a socket connects. */
import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkOf } from '../config/urls.ts';
import { badRequest } from '../contract/service-error.ts';
import { checkedLookup, isPublicAddress } from '../upstream/public-lookup.ts';

/** `public`: https to the public internet. `private`: also private networks and this machine, and http. `off`: no webhooks. */
export type WebhookNetworks = 'off' | 'public' | 'private';

/** Metadata services of clouds, which have the credentials of a machine, in private ranges. Link-local ones are refused in any case. */
const metadata = new BlockList();
metadata.addAddress('fd00:ec2::254', 'ipv6');
metadata.addAddress('fd20:ce::254', 'ipv6');
metadata.addAddress('100.100.100.200');

const isMetadata = (address: string): boolean => metadata.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Parses the address of a webhook. Throws 400 for one that is not permitted. */
export function readAddress(text: string, networks: WebhookNetworks): URL {
  if (networks === 'off') throw badRequest("this service sends no webhooks: leave out 'url'");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPrivate = networks === 'private';
  const protocols = isPrivate ? ['https:', 'http:'] : ['https:'];
  if (url === undefined || !protocols.includes(url.protocol))
    throw badRequest(`'url' must be an address that begins with ${isPrivate ? 'https:// or http://' : 'https://'}`);
  if (url.username + url.password !== '') throw badRequest("'url' must not have a user name or a password");
  if (url.hash !== '') throw badRequest("'url' must not have a fragment ('#')");
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const network = isIP(host) !== 0 && isMetadata(host) ? 'none' : networkOf(host);
  if (network === 'none' || (network !== 'public' && !isPrivate))
    throw badRequest(`'url' must name a host ${isPrivate ? 'that webhooks may reach' : 'in the public internet'}`);
  return url;
}

/** The host of a webhook has an address that is not permitted. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** What connections of webhooks may reach. */
export interface AddressGuard {
  /** Parses the address of a webhook. Throws ServiceError 400 for one that is not permitted, also by a later setting. */
  read(text: string): URL;
  /** Whether a socket may be connected to this address. */
  permits(address: string): boolean;
  /** A look-up for sockets. It fails with AddressRefused where one of the addresses of a name is not permitted. */
  readonly lookup: LookupFunction;
}

/** The addresses of a name. Rejects with a system error. */
export type ResolveName = (hostname: string) => Promise<{ address: string; family: number }[]>;

/**
 * Resolves names of the internet without the threads that files use too, so that a name server that does not answer delays nothing else. A
 * name needs one of the two families.
 */
function internetNames(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

/** Names of private networks are often in a file of this machine only. */
const localNames: ResolveName = (hostname) => lookup(hostname, { all: true, verbatim: true });

export function addressGuard(networks: WebhookNetworks, resolveName?: ResolveName): AddressGuard {
  const resolve = resolveName ?? (networks === 'private' ? localNames : internetNames());
  const permits = (address: string): boolean => {
    if (isIP(address) === 0 || networks === 'off') return false;
    if (networks === 'public') return isPublicAddress(address);
    return networkOf(address) !== 'none' && !isMetadata(address);
  };
  return {
    read: (text) => readAddress(text, networks),
    permits,
    lookup: checkedLookup(
      (hostname, done) =>
        void resolve(hostname).then(
          (addresses) => done(null, addresses),
          (error: NodeJS.ErrnoException) => done(error, []),
        ),
      permits,
      () => new AddressRefused(),
    ),
  };
}
