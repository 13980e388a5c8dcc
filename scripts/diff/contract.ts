/** Compares two revisions of the contract as a whole, and judges each difference from the callers' side. */
import { same } from './canonical.ts';
import { child, children, known, type At, type Revision } from './document.ts';
import { keysOf } from '../pointer.ts';
import { createGraph, type Graph, type Reached, type Root } from './graph.ts';
import { otherMembers } from './operation-parts.ts';
import { operationComparison, operationsOf } from './operations.ts';
import { bumpOf, rules, type Bump, type Level, type RuleId, type Side } from './rules.ts';
import { schemaComparison, type SchemaComparison } from './schemas.ts';

/** Who meets what no operation and no message uses. */
const nobody = 'nobody over the wire';
/** A value at a place of a revision. */
export type Stand = { readonly pointer: string; readonly line: number; readonly column: number; readonly value: unknown };
/** Who meets a difference: operations or messages, on one side of the contract; the side is null where both are meant. */
export type Reach = { readonly side: Side | null; readonly level: Level; readonly callers: readonly string[] };
export type Finding = {
  readonly rule: RuleId;
  /** The worst of its sides. */
  readonly level: Level;
  /** Which part of the version it moves. */
  readonly bump: Bump;
  /** What exactly differs, for example the name of the member; may be empty. */
  readonly subject: string;
  /** Where, in words: `GET /path › responses › 200`. */
  readonly where: string;
  /** Undefined in the revision that has no such place. */
  readonly before: Stand | undefined;
  readonly after: Stand | undefined;
  readonly reach: readonly Reach[];
  readonly says: string;
};

export const levels: readonly Level[] = ['breaking', 'care', 'safe'];
const bumps: readonly Bump[] = ['major', 'minor', 'patch'];
/** The larger of two moves of a version; undefined is none. */
export const largerBump = (a: Bump | undefined, b: Bump): Bump =>
  a !== undefined && bumps.indexOf(a) < bumps.indexOf(b) ? a : b;
const worst = (found: readonly Level[]): Level => levels.find((level) => found.includes(level))!;

/**
 * The unions of the messages on /ws, and who speaks: they are no part of an operation.
 * What a client sends is a request, what the server sends a response.
 */
const messageUnions: readonly (readonly [name: string, side: Side])[] = [
  ['WsClientMessage', 'request'],
  ['WsServerMessage', 'response'],
];

/** A place in words; the names of schemas' keywords that only lead on are left out. */
function inWords(pointer: string): string {
  const [first, second, third, ...rest] = keysOf(pointer);
  const tail = (keys: readonly string[]): string[] =>
    keys
      .filter((key, index) => !(key === 'properties' && keys[index + 1] !== undefined) && key !== 'schema')
      .map((key, index, all) => (key === 'items' && index < all.length - 1 ? '[]' : key));
  const words =
    first === 'paths' && second && third
      ? [`${third.toUpperCase()} ${second}`, ...tail(rest)]
      : first === 'components' && second === 'schemas' && third
        ? [third, ...tail(rest)]
        : first === 'components' && third
          ? [`${second} ${third}`, ...tail(rest)]
          : keysOf(pointer);
  return words.join(' › ') || 'the document';
}

const stand = (revision: Revision, at: At | undefined): Stand | undefined =>
  at === undefined || !known(at) ? undefined : { pointer: at.pointer, value: at.value, ...revision.position(at.pointer) };

function judged({ difference, sides }: Reached, before: Revision, after: Revision): Finding | undefined {
  const rule = rules[difference.rule];
  const seen = [...sides].filter(([side]) => side === null || side !== difference.unseenBy);
  if (seen.length === 0) return undefined;
  const reach = seen
    .map(([side, callers]): Reach => ({
      side,
      level: side === null ? worst([rule.request.level, rule.response.level]) : rule[side].level,
      callers: [...callers].sort(),
    }))
    .filter(({ callers }) => seen.length === 1 || callers.join() !== nobody);
  const level = worst(reach.map((entry) => entry.level));
  const side = reach.find((entry) => entry.level === level)!.side;
  const speaker = side ?? (rule.request.level === level ? 'request' : 'response');
  const { before: x, after: y } = difference;
  const place = y !== undefined && known(y) ? y : (x ?? y)!;
  return {
    rule: difference.rule,
    level,
    bump: bumpOf(difference.rule, level),
    subject: difference.subject,
    where: inWords(place.pointer),
    before: stand(before, x),
    after: stand(after, y),
    reach,
    says: rule[speaker].says,
  };
}

/** Every difference of two revisions but that of `info.version`: the worst first, then in the order of the file. */
export function compareContracts(before: Revision, after: Revision): Finding[] {
  const graph = createGraph();
  const schemas = schemaComparison(before, after, graph);
  const operations = operationComparison({ before, after, graph, compare: schemas.compare });
  const roots: Root[] = [];
  const root = (label: string, key: string, side: Side | null = null): void => void roots.push({ key, side, label });
  const schemaOf = (revision: Revision, name: string): At => child(revision.root, 'components', 'schemas', name);

  const [old, now] = [operationsOf(before), operationsOf(after)];
  for (const [label, x] of old) {
    const y = now.get(label);
    root(
      label,
      y ? operations(x, y) : graph.visit(`removed ${label}`, (node) => node.report('operation-removed', x.at, undefined)),
    );
  }
  for (const [label, y] of now)
    if (!old.has(label))
      root(
        label,
        graph.visit(`added ${label}`, (node) => node.report('operation-added', undefined, y.at)),
      );

  for (const [name, side] of messageUnions) {
    const [x, y] = [schemaOf(before, name), schemaOf(after, name)];
    if (known(x) && known(y)) root(`/ws ${name}`, schemas.compare(x, y), side);
    else if (known(x))
      root(
        `/ws ${name}`,
        graph.visit(`removed ${name}`, (node) => node.report('messages-removed', x, undefined, name)),
        side,
      );
    else if (known(y))
      root(
        `/ws ${name}`,
        graph.visit(`added ${name}`, (node) => node.report('messages-added', undefined, y, name)),
        side,
      );
  }

  root(
    'the document',
    graph.visit('document', (node) => {
      const [x, y] = [before.root, after.root];
      for (const name of ['openapi', 'jsonSchemaDialect']) {
        if (!same(child(x, name).value, child(y, name).value))
          node.report('dialect-changed', child(x, name), child(y, name), name);
      }
      const info = (at: At): [string, At][] => children(child(at, 'info')).filter(([name]) => name !== 'version');
      const wording = [...info(x), ...info(y)].map(([name]) => ['info', name]);
      for (const keys of [...new Map(wording.map((path) => [path.join(), path])).values(), ['tags']]) {
        const [p, q] = [child(x, ...keys), child(y, ...keys)];
        if (!same(p.value, q.value)) node.report('documentation-changed', p, q, keys.at(-1)!);
      }
      otherMembers(node, x, y, ['openapi', 'jsonSchemaDialect', 'info', 'tags', 'paths', 'components', 'security', 'servers']);
    }),
  );

  roots.push(...unusedTypes(before, after, graph, schemas));
  const judge = (reached: readonly Reached[]): Finding[] => reached.flatMap((entry) => judged(entry, before, after) ?? []);
  const found = judge(graph.reached(roots));
  return [...found, ...judge(graph.reached(innerParts(before, after, graph, found)))].sort(inOrder);
}

const componentsOf = ({ root }: Revision, section: string): At => child(root, 'components', section);
const namesOf = (...places: readonly At[]): Set<string> => new Set(places.flatMap((at) => children(at).map(([name]) => name)));

/** Schemas that only one revision has, or that no operation and no message uses: their types may be imported by name. */
function unusedTypes(before: Revision, after: Revision, graph: Graph, schemas: SchemaComparison): Root[] {
  const [x, y] = [componentsOf(before, 'schemas'), componentsOf(after, 'schemas')];
  const pairs = [...namesOf(x, y)].map((name) => [name, child(x, name), child(y, name)] as const);
  const idle = pairs.filter(([, p, q]) => known(p) && known(q) && !graph.has(schemas.keyOf(p, q)));
  const lone = pairs.filter(([, p, q]) => known(p) !== known(q));
  return [
    ...idle.map(([, p, q]): Root => ({ key: schemas.compare(p, q), side: null, label: nobody })),
    ...lone.map(([name, p, q]): Root => {
      const key = graph.visit(`component ${name}`, (node) =>
        known(p) ? node.report('component-removed', p, undefined, name) : node.report('component-added', undefined, q, name),
      );
      return { key, side: null, label: nobody };
    }),
  ];
}

/** Other named parts of the document that differ without anybody meeting it: examples, and parts that are new, gone or idle. */
function innerParts(before: Revision, after: Revision, graph: Graph, found: readonly Finding[]): Root[] {
  const met = found.flatMap((finding) => [finding.before?.pointer ?? [], finding.after?.pointer ?? []].flat());
  const sections = namesOf(child(before.root, 'components'), child(after.root, 'components')).difference(new Set(['schemas']));
  return [...sections].flatMap((section) => {
    const [x, y] = [componentsOf(before, section), componentsOf(after, section)];
    return [...namesOf(x, y)].flatMap((name): Root[] => {
      const [p, q] = [child(x, name), child(y, name)];
      if (same(p.value, q.value) || met.some((pointer) => pointer === p.pointer || pointer.startsWith(`${p.pointer}/`)))
        return [];
      const rule = section === 'examples' ? 'documentation-changed' : 'inner-part-changed';
      return [
        {
          key: graph.visit(`part ${p.pointer}`, (node) =>
            node.report(rule, known(p) ? p : undefined, known(q) ? q : undefined, name),
          ),
          side: null,
          label: nobody,
        },
      ];
    });
  });
}

/** The worst first, and in the order of the file; what is gone stands where it stood. */
function inOrder(a: Finding, b: Finding): number {
  const line = ({ before, after }: Finding): number => (after ?? before)?.line ?? 0;
  return (
    levels.indexOf(a.level) - levels.indexOf(b.level) ||
    line(a) - line(b) ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
    (a.subject < b.subject ? -1 : 1)
  );
}
