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

/** Whether an address, at so many hops from this server (0: what connected to it), is a proxy whose headers are believed. */
const trusting = (trust: Exclude<TrustProxy, 'off'>): ((address: string, hop: number) => boolean) =>
  typeof trust === 'number' ? (_address, hop) => hop < trust : proxyAddr.compile([...trust]);

/** Where a caller reaches this server. */
export interface Origin {
  readonly secure: boolean;
  /** Host, and the port where it is not the usual one; undefined where the request has none that can be. */
  readonly host: string | undefined;
}

const hostAndPort = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Where the caller of a request reaches this server: by Host, or by X-Forwarded-Host and X-Forwarded-Proto where a trusted proxy
 * connected. Without trust these fields, which anyone can send, mean nothing.
 */
export function createOriginOf(trust: TrustProxy): (request: IncomingMessage) => Origin {
  const trusts = trust === 'off' ? () => false : trusting(trust);
  const first = (header: string | string[] | undefined): string | undefined =>
    header?.toString().split(',', 1)[0]?.trim();
  return ({ headers, socket }) => {
    const isTrusted = trusts(socket.remoteAddress ?? '', 0);
    const host = (isTrusted ? first(headers['x-forwarded-host']) : undefined) ?? headers.host ?? '';
    const protocol = isTrusted ? first(headers['x-forwarded-proto']) : undefined;
    const secure = protocol === undefined ? 'encrypted' in socket : /^(https|wss)$/i.test(protocol);
    return { secure, host: hostAndPort.test(host) ? host : undefined };
  };
}

/**
 * The caller's address by X-Forwarded-For, of which only what trusted proxies wrote is believed: read from its end, the first address
 * that is not one of theirs. Without trust the field, which anyone can send, means nothing. The empty text where the socket is gone.
 */
export function createAddressOf(trust: TrustProxy): (request: IncomingMessage) => string {
  if (trust === 'off') return ({ socket }) => socket.remoteAddress ?? '';
  const trusts = trusting(trust);
  return (request) => {
    const addresses = proxyAddr.all(request, trusts);
    // Where something else than an address stands, the last address before it has to do: that of the proxy that let it pass.
    return addresses.findLast((address) => isIP(address ?? '') !== 0) ?? '';
  };
}
