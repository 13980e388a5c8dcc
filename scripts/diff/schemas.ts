/** Compares two schemas keyword by keyword; each keyword says alone whether fewer or more values are accepted than before. */
import {
  atomsOf,
  boundOf,
  compareBounds,
  documentation,
  excludes,
  flattened,
  isAnnotation,
  isPureUnion,
  requiredOf,
  same,
  splitByType,
  stable,
  tagOf,
  typesOf,
  unionOf,
  valuesOf,
} from './canonical.ts';
import { address, child, children, isObject, items, known, type At, type Json, type Revision } from './document.ts';
import type { Graph, Node } from './graph.ts';
import type { Effect, Limit, RuleId, Side } from './rules.ts';

/** Compares two places that hold a schema (or none: then any value is accepted) and returns the key of their node. */
export type CompareSchemas = (before: At, after: At) => string;
export type SchemaComparison = {
  readonly compare: CompareSchemas;
  /** The key of the node of two schemas that are no `$ref`s, compared or not. */
  keyOf(before: At, after: At): string;
};

const handled = new Set([
  ...documentation,
  ...['$ref', 'type', 'enum', 'const', 'format', 'pattern', 'multipleOf', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  ...['items', 'prefixItems', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required', 'dependentRequired'],
  ...['dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'discriminator'],
  ...['default', 'deprecated', 'readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema', '$defs', 'definitions'],
]);
const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** A pair of places, and what to note about it. */
type Pair = { readonly x: At; readonly y: At; readonly a: Json; readonly b: Json; readonly node: Node };

/** How the values of a pair changed: only fewer, only more, not at all, or otherwise. */
function verdict(effects: ReadonlySet<Effect>): 'same' | 'narrower' | 'wider' | 'other' {
  if (effects.size === 0) return 'same';
  const [only] = effects;
  return effects.size === 1 && (only === 'narrower' || only === 'wider') ? only : 'other';
}

function annotationsOf({ x, y, a, b, node }: Pair): void {
  for (const keyword of documentation) {
    if (!same(a[keyword], b[keyword])) node.report('documentation-changed', child(x, keyword), child(y, keyword), keyword);
  }
  const flag = (keyword: string, on: RuleId, off: RuleId): void => {
    if ((a[keyword] === true) === (b[keyword] === true)) return;
    node.report(b[keyword] === true ? on : off, child(x, keyword), child(y, keyword));
  };
  flag('deprecated', 'deprecated', 'no-longer-deprecated');
  flag('readOnly', 'became-read-only', 'no-longer-read-only');
  flag('writeOnly', 'became-write-only', 'no-longer-write-only');
  if (!same(a.default, b.default)) node.report('default-changed', child(x, 'default'), child(y, 'default'));
  if (!same(a.discriminator, b.discriminator)) node.report('discriminator-changed', child(x, 'discriminator'), child(y, 'discriminator'));
  for (const keyword of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (handled.has(keyword) || same(a[keyword], b[keyword])) continue;
    node.report(keyword.startsWith('x-') ? 'extension-changed' : 'unjudged', child(x, keyword), child(y, keyword), keyword);
  }
}

function valuesAndTypes({ x, y, a, b, node }: Pair): void {
  const [old, now] = [valuesOf(a), valuesOf(b)];
  const keyword = (schema: Json): string => ('const' in schema ? 'const' : 'enum');
  const [oldList, nowList] = [child(x, keyword(a)), child(y, keyword(b))];
  if (old && now) {
    const lost = old.filter((value) => !now.some((other) => same(value, other)));
    const won = now.filter((value) => !old.some((other) => same(value, other)));
    if ('const' in a && 'const' in b && lost.length > 0) return node.report('const-changed', oldList, nowList);
    if (lost.length > 0) node.report('enum-value-removed', oldList, nowList, lost.map(show).join(', '));
    if (won.length > 0) node.report('enum-value-added', oldList, nowList, won.map(show).join(', '));
    return;
  }
  const [from, to] = [atomsOf(a), atomsOf(b)];
  const [lost, won] = [from.difference(to), to.difference(from)];
  const [oldType, nowType] = [child(x, 'type'), child(y, 'type')];
  const place = [known(oldType) ? oldType : x, known(nowType) ? nowType : y] as const;
  const explicit = typesOf(a) !== undefined && typesOf(b) !== undefined;
  if (explicit && lost.delete('null')) node.report('null-refused', ...place);
  if (explicit && won.delete('null')) node.report('null-allowed', ...place);
  if (lost.size > 0 && won.size > 0) node.report('type-changed', ...place);
  else if (lost.size > 0 && !now) node.report('type-removed', oldType, nowType, [...lost].join(', '));
  else if (won.size > 0 && !old) node.report('type-added', oldType, nowType, [...won].join(', '));
  else if (lost.size > 0 && won.size === 0 && now && typesOf(a)) { /* the new list says it */ }
  if (now) node.report('enum-introduced', oldList, nowList, now.map(show).join(', '));
  if (old) node.report('enum-dropped', oldList, nowList, old.map(show).join(', '));
}

function limitsOf({ x, y, a, b, node }: Pair): void {
  const limit = (name: Limit, tighter: number): void => {
    if (tighter === 0) return;
    const [from, to] = [a, b].map((schema) => {
      const exclusive = name === 'minimum' ? 'exclusiveMinimum' : name === 'maximum' ? 'exclusiveMaximum' : name;
      return exclusive in schema && !(name in schema) ? exclusive : name;
    });
    const [old, now] = [child(x, from!), child(y, to!)];
    node.report(`${name}-${tighter > 0 ? 'tightened' : 'loosened'}`, old, now);
  };
  limit('minimum', compareBounds(boundOf(b, 1), boundOf(a, 1)));
  limit('maximum', compareBounds(boundOf(b, -1), boundOf(a, -1)));
  const number = (schema: Json, keyword: string, none: number): number => (typeof schema[keyword] === 'number' ? schema[keyword] : none);
  for (const name of ['minLength', 'minItems', 'minProperties'] as const) limit(name, number(b, name, 0) - number(a, name, 0));
  for (const name of ['maxLength', 'maxItems', 'maxProperties'] as const) {
    const [from, to] = [number(a, name, Infinity), number(b, name, Infinity)];
    limit(name, from === to ? 0 : from - to);
  }
  const [step, next] = [number(a, 'multipleOf', 0), number(b, 'multipleOf', 0)];
  if (step === next) return;
  // Only whole steps can be compared: 0.3 is no multiple of 0.1 in binary.
  const whole = Number.isInteger(step) && Number.isInteger(next);
  const rule = step === 0 || (whole && next !== 0 && next % step === 0) ? 'tightened' : next === 0 || (whole && step % next === 0) ? 'loosened' : 'changed';
  node.report(`multipleOf-${rule}`, child(x, 'multipleOf'), child(y, 'multipleOf'));
}

/** Formats whose values are all values of another. */
const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

function textOf({ x, y, a, b, node }: Pair): void {
  const differs = (keyword: string, added: RuleId, removed: RuleId, other: RuleId): void => {
    const [from, to] = [a[keyword], b[keyword]];
    if (same(from, to)) return;
    node.report(from === undefined ? added : to === undefined ? removed : other, child(x, keyword), child(y, keyword), keyword);
  };
  differs('pattern', 'pattern-added', 'pattern-removed', 'pattern-changed');
  const { format: from } = a;
  const { format: to } = b;
  const related = typeof from === 'string' && widerFormats[from] === to ? 'format-widened' : typeof to === 'string' && widerFormats[to] === from ? 'format-narrowed' : 'format-changed';
  differs('format', 'format-added', 'format-removed', from !== undefined && to !== undefined ? related : 'format-changed');
  for (const keyword of ['contentEncoding', 'contentMediaType', 'contentSchema']) {
    differs(keyword, 'content-encoding-changed', 'content-encoding-changed', 'content-encoding-changed');
  }
}

/** What the schema says of members or items that it does not name. */
const rest = (at: At, ...keywords: readonly string[]): At =>
  keywords.map((keyword) => child(at, keyword)).find(known) ?? { ...child(at, keywords[0]!), value: undefined };
const accepts = ({ value }: At): 'all' | 'some' | 'none' =>
  value === undefined || value === true || (isObject(value) && Object.keys(value).every(isAnnotation)) ? 'all' : value === false ? 'none' : 'some';

/** Builds the comparison of schemas of two revisions over a graph. */
export function schemaComparison(before: Revision, after: Revision, graph: Graph): SchemaComparison {
  const flag = (revision: Revision, at: At, keyword: string): boolean =>
    [at.value, revision.follow(at).value].some((value) => isObject(value) && value[keyword] === true);

  function itemsOf({ x, y, a, b, node }: Pair): void {
    if ((a.uniqueItems === true) !== (b.uniqueItems === true)) {
      node.report(b.uniqueItems === true ? 'unique-items-required' : 'unique-items-dropped', child(x, 'uniqueItems'), child(y, 'uniqueItems'));
    }
    const [old, now] = [items(child(x, 'prefixItems')), items(child(y, 'prefixItems'))];
    const [oldRest, nowRest] = [rest(x, 'items', 'unevaluatedItems'), rest(y, 'items', 'unevaluatedItems')];
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      // A place beyond the list follows the rule for the rest.
      node.link(compare(old[index] ?? oldRest, now[index] ?? nowRest));
    }
    node.link(compare(oldRest, nowRest));

    const [oldDemand, nowDemand] = [child(x, 'contains'), child(y, 'contains')];
    const count = (schema: Json): unknown => [schema.minContains ?? 1, schema.maxContains];
    const demands = (schema: Json): boolean => schema.minContains !== 0 || schema.maxContains !== undefined;
    if (!known(oldDemand) && !known(nowDemand)) return;
    if (!known(oldDemand)) return demands(b) ? node.report('contains-added', oldDemand, nowDemand) : undefined;
    if (!known(nowDemand)) return demands(a) ? node.report('contains-removed', oldDemand, nowDemand) : undefined;
    const inner = compare(oldDemand, nowDemand);
    node.later(() => {
      const change = verdict(graph.effects(inner));
      const [[oldMin, oldMax], [nowMin, nowMax]] = [count(a), count(b)] as [[number, number?], [number, number?]];
      if (oldMax === undefined && nowMax === undefined) {
        const fewer = change === 'narrower' || nowMin > oldMin;
        const more = change === 'wider' || nowMin < oldMin;
        if (change !== 'other' && fewer !== more) node.report(fewer ? 'contains-tightened' : 'contains-loosened', oldDemand, nowDemand);
        else if (change !== 'same' || fewer) node.report('contains-changed', oldDemand, nowDemand);
      } else if (change !== 'same' || oldMin !== nowMin || oldMax !== nowMax) node.report('contains-changed', oldDemand, nowDemand);
    });
  }

  function membersOf({ x, y, a, b, node }: Pair): void {
    const [old, now] = [child(x, 'properties'), child(y, 'properties')];
    const [oldRest, nowRest] = [rest(x, 'additionalProperties', 'unevaluatedProperties'), rest(y, 'additionalProperties', 'unevaluatedProperties')];
    const names = new Set([...children(old), ...children(now)].map(([name]) => name));
    const gone = new Set<string>();
    for (const name of names) {
      const [p, q] = [child(old, name), child(now, name)];
      const [p0, q0] = [known(p), known(q)];
      const unseen = (keyword: string): boolean => (!p0 || flag(before, p, keyword)) && (!q0 || flag(after, q, keyword));
      const unseenBy: Side | undefined = unseen('readOnly') ? 'request' : unseen('writeOnly') ? 'response' : undefined;
      if (p0 && q0) {
        node.link(compare(p, q), unseenBy && { except: unseenBy });
      } else if (q0) {
        if (accepts(oldRest) === 'none') node.report(requiredOf(b).includes(name) ? 'required-property-added' : 'property-added', undefined, q, name, unseenBy);
        else declared(node, oldRest, q, name, unseenBy);
      } else {
        gone.add(name);
        node.report(accepts(nowRest) === 'all' ? 'property-undeclared' : 'property-removed', p, undefined, name, unseenBy);
      }
    }
    const [had, has] = [new Set(requiredOf(a)), new Set(requiredOf(b))];
    const silent = (name: string): Side | undefined => {
      const both = (keyword: string): boolean => [[before, child(old, name)] as const, [after, child(now, name)] as const].every(([revision, at]) => !known(at) || flag(revision, at, keyword));
      if (!names.has(name)) return undefined;
      return both('readOnly') ? 'request' : both('writeOnly') ? 'response' : undefined;
    };
    const [oldRequired, nowRequired] = [child(x, 'required'), child(y, 'required')];
    // Where the member is new or gone itself, that says it all.
    const fresh = accepts(oldRest) === 'none' ? new Set([...names].filter((name) => !known(child(old, name)))) : new Set<string>();
    for (const name of has.difference(had).difference(fresh)) node.report('required-added', oldRequired, nowRequired, name, silent(name));
    for (const name of had.difference(has).difference(gone)) node.report('required-removed', oldRequired, nowRequired, name, silent(name));

    patternsOf({ x, y, a, b, node }, accepts(oldRest), accepts(nowRest));
    if (accepts(oldRest) === accepts(nowRest)) {
      if (accepts(oldRest) === 'some') node.link(compare(oldRest, nowRest));
    } else if (accepts(nowRest) === 'none') node.report('additional-refused', oldRest, nowRest);
    else if (accepts(oldRest) === 'none') node.report('additional-allowed', oldRest, nowRest);
    else node.report(accepts(nowRest) === 'some' ? 'additional-narrowed' : 'additional-widened', oldRest, nowRest);

    const [oldNames, nowNames] = [child(x, 'propertyNames'), child(y, 'propertyNames')];
    if (known(oldNames) || known(nowNames)) node.link(compare(oldNames, nowNames));
    companionsOf({ x, y, a, b, node });
  }

  /** A name of an open object now has a schema of its own: fewer values, unless that schema takes whatever the rest took. */
  function declared(node: Node, oldRest: At, now: At, name: string, unseenBy: Side | undefined): void {
    const inner = compare(oldRest, now);
    node.later(() => {
      const change = verdict(graph.effects(inner));
      if (change === 'narrower') node.report('property-declared', undefined, now, name, unseenBy);
      else if (change !== 'same') node.link(inner, unseenBy && { except: unseenBy });
    });
  }

  function patternsOf({ x, y, node }: Pair, oldRest: string, nowRest: string): void {
    const [old, now] = [child(x, 'patternProperties'), child(y, 'patternProperties')];
    for (const pattern of new Set([...children(old), ...children(now)].map(([name]) => name))) {
      const [p, q] = [child(old, pattern), child(now, pattern)];
      if (known(p) && known(q)) node.link(compare(p, q));
      else if (known(q)) node.report(oldRest === 'all' && nowRest === 'all' ? 'pattern-property-added' : 'pattern-property-changed', undefined, q, pattern);
      else node.report(oldRest === 'all' && nowRest === 'all' ? 'pattern-property-removed' : 'pattern-property-changed', p, undefined, pattern);
    }
  }

  function companionsOf({ x, y, node }: Pair): void {
    const [old, now] = [child(x, 'dependentRequired'), child(y, 'dependentRequired')];
    for (const name of new Set([...children(old), ...children(now)].map(([key]) => key))) {
      const [p, q] = [child(old, name), child(now, name)];
      const [had, has] = [new Set(p.value as string[] | undefined), new Set(q.value as string[] | undefined)];
      if (!has.isSubsetOf(had)) node.report('dependent-required-added', p, q, name);
      if (!had.isSubsetOf(has)) node.report('dependent-required-removed', p, q, name);
    }
    const [oldSchemas, nowSchemas] = [child(x, 'dependentSchemas'), child(y, 'dependentSchemas')];
    for (const name of new Set([...children(oldSchemas), ...children(nowSchemas)].map(([key]) => key))) {
      node.link(compare(child(oldSchemas, name), child(nowSchemas, name)));
    }
  }

  function logicOf({ x, y, node }: Pair): void {
    const [oldNot, nowNot] = [child(x, 'not'), child(y, 'not')];
    if (known(oldNot) && known(nowNot)) {
      const inner = compare(oldNot, nowNot);
      node.later(() => {
        const change = verdict(graph.effects(inner));
        if (change !== 'same') node.report(change === 'wider' ? 'not-tightened' : change === 'narrower' ? 'not-loosened' : 'not-changed', oldNot, nowNot);
      });
    } else if (known(nowNot)) node.report('not-added', undefined, nowNot);
    else if (known(oldNot)) node.report('not-removed', oldNot, undefined);

    const [oldIf, nowIf] = [child(x, 'if'), child(y, 'if')];
    if (known(oldIf) && known(nowIf)) {
      const inner = compare(oldIf, nowIf);
      node.later(() => {
        if (verdict(graph.effects(inner)) !== 'same') node.report('condition-changed', oldIf, nowIf);
      });
      for (const branch of ['then', 'else']) node.link(compare(child(x, branch), child(y, branch)));
    } else if (known(nowIf)) node.report('condition-added', undefined, nowIf);
    else if (known(oldIf)) node.report('condition-removed', oldIf, undefined);

    const { pairs, lost, won } = match(items(child(x, 'allOf')), items(child(y, 'allOf')));
    for (const [p, q] of pairs) node.link(compare(p, q));
    for (const p of lost) node.report('all-of-removed', p, undefined, label(p));
    for (const q of won) node.report('all-of-added', undefined, q, label(q));
  }

  function unionsOf({ x, y, a, b, node }: Pair): void {
    const [old, now] = [unionOf(a), unionOf(b)];
    if (old && now) alternatives(node, items(child(x, old)), items(child(y, now)), old === 'oneOf', now === 'oneOf');
    else if (now) node.report('alternatives-introduced', undefined, child(y, now), now);
    else if (old) node.report('alternatives-dropped', child(x, old), undefined, old);
    // A schema with both keywords is rare: the second is compared as a whole.
    if (Array.isArray(a.anyOf) && old === 'oneOf' ? !same(a.anyOf, b.anyOf) : Array.isArray(b.anyOf) && now === 'oneOf') {
      node.report('unjudged', child(x, 'anyOf'), child(y, 'anyOf'), 'anyOf beside oneOf');
    }
  }

  function alternatives(node: Node, old: readonly At[], now: readonly At[], oldExact: boolean, nowExact: boolean): void {
    const { pairs, lost, won } = match(old, now);
    const isNull = (revision: Revision, at: At): boolean => {
      const { value } = revision.follow(at);
      return isObject(value) && [...atomsOf(value)].join() === 'null';
    };
    const inner = pairs.map(([p, q]) => compare(p, q));
    for (const key of inner) node.link(key);
    for (const p of lost) node.report(isNull(before, p) ? 'null-refused' : 'alternative-removed', p, undefined, label(p));
    for (const q of won) node.report(isNull(after, q) ? 'null-allowed' : 'alternative-added', undefined, q, label(q));
    // Exactly one must match: where several can, more for one alternative is less for another.
    if (!oldExact && !nowExact) return;
    const overlap = (revision: Revision, members: readonly At[]): boolean =>
      members.some((p, index) => members.slice(index + 1).some((q) => !excludes(p, q, revision.follow, revision.follow)));
    if (!overlap(before, old) && !overlap(after, now)) return;
    node.later(() => {
      const [p, q] = [old[0], now[0]];
      if (lost.length > 0 || won.length > 0 || oldExact !== nowExact || inner.some((key) => graph.effects(key).size > 0)) node.report('alternatives-overlap', p, q);
    });
  }

  const label = ({ value, variant }: At): string =>
    variant ?? (isObject(value) && typeof value.$ref === 'string' ? value.$ref.split('/').at(-1)! : isObject(value) && typeof value.type === 'string' ? value.type : '');

  /** Finds for each part its successor: by name, by equality, by tag, by type, and at last the only one left. */
  function match(old: readonly At[], now: readonly At[]): { pairs: [At, At][]; lost: At[]; won: At[] } {
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
      const group = (revision: Revision, places: readonly At[]): Map<string | undefined, At[]> => Map.groupBy(places, (at) => signature(revision, at));
      const [from, to] = [group(before, lost), group(after, won)];
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

  function compareDemands(pair: Pair): void {
    const { x, y, a, b, node } = pair;
    if (isPureUnion(a) !== isPureUnion(b) && !(unionOf(a) && unionOf(b))) {
      const members = (at: At, schema: Json): At[] => (isPureUnion(schema) ? items(child(at, unionOf(schema)!)) : splitByType(at));
      return alternatives(node, members(x, a), members(y, b), unionOf(a) === 'oneOf', unionOf(b) === 'oneOf');
    }
    valuesAndTypes(pair);
    limitsOf(pair);
    textOf(pair);
    itemsOf(pair);
    membersOf(pair);
    logicOf(pair);
    unionsOf(pair);
    // `unevaluated…` looks into the parts: a change in those shifts what it refuses.
    const strict = ['unevaluatedProperties', 'unevaluatedItems'].filter((keyword) => [a, b].some((schema) => keyword in schema && schema[keyword] !== true));
    const parts = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'patternProperties', 'contains', '$ref'].filter((keyword) => keyword in a || keyword in b);
    if (strict.length > 0 && parts.some((keyword) => !same(a[keyword], b[keyword]) || stable(a[keyword]).includes('$ref'))) {
      const inner = graph.visit(`parts of ${address(x)} ${address(y)}`, (part) => logicOf({ ...pair, node: part }));
      node.later(() => {
        if (graph.effects(inner).size > 0 || parts.some((keyword) => !same(a[keyword], b[keyword]))) {
          node.report('unevaluated-changed', child(x, strict[0]!), child(y, strict[0]!));
        }
      });
    }
  }

  /** A `$ref` with demands beside it as what it means: all of them together. */
  const withSiblings = (at: At): At => {
    if (!isObject(at.value) || !('$ref' in at.value)) return at;
    const { $ref, allOf, ...beside } = at.value;
    return { ...at, value: { ...beside, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref }] }, variant: 'with its $ref' };
  };
  const demandsBeside = ({ value }: At): boolean => isObject(value) && '$ref' in value && Object.keys(value).some((key) => key !== '$ref' && !isAnnotation(key));
  const annotated = ({ value }: At): boolean => isObject(value) && '$ref' in value && Object.keys(value).length > 1;

  /** One place for every schema that is not written: what they accept is the same, and so is what lies beneath them. */
  const anything: At = { value: undefined, pointer: '', variant: 'anything' };

  function compare(x: At, y: At): string {
    const [p, q] = [x, y].map((at) => (known(at) ? at : anything)) as [At, At];
    if (p === q) return graph.visit('anything', () => {});
    if (demandsBeside(p) || demandsBeside(q)) return compareResolved(withSiblings(p), withSiblings(q));
    if (!annotated(p) && !annotated(q)) return compareResolved(before.follow(p), after.follow(q));
    return graph.visit(`reference ${address(p)} ${address(q)}`, (node) => {
      const beside = ({ value }: At): Json => Object.fromEntries(Object.entries(value as Json).filter(([key]) => key !== '$ref'));
      // A schema that is written in place keeps its own annotations; only those beside a $ref can be set against each other.
      const refs = [p, q].every(({ value }) => isObject(value) && '$ref' in value);
      if (refs) annotationsOf({ x: p, y: q, a: beside(p), b: beside(q), node });
      node.link(compareResolved(before.follow(p), after.follow(q)));
    });
  }

  function compareResolved(x: At, y: At): string {
    return graph.visit(keyOf(x, y), (node) => {
      const [from, to] = [x.value ?? true, y.value ?? true];
      if (from === false || to === false) {
        if (from !== to) node.report(from === false ? 'schema-allowed' : 'schema-forbidden', x, y);
        return;
      }
      const [a, b] = [from, to].map((value) => (isObject(value) ? value : {})) as [Json, Json];
      annotationsOf({ x, y, a, b, node });
      const reading = (at: At, schema: Json): [At, Json] => {
        const flat = flattened(schema);
        return flat === schema ? [at, schema] : [{ ...at, value: flat }, flat];
      };
      const [[x1, a1], [y1, b1]] = [reading(x, a), reading(y, b)];
      compareDemands({ x: x1, y: y1, a: a1, b: b1, node });
    });
  }
  const keyOf = (x: At, y: At): string => `schema ${address(x)} ${address(y)}`;
  return { compare, keyOf };
}
