/** Compares composed schemas: `oneOf`, `anyOf`, `allOf`, `not` and `if`. */
import { atomsOf, excludes, same, stable, tagOf, typesOf, unionOf, valuesOf } from './canonical.ts';
import { child, isObject, items, known, type At, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { verdict, type Comparison, type Pair } from './pair.ts';

/** `not`, `if`, and `allOf` where its parts could not be read as one schema. */
export function logicOf({ x, y, node }: Pair, comparison: Comparison): void {
  const [oldNot, nowNot] = [child(x, 'not'), child(y, 'not')];
  if (known(oldNot) && known(nowNot)) {
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
  } else if (known(nowNot)) node.report('not-added', undefined, nowNot);
  else if (known(oldNot)) node.report('not-removed', oldNot, undefined);

  const [oldIf, nowIf] = [child(x, 'if'), child(y, 'if')];
  if (known(oldIf) && known(nowIf)) {
    const inner = comparison.compare(oldIf, nowIf);
    node.later(() => {
      if (verdict(comparison.graph.effects(inner)) !== 'same') node.report('condition-changed', oldIf, nowIf);
    });
    for (const branch of ['then', 'else']) node.link(comparison.compare(child(x, branch), child(y, branch)));
  } else if (known(nowIf)) node.report('condition-added', undefined, nowIf);
  else if (known(oldIf)) node.report('condition-removed', oldIf, undefined);

  const { pairs, lost, won } = match(comparison, items(child(x, 'allOf')), items(child(y, 'allOf')));
  for (const [p, q] of pairs) node.link(comparison.compare(p, q));
  for (const p of lost) node.report('all-of-removed', p, undefined, label(p));
  for (const q of won) node.report('all-of-added', undefined, q, label(q));
}

/** `oneOf` and `anyOf` beside other demands, or on both sides. */
export function unionsOf({ x, y, a, b, node }: Pair, comparison: Comparison): void {
  const [old, now] = [unionOf(a), unionOf(b)];
  if (old && now)
    alternatives(comparison, node, items(child(x, old)), items(child(y, now)), old === 'oneOf', now === 'oneOf');
  else if (now) node.report('alternatives-introduced', undefined, child(y, now), now);
  else if (old) node.report('alternatives-dropped', child(x, old), undefined, old);
  // A schema with both keywords is rare: the second is compared as a whole.
  if (Array.isArray(a.anyOf) && old === 'oneOf' ? !same(a.anyOf, b.anyOf) : Array.isArray(b.anyOf) && now === 'oneOf') {
    node.report('unjudged', child(x, 'anyOf'), child(y, 'anyOf'), 'anyOf beside oneOf');
  }
}

/** Two lists of alternatives; of those that are exact, exactly one must match. */
export function alternatives(
  comparison: Comparison,
  node: Node,
  old: readonly At[],
  now: readonly At[],
  oldExact: boolean,
  nowExact: boolean,
): void {
  const { pairs, lost, won } = match(comparison, old, now);
  const isNull = (revision: Revision, at: At): boolean => {
    const { value } = revision.follow(at);
    return isObject(value) && [...atomsOf(value)].join() === 'null';
  };
  const inner = pairs.map(([p, q]) => comparison.compare(p, q));
  for (const key of inner) node.link(key);
  for (const p of lost)
    node.report(isNull(comparison.before, p) ? 'null-refused' : 'alternative-removed', p, undefined, label(p));
  for (const q of won)
    node.report(isNull(comparison.after, q) ? 'null-allowed' : 'alternative-added', undefined, q, label(q));
  // Exactly one must match: where several can, more for one alternative is less for another.
  if (!oldExact && !nowExact) return;
  const overlap = (revision: Revision, members: readonly At[]): boolean =>
    members.some((p, index) => members.slice(index + 1).some((q) => !excludes(p, q, revision.follow, revision.follow)));
  if (!overlap(comparison.before, old) && !overlap(comparison.after, now)) return;
  node.later(() => {
    const [p, q] = [old[0], now[0]];
    if (
      lost.length > 0 ||
      won.length > 0 ||
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

/** Finds for each part its successor: by name, by equality, by tag, by type, and at last the only one left. */
function match(
  comparison: Comparison,
  old: readonly At[],
  now: readonly At[],
): { pairs: [At, At][]; lost: At[]; won: At[] } {
  const pairs: [At, At][] = [];
  let [lost, won] = [[...old], [...now]];
  const read = (revision: Revision, at: At): unknown => revision.follow(at).value;
  const signatures: ((revision: Revision, at: At) => string | undefined)[] = [
    (_, at) => (isObject(at.value) && typeof at.value.$ref === 'string' ? at.value.$ref : undefined),
    (revision, at) => stable(read(revision, at)),
    (revision, at) => {
      const place = revision.follow(at);
      if (!isObject(place.value)) return undefined;
      return tagOf(place.value, (name) => {
        const member = child(place, 'properties', name);
        return known(member) ? read(revision, member) : undefined;
      });
    },
    (revision, at) => {
      const value = read(revision, at);
      return isObject(value) && (typesOf(value) ?? valuesOf(value)) ? [...atomsOf(value)].sort().join() : undefined;
    },
    (revision) => (lost.length === 1 && won.length === 1 && revision ? 'the last' : undefined),
  ];
  for (const signature of signatures) {
    const group = (revision: Revision, places: readonly At[]): Map<string | undefined, At[]> =>
      Map.groupBy(places, (at) => signature(revision, at));
    const [from, to] = [group(comparison.before, lost), group(comparison.after, won)];
    const found = [...from].flatMap(([key, [p, ...others]]): [At, At][] => {
      const [q, ...more] = (key !== undefined && to.get(key)) || [];
      return p && q && others.length === 0 && more.length === 0 ? [[p, q]] : [];
    });
    pairs.push(...found);
    lost = lost.filter((at) => !found.some(([p]) => p === at));
    won = won.filter((at) => !found.some(([, q]) => q === at));
  }
  return { pairs, lost, won };
}
