/** Addresses of other services in the configuration. */
import { isIP } from 'node:net';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

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
