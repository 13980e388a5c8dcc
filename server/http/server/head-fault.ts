/** Checks of the request headers and the request target that Node does not do. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Maximum number of header fields of a request; browsers behind proxies send about 30. */
export const maxHeaderFields = 100;

/** A name or an IPv4 address (`reg-name` of RFC 3986 §3.2.2). */
const registeredName = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*$/i;
/** An address of a future IP version (`IPvFuture` of RFC 3986). */
const futureAddress = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/**
 * Whether a string is a host with an optional port (RFC 9110 §7.2), without a user name, a path or a query. The empty
 * string is valid.
 */
export function isHostAndPort(text: string): boolean {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d*)?$/.exec(text) ?? [];
  if (address !== undefined) return isIPv6(address) || futureAddress.test(address);
  return name !== undefined && registeredName.test(name);
}

const invalidHost = (subject: string): string => `${subject} is not valid: expected a name or an address, and a port`;

/** Returns the error in a request target (RFC 9112 §3.2); undefined if it is valid. Routing happens elsewhere. */
function targetFault(target: string): string | undefined {
  if (target.includes('#')) return "the request target contains '#': encode it as %23, or remove the fragment";
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?]*)/i.exec(target)?.[1];
  if (authority !== undefined && !isHostAndPort(authority)) return invalidHost('the host in the request target');
  return undefined;
}

/**
 * Returns the error in request headers that Node accepts; undefined if there is none. Node silently drops header
 * fields beyond its limit. A proxy in front may read a request with several hosts, no host or an invalid host as a
 * request to another host (RFC 9112 §3.2).
 */
export function headFault(request: IncomingMessage): readonly [status: number, text: string] | undefined {
  const { rawHeaders, httpVersion, url = '' } = request;
  if (rawHeaders.length > 2 * maxHeaderFields) return [431, `the request head has more than ${maxHeaderFields} fields`];
  let host: string | undefined;
  let hostCount = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    hostCount += 1;
    host = rawHeaders[index + 1] ?? '';
  }
  if (hostCount > 1 || (hostCount === 0 && httpVersion !== '1.0')) return [400, 'exactly one Host header is required'];
  if (host !== undefined && !isHostAndPort(host)) return [400, invalidHost('the Host header')];
  const fault = targetFault(url);
  return fault === undefined ? undefined : [400, fault];
}
