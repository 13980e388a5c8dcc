/** Compares two schemas keyword by keyword; each keyword says alone whether fewer or more values are accepted than before. */
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
import { address, child, isObject, items, known, type At, type Json, type Revision } from './document.ts';
import type { Graph } from './graph.ts';
import { itemsOf, membersOf } from './members.ts';
import type { CompareSchemas, Comparison, Pair } from './pair.ts';
import { annotationsOf, limitsOf, textOf, valuesAndTypes } from './values.ts';

export type SchemaComparison = {
  readonly compare: CompareSchemas;
  /** The key of the node of two schemas that are no `$ref`s, compared or not. */
  keyOf(before: At, after: At): string;
};

/** Builds the comparison of schemas of two revisions over a graph. */
export function schemaComparison(before: Revision, after: Revision, graph: Graph): SchemaComparison {
  const keyOf = (x: At, y: At): string => `schema ${address(x)} ${address(y)}`;

  function compareDemands(pair: Pair): void {
    const { x, y, a, b, node } = pair;
    if (isPureUnion(a) !== isPureUnion(b) && !(unionOf(a) && unionOf(b))) {
      const members = (at: At, schema: Json): At[] =>
        isPureUnion(schema) ? items(child(at, unionOf(schema)!)) : splitByType({ ...at, value: schema });
      return alternatives(
        comparison,
        node,
        members(x, a),
        members(y, b),
        unionOf(a) === 'oneOf',
        unionOf(b) === 'oneOf',
      );
    }
    valuesAndTypes(pair);
    // Where no value can fit both, nothing else is worth saying.
    if (atomsOf(a).isDisjointFrom(atomsOf(b))) return;
    limitsOf(pair);
    textOf(pair);
    itemsOf(pair, comparison);
    membersOf(pair, comparison);
    logicOf(pair, comparison);
    unionsOf(pair, comparison);
    // `unevaluated…` looks into the parts: a change in those shifts what it refuses.
    const strict = ['unevaluatedProperties', 'unevaluatedItems'].filter((keyword) =>
      [a, b].some((schema) => keyword in schema && schema[keyword] !== true),
    );
    const parts = [
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
    ].filter((keyword) => keyword in a || keyword in b);
    if (
      strict.length > 0 &&
      parts.some((keyword) => !same(a[keyword], b[keyword]) || stable(a[keyword]).includes('$ref'))
    ) {
      const inner = graph.visit(`parts of ${address(x)} ${address(y)}`, (part) =>
        logicOf({ ...pair, node: part }, comparison),
      );
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
    return {
      ...at,
      value: { ...beside, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), { $ref }] },
      variant: 'with its $ref',
    };
  };
  const demandsBeside = ({ value }: At): boolean =>
    isObject(value) && '$ref' in value && Object.keys(value).some((key) => key !== '$ref' && !isAnnotation(key));
  const annotated = ({ value }: At): boolean => isObject(value) && '$ref' in value && Object.keys(value).length > 1;

  /** One place for every schema that is not written: what they accept is the same, and so is what lies beneath them. */
  const anything: At = { value: undefined, pointer: '', variant: 'anything' };

  function compare(x: At, y: At): string {
    const [p, q] = [x, y].map((at) => (known(at) ? at : anything)) as [At, At];
    if (p === q) return graph.visit('anything', () => {});
    const [from, to] = [before.follow(p), after.follow(q)];
    const [wasFree, isFree] = [acceptsAll(from.value), acceptsAll(to.value)];
    if (wasFree !== isFree && from.value !== false && to.value !== false) {
      // One difference, however much the schema demands; where one side has no schema, it stands where the other is used.
      const [old, now] = known(x) && known(y) ? [from, to] : [known(x) ? x : undefined, known(y) ? y : undefined];
      return graph.visit(`schema or none ${address(old ?? x)} ${address(now ?? y)}`, (node) => {
        node.report(isFree ? 'schema-dropped' : 'schema-introduced', old, now);
      });
    }
    if (demandsBeside(p) || demandsBeside(q)) return compareResolved(withSiblings(p), withSiblings(q));
    if (!annotated(p) && !annotated(q)) return compareResolved(before.follow(p), after.follow(q));
    return graph.visit(`reference ${address(p)} ${address(q)}`, (node) => {
      const beside = ({ value }: At): Json =>
        Object.fromEntries(Object.entries(value as Json).filter(([key]) => key !== '$ref'));
      // A schema that is written in place keeps its own annotations; only those beside a $ref can be set against each other.
      const refs = [p, q].every(({ value }) => isObject(value) && '$ref' in value);
      if (refs) annotationsOf({ x: p, y: q, a: beside(p), b: beside(q), node });
      node.link(compareResolved(before.follow(p), after.follow(q)));
    });
  }

  function compareResolved(x: At, y: At): string {
    return graph.visit(keyOf(x, y), (node) => {
      const [from, to] = [x.value ?? true, y.value ?? true];
      if (selfContained(from, to)) return;
      if (from === false || to === false) {
        if (from !== to) node.report(from === false ? 'schema-allowed' : 'schema-forbidden', x, y);
        return;
      }
      const [a, b] = [from, to].map((value) => (isObject(value) ? value : {})) as [Json, Json];
      const reading = (at: At, schema: Json): [At, Json] => {
        const flat = flattened(schema);
        return flat === schema ? [at, schema] : [{ ...at, value: flat }, flat];
      };
      const [[x1, a1], [y1, b1]] = [reading(x, a), reading(y, b)];
      const pair = { x: x1, y: y1, a: a1, b: b1, node };
      annotationsOf(pair);
      compareDemands(pair);
    });
  }

  const comparison: Comparison = { before, after, graph, compare };
  return { compare, keyOf };
}
