/** Compares two revisions of the protocol of /ws (AsyncAPI 3), and classifies each difference by its effect on clients. */
import { compareCommands, compareMessage, exchangedMessages } from './commands.ts';
import { innerParts, unusedTypes } from './contract.ts';
import { children, exists, items, type At, type Revision } from './document.ts';
import { compareCodes, compareScope, compareSubscriptions } from './event-channels.ts';
import { assessedFinding, inOrder, type Finding } from './finding.ts';
import { Graph, type Node, type Reached } from './graph.ts';
import { eachName, otherMembers, text } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import {
  at,
  compareBindings,
  compareSecurity,
  differs,
  eachListed,
  eachNamed,
  lastKey,
  namesIn,
  rest,
  type Parts,
} from './protocol-parts.ts';
import { SchemaComparison } from './schemas.ts';
import { compareFlows } from './security.ts';
import { compareVariables } from './servers.ts';

function compareDocument(node: Node, whole: Parts): void {
  const versionOf = ({ value }: At): string => text(value).replace(/^(\d+\.\d+)\.\d+$/, '$1');
  const version = at(whole, 'asyncapi');
  if (versionOf(version.x) !== versionOf(version.y)) node.report('dialect-changed', version.x, version.y, 'asyncapi');
  const info = at(whole, 'info');
  for (const name of namesIn(info))
    if (name !== 'version') differs(node, at(info, name), 'documentation-changed', name);
  otherMembers(node, whole.x, whole.y, [...['asyncapi', 'info', 'servers', 'channels', 'operations', 'components']]);
  const components = at(whole, 'components');
  otherMembers(
    node,
    components.x,
    components.y,
    namesIn(components).filter((name) => !name.startsWith('x-')),
  );
}

/** A map with what the references of its members lead to. */
const resolvedMembers = (place: At, { follow }: Revision): At =>
  exists(place)
    ? { ...place, value: Object.fromEntries(children(place).map(([name, inner]) => [name, follow(inner).value])) }
    : place;

/** Compares the variables of a server, or the parameters of an address. */
function compareResolved(comparison: Comparison, node: Node, { x, y }: Parts): void {
  compareVariables(node, resolvedMembers(x, comparison.before), resolvedMembers(y, comparison.after));
}

const address = ['host', 'pathname', 'protocol', 'protocolVersion'];
function compareServer(comparison: Comparison, node: Node, server: Parts, name: string): void {
  for (const part of address) differs(node, at(server, part), 'server-address-changed', `${name} ${part}`);
  compareResolved(comparison, node, at(server, 'variables'));
  compareSecurity(node, at(server, 'security'));
  compareBindings(comparison, node, at(server, 'bindings'));
  rest(node, server, [...address, 'variables', 'security', 'bindings']);
}

const essential = ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'];
function compareScheme(node: Node, scheme: Parts, name: string): void {
  for (const part of essential) differs(node, at(scheme, part), 'security-scheme-changed', name);
  differs(node, at(scheme, 'bearerFormat'), 'security-scheme-hint-changed', name);
  const flows = at(scheme, 'flows');
  compareFlows(node, flows.x, flows.y);
  eachListed(node, at(scheme, 'scopes'), { added: 'scope-added', removed: 'scope-removed' });
  rest(node, scheme, [...essential, 'bearerFormat', 'flows', 'scopes']);
}

const channelParts = [
  ...['address', 'servers', 'parameters', 'messages', 'bindings'],
  ...['x-scope', 'x-channels', 'x-events', 'x-error-codes', 'x-close-codes', 'x-limits'],
];

/** Compares the servers on which a channel is: without a list, on every one. */
function compareServersOf(node: Node, servers: Parts): void {
  const { x, y } = servers;
  const [from, to] = [items(x).length, items(y).length];
  if (from > 0 !== to > 0) node.report(to > 0 ? 'server-removed' : 'server-added', x, y);
  else eachListed(node, servers, { added: 'server-added', removed: 'server-removed' }, lastKey);
}

function compareChannel(
  comparison: Comparison,
  node: Node,
  channel: Parts,
  name: string,
  exchanged: ReadonlySet<string>,
): void {
  differs(node, at(channel, 'address'), 'stream-address-changed', name);
  compareServersOf(node, at(channel, 'servers'));
  compareResolved(comparison, node, at(channel, 'parameters'));
  const messages = at(channel, 'messages');
  // What an operation exchanges is compared there.
  eachName([messages.x, messages.y], {
    gone: (place, message) => {
      if (!exchanged.has(comparison.before.follow(place).pointer))
        node.report('message-removed', place, undefined, message);
    },
    added: (place, message) => {
      if (!exchanged.has(comparison.after.follow(place).pointer))
        node.report('message-added', undefined, place, message);
    },
    both: (p, q, message) => {
      const [x, y] = [comparison.before.follow(p), comparison.after.follow(q)];
      if (!exchanged.has(x.pointer) || !exchanged.has(y.pointer)) node.link(compareMessage(comparison, x, y, message));
    },
  });
  compareBindings(comparison, node, at(channel, 'bindings'));
  compareScope(node, channel);
  compareSubscriptions(comparison, node, at(channel, 'x-channels'));
  compareCodes(comparison, node, channel);
  for (const event of namesIn(at(channel, 'x-events')))
    differs(node, at(channel, 'x-events', event), 'documentation-changed', event);
  rest(node, channel, channelParts);
}

/** All differences of two revisions of the protocol except `info.version`, sorted by severity, then by position. */
export function compareProtocols(before: Revision, after: Revision): Finding[] {
  const graph = new Graph();
  const comparison = new SchemaComparison(before, after, graph);
  const whole: Parts = { x: before.root, y: after.root };
  const exchanged = exchangedMessages(before).union(exchangedMessages(after));
  const key = graph.visit('protocol', (node) => {
    compareDocument(node, whole);
    const each = (
      keys: readonly string[],
      part: 'server' | 'channel' | 'security',
      both: (name: string, parts: Parts) => void,
    ): void =>
      eachNamed(comparison, node, at(whole, ...keys), { added: `${part}-added`, removed: `${part}-removed` }, both);
    each(['servers'], 'server', (name, server) => compareServer(comparison, node, server, name));
    each(['channels'], 'channel', (name, channel) => compareChannel(comparison, node, channel, name, exchanged));
    compareCommands(comparison, node, at(whole, 'operations'));
    each(['components', 'securitySchemes'], 'security', (name, scheme) => compareScheme(node, scheme, name));
  });
  const roots = [{ key, side: null, label: '/ws' }, ...unusedTypes(before, after, graph, comparison)];
  const assess = (reached: readonly Reached[]): Finding[] =>
    reached.flatMap((entry) => assessedFinding(entry, before, after) ?? []);
  const found = assess(graph.reached(roots));
  return [...found, ...assess(graph.reached(innerParts(before, after, graph, found)))].sort(inOrder);
}
