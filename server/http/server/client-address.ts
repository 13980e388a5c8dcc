/** The client address of a request, and the origin by which the client reaches this server. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { TrustProxy } from '../../config/trust-proxy.ts';

/**
 * Returns the test whether the headers of a proxy are trusted. `hop` is its distance from this server; 0 is the
 * connecting address.
 */
const createTrustTest = (trust: Exclude<TrustProxy, 'off'>): ((address: string, hop: number) => boolean) =>
  typeof trust === 'number' ? (_address, hop) => hop < trust : proxyAddr.compile([...trust]);

/** The origin by which a client reaches this server. */
export interface Origin {
  readonly secure: boolean;
  /** The host, and the port unless it is the default port; undefined if the request has no valid one. */
  readonly host: string | undefined;
}

const hostAndPort = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Returns the function that finds the origin of a request: by Host, or by X-Forwarded-Host and X-Forwarded-Proto where
 * a trusted proxy connected. Anyone can send these headers, so they are ignored without trust.
 */
export function createOriginOf(trust: TrustProxy): (request: IncomingMessage) => Origin {
  const isTrustedProxy = trust === 'off' ? () => false : createTrustTest(trust);
  const first = (header: string | string[] | undefined): string | undefined =>
    header?.toString().split(',', 1)[0]?.trim();
  return ({ headers, socket }) => {
    const isTrusted = isTrustedProxy(socket.remoteAddress ?? '', 0);
    const host = (isTrusted ? first(headers['x-forwarded-host']) : undefined) ?? headers.host ?? '';
    const protocol = isTrusted ? first(headers['x-forwarded-proto']) : undefined;
    const secure = protocol === undefined ? 'encrypted' in socket : /^(https|wss)$/i.test(protocol);
    return { secure, host: hostAndPort.test(host) ? host : undefined };
  };
}

/**
 * Returns the function that finds the client address by X-Forwarded-For. It reads the header from the end and returns
 * the first address that is not a trusted proxy. Anyone can send this header, so it is ignored without trust. The
 * result is the empty string if the socket is destroyed.
 */
export function createAddressOf(trust: TrustProxy): (request: IncomingMessage) => string {
  if (trust === 'off') return ({ socket }) => socket.remoteAddress ?? '';
  const isTrustedProxy = createTrustTest(trust);
  return (request) => {
    const addresses = proxyAddr.all(request, isTrustedProxy);
    // Where an element is not an address, the last valid address before it counts: that of the proxy that forwarded it.
    return addresses.findLast((address) => isIP(address ?? '') !== 0) ?? '';
  };
}
