/** Compares two schemas keyword by keyword. Each keyword decides whether it accepts fewer or more values than before. */
import {
  acceptsAll,
  atomsOf,
  flattened,
  isAnnotation,
  isPureUnion,
  same,
  selfContained,
  splitByType,
  stable,
  unionOf,
} from './canonical.ts';
import { alternatives, logicOf, unionsOf } from './combinations.ts';
import { address, child, isObject, items, exists, type At, type Json, type Revision } from './document.ts';
import type { Graph } from './graph.ts';
import { itemsOf, membersOf } from './members.ts';
import { mergedSchema, referencesOf, unwrapped } from './merge.ts';
import type { CompareSchemas, Comparison, Pair } from './pair.ts';
import { annotationsOf, limitsOf, textOf, valuesAndTypes } from './values.ts';

/** The keywords with schemas that `unevaluatedProperties` and `unevaluatedItems` depend on. */
const applicators = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'patternProperties',
  'contains',
  '$ref',
];

/** One position for all missing schemas: they accept every value, and so do their nested schemas. */
const anything: At = { value: undefined, pointer: '', variant: 'anything' };

const isReference = (value: unknown): value is Json => isObject(value) && '$ref' in value;
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A `$ref` with sibling keywords as an `allOf` of both. */
function withSiblings(at: At): At {
  if (!isReference(at.value)) return at;
  const { $ref, allOf, ...siblings } = at.value;
  const parts: unknown[] = Array.isArray(allOf) ? allOf : [];
  return { ...at, value: { ...siblings, allOf: [...parts, { $ref }] }, variant: 'with its $ref' };
}
const hasAssertionSiblings = ({ value }: At): boolean =>
  isReference(value) && Object.keys(value).some((key) => key !== '$ref' && !isAnnotation(key));
const hasSiblings = ({ value }: At): boolean => isReference(value) && Object.keys(value).length > 1;

/** The schema with the parts of its `allOf` merged, if that is possible. */
function flattenedAt(at: At, schema: Json): [At, Json] {
  const flat = flattened(schema);
  return flat === schema ? [at, schema] : [{ ...at, value: flat }, flat];
}

/** Compares schemas of two revisions over a graph. */
export class SchemaComparison implements Comparison {
  readonly before: Revision;
  readonly after: Revision;
  readonly graph: Graph;

  constructor(before: Revision, after: Revision, graph: Graph) {
    this.before = before;
    this.after = after;
    this.graph = graph;
  }

  /** The key of the node of two schemas without `$ref`, compared or not. */
  keyOf(x: At, y: At): string {
    return `schema ${address(x)} ${address(y)}`;
  }

  /** Compares two positions with or without a schema. Returns the key of their node. */
  readonly compare: CompareSchemas = (x, y) => {
    const [p, q] = [exists(x) ? unwrapped(x) : anything, exists(y) ? unwrapped(y) : anything];
    if (p === q) return this.graph.visit('anything', () => {});
    const [from, to] = [unwrapped(this.before.follow(p)), unwrapped(this.after.follow(q))];
    // A target that only wraps another reference.
    if (isReference(from.value) || isReference(to.value))
      return this.graph.visit(`wrapped ${address(from)} ${address(to)}`, (node) => node.link(this.compare(from, to)));
    const [wasFree, isFree] = [acceptsAll(from.value), acceptsAll(to.value)];
    if (wasFree !== isFree && from.value !== false && to.value !== false) {
      // One difference for the whole schema. Without a schema on one side, the position is the use on the other side.
      const [old, now] = exists(x) && exists(y) ? [from, to] : [exists(x) ? x : undefined, exists(y) ? y : undefined];
      return this.graph.visit(`schema or none ${address(old ?? x)} ${address(now ?? y)}`, (node) => {
        node.report(isFree ? 'schema-dropped' : 'schema-introduced', old, now);
      });
    }
    if (hasAssertionSiblings(p) || hasAssertionSiblings(q))
      return this.#compareResolved(withSiblings(p), withSiblings(q));
    if (!hasSiblings(p) && !hasSiblings(q)) return this.#compareResolved(from, to);
    return this.graph.visit(`reference ${address(p)} ${address(q)}`, (node) => {
      // Only the annotations beside two references are comparable; an inline schema has its own.
      if (isReference(p.value) && isReference(q.value)) {
        const { $ref: _a, ...a } = p.value;
        const { $ref: _b, ...b } = q.value;
        annotationsOf({ x: p, y: q, a, b, node }, this.compare);
      }
      node.link(this.#compareResolved(from, to));
    });
  };

  #compareResolved(x: At, y: At): string {
    return this.graph.visit(this.keyOf(x, y), (node) => {
      const [from, to] = [x.value ?? true, y.value ?? true];
      if (selfContained(from, to)) return;
      if (from === false || to === false) {
        if (from !== to) node.report(from === false ? 'schema-allowed' : 'schema-forbidden', x, y);
        return;
      }
      const [[x1, a], [y1, b]] = this.#structures(x, objectOf(from), y, objectOf(to));
      const pair = { x: x1, y: y1, a, b, node };
      annotationsOf(pair, this.compare);
      this.#compareAssertions(pair);
    });
  }

  /** Two schemas in forms that can be compared keyword by keyword: with the same references in `allOf`, if possible. */
  #structures(x: At, from: Json, y: At, to: Json): [[At, Json], [At, Json]] {
    const flat: [[At, Json], [At, Json]] = [flattenedAt(x, from), flattenedAt(y, to)];
    const [[, a], [, b]] = flat;
    if (same(referencesOf(a), referencesOf(b))) return flat;
    const [p, q] = [mergedSchema(this.before, x), mergedSchema(this.after, y)];
    if (p === undefined || q === undefined) return flat;
    return [
      [{ ...x, value: p }, p],
      [{ ...y, value: q }, q],
    ];
  }

  #compareAssertions(pair: Pair): void {
    const { x, y, a, b, node } = pair;
    if (isPureUnion(a) !== isPureUnion(b) && !(unionOf(a) && unionOf(b))) {
      const members = (at: At, schema: Json): At[] => {
        const union = unionOf(schema);
        return isPureUnion(schema) && union ? items(child(at, union)) : splitByType({ ...at, value: schema });
      };
      const [wasExclusive, isExclusive] = [unionOf(a) === 'oneOf', unionOf(b) === 'oneOf'];
      return alternatives(this, node, members(x, a), members(y, b), wasExclusive, isExclusive);
    }
    valuesAndTypes(pair);
    // No value is valid by both, so other keywords make no difference.
    if (atomsOf(a).isDisjointFrom(atomsOf(b))) return;
    limitsOf(pair);
    textOf(pair);
    itemsOf(pair, this);
    membersOf(pair, this);
    logicOf(pair, this);
    unionsOf(pair, this);
    this.#compareUnevaluated(pair);
  }

  /** A change of a nested schema changes the values that `unevaluatedProperties` and `unevaluatedItems` reject. */
  #compareUnevaluated(pair: Pair): void {
    const { x, y, a, b, node } = pair;
    const [keyword] = ['unevaluatedProperties', 'unevaluatedItems'].filter((name) =>
      [a, b].some((schema) => name in schema && schema[name] !== true),
    );
    if (keyword === undefined) return;
    const used = applicators.filter((name) => name in a || name in b);
    const differs = used.some((name) => !same(a[name], b[name]));
    if (!differs && !used.some((name) => stable(a[name]).includes('$ref'))) return;
    const inner = this.graph.visit(`parts of ${address(x)} ${address(y)}`, (part) =>
      logicOf({ ...pair, node: part }, this),
    );
    node.later(() => {
      if (differs || this.graph.effects(inner).size > 0)
        node.report('unevaluated-changed', child(x, keyword), child(y, keyword));
    });
  }
}
