/** Compares the operations of two revisions: parameters, bodies, responses, security and servers. */
import { openApiMethods } from '../../../server/contract/operation-table.ts';
import { same } from './canonical.ts';
import { child, children, items, exists, type At, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { compareAsText, flag, otherMembers, text, type Operation } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import { compareParameters } from './parameters.ts';
import type { Side } from './rules.ts';
import { SecurityComparison } from './security.ts';

/** A path without the names of its parameters: they have no meaning for requests. */
const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

/** The operations of a revision by method and path; the names of path parameters make no difference. */
export function operationsOf(revision: Revision): Map<string, Operation> {
  const paths = children(child(revision.root, 'paths')).filter(([path]) => path.startsWith('/'));
  return new Map(
    paths.flatMap(([path, item]) => {
      const at = revision.follow(item);
      return openApiMethods
        .map((method) => ({ method: method.toUpperCase(), at: child(at, method) }))
        .filter((operation) => exists(operation.at))
        .map(({ method, at: operation }): [string, Operation] => [
          `${method} ${shapeOf(path)}`,
          { label: `${method} ${path}`, template: path, at: operation, path: at },
        ]);
    }),
  );
}

/** Compares operations of two revisions. */
export class OperationComparison {
  readonly #schemas: Comparison;
  readonly #security: SecurityComparison;

  constructor(schemas: Comparison) {
    this.#schemas = schemas;
    this.#security = new SecurityComparison(schemas.before, schemas.after, schemas.graph);
  }

  /** Compares two operations of the same path and method. Returns the key of their node. */
  compare(x: Operation, y: Operation): string {
    const { graph } = this.#schemas;
    return graph.visit(`operation ${x.label}`, (node) => {
      const [p, q] = [x.at, y.at];
      const [oldId, newId] = [child(p, 'operationId'), child(q, 'operationId')];
      const rule = exists(oldId) ? 'operation-id-changed' : 'operation-id-added';
      if (!same(oldId.value, newId.value)) node.report(rule, oldId, newId);
      if (!same(child(p, 'tags').value, child(q, 'tags').value))
        node.report('tags-changed', child(p, 'tags'), child(q, 'tags'));
      compareParameters(this.#schemas, node, x, y);
      this.#requestBody(node, child(p, 'requestBody'), child(q, 'requestBody'));
      this.#responses(node, child(p, 'responses'), child(q, 'responses'));
      node.link(this.#security.compare(p, q));
      this.#servers(node, x, y);
      otherMembers(node, p, q, ownMembers);
      node.link(
        graph.visit(`path ${x.path.pointer} ${y.path.pointer}`, (inner) =>
          otherMembers(inner, x.path, y.path, [...openApiMethods, 'parameters', 'servers', '$ref']),
        ),
      );
    });
  }

  #requestBody(node: Node, x: At, y: At): void {
    const { before, after, graph } = this.#schemas;
    const [p, q] = [before.follow(x), after.follow(y)];
    if (!exists(p) && !exists(q)) return;
    if (!exists(q)) return node.report('request-body-removed', p, undefined);
    if (!exists(p)) {
      const rule = flag(q, 'required') ? 'request-body-added-required' : 'request-body-added-optional';
      return node.report(rule, undefined, q);
    }
    const key = graph.visit(`request body ${p.pointer} ${q.pointer}`, (inner) => {
      if (flag(p, 'required') !== flag(q, 'required')) {
        const rule = flag(q, 'required') ? 'request-body-became-required' : 'request-body-became-optional';
        inner.report(rule, child(p, 'required'), child(q, 'required'));
      }
      this.#mediaTypes(inner, child(p, 'content'), child(q, 'content'), 'request');
      otherMembers(inner, p, q, ['required', 'content']);
    });
    node.link(key, { side: 'request' });
  }

  #responses(node: Node, x: At, y: At): void {
    const { before, after } = this.#schemas;
    const [old, now] = [new Map(children(x)), new Map(children(y))];
    for (const [status, p] of old) {
      const q = responseFor(status, now);
      if (q) node.link(this.#response(before.follow(p), after.follow(q)), { side: 'response' });
      else node.report(isSuccess(status, old) ? 'success-status-removed' : 'status-removed', p, undefined, status);
    }
    for (const [status, q] of now) {
      if (old.has(status)) continue;
      const p = responseFor(status, old);
      if (p) node.link(this.#response(before.follow(p), after.follow(q)), { side: 'response' });
      else node.report(isSuccess(status, now) ? 'success-status-added' : 'status-added', undefined, q, status);
    }
  }

  #response(x: At, y: At): string {
    return this.#schemas.graph.visit(`response ${x.pointer} ${y.pointer}`, (node) => {
      this.#headers(node, x, y);
      this.#mediaTypes(node, child(x, 'content'), child(y, 'content'), 'response');
      if (!same(child(x, 'links').value, child(y, 'links').value))
        node.report('links-changed', child(x, 'links'), child(y, 'links'));
      otherMembers(node, x, y, ['headers', 'content', 'links']);
    });
  }

  #headers(node: Node, x: At, y: At): void {
    const headersOf = (revision: Revision, at: At): Map<string, At> =>
      new Map(
        children(child(at, 'headers'))
          .filter(([name]) => name.toLowerCase() !== 'content-type')
          .map(([name, inner]) => [name.toLowerCase(), revision.follow(inner)]),
      );
    const [old, now] = [headersOf(this.#schemas.before, x), headersOf(this.#schemas.after, y)];
    for (const [name, p] of old) {
      const q = now.get(name);
      if (q) node.link(this.#header(p, q, name));
      else node.report('header-removed', p, undefined, name);
    }
    for (const [name, q] of now) if (!old.has(name)) node.report('header-added', undefined, q, name);
  }

  #header(x: At, y: At, name: string): string {
    return this.#schemas.graph.visit(`header ${x.pointer} ${y.pointer}`, (node) => {
      if (flag(x, 'required') !== flag(y, 'required')) {
        const rule = flag(y, 'required') ? 'header-became-required' : 'header-became-optional';
        node.report(rule, child(x, 'required'), child(y, 'required'), name);
      }
      compareAsText(this.#schemas, node, child(x, 'schema'), child(y, 'schema'));
      otherMembers(node, x, y, ['required', 'schema']);
    });
  }

  #mediaTypes(node: Node, x: At, y: At, side: Side): void {
    const [old, now] = [byMediaType(x), byMediaType(y)];
    for (const type of new Set([...old.keys(), ...now.keys()])) {
      const [[oldName, p] = [], [newName, q] = []] = [old.get(type), now.get(type)];
      const name = newName ?? oldName;
      if (!q) node.report('media-type-removed', p, undefined, name);
      else if (!p) node.report('media-type-added', undefined, q, name);
      else {
        node.link(this.#schemas.compare(child(p, 'schema'), child(q, 'schema')), { side });
        if (!same(child(p, 'encoding').value, child(q, 'encoding').value))
          node.report('encoding-changed', child(p, 'encoding'), child(q, 'encoding'));
        otherMembers(node, p, q, ['schema', 'encoding']);
      }
    }
  }

  #servers(node: Node, x: Operation, y: Operation): void {
    const effective = ({ root }: Revision, { at, path }: Operation): At =>
      [at, path, root].map((each) => child(each, 'servers')).find(exists) ?? child(root, 'servers');
    const [old, now] = [effective(this.#schemas.before, x), effective(this.#schemas.after, y)];
    node.link(
      this.#schemas.graph.visit(`servers ${old.pointer} ${now.pointer}`, (inner) => {
        const [from, to] = [serversByUrl(old), serversByUrl(now)];
        for (const [url, p] of from) {
          const q = to.get(url);
          if (!q) inner.report('server-removed', p, undefined, url);
          else {
            if (!same(child(p, 'variables').value, child(q, 'variables').value))
              inner.report('server-changed', child(p, 'variables'), child(q, 'variables'), url);
            otherMembers(inner, p, q, ['url', 'variables']);
          }
        }
        for (const [url, q] of to) if (!from.has(url)) inner.report('server-added', undefined, q, url);
      }),
    );
  }
}

type Responses = ReadonlyMap<string, At>;

/** Whether a response is that of a call that succeeds: `default` is, where no other response is. */
const isSuccess = (status: string, responses: Responses): boolean =>
  status.startsWith('2') || (status === 'default' && ![...responses.keys()].some((other) => other.startsWith('2')));

/** The response to a status: its own, that of its range (`4XX`), or for errors `default`. */
const responseFor = (status: string, responses: Responses): At | undefined =>
  responses.get(status) ??
  (/^[1-5]\d\d$/.test(status) ? responses.get(`${status[0]}XX`) : undefined) ??
  (/^[45]/.test(status) && !isSuccess('default', responses) ? responses.get('default') : undefined);

/** The members of an operation with rules of their own. */
const ownMembers = [
  'operationId',
  'tags',
  'parameters',
  'requestBody',
  'responses',
  'security',
  'servers',
  'x-exactly-one-of',
  'x-at-least-one-of',
  'x-requires',
];

/** The entries of `content` by media type, whose case has no meaning. */
const byMediaType = (at: At): Map<string, [name: string, content: At]> =>
  new Map(children(at).map(([name, content]) => [name.toLowerCase().replace(/\s*;\s*/g, ';'), [name, content]]));

/** The servers by URL. Without `servers`, the server is the origin of the document. */
const serversByUrl = (at: At): Map<string, At> =>
  exists(at) ? new Map(items(at).map((server) => [text(child(server, 'url').value), server])) : new Map([['/', at]]);
