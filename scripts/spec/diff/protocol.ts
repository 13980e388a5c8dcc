/** Compares two revisions of the protocol of /ws (AsyncAPI), and classifies each difference by its effect on clients. */
import { same } from './canonical.ts';
import { child, children, exists, items, type At, type Revision } from './document.ts';
import { assessedFinding, inOrder, type Finding } from './finding.ts';
import { Graph, type Node } from './graph.ts';
import { otherMembers, text } from './operation-parts.ts';
import type { RuleId, Side } from './rules.ts';

/** A part of the protocol in both revisions; a revision that lacks the part has no value there. */
interface Parts {
  readonly x: At;
  readonly y: At;
}

const at = ({ x, y }: Parts, ...keys: readonly string[]): Parts => ({ x: child(x, ...keys), y: child(y, ...keys) });
const textsOf = (place: At): string[] => items(place).map(({ value }) => text(value));
const namesIn = ({ x, y }: Parts): string[] => [...new Set([...children(x), ...children(y)].map(([name]) => name))];

/** Compares the members with a name: reports added and removed ones, and calls `both` for the others. */
function eachNamed(
  node: Node,
  parts: Parts,
  rules: { readonly added: RuleId; readonly removed: RuleId },
  both: (name: string, inner: Parts) => void,
): void {
  for (const name of namesIn(parts)) {
    const inner = at(parts, name);
    if (!exists(inner.y)) node.report(rules.removed, inner.x, undefined, name);
    else if (!exists(inner.x)) node.report(rules.added, undefined, inner.y, name);
    else both(name, inner);
  }
}

/** Compares two lists of names. */
function eachListed(node: Node, parts: Parts, rules: { readonly added: RuleId; readonly removed: RuleId }): void {
  const [old, now] = [textsOf(parts.x), textsOf(parts.y)];
  for (const name of old) if (!now.includes(name)) node.report(rules.removed, parts.x, parts.y, name);
  for (const name of now) if (!old.includes(name)) node.report(rules.added, parts.x, parts.y, name);
}

/** Reports a member that has another value. */
function differs(node: Node, parts: Parts, rule: RuleId, subject: string): void {
  if (!same(parts.x.value, parts.y.value)) node.report(rule, parts.x, parts.y, subject);
}

const documentation = ['description', 'title', 'summary', 'example', 'examples', 'when', 'then', 'means', 'beyond'];
/** Reports other texts and unknown members. */
function rest(node: Node, parts: Parts, compared: readonly string[]): void {
  for (const name of documentation) differs(node, at(parts, name), 'documentation-changed', name);
  otherMembers(node, parts.x, parts.y, [...documentation, ...compared]);
}

/** Compares the channels that clients subscribe to. */
function compareSubscriptions(node: Node, parts: Parts): void {
  eachNamed(node, parts, { added: 'channel-added', removed: 'channel-removed' }, (name, channel) => {
    const params = at(channel, 'params');
    if (textsOf(params.x).length === 0 && textsOf(params.y).length > 0)
      node.report('channel-parameter-required', params.x, params.y, name);
    else eachListed(node, params, { added: 'channel-parameter-added', removed: 'channel-parameter-removed' });
    eachListed(node, at(channel, 'events'), { added: 'event-added', removed: 'event-removed' });
    differs(node, at(channel, 'kind'), 'channel-kind-changed', name);
    differs(node, at(channel, 'data'), 'channel-data-changed', name);
    rest(node, channel, ['params', 'events', 'kind', 'data']);
  });
}

/** Compares the codes of errors and of closed connections, and the limits. */
function compareCodes(node: Node, channel: Parts): void {
  const codes = { added: 'code-added', removed: 'code-removed' } as const;
  eachNamed(node, at(channel, 'x-error-codes'), codes, (name, code) => {
    differs(node, at(code, 'status'), 'error-code-changed', name);
    rest(node, code, ['status']);
  });
  eachNamed(node, at(channel, 'x-close-codes'), codes, (name, code) => {
    differs(node, at(code, 'reconnect'), 'close-code-changed', name);
    differs(node, at(code, 'reason'), 'close-reason-changed', name);
    rest(node, code, ['reconnect', 'reason']);
  });
  eachNamed(node, at(channel, 'x-limits'), { added: 'limit-added', removed: 'limit-raised' }, (name, limit) => {
    const { x, y } = at(limit, 'value');
    if (Number(y.value) < Number(x.value)) node.report('limit-lowered', x, y, name);
    else if (!same(x.value, y.value)) node.report('limit-raised', x, y, name);
    rest(node, limit, ['value']);
  });
}

/** Compares the scope that a connection or a command needs. */
function compareScope(node: Node, parts: Parts): void {
  const { x, y } = at(parts, 'x-scope');
  if (same(x.value, y.value)) return;
  node.report(exists(y) ? 'scope-added' : 'scope-removed', x, y, text(y.value ?? x.value));
}

const channelParts = ['address', 'x-scope', 'messages', 'x-channels', 'x-error-codes', 'x-close-codes', 'x-limits'];

function compareChannels(node: Node, parts: Parts): void {
  eachNamed(node, parts, { added: 'channel-added', removed: 'channel-removed' }, (name, channel) => {
    differs(node, at(channel, 'address'), 'stream-address-changed', name);
    compareScope(node, channel);
    compareSubscriptions(node, at(channel, 'x-channels'));
    compareCodes(node, channel);
    for (const event of namesIn(at(channel, 'x-events')))
      differs(node, at(channel, 'x-events', event), 'documentation-changed', event);
    rest(node, channel, [...channelParts, 'x-events']);
  });
}

/** Who sends the messages, by their names in `components`: the messages of an operation are references to a channel's. */
function sendersOf({ root }: Revision): Map<string, Side> {
  const senders = new Map<string, Side>();
  for (const [, operation] of children(child(root, 'operations'))) {
    const side = child(operation, 'action').value === 'receive' ? 'request' : 'response';
    const answers = items(child(operation, 'reply', 'messages'));
    for (const message of items(child(operation, 'messages'))) senders.set(lastKey(message), side);
    for (const message of answers) if (!senders.has(lastKey(message))) senders.set(lastKey(message), 'response');
  }
  return senders;
}
const lastKey = (message: At): string => text(child(message, '$ref').value).split('/').at(-1) ?? '';

/** Compares the messages that one side sends. */
function compareMessages(node: Node, parts: Parts, isSent: (name: string) => boolean): void {
  const messages = { added: 'message-added', removed: 'message-removed' } as const;
  const only = (place: At): At => ({
    ...place,
    value: Object.fromEntries(children(place).flatMap(([name, { value }]) => (isSent(name) ? [[name, value]] : []))),
  });
  eachNamed(node, { x: only(parts.x), y: only(parts.y) }, messages, (name, message) => {
    differs(node, at(message, 'payload'), 'message-payload-changed', name);
    rest(node, message, ['payload', 'name', 'correlationId']);
  });
}

/** All differences of two revisions of the protocol except `info.version`, sorted by severity, then by position. */
export function compareProtocols(before: Revision, after: Revision): Finding[] {
  const graph = new Graph();
  const whole: Parts = { x: before.root, y: after.root };
  const senders = new Map([...sendersOf(before), ...sendersOf(after)]);
  const root = graph.visit('protocol', (node) => {
    compareChannels(node, at(whole, 'channels'));
    for (const name of namesIn(at(whole, 'operations'))) {
      const operation = at(whole, 'operations', name);
      if (exists(operation.x) && exists(operation.y)) compareScope(node, operation);
    }
    const info = at(whole, 'info');
    rest(node, info, ['version', 'license', 'contact']);
    differs(node, at(whole, 'defaultContentType'), 'unjudged', 'defaultContentType');
    eachNamed(
      node,
      at(whole, 'components', 'securitySchemes'),
      { added: 'security-added', removed: 'security-removed' },
      (name, scheme) => {
        for (const part of ['type', 'in', 'scheme']) differs(node, at(scheme, part), 'security-scheme-changed', name);
      },
    );
  });
  const sides = (['request', 'response'] as const).map((side) => ({
    side,
    label: '/ws',
    key: graph.visit(`messages ${side}`, (node) =>
      compareMessages(node, at(whole, 'components', 'messages'), (name) => (senders.get(name) ?? 'response') === side),
    ),
  }));
  return graph
    .reached([{ key: root, side: null, label: '/ws' }, ...sides])
    .flatMap((entry) => assessedFinding(entry, before, after) ?? [])
    .sort(inOrder);
}
