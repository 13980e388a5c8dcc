/** Compares what the protocol of /ws says in extensions of AsyncAPI: channels to subscribe to, codes, limits and scopes. */
import { same } from './canonical.ts';
import { exists, items } from './document.ts';
import type { Node } from './graph.ts';
import { text } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import { at, differs, eachListed, eachNamed, restOfExtension, type Parts } from './protocol-parts.ts';

/** Compares the channels that clients subscribe to. */
export function compareSubscriptions(comparison: Comparison, node: Node, parts: Parts): void {
  eachNamed(comparison, node, parts, { added: 'channel-added', removed: 'channel-removed' }, (name, channel) => {
    const params = at(channel, 'params');
    if (items(params.x).length === 0 && items(params.y).length > 0)
      node.report('channel-parameter-required', params.x, params.y, name);
    else eachListed(node, params, { added: 'channel-parameter-added', removed: 'channel-parameter-removed' });
    eachListed(node, at(channel, 'events'), { added: 'event-added', removed: 'event-removed' });
    differs(node, at(channel, 'kind'), 'channel-kind-changed', name);
    differs(node, at(channel, 'data'), 'channel-data-changed', name);
    restOfExtension(node, channel, ['params', 'events', 'kind', 'data']);
  });
}

/** Compares the codes of errors and of closed connections, and the limits. */
export function compareCodes(comparison: Comparison, node: Node, channel: Parts): void {
  const codes = { added: 'code-added', removed: 'code-removed' } as const;
  eachNamed(comparison, node, at(channel, 'x-error-codes'), codes, (name, code) => {
    differs(node, at(code, 'status'), 'error-code-changed', name);
    restOfExtension(node, code, ['status']);
  });
  eachNamed(comparison, node, at(channel, 'x-close-codes'), codes, (name, code) => {
    differs(node, at(code, 'reconnect'), 'close-code-changed', name);
    differs(node, at(code, 'reason'), 'close-reason-changed', name);
    restOfExtension(node, code, ['reconnect', 'reason']);
  });
  eachNamed(
    comparison,
    node,
    at(channel, 'x-limits'),
    { added: 'limit-added', removed: 'limit-raised' },
    (name, limit) => {
      const { x, y } = at(limit, 'value');
      if (Number(y.value) < Number(x.value)) node.report('limit-lowered', x, y, name);
      else if (!same(x.value, y.value)) node.report('limit-raised', x, y, name);
      restOfExtension(node, limit, ['value']);
    },
  );
}

/** Compares the scope that a connection or a command needs. */
export function compareScope(node: Node, parts: Parts): void {
  const { x, y } = at(parts, 'x-scope');
  if (same(x.value, y.value)) return;
  node.report(exists(y) ? 'scope-added' : 'scope-removed', x, y, text(y.value ?? x.value));
}
