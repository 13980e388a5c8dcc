/** Compares the keywords for object properties and list items. */
import { acceptsAll, requiredOf } from './canonical.ts';
import { child, children, isObject, items, exists, type At, type Json, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { verdict, type Comparison, type Pair } from './pair.ts';
import type { Side } from './rules.ts';

/** The schema of the additional properties or items. */
const additional = (at: At, ...keywords: readonly string[]): At =>
  keywords.map((keyword) => child(at, keyword)).find(exists) ?? { ...child(at, keywords[0]!), value: undefined };
const accepts = ({ value }: At): 'all' | 'some' | 'none' =>
  acceptsAll(value) ? 'all' : value === false ? 'none' : 'some';

const flag = (revision: Revision, at: At, keyword: string): boolean =>
  [at.value, revision.follow(at).value].some((value) => isObject(value) && value[keyword] === true);

/** Compares the keywords for lists. */
export function itemsOf({ x, y, a, b, node }: Pair, comparison: Comparison): void {
  if ((a.uniqueItems === true) !== (b.uniqueItems === true)) {
    node.report(
      b.uniqueItems === true ? 'unique-items-required' : 'unique-items-dropped',
      child(x, 'uniqueItems'),
      child(y, 'uniqueItems'),
    );
  }
  const [old, now] = [items(child(x, 'prefixItems')), items(child(y, 'prefixItems'))];
  const [oldRest, nowRest] = [additional(x, 'items', 'unevaluatedItems'), additional(y, 'items', 'unevaluatedItems')];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    // The schema of additional items applies to positions beyond prefixItems.
    node.link(comparison.compare(old[index] ?? oldRest, now[index] ?? nowRest));
  }
  node.link(comparison.compare(oldRest, nowRest));

  const [oldContains, nowContains] = [child(x, 'contains'), child(y, 'contains')];
  const count = (schema: Json): unknown => [schema.minContains ?? 1, schema.maxContains];
  const isEffective = (schema: Json): boolean => schema.minContains !== 0 || schema.maxContains !== undefined;
  if (!exists(oldContains) && !exists(nowContains)) return;
  if (!exists(oldContains)) return isEffective(b) ? node.report('contains-added', oldContains, nowContains) : undefined;
  if (!exists(nowContains))
    return isEffective(a) ? node.report('contains-removed', oldContains, nowContains) : undefined;
  const inner = comparison.compare(oldContains, nowContains);
  node.later(() => {
    const change = verdict(comparison.graph.effects(inner));
    const [[oldMin, oldMax], [nowMin, nowMax]] = [count(a), count(b)] as [[number, number?], [number, number?]];
    if (oldMax === undefined && nowMax === undefined) {
      const fewer = change === 'narrower' || nowMin > oldMin;
      const more = change === 'wider' || nowMin < oldMin;
      if (change !== 'other' && fewer !== more)
        node.report(fewer ? 'contains-tightened' : 'contains-loosened', oldContains, nowContains);
      else if (change !== 'same' || fewer) node.report('contains-changed', oldContains, nowContains);
    } else if (change !== 'same' || oldMin !== nowMin || oldMax !== nowMax)
      node.report('contains-changed', oldContains, nowContains);
  });
}

/** Compares the keywords for objects. */
export function membersOf(pair: Pair, comparison: Comparison): void {
  const { x, y, a, b, node } = pair;
  const [old, now] = [child(x, 'properties'), child(y, 'properties')];
  const [oldRest, nowRest] = [
    additional(x, 'additionalProperties', 'unevaluatedProperties'),
    additional(y, 'additionalProperties', 'unevaluatedProperties'),
  ];
  const names = new Set([...children(old), ...children(now)].map(([name]) => name));
  const hiddenSide = (name: string): Side | undefined => {
    const [p, q] = [child(old, name), child(now, name)];
    const both = (keyword: string): boolean =>
      (!exists(p) || flag(comparison.before, p, keyword)) && (!exists(q) || flag(comparison.after, q, keyword));
    if (!names.has(name)) return undefined;
    return both('readOnly') ? 'request' : both('writeOnly') ? 'response' : undefined;
  };
  const removed = new Set<string>();
  for (const name of names) {
    const [p, q] = [child(old, name), child(now, name)];
    const hidden = hiddenSide(name);
    if (exists(p) && exists(q)) {
      node.link(comparison.compare(p, q), hidden && { except: hidden });
    } else if (exists(q)) {
      if (accepts(oldRest) === 'none')
        node.report(
          requiredOf(b).includes(name) ? 'required-property-added' : 'property-added',
          undefined,
          q,
          name,
          hidden,
        );
      else compareDeclared(comparison, node, oldRest, q, name, hidden);
    } else {
      removed.add(name);
      node.report(accepts(nowRest) === 'none' ? 'property-removed' : 'property-undeclared', p, undefined, name, hidden);
      if (accepts(nowRest) === 'some') node.link(comparison.compare(p, nowRest), hidden && { except: hidden });
    }
  }
  const [had, has] = [new Set(requiredOf(a)), new Set(requiredOf(b))];
  const [oldRequired, nowRequired] = [child(x, 'required'), child(y, 'required')];
  // For a new or removed property, another finding reports the change already.
  const added =
    accepts(oldRest) === 'none' ? new Set([...names].filter((name) => !exists(child(old, name)))) : new Set<string>();
  for (const name of has.difference(had).difference(added))
    node.report('required-added', oldRequired, nowRequired, name, hiddenSide(name));
  for (const name of had.difference(has).difference(removed))
    node.report('required-removed', oldRequired, nowRequired, name, hiddenSide(name));

  patternsOf(pair, comparison, accepts(oldRest), accepts(nowRest));
  // A property that only one revision declares may match a pattern of the other revision.
  const [oldPatterns, nowPatterns] = [child(x, 'patternProperties'), child(y, 'patternProperties')];
  const declaredOnce = [...names].some((name) => exists(child(old, name)) !== exists(child(now, name)));
  if (declaredOnce && (exists(oldPatterns) || exists(nowPatterns)))
    node.report('pattern-property-changed', oldPatterns, nowPatterns);

  if (accepts(oldRest) === accepts(nowRest)) {
    if (accepts(oldRest) === 'some') node.link(comparison.compare(oldRest, nowRest));
  } else if (accepts(nowRest) === 'none') node.report('additional-refused', oldRest, nowRest);
  else if (accepts(oldRest) === 'none') node.report('additional-allowed', oldRest, nowRest);
  else node.report(accepts(nowRest) === 'some' ? 'additional-narrowed' : 'additional-widened', oldRest, nowRest);

  const [oldNames, nowNames] = [child(x, 'propertyNames'), child(y, 'propertyNames')];
  if (exists(oldNames) || exists(nowNames)) node.link(comparison.compare(oldNames, nowNames));
  dependentsOf(pair, comparison);
}

/** Compares a newly declared property with the schema of the additional properties, which applied before. */
function compareDeclared(
  comparison: Comparison,
  node: Node,
  oldRest: At,
  now: At,
  name: string,
  hidden: Side | undefined,
): void {
  const inner = comparison.compare(oldRest, now);
  node.later(() => {
    const change = verdict(comparison.graph.effects(inner));
    if (change === 'narrower') node.report('property-declared', undefined, now, name, hidden);
    else if (change === 'same') node.report('documentation-changed', undefined, now, name);
    else node.link(inner, hidden && { except: hidden });
  });
}

function patternsOf({ x, y, node }: Pair, comparison: Comparison, oldRest: string, nowRest: string): void {
  const [old, now] = [child(x, 'patternProperties'), child(y, 'patternProperties')];
  for (const pattern of new Set([...children(old), ...children(now)].map(([name]) => name))) {
    const [p, q] = [child(old, pattern), child(now, pattern)];
    if (exists(p) && exists(q)) node.link(comparison.compare(p, q));
    else if (exists(q))
      node.report(
        oldRest === 'all' && nowRest === 'all' ? 'pattern-property-added' : 'pattern-property-changed',
        undefined,
        q,
        pattern,
      );
    else
      node.report(
        oldRest === 'all' && nowRest === 'all' ? 'pattern-property-removed' : 'pattern-property-changed',
        p,
        undefined,
        pattern,
      );
  }
}

const namesOf = ({ value }: At): Set<unknown> => new Set(Array.isArray(value) ? value : []);

function dependentsOf({ x, y, node }: Pair, comparison: Comparison): void {
  const [old, now] = [child(x, 'dependentRequired'), child(y, 'dependentRequired')];
  for (const name of new Set([...children(old), ...children(now)].map(([key]) => key))) {
    const [p, q] = [child(old, name), child(now, name)];
    const [had, has] = [namesOf(p), namesOf(q)];
    if (!has.isSubsetOf(had)) node.report('dependent-required-added', p, q, name);
    if (!had.isSubsetOf(has)) node.report('dependent-required-removed', p, q, name);
  }
  const [oldSchemas, nowSchemas] = [child(x, 'dependentSchemas'), child(y, 'dependentSchemas')];
  for (const name of new Set([...children(oldSchemas), ...children(nowSchemas)].map(([key]) => key))) {
    node.link(comparison.compare(child(oldSchemas, name), child(nowSchemas, name)));
  }
}
