/** Compares servers: their URLs and the variables in these. OpenAPI and AsyncAPI have the same variables. */
import { same } from './canonical.ts';
import { child, children, exists, items, type At } from './document.ts';
import type { Node } from './graph.ts';
import { otherMembers, text } from './operation-parts.ts';

/** The servers by URL. Without `servers`, the server is the origin of the document. */
const serversByUrl = (at: At): Map<string, At> =>
  items(at).length > 0
    ? new Map(items(at).map((server) => [text(child(server, 'url').value), server]))
    : new Map([['/', at]]);

/** Compares two lists of servers. */
export function compareServers(node: Node, x: At, y: At): void {
  const [old, now] = [serversByUrl(x), serversByUrl(y)];
  for (const [url, p] of old) {
    const q = now.get(url);
    if (!q) {
      // Without a list, the server has no place of its own.
      node.report('server-removed', exists(p) ? p : undefined, exists(p) ? undefined : y, url);
      continue;
    }
    compareVariables(node, child(p, 'variables'), child(q, 'variables'));
    if (p !== x && q !== y) otherMembers(node, p, q, ['url', 'variables']);
  }
  for (const [url, q] of now)
    if (!old.has(url)) node.report('server-added', exists(q) ? undefined : x, exists(q) ? q : undefined, url);
}

/** Compares the variables of two addresses with the same text. */
export function compareVariables(node: Node, x: At, y: At): void {
  for (const name of new Set([...children(x), ...children(y)].map(([key]) => key))) {
    const [p, q] = [child(x, name), child(y, name)];
    if (!exists(p) || !exists(q)) {
      node.report('server-changed', p, q, name);
      continue;
    }
    const [old, now] = [child(p, 'enum'), child(q, 'enum')];
    const values = (at: At): unknown[] => (Array.isArray(at.value) ? at.value : []);
    const beyond = (at: At, other: At): boolean =>
      exists(other) && (!exists(at) || values(at).some((value) => !values(other).includes(value)));
    if (beyond(old, now)) node.report('server-value-removed', old, now, name);
    if (beyond(now, old)) node.report('server-value-added', old, now, name);
    const [from, to] = [child(p, 'default'), child(q, 'default')];
    if (!same(from.value, to.value)) node.report('server-default-changed', from, to, name);
    otherMembers(node, p, q, ['enum', 'default']);
  }
}
