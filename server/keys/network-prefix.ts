/** Reduces a client address to its network. */

/** The groups of an IPv6 address, with `::` expanded. A dotted IPv4 part at the end stays one group. */
function groupsOf(address: string): string[] {
  const [before = '', after = ''] = address.split('::');
  const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const [left, right] = [groups(before), groups(after)];
  if (!address.includes('::')) return left;
  const written = left.length + right.length + (right.at(-1)?.includes('.') ? 1 : 0);
  return [...left, ...Array<string>(Math.max(0, 8 - written)).fill('0'), ...right];
}

/**
 * The network of one caller: an IPv4 address itself, also when it is written as IPv6 (`::ffff:192.0.2.1`), or the /64
 * of an IPv6 address, which is the smallest network that a provider assigns to one site (RFC 6177).
 */
export function networkPrefix(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = groupsOf(address.split('%', 1)[0]!).slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
