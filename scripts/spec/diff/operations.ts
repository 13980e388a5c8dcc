/** Compares the operations of two revisions: parameters, bodies, responses, security and servers. */
import { openApiMethods } from '../../../server/contract/operation-table.ts';
import { same } from './canonical.ts';
import { child, children, items, known, type At, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { flag, otherMembers, text, written, type Operation } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import { compareParameters } from './parameters.ts';
import type { Side } from './rules.ts';
import { securityComparison } from './security.ts';

/** The operations of a revision by `GET /path`. */
export function operationsOf(revision: Revision): Map<string, Operation> {
  const paths = children(child(revision.root, 'paths')).filter(([path]) => path.startsWith('/'));
  return new Map(
    paths.flatMap(([path, item]) => {
      const at = revision.follow(item);
      return openApiMethods
        .map((method): Operation => ({ label: `${method.toUpperCase()} ${path}`, at: child(at, method), path: at }))
        .filter((operation) => known(operation.at))
        .map((operation) => [operation.label, operation] as const);
    }),
  );
}

/** Builds the comparison of operations of two revisions; it returns the key of the pair's node. */
export function operationComparison(comparison: Comparison): (x: Operation, y: Operation) => string {
  const { before, after, graph, compare: schemas } = comparison;
  const security = securityComparison(before, after, graph);

  function mediaTypes(node: Node, x: At, y: At, side: Side): void {
    const [old, now] = [children(x), children(y)];
    const names = new Set([...old, ...now].map(([name]) => name));
    for (const name of names) {
      const [p, q] = [child(x, name), child(y, name)];
      if (!known(q)) node.report('media-type-removed', p, undefined, name);
      else if (!known(p)) node.report('media-type-added', undefined, q, name);
      else {
        node.link(schemas(child(p, 'schema'), child(q, 'schema')), { side });
        if (!same(child(p, 'encoding').value, child(q, 'encoding').value))
          node.report('encoding-changed', child(p, 'encoding'), child(q, 'encoding'));
        otherMembers(node, p, q, ['schema', 'encoding']);
      }
    }
  }

  function requestBody(node: Node, x: At, y: At): void {
    const [p, q] = [before.follow(x), after.follow(y)];
    if (!known(p) && !known(q)) return;
    if (!known(q)) return node.report('request-body-removed', p, undefined);
    if (!known(p))
      return node.report(
        flag(q, 'required') ? 'request-body-added-required' : 'request-body-added-optional',
        undefined,
        q,
      );
    const key = graph.visit(`request body ${p.pointer} ${q.pointer}`, (inner) => {
      if (flag(p, 'required') !== flag(q, 'required')) {
        inner.report(
          flag(q, 'required') ? 'request-body-became-required' : 'request-body-became-optional',
          child(p, 'required'),
          child(q, 'required'),
        );
      }
      mediaTypes(inner, child(p, 'content'), child(q, 'content'), 'request');
      otherMembers(inner, p, q, ['required', 'content']);
    });
    node.link(key, { side: 'request' });
  }

  function header(x: At, y: At, name: string): string {
    return graph.visit(`header ${x.pointer} ${y.pointer}`, (node) => {
      if (flag(x, 'required') !== flag(y, 'required')) {
        node.report(
          flag(y, 'required') ? 'header-became-required' : 'header-became-optional',
          child(x, 'required'),
          child(y, 'required'),
          name,
        );
      }
      written(comparison, node, child(x, 'schema'), child(y, 'schema'));
      otherMembers(node, x, y, ['required', 'schema']);
    });
  }

  function response(x: At, y: At): string {
    return graph.visit(`response ${x.pointer} ${y.pointer}`, (node) => {
      const headers = (revision: Revision, at: At): Map<string, At> =>
        new Map(
          children(child(at, 'headers'))
            .filter(([name]) => name.toLowerCase() !== 'content-type')
            .map(([name, inner]) => [name.toLowerCase(), revision.follow(inner)]),
        );
      const [old, now] = [headers(before, x), headers(after, y)];
      for (const [name, p] of old) {
        const q = now.get(name);
        if (q) node.link(header(p, q, name));
        else node.report('header-removed', p, undefined, name);
      }
      for (const [name, q] of now) if (!old.has(name)) node.report('header-added', undefined, q, name);
      mediaTypes(node, child(x, 'content'), child(y, 'content'), 'response');
      if (!same(child(x, 'links').value, child(y, 'links').value))
        node.report('links-changed', child(x, 'links'), child(y, 'links'));
      otherMembers(node, x, y, ['headers', 'content', 'links']);
    });
  }

  function responses(node: Node, x: At, y: At): void {
    const success = (status: string): boolean => status.startsWith('2') || status === 'default';
    const [old, now] = [new Map(children(x)), new Map(children(y))];
    for (const [status, p] of old) {
      const q = now.get(status);
      if (q) node.link(response(before.follow(p), after.follow(q)), { side: 'response' });
      else node.report(success(status) ? 'success-status-removed' : 'status-removed', p, undefined, status);
    }
    for (const [status, q] of now)
      if (!old.has(status))
        node.report(success(status) ? 'success-status-added' : 'status-added', undefined, q, status);
  }

  function servers(node: Node, x: Operation, y: Operation): void {
    const effective = (revision: Revision, { at, path }: Operation): At =>
      [at, path, revision.root].map((place) => child(place, 'servers')).find(known) ?? child(revision.root, 'servers');
    const [old, now] = [effective(before, x), effective(after, y)];
    node.link(
      graph.visit(`servers ${old.pointer} ${now.pointer}`, (inner) => {
        // A document without servers is served from where it came.
        const byUrl = (at: At): Map<string, At> =>
          known(at)
            ? new Map(items(at).map((server) => [text(child(server, 'url').value), server]))
            : new Map([['/', at]]);
        const [from, to] = [byUrl(old), byUrl(now)];
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

  return (x, y) =>
    graph.visit(`operation ${x.label}`, (node) => {
      const [p, q] = [x.at, y.at];
      const [oldId, newId] = [child(p, 'operationId'), child(q, 'operationId')];
      const rule = known(oldId) ? 'operation-id-changed' : 'operation-id-added';
      if (!same(oldId.value, newId.value)) node.report(rule, oldId, newId);
      if (!same(child(p, 'tags').value, child(q, 'tags').value))
        node.report('tags-changed', child(p, 'tags'), child(q, 'tags'));
      compareParameters(comparison, node, x, y);
      requestBody(node, child(p, 'requestBody'), child(q, 'requestBody'));
      responses(node, child(p, 'responses'), child(q, 'responses'));
      node.link(security(p, q));
      servers(node, x, y);
      otherMembers(node, p, q, [
        'operationId',
        'tags',
        'parameters',
        'requestBody',
        'responses',
        'security',
        'servers',
        'x-exactly-one-of',
      ]);
      node.link(
        graph.visit(`path ${x.path.pointer} ${y.path.pointer}`, (inner) =>
          otherMembers(inner, x.path, y.path, [...openApiMethods, 'parameters', 'servers', '$ref']),
        ),
      );
    });
}
