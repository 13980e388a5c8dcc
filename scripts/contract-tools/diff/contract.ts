/** Compares two revisions of the contract and classifies each difference by its effect on callers. */
import { same } from './canonical.ts';
import { child, children, exists, items, type At, type Revision } from './document.ts';
import { inOrder, assessedFinding, nobody, type Finding } from './finding.ts';
import { Graph, type Node, type Reached, type Root } from './graph.ts';
import { otherMembers } from './operation-parts.ts';
import { hasOperations, OperationComparison, operationsOf, webhooksOf } from './operations.ts';
import type { RuleId, Side } from './rules.ts';
import { SchemaComparison } from './schemas.ts';

/**
 * The unions of the messages on /ws, and who speaks: they are no part of an operation.
 * What a client sends is a request, what the server sends a response.
 */
const messageUnions: readonly (readonly [name: string, side: Side])[] = [
  ['WsClientMessage', 'request'],
  ['WsServerMessage', 'response'],
];

/**
 * All differences of two revisions except `info.version`, sorted by severity, then by position in the file. On `today`, as
 * YYYY-MM-DD, what is deprecated with an earlier `x-sunset` may be removed.
 */
export function compareContracts(before: Revision, after: Revision, today?: string): Finding[] {
  const graph = new Graph();
  const schemas = new SchemaComparison(before, after, graph);
  const operations = new OperationComparison(schemas);
  const roots: Root[] = [];
  const root = (label: string, key: string, side: Side | null = null): void => void roots.push({ key, side, label });
  const schemaOf = (revision: Revision, name: string): At => child(revision.root, 'components', 'schemas', name);

  /** An operation or a union of messages that only one revision has. */
  const lone = (label: string, rule: RuleId, x: At | undefined, y: At | undefined, side: Side | null = null): void => {
    const key = graph.visit(`${rule} ${label}`, (node) => node.report(rule, x, y));
    root(label, key, side);
  };

  for (const [listed, removed, added] of [
    [operationsOf, 'operation-removed', 'operation-added'],
    [webhooksOf, 'webhook-removed', 'webhook-added'],
  ] as const) {
    const [old, now] = [listed(before), listed(after)];
    for (const [key, x] of old) {
      const y = now.get(key);
      if (y) root(y.label, operations.compare(x, y));
      else lone(x.label, removed, x.at, undefined);
    }
    for (const [key, y] of now) if (!old.has(key)) lone(y.label, added, undefined, y.at);
  }

  for (const [name, side] of messageUnions) {
    const [x, y] = [schemaOf(before, name), schemaOf(after, name)];
    if (exists(x) && exists(y)) root(`/ws ${name}`, compareMessages(x, y, schemas), side);
    else if (exists(x)) lone(`/ws ${name}`, 'messages-removed', x, undefined, side);
    else if (exists(y)) lone(`/ws ${name}`, 'messages-added', undefined, y, side);
  }

  root(
    'the document',
    graph.visit('document', (node) => compareDocuments(node, before, after, operations)),
  );

  roots.push(...unusedTypes(before, after, graph, schemas));
  const assess = (reached: readonly Reached[]): Finding[] =>
    reached.flatMap((entry) => assessedFinding(entry, before, after, today) ?? []);
  const found = assess(graph.reached(roots));
  return [...found, ...assess(graph.reached(innerParts(before, after, graph, found)))].sort(inOrder);
}

/** Compares what belongs to the document as a whole. */
function compareDocuments(node: Node, before: Revision, after: Revision, operations: OperationComparison): void {
  const [x, y] = [before.root, after.root];
  const [old, now] = [child(x, 'openapi'), child(y, 'openapi')];
  if (!same(versionOf(old), versionOf(now))) node.report('dialect-changed', old, now, 'openapi');
  operations.compareDefaults(node);
  const info = (at: At): [string, At][] => children(child(at, 'info')).filter(([name]) => name !== 'version');
  const wording = [...info(x), ...info(y)].map(([name]) => ['info', name]);
  for (const keys of [...new Map(wording.map((path) => [path.join(), path])).values(), ['tags']]) {
    const [p, q] = [child(x, ...keys), child(y, ...keys)];
    if (!same(p.value, q.value)) node.report('documentation-changed', p, q, keys.at(-1));
  }
  for (const key of ['paths', 'webhooks', 'components']) {
    const [p, q] = [child(x, key), child(y, key)];
    const compared = [...namesOf(p, q)].filter((name) => (key === 'paths' ? /^\// : /^(?!x-)/).test(name));
    otherMembers(node, p, q, compared);
    // What has no operation, no caller meets.
    for (const name of key === 'components' ? [] : compared) {
      const [from, to] = [child(p, name), child(q, name)];
      if (exists(from) !== exists(to) && !hasOperations(before, from) && !hasOperations(after, to))
        node.report('inner-part-changed', from, to, name);
    }
  }
  otherMembers(node, x, y, ['openapi', 'info', 'tags', 'paths', 'webhooks', 'components', 'security', 'servers']);
}

/** Compares two unions of messages. A new message is no new value of an old one: the protocol announces new messages. */
function compareMessages(x: At, y: At, schemas: SchemaComparison): string {
  const key = schemas.keyOf(x, y);
  const messagesOf = (at: At): Map<unknown, At> =>
    new Map(items(child(at, 'oneOf')).map((message) => [child(message, '$ref').value, message]));
  const [old, now] = [messagesOf(x), messagesOf(y)];
  const named = [...old.keys(), ...now.keys()].every((name) => typeof name === 'string');
  if (!named || old.size === 0 || now.size === 0) return schemas.compare(x, y);
  return schemas.graph.visit(`messages ${key}`, (node) => {
    for (const [name, message] of old) {
      const other = now.get(name);
      if (other) node.link(schemas.compare(message, other));
      else node.report('message-removed', message, undefined, lastKey(name));
    }
    for (const [name, message] of now)
      if (!old.has(name)) node.report('message-added', undefined, message, lastKey(name));
    otherMembers(node, x, y, ['oneOf']);
    // The union itself was compared.
    schemas.graph.visit(key, () => {});
  });
}
const lastKey = (reference: unknown): string => String(reference).split('/').at(-1) ?? '';

/** A version of OpenAPI without its last number, which changes nothing (OpenAPI 3.1, "Versions"). */
const versionOf = ({ value }: At): unknown =>
  typeof value === 'string' ? value.replace(/^(\d+\.\d+)\.\d+$/, '$1') : value;

const componentsOf = ({ root }: Revision, section: string): At => child(root, 'components', section);
const namesOf = (...places: readonly At[]): Set<string> =>
  new Set(places.flatMap((at) => children(at).map(([name]) => name)));

/** Schemas that only one revision has, or that no operation and no message uses: their types may be imported by name. */
export function unusedTypes(before: Revision, after: Revision, graph: Graph, schemas: SchemaComparison): Root[] {
  const [x, y] = [componentsOf(before, 'schemas'), componentsOf(after, 'schemas')];
  const pairs = [...namesOf(x, y)].map((name) => [name, child(x, name), child(y, name)] as const);
  const idle = pairs.filter(([, p, q]) => exists(p) && exists(q) && !graph.has(schemas.keyOf(p, q)));
  const lone = pairs.filter(([, p, q]) => exists(p) !== exists(q));
  return [
    ...idle.map(([, p, q]): Root => ({ key: schemas.compare(p, q), side: null, label: nobody })),
    ...lone.map(([name, p, q]): Root => {
      const key = graph.visit(`component ${name}`, (node) =>
        exists(p)
          ? node.report('component-removed', p, undefined, name)
          : node.report('component-added', undefined, q, name),
      );
      return { key, side: null, label: nobody };
    }),
  ];
}

/** Other named parts of the document that differ without anybody meeting it: examples, and parts that are new, gone or idle. */
export function innerParts(before: Revision, after: Revision, graph: Graph, found: readonly Finding[]): Root[] {
  const met = found.flatMap((finding) => [finding.before?.pointer ?? [], finding.after?.pointer ?? []].flat());
  const sections = namesOf(child(before.root, 'components'), child(after.root, 'components')).difference(
    new Set(['schemas']),
  );
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
            node.report(rule, exists(p) ? p : undefined, exists(q) ? q : undefined, name),
          ),
          side: null,
          label: nobody,
        },
      ];
    });
  });
}
