/** Helpers for the comparisons of the parts of an operation. */
import { isAnnotation, same } from './canonical.ts';
import { child, children, exists, isObject, type At, type Json } from './document.ts';
import type { Node } from './graph.ts';
import type { Comparison } from './pair.ts';
import type { RuleId, Side } from './rules.ts';

/** An operation of a revision. */
export type Operation = {
  /** `GET /path`. */
  readonly label: string;
  /** The path with its parameters in braces. */
  readonly template: string;
  readonly at: At;
  /** The position of its path. */
  readonly path: At;
  /** The side of what its request carries: `response` for a webhook and a callback, which the service calls. */
  readonly sent: Side;
};

/** The other side. */
export const opposite = (side: Side): Side => (side === 'request' ? 'response' : 'request');

/** Whether a member is `true`. */
export const flag = (at: At, name: string): boolean => child(at, name).value === true;
/** The value if it is a string; otherwise the empty string. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The rule for a change of `x-sunset`. Its days are texts in the order of time. */
function sunsetRule(old: unknown, now: unknown): RuleId {
  if (old === undefined) return 'sunset-set';
  return now === undefined || text(now) > text(old) ? 'sunset-later' : 'sunset-earlier';
}

/**
 * Reports an extension with a meaning of its own: the maximum size of a body, the days of a deprecation, and whether a failed
 * call may be repeated. Returns false for any other member.
 */
export function judgedExtension(node: Node, x: At, y: At, name: string): boolean {
  if (name === 'x-max-bytes') {
    const [old, now] = [x, y].map(({ value }) => (typeof value === 'number' ? value : Infinity)) as [number, number];
    if (old !== now) node.report(now < old ? 'max-bytes-lowered' : 'max-bytes-raised', x, y, name);
    return true;
  }
  if (name === 'x-sunset') {
    node.report(sunsetRule(x.value, y.value), x, y, name);
    return true;
  }
  if (name === 'x-deprecated-since') {
    node.report('documentation-changed', x, y, name);
    return true;
  }
  if (name !== 'x-repeat') return false;
  node.report(y.value === 'safe' ? 'repeat-allowed' : 'repeat-refused', x, y, name);
  return true;
}

const documentation = new Set(['summary', 'description', 'example', 'examples', 'externalDocs', 'title']);
/** Reports the differences of all members except `compared`: documentation, extensions and unknown members. */
export function otherMembers(node: Node, x: At, y: At, compared: readonly string[]): void {
  const names = new Set([...children(x), ...children(y)].map(([name]) => name));
  for (const name of names.difference(new Set(compared))) {
    const [p, q] = [child(x, name), child(y, name)];
    if (same(p.value, q.value)) continue;
    if (judgedExtension(node, p, q, name)) continue;
    if (name === 'deprecated') node.report(q.value === true ? 'deprecated' : 'no-longer-deprecated', p, q);
    else
      node.report(
        documentation.has(name) ? 'documentation-changed' : name.startsWith('x-') ? 'extension-changed' : 'unjudged',
        p,
        q,
        name,
      );
  }
}

const isAnyText = ({ value }: At): boolean =>
  isObject(value) && value.type === 'string' && Object.keys(value).every((key) => key === 'type' || isAnnotation(key));
const isScalar = ({ value }: At): boolean =>
  isObject(value) && ['integer', 'number', 'boolean'].includes(String(value.type));

/** The places of values in a list or an object that is written as text, such as `?size=1,2`. */
function placesIn({ value }: At): (readonly [keyword: string, name: string])[] {
  if (!isObject(value)) return [];
  const properties = isObject(value.properties) ? Object.keys(value.properties) : [];
  return [
    ...['items', 'additionalProperties']
      .filter((keyword) => isObject(value[keyword]))
      .map((each) => [each, ''] as const),
    ...properties.map((name) => ['properties', name] as const),
  ];
}

/** The schema with another one at some of its places. */
function withParts(at: At, parts: readonly (readonly [keyword: string, name: string, value: unknown])[]): At {
  if (parts.length === 0) return at;
  const value: Json = { ...(at.value as Json) };
  for (const [keyword, name, part] of parts)
    value[keyword] = name === '' ? part : { ...(value[keyword] as Json), [name]: part };
  return { value, pointer: at.pointer, variant: 'as text' };
}

/** Compares schemas of values outside of a body, where a number is also a text, alone and in a list or an object. */
export function compareAsText(comparison: Comparison, node: Node, x: At, y: At): void {
  const [p, q] = [comparison.before.follow(x), comparison.after.follow(y)];
  if (isScalar(p) && isAnyText(q)) return node.report('written-type-widened', p, q);
  if (isAnyText(p) && isScalar(q)) return node.report('written-type-narrowed', p, q);
  const parts = placesIn(p).flatMap(([keyword, name]) => {
    const keys = name === '' ? [keyword] : [keyword, name];
    const [from, to] = [
      comparison.before.follow(child(p, ...keys)),
      exists(child(q, ...keys)) ? comparison.after.follow(child(q, ...keys)) : child(q, ...keys),
    ];
    const isWider = isScalar(from) && isAnyText(to);
    if (!isWider && !(isAnyText(from) && isScalar(to))) return [];
    node.report(isWider ? 'written-type-widened' : 'written-type-narrowed', from, to);
    return [[keyword, name, from.value] as const];
  });
  // The reported places count as equal.
  if (parts.length === 0) node.link(comparison.compare(x, y));
  else node.link(comparison.compare(withParts(p, parts), withParts(q, parts)));
}

/** Whether the values of a schema are written as one word, with neither members nor items. */
export const isOneWord = (comparison: Comparison, x: At, y: At): boolean =>
  [comparison.before.follow(x), comparison.after.follow(y)].every(
    ({ value }) => isObject(value) && ['string', 'integer', 'number', 'boolean'].includes(String(value.type)),
  );

/** Compares two maps by name, references followed: calls what fits for a name that is gone, new, or in both. */
export function eachName(
  [before, after]: readonly [x: At, y: At],
  found: {
    readonly gone: (at: At, name: string) => void;
    readonly added: (at: At, name: string) => void;
    readonly both: (x: At, y: At, name: string) => void;
  },
): void {
  for (const name of new Set([...children(before), ...children(after)].map(([key]) => key))) {
    const [p, q] = [child(before, name), child(after, name)];
    if (!exists(q)) found.gone(p, name);
    else if (!exists(p)) found.added(q, name);
    else found.both(p, q, name);
  }
}
