/** The client address of a request, and the origin by which the client reaches this server. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { TrustProxy } from '../../config/trust-proxy.ts';

/**
 * Returns the test whether the headers of a proxy are trusted. `hop` is its distance from this server; 0 is the
 * connecting address.
 */
function createTrustTest(trust: Exclude<TrustProxy, 'off'>): (element: string, hop: number) => boolean {
  if (typeof trust === 'number') return (_element, hop) => hop < trust;
  const isTrusted = proxyAddr.compile([...trust]);
  return (element, hop) => isTrusted(addressIn(element) ?? '', hop);
}

/**
 * The address in an element of X-Forwarded-For, without port, brackets, quotes and zone: Azure Application Gateway and IIS
 * write `203.0.113.7:51234` and `[2001:db8::1]:51234`. Undefined for anything else, such as `unknown` or `_hidden`
 * (RFC 7239 §6). A port of IPv6 without brackets is found only behind all eight groups; behind fewer it reads as one.
 */
function addressIn(element: string): string | undefined {
  const text = element.trim().replace(/^"(.*)"$/s, '$1');
  if (text.length > maxElement) return undefined;
  const host =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (isIP(text) === 0 ? text.replace(/:\d{1,5}$/, '') : text);
  const [address = ''] = host.split('%', 1);
  return isIP(address) === 0 ? undefined : address;
}

/** Longer than any address with a zone, a port, brackets and quotes. */
const maxElement = 100;

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
    const { headers, socket } = request;
    const { 'x-forwarded-for': forwarded = '' } = headers;
    const elements = forwarded === '' ? [] : forwarded.toString().split(',');
    let found = socket.remoteAddress ?? '';
    // Where an element is not an address, also an empty one, the address of the proxy that forwarded it counts: the elements
    // before it are what the caller of that proxy sent.
    for (let hop = 0, element: string | undefined = found; isTrustedProxy(element, hop); hop++) {
      if ((element = elements.pop()) === undefined) break;
      found = addressIn(element) ?? found;
    }
    return found;
  };
}
