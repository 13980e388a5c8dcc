/** The setting of trusted proxies. */
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';

/**
 * `off`: the connecting address is the client. Otherwise the trusted proxies: their number, or their addresses and
 * ranges.
 */
export type TrustProxy = 'off' | number | readonly string[];

const ranges = ['loopback', 'linklocal', 'uniquelocal'];

/** Parses the names, addresses and ranges of proxies; undefined if one is invalid. */
export function readProxies(list: readonly string[]): readonly string[] | undefined {
  // proxy-addr also accepts the format of inet_aton: `1` would be the address 0.0.0.1.
  if (!list.every((text) => ranges.includes(text) || isIP(text.replace(/\/.*/s, '')) !== 0)) return undefined;
  try {
    proxyAddr.compile([...list]);
    return list;
  } catch {
    return undefined;
  }
}
