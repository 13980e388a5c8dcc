/** Compares the operations of a protocol (AsyncAPI 3): what clients and the server send, and the replies. */
import { same } from './canonical.ts';
import { child, children, exists, isObject, items, type At, type Revision } from './document.ts';
import { compareScope } from './event-channels.ts';
import type { Node } from './graph.ts';
import { opposite, text } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import {
  at,
  compareBindings,
  compareSecurity,
  differs,
  differsInside,
  lastKey,
  namesIn,
  rest,
  type Parts,
} from './protocol-parts.ts';
import type { Side } from './rules.ts';

/** The side of the messages of an operation: its `action` is that of the server. */
const sideOf = (operation: At): Side => (child(operation, 'action').value === 'receive' ? 'request' : 'response');

/** Compares the operations of two protocols. */
export function compareCommands(comparison: Comparison, node: Node, operations: Parts): void {
  const { before, after, graph } = comparison;
  for (const name of namesIn(operations)) {
    const { x, y } = at(operations, name);
    if (exists(x) && exists(y)) {
      node.link(compareCommand(comparison, { x: before.follow(x), y: after.follow(y) }, name));
      continue;
    }
    const lone = exists(x) ? before.follow(x) : after.follow(y);
    const key = graph.visit(`command ${name}`, (inner) =>
      exists(x)
        ? inner.report('command-removed', x, undefined, name)
        : inner.report('command-added', undefined, y, name),
    );
    node.link(key, { side: sideOf(lone) });
  }
}

function compareCommand(comparison: Comparison, operation: Parts, name: string): string {
  return comparison.graph.visit(`command ${operation.x.pointer} ${operation.y.pointer}`, (node) => {
    const [side, action] = [sideOf(operation.x), at(operation, 'action')];
    if (same(action.x.value, action.y.value)) compareExchange(comparison, node, operation, side);
    else node.report('command-turned', action.x, action.y, name);
    const reply = at(operation, 'reply');
    if (exists(reply.x) && exists(reply.y)) {
      const both = { x: comparison.before.follow(reply.x), y: comparison.after.follow(reply.y) };
      compareExchange(comparison, node, both, opposite(side));
      differsInside(comparison, node, at(both, 'address'), 'unjudged', 'address');
      rest(node, both, ['channel', 'messages', 'address']);
    } else if (exists(reply.x)) node.report('reply-removed', reply.x, undefined, name);
    else if (exists(reply.y)) node.report('reply-added', undefined, reply.y, name);
    compareScope(node, operation);
    compareSecurity(node, at(operation, 'security'));
    compareBindings(comparison, node, at(operation, 'bindings'));
    differsInside(comparison, node, at(operation, 'traits'), 'unjudged', 'traits');
    rest(node, operation, [...['action', 'channel', 'messages', 'reply', 'x-scope', 'security', 'bindings', 'traits']]);
  });
}

/** Compares the channel and the messages of an operation or a reply. */
function compareExchange(comparison: Comparison, node: Node, exchange: Parts, side: Side): void {
  const { before, after, graph } = comparison;
  const channel = { x: before.follow(child(exchange.x, 'channel')), y: after.follow(child(exchange.y, 'channel')) };
  if (exists(channel.x) && exists(channel.y))
    differs(node, at(channel, 'address'), 'stream-address-changed', lastKey(child(exchange.y, 'channel')));
  else if (exists(channel.x) !== exists(channel.y)) node.report('unjudged', exchange.x, exchange.y, 'channel');
  const [old, now] = [messagesOf(exchange.x, channel.x), messagesOf(exchange.y, channel.y)];
  const key = graph.visit(`messages ${exchange.x.pointer} ${exchange.y.pointer}`, (inner) => {
    for (const [name, message] of old) {
      const other = now.get(name);
      if (other) inner.link(compareMessage(comparison, before.follow(message), after.follow(other), name));
      else inner.report('message-removed', before.follow(message), undefined, name);
    }
    for (const [name, message] of now)
      if (!old.has(name)) inner.report('message-added', undefined, after.follow(message), name);
  });
  node.link(key, { side });
}

/** The messages of an operation or a reply by name: without a list, all of its channel. */
function messagesOf(exchange: At, channel: At): Map<string, At> {
  const listed = child(exchange, 'messages');
  return exists(listed)
    ? new Map(items(listed).map((message) => [lastKey(message), message]))
    : new Map(children(child(channel, 'messages')));
}

/** The names of the messages of a channel that an operation of the protocol exchanges. */
export function exchangedMessages({ root, follow }: Revision): Set<string> {
  const pointers = new Set<string>();
  for (const [, named] of children(child(root, 'operations'))) {
    const operation = follow(named);
    for (const exchange of [operation, follow(child(operation, 'reply'))])
      for (const [, message] of messagesOf(exchange, follow(child(exchange, 'channel'))))
        pointers.add(follow(message).pointer);
  }
  return pointers;
}

/** Compares two messages. Returns the key of their node. */
export function compareMessage(comparison: Comparison, x: At, y: At, name: string): string {
  return comparison.graph.visit(`message ${x.pointer} ${y.pointer}`, (node) => {
    const message = { x, y };
    comparePayload(comparison, node, at(message, 'payload'), name);
    comparePayload(comparison, node, at(message, 'headers'), name);
    differs(node, at(message, 'contentType'), 'message-payload-changed', name);
    differsInside(comparison, node, at(message, 'correlationId'), 'unjudged', 'correlationId');
    differsInside(comparison, node, at(message, 'traits'), 'unjudged', 'traits');
    differs(node, at(message, 'name'), 'documentation-changed', 'name');
    compareBindings(comparison, node, at(message, 'bindings'));
    rest(node, message, ['payload', 'headers', 'contentType', 'correlationId', 'traits', 'name', 'bindings']);
  });
}

const leadsOut = ({ value }: At): boolean =>
  isObject(value) && typeof value.$ref === 'string' && !value.$ref.startsWith('#');

/** Compares two payloads. A schema of the contract is compared with the contract: here only its name may differ. */
function comparePayload(comparison: Comparison, node: Node, parts: Parts, name: string): void {
  const { x, y } = parts;
  if (leadsOut(x) || leadsOut(y)) return differs(node, parts, 'message-payload-changed', name);
  const format = at(parts, 'schemaFormat');
  if (!same(format.x.value, format.y.value)) return node.report('message-payload-changed', x, y, name);
  if (!exists(format.x)) node.link(comparison.compare(x, y));
  else if (/asyncapi|json-schema|schema\+json|openapi/.test(text(format.x.value)))
    node.link(comparison.compare(child(x, 'schema'), child(y, 'schema')));
  else differs(node, at(parts, 'schema'), 'message-payload-changed', name);
}
