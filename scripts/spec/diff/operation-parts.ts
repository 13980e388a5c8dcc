/** Helpers for the comparisons of the parts of an operation. */
import { isAnnotation, same } from './canonical.ts';
import { child, children, isObject, type At } from './document.ts';
import type { Node } from './graph.ts';
import type { Comparison } from './pair.ts';
import type { RuleId } from './rules.ts';

/** An operation of a revision. */
export type Operation = {
  /** `GET /path`. */
  readonly label: string;
  /** The path with its parameters in braces. */
  readonly template: string;
  readonly at: At;
  /** The position of its path. */
  readonly path: At;
};

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

/** Compares schemas of values outside of a body, where a number is also a text. */
export function compareAsText(comparison: Comparison, node: Node, x: At, y: At): void {
  const [p, q] = [comparison.before.follow(x), comparison.after.follow(y)];
  if (isScalar(p) && isAnyText(q)) node.report('written-type-widened', p, q);
  else if (isAnyText(p) && isScalar(q)) node.report('written-type-narrowed', p, q);
  else node.link(comparison.compare(x, y));
}
