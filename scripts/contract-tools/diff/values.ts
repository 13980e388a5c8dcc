/** Compares the keywords of scalar values: types, enumerations, bounds, strings and annotations. */
import { atomsOf, boundOf, compareBounds, documentation, requiredOf, same, typesOf, valuesOf } from './canonical.ts';
import { child, children, exists, isObject, type At, type Json } from './document.ts';
import { eachName, judgedExtension } from './operation-parts.ts';
import type { CompareSchemas, Pair } from './pair.ts';
import { matchesAll } from './pattern-inclusion.ts';
import type { Limit, RuleId } from './rules.ts';

/** The keywords that have a rule of their own. */
const handled = new Set([
  ...documentation,
  ...`
    $ref type enum const format pattern multipleOf minimum exclusiveMinimum maximum exclusiveMaximum minLength
    maxLength minItems maxItems minProperties maxProperties uniqueItems contains minContains maxContains items
    prefixItems properties patternProperties additionalProperties propertyNames required dependentRequired
    dependentSchemas unevaluatedProperties unevaluatedItems not if then else allOf anyOf oneOf discriminator default
    deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema $defs definitions
  `.match(/\S+/g)!,
]);
const show = (value: unknown): string => JSON.stringify(value);

/** Compares annotations: descriptions, flags, defaults, and extensions. */
export function annotationsOf({ x, y, a, b, node }: Pair, compare: CompareSchemas): void {
  for (const keyword of documentation) {
    if (!same(a[keyword], b[keyword]))
      node.report('documentation-changed', child(x, keyword), child(y, keyword), keyword);
  }
  const flag = (keyword: string, on: RuleId, off: RuleId): void => {
    if ((a[keyword] === true) === (b[keyword] === true)) return;
    node.report(b[keyword] === true ? on : off, child(x, keyword), child(y, keyword));
  };
  flag('deprecated', 'deprecated', 'no-longer-deprecated');
  flag('readOnly', 'became-read-only', 'no-longer-read-only');
  flag('writeOnly', 'became-write-only', 'no-longer-write-only');
  if (!same(a.default, b.default)) node.report('default-changed', child(x, 'default'), child(y, 'default'));
  discriminatorOf({ x, y, a, b, node });
  definitionsOf({ x, y, a, b, node }, compare);
  for (const keyword of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (handled.has(keyword) || same(a[keyword], b[keyword])) continue;
    if (judgedExtension(node, child(x, keyword), child(y, keyword), keyword)) continue;
    node.report(
      keyword.startsWith('x-') ? 'extension-changed' : 'unjudged',
      child(x, keyword),
      child(y, keyword),
      keyword,
    );
  }
}

/** Compares the discriminator. No validator reads it, but typed clients choose the alternative by it. */
function discriminatorOf({ x, y, a, b, node }: Pair): void {
  if (same(a.discriminator, b.discriminator)) return;
  const [p, q] = [child(x, 'discriminator'), child(y, 'discriminator')];
  if (!exists(p)) return node.report('discriminator-added', p, q);
  const [from, to] = [child(p, 'mapping'), child(q, 'mapping')];
  const others = (at: At): unknown => isObject(at.value) && { ...at.value, mapping: undefined };
  const kept = children(from).every(([name, { value }]) => child(to, name).value === value);
  // A value without an entry stands for the schema of that name.
  if (kept && same(others(p), others(q))) node.report('discriminator-value-added', from, to);
  else node.report('discriminator-changed', p, q);
}

/**
 * Compares the schemas in `$defs`. Most are reached by a reference; those that only a `$dynamicRef` or an `$anchor` reaches count
 * as parts of the schema.
 */
function definitionsOf({ x, y, node }: Pair, compare: CompareSchemas): void {
  const isNamed = ({ value }: At): boolean =>
    isObject(value) && ['$id', '$anchor', '$dynamicAnchor'].some((name) => name in value);
  const ruleOf = (at: At): RuleId => (isNamed(at) ? 'unjudged' : 'definition-changed');
  for (const keyword of ['$defs', 'definitions'])
    eachName([child(x, keyword), child(y, keyword)], {
      gone: (at, name) => node.report(ruleOf(at), at, undefined, name),
      added: (at, name) => node.report(ruleOf(at), undefined, at, name),
      both: (p, q) => node.link(compare(p, q)),
    });
}

/** Compares `type`, `enum` and `const`. */
export function valuesAndTypes({ x, y, a, b, node }: Pair): void {
  const [old, now] = [valuesOf(a), valuesOf(b)];
  const keyword = (schema: Json): string => ('const' in schema ? 'const' : 'enum');
  const [oldList, nowList] = [child(x, keyword(a)), child(y, keyword(b))];
  if (old && now) {
    const removed = old.filter((value) => !now.some((other) => same(value, other)));
    const added = now.filter((value) => !old.some((other) => same(value, other)));
    if ('const' in a && 'const' in b && removed.length > 0) return node.report('const-changed', oldList, nowList);
    if (removed.length > 0) node.report('enum-value-removed', oldList, nowList, removed.map(show).join(', '));
    const announced = a['x-extensible'] === true;
    if (added.length > 0)
      node.report(
        announced ? 'enum-value-added-as-announced' : 'enum-value-added',
        oldList,
        nowList,
        added.map(show).join(', '),
      );
    return;
  }
  const [from, to] = [atomsOf(a), atomsOf(b)];
  const [removed, added] = [from.difference(to), to.difference(from)];
  const [oldType, nowType] = [child(x, 'type'), child(y, 'type')];
  const locations = [exists(oldType) ? oldType : x, exists(nowType) ? nowType : y] as const;
  const explicit = typesOf(a) !== undefined && typesOf(b) !== undefined;
  if (explicit && removed.delete('null')) node.report('null-refused', ...locations);
  if (explicit && added.delete('null')) node.report('null-allowed', ...locations);
  if (removed.size > 0 && added.size > 0) node.report('type-changed', ...locations);
  else if (removed.size > 0 && !now) node.report('type-removed', oldType, nowType, [...removed].join(', '));
  else if (added.size > 0 && !old) node.report('type-added', oldType, nowType, [...added].join(', '));
  if (now) node.report('enum-introduced', oldList, nowList, now.map(show).join(', '));
  if (old) node.report('enum-dropped', oldList, nowList, old.map(show).join(', '));
}

/** Bounds of numbers, texts, lists and objects. */
export function limitsOf({ x, y, a, b, node }: Pair): void {
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
  const number = (schema: Json, keyword: string, none: number): number =>
    typeof schema[keyword] === 'number' ? schema[keyword] : none;
  for (const name of ['minLength', 'minItems'] as const) limit(name, number(b, name, 0) - number(a, name, 0));
  limit('minProperties', fewestOf(b, a) - fewestOf(a, b));
  for (const name of ['maxLength', 'maxItems', 'maxProperties'] as const) {
    const [from, to] = [number(a, name, Infinity), number(b, name, Infinity)];
    limit(name, from === to ? 0 : from - to);
  }
  const [step, next] = [number(a, 'multipleOf', 0), number(b, 'multipleOf', 0)];
  if (step === next) return;
  // Only whole steps can be compared: 0.3 is no multiple of 0.1 in binary.
  const whole = Number.isInteger(step) && Number.isInteger(next);
  const rule =
    step === 0 || (whole && next !== 0 && next % step === 0)
      ? 'tightened'
      : next === 0 || (whole && step % next === 0)
        ? 'loosened'
        : 'changed';
  node.report(`multipleOf-${rule}`, child(x, 'multipleOf'), child(y, 'multipleOf'));
}

/**
 * How many properties a schema demands by `minProperties`, in comparison with another one. Required properties count too:
 * 0 where those of one of the two demand as many.
 */
function fewestOf(schema: Json, other: Json): number {
  const fewest = typeof schema.minProperties === 'number' ? schema.minProperties : 0;
  return fewest > Math.max(requiredOf(schema).length, requiredOf(other).length) ? fewest : 0;
}

/** Formats, each with a format that includes all of its values. */
const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

/** An inclusive range of integers. */
type Range = { readonly low: number; readonly high: number };
const everyInteger: Range = { low: -Infinity, high: Infinity };
/** The integer formats. JavaScript has no number 2^63 - 1, so `high` of int64 is 2^63. */
const integerFormats: Readonly<Record<string, Range>> = {
  int32: { low: -(2 ** 31), high: 2 ** 31 - 1 },
  int64: { low: -(2 ** 63), high: 2 ** 63 },
};
const includes = (outer: Range, inner: Range): boolean =>
  inner.low > inner.high || (outer.low <= inner.low && inner.high <= outer.high);

/** The integers that the bounds, `enum`, `const` and the format allow; undefined when fractions or no numbers are valid. */
function integersOf(schema: Json): { range: Range; format: Range } | undefined {
  const kinds = atomsOf(schema);
  if (!kinds.has('integer') || kinds.has('fraction')) return undefined;
  const format = schema.format === undefined ? everyInteger : integerFormats[String(schema.format)];
  if (format === undefined) return undefined;
  const listed = (valuesOf(schema) ?? []).filter((value) => typeof value === 'number');
  const low = Math.max(boundOf(schema, 1).value, format.low, listed.length > 0 ? Math.min(...listed) : -Infinity);
  const high = Math.min(-boundOf(schema, -1).value, format.high, listed.length > 0 ? Math.max(...listed) : Infinity);
  return { range: { low, high }, format };
}

/** The rule for a changed integer format. Values that the bounds or `enum` exclude are ignored. */
function integerFormatRule(a: Json, b: Json): RuleId | undefined {
  const [before, after] = [integersOf(a), integersOf(b)];
  if (!before || !after) return undefined;
  const [nothingRemoved, nothingAdded] = [includes(after.format, before.range), includes(before.format, after.range)];
  if (nothingRemoved && nothingAdded) return 'format-implied';
  if (nothingRemoved === nothingAdded) return 'format-changed';
  if (nothingAdded) return a.format === undefined ? 'format-added' : 'format-narrowed';
  return b.format === undefined ? 'format-removed' : 'format-widened';
}

function formatRule(a: Json, b: Json): RuleId {
  const integerRule = integerFormatRule(a, b);
  if (integerRule !== undefined) return integerRule;
  const { format: from } = a;
  const { format: to } = b;
  if (from === undefined) return 'format-added';
  if (to === undefined) return 'format-removed';
  if (typeof from === 'string' && widerFormats[from] === to) return 'format-widened';
  return typeof to === 'string' && widerFormats[to] === from ? 'format-narrowed' : 'format-changed';
}

function patternRule(from: unknown, to: unknown): RuleId {
  if (from === undefined) return 'pattern-added';
  if (to === undefined) return 'pattern-removed';
  if (typeof from !== 'string' || typeof to !== 'string') return 'pattern-changed';
  const [wider, narrower] = [matchesAll(to, from), matchesAll(from, to)];
  if (wider && narrower) return 'pattern-rewritten';
  return wider ? 'pattern-widened' : narrower ? 'pattern-narrowed' : 'pattern-changed';
}

/** Compares `pattern`, `format`, and the content keywords of strings. */
export function textOf({ x, y, a, b, node }: Pair): void {
  const differs = (keyword: string, rule: RuleId): void => {
    if (!same(a[keyword], b[keyword])) node.report(rule, child(x, keyword), child(y, keyword), keyword);
  };
  differs('pattern', patternRule(a.pattern, b.pattern));
  differs('format', formatRule(a, b));
  for (const keyword of ['contentEncoding', 'contentMediaType', 'contentSchema']) {
    differs(keyword, 'content-encoding-changed');
  }
}
