/** Finds what is wrong with a request head that Node lets pass. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Fields of a request's head, at most; browsers behind proxies send about 30. */
export const maxHeaderFields = 100;

/** A name, or an IPv4 address, as RFC 3986 §3.2.2 writes it (`reg-name`). */
const registeredName = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*$/i;
/** An address of a version of IP that is yet to come (`IPvFuture`). */
const futureAddress = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/**
 * Whether a text is a host with an optional port (RFC 9110 §7.2): without a user name, a path or a query. It may be
 * empty.
 */
export function isHostAndPort(text: string): boolean {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d*)?$/.exec(text) ?? [];
  if (address !== undefined) return isIPv6(address) || futureAddress.test(address);
  return name !== undefined && registeredName.test(name);
}

const invalidHost = (what: string): string => `${what} is not valid: expected a name or an address, and a port`;

/** What is wrong with a request target (RFC 9112 §3.2); what it leads to is looked for elsewhere. */
function targetFault(target: string): string | undefined {
  if (target.includes('#')) return "the request target contains '#': write %23 in its place, or leave the fragment out";
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?]*)/i.exec(target)?.[1];
  if (authority !== undefined && !isHostAndPort(authority)) return invalidHost('the host in the request target');
  return undefined;
}

/**
 * What is wrong with a head that Node lets pass; undefined where nothing is. Beyond its limit Node drops fields in
 * silence; and a request to more than one host, to none or to one that is not valid may be read by a proxy in front as
 * one to another (RFC 9112 §3.2).
 */
export function headFault(request: IncomingMessage): readonly [status: number, text: string] | undefined {
  const { rawHeaders, httpVersion, url = '' } = request;
  if (rawHeaders.length > 2 * maxHeaderFields) return [431, `the request head has more than ${maxHeaderFields} fields`];
  let host: string | undefined;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    hosts += 1;
    host = rawHeaders[at + 1] ?? '';
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return [400, 'exactly one Host header is required'];
  if (host !== undefined && !isHostAndPort(host)) return [400, invalidHost('the Host header')];
  const fault = targetFault(url);
  return fault === undefined ? undefined : [400, fault];
}
