/** Reads and compares the parts that are common to all places of a protocol (AsyncAPI 3). */
import { requiredOf, same, stable } from './canonical.ts';
import { child, children, exists, isObject, items, type At, type Json } from './document.ts';
import type { Node } from './graph.ts';
import { compareAsText, eachName, otherMembers, text } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import type { RuleId } from './rules.ts';

/** A part of the protocol in both revisions; a revision that lacks the part has no value there. */
export interface Parts {
  readonly x: At;
  readonly y: At;
}
/** The rules for what only one revision has. */
interface Rules {
  readonly added: RuleId;
  readonly removed: RuleId;
}

export const at = ({ x, y }: Parts, ...keys: readonly string[]): Parts => ({
  x: child(x, ...keys),
  y: child(y, ...keys),
});
/** What the references of both parts lead to. */
export const followed = ({ before, after }: Comparison, { x, y }: Parts): Parts => ({
  x: before.follow(x),
  y: after.follow(y),
});
export const namesIn = ({ x, y }: Parts): string[] => [
  ...new Set([...children(x), ...children(y)].map(([name]) => name)),
];
/** The last key of a reference, which is the name of what it leads to. */
export const lastKey = (place: At): string => text(child(place, '$ref').value).split('/').at(-1) ?? '';

/** Compares the members with a name: reports added and removed ones, and calls `both` for the others, references followed. */
export function eachNamed(
  comparison: Comparison,
  node: Node,
  { x, y }: Parts,
  rules: Rules,
  both: (name: string, inner: Parts) => void,
): void {
  eachName([x, y], {
    gone: (place, name) => node.report(rules.removed, place, undefined, name),
    added: (place, name) => node.report(rules.added, undefined, place, name),
    both: (p, q, name) => both(name, followed(comparison, { x: p, y: q })),
  });
}

/** Compares two lists of names. */
export function eachListed(
  node: Node,
  parts: Parts,
  rules: Rules,
  nameOf: (item: At) => string = ({ value }) => text(value),
): void {
  const [old, now] = [parts.x, parts.y].map((place) => items(place).map(nameOf)) as [string[], string[]];
  for (const name of old) if (!now.includes(name)) node.report(rules.removed, parts.x, parts.y, name);
  for (const name of now) if (!old.includes(name)) node.report(rules.added, parts.x, parts.y, name);
}

/** Reports a member that has another value. */
export function differs(node: Node, parts: Parts, rule: RuleId, subject: string): void {
  if (!same(parts.x.value, parts.y.value)) node.report(rule, parts.x, parts.y, subject);
}

/** Reports another value of a member whose references may lead to another value too. */
export function differsInside(comparison: Comparison, node: Node, parts: Parts, rule: RuleId, subject: string): void {
  const read = (place: At, follow: (at: At) => At): unknown =>
    Array.isArray(place.value) ? items(place).map((item) => follow(item).value) : follow(place).value;
  const [x, y] = [read(parts.x, comparison.before.follow), read(parts.y, comparison.after.follow)];
  if (!same(x, y)) node.report(rule, parts.x, parts.y, subject);
}

const documentation = [
  'description',
  'title',
  'summary',
  'tags',
  'example',
  'examples',
  'when',
  'then',
  'means',
  'beyond',
];
/** Reports other texts and unknown members. */
export function rest(node: Node, parts: Parts, compared: readonly string[]): void {
  for (const name of documentation) differs(node, at(parts, name), 'documentation-changed', name);
  otherMembers(node, parts.x, parts.y, [...documentation, ...compared]);
}

/** Reports other texts and unknown members inside of an extension, where every name is an extension. */
export function restOfExtension(node: Node, parts: Parts, compared: readonly string[]): void {
  const known = new Set([...documentation, ...compared]);
  for (const name of documentation) differs(node, at(parts, name), 'documentation-changed', name);
  for (const name of namesIn(parts)) if (!known.has(name)) differs(node, at(parts, name), 'extension-changed', name);
}

/** Compares the schemes of which a client needs one; without any, it needs none. */
export function compareSecurity(node: Node, parts: Parts): void {
  const [from, to] = [items(parts.x).length, items(parts.y).length];
  if (from === 0 && to > 0) return node.report('security-required', parts.x, parts.y);
  if (from > 0 && to === 0) return node.report('security-dropped', parts.x, parts.y);
  const rules = { added: 'security-added', removed: 'security-removed' } as const;
  eachListed(node, parts, rules, (item) => lastKey(item) || stable(item.value));
}

/** Compares the bindings of a channel, an operation or a message. Those of WebSockets are what the request for a connection carries. */
export function compareBindings(comparison: Comparison, node: Node, bindings: Parts): void {
  const both = followed(comparison, bindings);
  for (const protocol of namesIn(both)) {
    const binding = at(both, protocol);
    if (protocol !== 'ws') {
      differs(node, binding, 'unjudged', protocol);
      continue;
    }
    differs(node, at(binding, 'method'), 'stream-address-changed', 'method');
    const key = comparison.graph.visit(`ws binding ${binding.x.pointer} ${binding.y.pointer}`, (inner) => {
      compareKeys(comparison, inner, at(binding, 'query'), (name) => name);
      compareKeys(comparison, inner, at(binding, 'headers'), (name) => name.toLowerCase());
    });
    node.link(key, { side: 'request' });
    rest(node, binding, ['method', 'query', 'headers', 'bindingVersion']);
    differs(node, at(binding, 'bindingVersion'), 'documentation-changed', 'bindingVersion');
  }
}

/** Compares the query or the headers of the request for a connection: an object schema with one property for each key. */
function compareKeys(comparison: Comparison, node: Node, parts: Parts, normalise: (name: string) => string): void {
  const { x, y } = followed(comparison, parts);
  const keysOf = (place: At): Map<string, readonly [name: string, schema: At]> =>
    new Map(children(child(place, 'properties')).map(([name, schema]) => [normalise(name), [name, schema]]));
  const required = (place: At): string[] => (isObject(place.value) ? requiredOf(place.value).map(normalise) : []);
  const [old, now] = [keysOf(x), keysOf(y)];
  for (const [key, [name, p]] of old) {
    const q = now.get(key)?.[1];
    if (q === undefined) {
      node.report('binding-key-removed', p, undefined, name);
      continue;
    }
    compareAsText(comparison, node, p, q);
    const [was, is] = [required(x).includes(key), required(y).includes(key)];
    if (was !== is) node.report(is ? 'binding-key-required' : 'binding-key-optional', p, q, name);
  }
  for (const [key, [name, q]] of now) {
    if (old.has(key)) continue;
    node.report(required(y).includes(key) ? 'binding-key-required' : 'binding-key-added', undefined, q, name);
  }
  const others = (place: At): At => {
    if (!isObject(place.value)) return place;
    const { properties: _p, required: _r, ...more } = place.value;
    return { ...place, value: more satisfies Json, variant: 'without its keys' };
  };
  if (exists(x) && exists(y)) node.link(comparison.compare(others(x), others(y)));
}
