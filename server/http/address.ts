/** The address that a request comes from. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/** `off`: whoever connects is the caller. Otherwise the proxies in front: how many, or their addresses and ranges. */
export type TrustProxy = 'off' | number | readonly string[];

const ranges = ['loopback', 'linklocal', 'uniquelocal'];

/** Reads the names, addresses and ranges of proxies; undefined where one is none. */
export function readProxies(list: readonly string[]): readonly string[] | undefined {
  // proxy-addr also takes what inet_aton does: `1` would be the address 0.0.0.1.
  if (!list.every((text) => ranges.includes(text) || isIP(text.split('/', 1)[0]!) !== 0)) return undefined;
  try {
    proxyAddr.compile([...list]);
    return list;
  } catch {
    return undefined;
  }
}

/**
 * The caller's address by X-Forwarded-For, of which only what trusted proxies wrote is believed: read from its end, the first address
 * that is not one of theirs. Without trust the field, which anyone can send, means nothing. The empty text where the socket is gone.
 */
export function createAddressOf(trust: TrustProxy): (request: IncomingMessage) => string {
  if (trust === 'off') return ({ socket }) => socket.remoteAddress ?? '';
  const trusts = typeof trust === 'number' ? (_address: string, hop: number): boolean => hop < trust : proxyAddr.compile([...trust]);
  return (request) => {
    const addresses = proxyAddr.all(request, trusts);
    // Where something else than an address stands, the last address before it has to do: that of the proxy that let it pass.
    return addresses.findLast((address) => isIP(address ?? '') !== 0) ?? '';
  };
}
