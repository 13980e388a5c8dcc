/** Addresses of other services in the configuration. */
import { BlockList, isIP } from 'node:net';
import { isPublicAddress } from '../upstream/public-lookup.ts';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * Which endpoints an account may have inside the operator's own network, and without TLS there: none, those of this machine, or
 * also those of private networks.
 */
export type InternalEndpoints = 'off' | 'loopback' | 'private';

const privateRanges = new BlockList();
for (const [address, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  // Shared addresses (RFC 6598), which overlay networks use.
  ['100.64.0.0', 10],
] as const)
  privateRanges.addSubnet(address, bits);
privateRanges.addSubnet('fc00::', 7, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/**
 * Where the host of a URL is, by its text: names without a dot and of reserved domains (RFC 6761, RFC 6762, RFC 8375) are names of a
 * private network, as container names are. `none`: an address that no endpoint has, such as that of the metadata of a cloud.
 */
export function networkOf(hostname: string): 'public' | 'private' | 'loopback' | 'none' {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 0) {
    if (/(?:^|\.)localhost$/.test(host)) return 'loopback';
    const isPrivate = !host.includes('.') || /\.(?:internal|local|lan|home|home\.arpa|intranet|private)$/.test(host);
    return isPrivate ? 'private' : 'public';
  }
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(host, family)) return 'loopback';
  if (privateRanges.check(host, family)) return 'private';
  return isPublicAddress(host) ? 'public' : 'none';
}

/** Whether the setting permits an endpoint in the operator's own network. */
export const permitsInternal = (setting: InternalEndpoints, network: ReturnType<typeof networkOf>): boolean =>
  setting === 'private' ? network === 'loopback' || network === 'private' : setting === network;

/** Parses an address without credentials, query and fragment. `plain` is the protocol that is allowed on this machine only. */
function readUrl(text: string, encrypted: string, plain: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username + url.password + url.search + url.hash !== '') return undefined;
  return url.protocol === encrypted || (url.protocol === plain && isLoopback(url.hostname)) ? url : undefined;
}

/** Parses a base URL: https, or http for this machine; undefined for any other text. */
export const readBaseUrl = (text: string): URL | undefined => readUrl(text, 'https:', 'http:');

/** Parses the address of a WebSocket: wss, or ws for this machine; undefined for any other text. */
export const readSocketUrl = (text: string): URL | undefined => readUrl(text, 'wss:', 'ws:');
