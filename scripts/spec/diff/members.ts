/** Compares what schemas say of the members of objects and the items of lists. */
import { acceptsAll, requiredOf } from './canonical.ts';
import { child, children, isObject, items, known, type At, type Json, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { verdict, type Comparison, type Pair } from './pair.ts';
import type { Side } from './rules.ts';

/** What the schema says of members or items that it does not name. */
const rest = (at: At, ...keywords: readonly string[]): At =>
  keywords.map((keyword) => child(at, keyword)).find(known) ?? { ...child(at, keywords[0]!), value: undefined };
const accepts = ({ value }: At): 'all' | 'some' | 'none' =>
  acceptsAll(value) ? 'all' : value === false ? 'none' : 'some';

const flag = (revision: Revision, at: At, keyword: string): boolean =>
  [at.value, revision.follow(at).value].some((value) => isObject(value) && value[keyword] === true);

/** The items of lists. */
export function itemsOf({ x, y, a, b, node }: Pair, comparison: Comparison): void {
  if ((a.uniqueItems === true) !== (b.uniqueItems === true)) {
    node.report(
      b.uniqueItems === true ? 'unique-items-required' : 'unique-items-dropped',
      child(x, 'uniqueItems'),
      child(y, 'uniqueItems'),
    );
  }
  const [old, now] = [items(child(x, 'prefixItems')), items(child(y, 'prefixItems'))];
  const [oldRest, nowRest] = [rest(x, 'items', 'unevaluatedItems'), rest(y, 'items', 'unevaluatedItems')];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    // A place beyond the list follows the rule for the rest.
    node.link(comparison.compare(old[index] ?? oldRest, now[index] ?? nowRest));
  }
  node.link(comparison.compare(oldRest, nowRest));

  const [oldDemand, nowDemand] = [child(x, 'contains'), child(y, 'contains')];
  const count = (schema: Json): unknown => [schema.minContains ?? 1, schema.maxContains];
  const demands = (schema: Json): boolean => schema.minContains !== 0 || schema.maxContains !== undefined;
  if (!known(oldDemand) && !known(nowDemand)) return;
  if (!known(oldDemand)) return demands(b) ? node.report('contains-added', oldDemand, nowDemand) : undefined;
  if (!known(nowDemand)) return demands(a) ? node.report('contains-removed', oldDemand, nowDemand) : undefined;
  const inner = comparison.compare(oldDemand, nowDemand);
  node.later(() => {
    const change = verdict(comparison.graph.effects(inner));
    const [[oldMin, oldMax], [nowMin, nowMax]] = [count(a), count(b)] as [[number, number?], [number, number?]];
    if (oldMax === undefined && nowMax === undefined) {
      const fewer = change === 'narrower' || nowMin > oldMin;
      const more = change === 'wider' || nowMin < oldMin;
      if (change !== 'other' && fewer !== more)
        node.report(fewer ? 'contains-tightened' : 'contains-loosened', oldDemand, nowDemand);
      else if (change !== 'same' || fewer) node.report('contains-changed', oldDemand, nowDemand);
    } else if (change !== 'same' || oldMin !== nowMin || oldMax !== nowMax)
      node.report('contains-changed', oldDemand, nowDemand);
  });
}

/** The members of objects. */
export function membersOf(pair: Pair, comparison: Comparison): void {
  const { x, y, a, b, node } = pair;
  const [old, now] = [child(x, 'properties'), child(y, 'properties')];
  const [oldRest, nowRest] = [
    rest(x, 'additionalProperties', 'unevaluatedProperties'),
    rest(y, 'additionalProperties', 'unevaluatedProperties'),
  ];
  const names = new Set([...children(old), ...children(now)].map(([name]) => name));
  const unseenBy = (name: string): Side | undefined => {
    const [p, q] = [child(old, name), child(now, name)];
    const both = (keyword: string): boolean =>
      (!known(p) || flag(comparison.before, p, keyword)) && (!known(q) || flag(comparison.after, q, keyword));
    if (!names.has(name)) return undefined;
    return both('readOnly') ? 'request' : both('writeOnly') ? 'response' : undefined;
  };
  const gone = new Set<string>();
  for (const name of names) {
    const [p, q] = [child(old, name), child(now, name)];
    const hidden = unseenBy(name);
    if (known(p) && known(q)) {
      node.link(comparison.compare(p, q), hidden && { except: hidden });
    } else if (known(q)) {
      if (accepts(oldRest) === 'none')
        node.report(
          requiredOf(b).includes(name) ? 'required-property-added' : 'property-added',
          undefined,
          q,
          name,
          hidden,
        );
      else declared(comparison, node, oldRest, q, name, hidden);
    } else {
      gone.add(name);
      node.report(accepts(nowRest) === 'none' ? 'property-removed' : 'property-undeclared', p, undefined, name, hidden);
      if (accepts(nowRest) === 'some') node.link(comparison.compare(p, nowRest), hidden && { except: hidden });
    }
  }
  const [had, has] = [new Set(requiredOf(a)), new Set(requiredOf(b))];
  const [oldRequired, nowRequired] = [child(x, 'required'), child(y, 'required')];
  // Where the member is new or gone itself, that says it all.
  const fresh =
    accepts(oldRest) === 'none' ? new Set([...names].filter((name) => !known(child(old, name)))) : new Set<string>();
  for (const name of has.difference(had).difference(fresh))
    node.report('required-added', oldRequired, nowRequired, name, unseenBy(name));
  for (const name of had.difference(has).difference(gone))
    node.report('required-removed', oldRequired, nowRequired, name, unseenBy(name));

  patternsOf(pair, comparison, accepts(oldRest), accepts(nowRest));
  // A name that is declared on one side only may fit a pattern on the other.
  const [oldPatterns, nowPatterns] = [child(x, 'patternProperties'), child(y, 'patternProperties')];
  const lone = [...names].some((name) => known(child(old, name)) !== known(child(now, name)));
  if (lone && (known(oldPatterns) || known(nowPatterns)))
    node.report('pattern-property-changed', oldPatterns, nowPatterns);

  if (accepts(oldRest) === accepts(nowRest)) {
    if (accepts(oldRest) === 'some') node.link(comparison.compare(oldRest, nowRest));
  } else if (accepts(nowRest) === 'none') node.report('additional-refused', oldRest, nowRest);
  else if (accepts(oldRest) === 'none') node.report('additional-allowed', oldRest, nowRest);
  else node.report(accepts(nowRest) === 'some' ? 'additional-narrowed' : 'additional-widened', oldRest, nowRest);

  const [oldNames, nowNames] = [child(x, 'propertyNames'), child(y, 'propertyNames')];
  if (known(oldNames) || known(nowNames)) node.link(comparison.compare(oldNames, nowNames));
  companionsOf(pair, comparison);
}

/** A name of an open object now has a schema of its own: fewer values, unless that schema takes whatever the rest took. */
function declared(
  comparison: Comparison,
  node: Node,
  oldRest: At,
  now: At,
  name: string,
  unseenBy: Side | undefined,
): void {
  const inner = comparison.compare(oldRest, now);
  node.later(() => {
    const change = verdict(comparison.graph.effects(inner));
    if (change === 'narrower') node.report('property-declared', undefined, now, name, unseenBy);
    else if (change === 'same') node.report('documentation-changed', undefined, now, name);
    else node.link(inner, unseenBy && { except: unseenBy });
  });
}

function patternsOf({ x, y, node }: Pair, comparison: Comparison, oldRest: string, nowRest: string): void {
  const [old, now] = [child(x, 'patternProperties'), child(y, 'patternProperties')];
  for (const pattern of new Set([...children(old), ...children(now)].map(([name]) => name))) {
    const [p, q] = [child(old, pattern), child(now, pattern)];
    if (known(p) && known(q)) node.link(comparison.compare(p, q));
    else if (known(q))
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

function companionsOf({ x, y, node }: Pair, comparison: Comparison): void {
  const [old, now] = [child(x, 'dependentRequired'), child(y, 'dependentRequired')];
  for (const name of new Set([...children(old), ...children(now)].map(([key]) => key))) {
    const [p, q] = [child(old, name), child(now, name)];
    const [had, has] = [new Set(p.value as string[] | undefined), new Set(q.value as string[] | undefined)];
    if (!has.isSubsetOf(had)) node.report('dependent-required-added', p, q, name);
    if (!had.isSubsetOf(has)) node.report('dependent-required-removed', p, q, name);
  }
  const [oldSchemas, nowSchemas] = [child(x, 'dependentSchemas'), child(y, 'dependentSchemas')];
  for (const name of new Set([...children(oldSchemas), ...children(nowSchemas)].map(([key]) => key))) {
    node.link(comparison.compare(child(oldSchemas, name), child(nowSchemas, name)));
  }
}
