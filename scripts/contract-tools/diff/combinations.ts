/** Compares composed schemas: `oneOf`, `anyOf`, `allOf`, `not` and `if`. */
import { atomsOf, excludes, same, stable, tagOf, typesOf, unionOf, valuesOf } from './canonical.ts';
import { child, isObject, items, exists, type At, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { verdict, type Comparison, type Pair } from './pair.ts';

/** Compares `not` and `if`, and `allOf` whose parts cannot be merged into one schema. */
export function logicOf({ x, y, node }: Pair, comparison: Comparison): void {
  const [oldNot, nowNot] = [child(x, 'not'), child(y, 'not')];
  if (exists(oldNot) && exists(nowNot)) {
    const inner = comparison.compare(oldNot, nowNot);
    node.later(() => {
      const change = verdict(comparison.graph.effects(inner));
      if (change !== 'same')
        node.report(
          change === 'wider' ? 'not-tightened' : change === 'narrower' ? 'not-loosened' : 'not-changed',
          oldNot,
          nowNot,
        );
    });
  } else if (exists(nowNot)) node.report('not-added', undefined, nowNot);
  else if (exists(oldNot)) node.report('not-removed', oldNot, undefined);

  const [oldIf, nowIf] = [child(x, 'if'), child(y, 'if')];
  if (exists(oldIf) && exists(nowIf)) {
    const inner = comparison.compare(oldIf, nowIf);
    node.later(() => {
      if (verdict(comparison.graph.effects(inner)) !== 'same') node.report('condition-changed', oldIf, nowIf);
    });
    for (const branch of ['then', 'else']) node.link(comparison.compare(child(x, branch), child(y, branch)));
  } else if (exists(nowIf)) node.report('condition-added', undefined, nowIf);
  else if (exists(oldIf)) node.report('condition-removed', oldIf, undefined);

  const { pairs, removed, added } = match(comparison, items(child(x, 'allOf')), items(child(y, 'allOf')));
  for (const [p, q] of pairs) node.link(comparison.compare(p, q));
  for (const p of removed) node.report('all-of-removed', p, undefined, label(p));
  for (const q of added) node.report('all-of-added', undefined, q, label(q));
}

/** Compares `oneOf` and `anyOf`. */
export function unionsOf({ x, y, a, b, node }: Pair, comparison: Comparison): void {
  const [old, now] = [unionOf(a), unionOf(b)];
  if (old && now)
    alternatives(comparison, node, items(child(x, old)), items(child(y, now)), old === 'oneOf', now === 'oneOf');
  else if (now) node.report('alternatives-introduced', undefined, child(y, now), now);
  else if (old) node.report('alternatives-dropped', child(x, old), undefined, old);
  // A schema with both keywords is rare, so `anyOf` is compared only for equality.
  if (Array.isArray(a.anyOf) && old === 'oneOf' ? !same(a.anyOf, b.anyOf) : Array.isArray(b.anyOf) && now === 'oneOf') {
    node.report('unjudged', child(x, 'anyOf'), child(y, 'anyOf'), 'anyOf beside oneOf');
  }
}

/** Compares two lists of alternatives. `oldExact`, `nowExact`: exactly one alternative must match (`oneOf`). */
export function alternatives(
  comparison: Comparison,
  node: Node,
  old: readonly At[],
  now: readonly At[],
  oldExact: boolean,
  nowExact: boolean,
): void {
  const { pairs, removed, added } = match(comparison, old, now);
  const isNull = (revision: Revision, at: At): boolean => {
    const { value } = revision.follow(at);
    return isObject(value) && [...atomsOf(value)].join() === 'null';
  };
  const inner = pairs.map(([p, q]) => comparison.compare(p, q));
  for (const key of inner) node.link(key);
  for (const p of removed)
    node.report(isNull(comparison.before, p) ? 'null-refused' : 'alternative-removed', p, undefined, label(p));
  for (const q of added)
    node.report(isNull(comparison.after, q) ? 'null-allowed' : 'alternative-added', undefined, q, label(q));
  // With oneOf, a value that matches several alternatives is invalid, so a wider alternative can exclude values.
  if (!oldExact && !nowExact) return;
  const overlap = (revision: Revision, members: readonly At[]): boolean =>
    members.some((p, index) => members.slice(index + 1).some((q) => !excludes(p, q, revision.follow, revision.follow)));
  if (!overlap(comparison.before, old) && !overlap(comparison.after, now)) return;
  node.later(() => {
    const [p, q] = [old[0], now[0]];
    if (
      removed.length > 0 ||
      added.length > 0 ||
      oldExact !== nowExact ||
      inner.some((key) => comparison.graph.effects(key).size > 0)
    )
      node.report('alternatives-overlap', p, q);
  });
}

const label = ({ value, variant }: At): string =>
  variant ??
  (isObject(value) && typeof value.$ref === 'string'
    ? value.$ref.split('/').at(-1)!
    : isObject(value) && typeof value.type === 'string'
      ? value.type
      : '');

/** Pairs the old and new parts by reference, equality, tag or type; a single remaining part on each side is a pair too. */
function match(
  comparison: Comparison,
  old: readonly At[],
  now: readonly At[],
): { pairs: [At, At][]; removed: At[]; added: At[] } {
  const pairs: [At, At][] = [];
  let [removed, added] = [[...old], [...now]];
  const read = (revision: Revision, at: At): unknown => revision.follow(at).value;
  const signatures: ((revision: Revision, at: At) => string | undefined)[] = [
    (_, at) => (isObject(at.value) && typeof at.value.$ref === 'string' ? at.value.$ref : undefined),
    (revision, at) => stable(read(revision, at)),
    (revision, at) => {
      const target = revision.follow(at);
      if (!isObject(target.value)) return undefined;
      return tagOf(target.value, (name) => {
        const member = child(target, 'properties', name);
        return exists(member) ? read(revision, member) : undefined;
      });
    },
    (revision, at) => {
      const value = read(revision, at);
      return isObject(value) && (typesOf(value) ?? valuesOf(value)) ? [...atomsOf(value)].sort().join() : undefined;
    },
    (revision) => (removed.length === 1 && added.length === 1 && revision ? 'only one' : undefined),
  ];
  for (const signature of signatures) {
    const group = (revision: Revision, parts: readonly At[]): Map<string | undefined, At[]> =>
      Map.groupBy(parts, (at) => signature(revision, at));
    const [from, to] = [group(comparison.before, removed), group(comparison.after, added)];
    const matches = [...from].flatMap(([key, [p, ...others]]): [At, At][] => {
      const [q, ...more] = (key !== undefined && to.get(key)) || [];
      return p && q && others.length === 0 && more.length === 0 ? [[p, q]] : [];
    });
    pairs.push(...matches);
    removed = removed.filter((at) => !matches.some(([p]) => p === at));
    added = added.filter((at) => !matches.some(([, q]) => q === at));
  }
  return { pairs, removed, added };
}
