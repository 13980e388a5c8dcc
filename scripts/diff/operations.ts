/** Compares the operations of two revisions: parameters, bodies, answers, who may call, and where. */
import { isAnnotation, same } from './canonical.ts';
import { child, children, isObject, items, known, type At, type Json, type Revision } from './document.ts';
import type { Graph, Node } from './graph.ts';
import type { RuleId, Side } from './rules.ts';
import type { CompareSchemas } from './pair.ts';
import { securityComparison } from './security.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const documentation = new Set(['summary', 'description', 'example', 'examples', 'externalDocs', 'title']);
/** What the caller of an operation is told by `operationsOf`. */
export type Operation = { readonly label: string; readonly at: At; readonly path: At };

/** The operations of a revision by `GET /path`. */
export function operationsOf(revision: Revision): Map<string, Operation> {
  const paths = children(child(revision.root, 'paths')).filter(([path]) => path.startsWith('/'));
  return new Map(
    paths.flatMap(([path, item]) => {
      const at = revision.follow(item);
      return methods
        .map((method): Operation => ({ label: `${method.toUpperCase()} ${path}`, at: child(at, method), path: at }))
        .filter((operation) => known(operation.at))
        .map((operation) => [operation.label, operation] as const);
    }),
  );
}

/**
 * Notes the differences of the members that no rule of their own looks at: wording, extensions, and whatever is new to this command.
 * `judged` names the members that others compare.
 */
export function otherMembers(node: Node, x: At, y: At, judged: readonly string[]): void {
  const names = new Set([...children(x), ...children(y)].map(([name]) => name));
  for (const name of names.difference(new Set(judged))) {
    const [p, q] = [child(x, name), child(y, name)];
    if (same(p.value, q.value)) continue;
    if (name === 'deprecated') node.report(q.value === true ? 'deprecated' : 'no-longer-deprecated', p, q);
    else
      node.report(
        documentation.has(name) ? 'documentation-changed' : name.startsWith('x-') ? 'extension-changed' : 'unjudged',
        p,
        q,
        name,
      );
  }
}

const flag = (at: At, name: string): boolean => child(at, name).value === true;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Headers that OpenAPI says are described elsewhere than among the parameters. */
const describedElsewhere = ['accept', 'content-type', 'authorization'];
type Parameters = Map<string, At>;

function parametersOf(revision: Revision, { path, at }: Operation): Parameters {
  const all = [...items(child(path, 'parameters')), ...items(child(at, 'parameters'))].map(revision.follow);
  const named = all.map((parameter): [string, At] => {
    const [place, name] = [text(child(parameter, 'in').value), text(child(parameter, 'name').value)];
    return [`${place} ${place === 'header' ? name.toLowerCase() : name}`, parameter];
  });
  return new Map(named.filter(([key]) => !describedElsewhere.some((name) => key === `header ${name}`)));
}

/** How a parameter is written, with the defaults of OpenAPI. */
function formOf(parameter: At): Json {
  const place = child(parameter, 'in').value;
  const style = child(parameter, 'style').value ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return {
    style,
    explode: child(parameter, 'explode').value ?? style === 'form',
    content: children(child(parameter, 'content')).map(([type]) => type),
  };
}

const isAnyText = ({ value }: At): boolean =>
  isObject(value) && value.type === 'string' && Object.keys(value).every((key) => key === 'type' || isAnnotation(key));
const isScalar = ({ value }: At): boolean => isObject(value) && ['integer', 'number', 'boolean'].includes(String(value.type));

/** The names that must not be sent together, and of which one must be: an extension of this contract. */
const groupOf = (operation: At): string[] => items(child(operation, 'x-exactly-one-of')).map(({ value }) => text(value));

/** Every choice of sent names among `names` that an operation accepts, as far as its group and its required parameters tell. */
function choices(
  names: readonly string[],
  group: readonly string[],
  parameters: Parameters,
  respectRequired: boolean,
): Set<string> {
  const subsets = names.reduce<string[][]>((found, name) => [...found, ...found.map((subset) => [...subset, name])], [[]]);
  const fits = (subset: readonly string[]): boolean => {
    if (group.length > 0 && group.filter((name) => subset.includes(name)).length !== 1) return false;
    return (
      !respectRequired ||
      names.every((name) => {
        const parameter = parameters.get(`query ${name}`);
        return subset.includes(name) ? parameter !== undefined : !parameter || !flag(parameter, 'required');
      })
    );
  };
  return new Set(subsets.filter(fits).map((subset) => subset.join()));
}

/** Builds the comparison of operations of two revisions; it returns the key of the pair's node. */
export function operationComparison(
  before: Revision,
  after: Revision,
  graph: Graph,
  schemas: CompareSchemas,
): (x: Operation, y: Operation) => string {
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

  /** The schema of what is written as text outside of a body: there a number is a text too. */
  function written(node: Node, x: At, y: At): void {
    const [p, q] = [before.follow(x), after.follow(y)];
    if (isScalar(p) && isAnyText(q)) node.report('written-type-widened', p, q);
    else if (isAnyText(p) && isScalar(q)) node.report('written-type-narrowed', p, q);
    else node.link(schemas(x, y));
  }

  function parameter(x: At, y: At): string {
    return graph.visit(`parameter ${x.pointer} ${y.pointer}`, (node) => {
      const turned = (name: string, on: RuleId, off: RuleId): void => {
        if (flag(x, name) !== flag(y, name))
          node.report(flag(y, name) ? on : off, child(x, name), child(y, name), text(child(y, 'name').value));
      };
      turned('required', 'parameter-became-required', 'parameter-became-optional');
      turned('allowReserved', 'reserved-characters-allowed', 'reserved-characters-refused');
      turned('allowEmptyValue', 'empty-value-allowed', 'empty-value-refused');
      if (!same(formOf(x), formOf(y))) node.report('parameter-form-changed', x, y, text(child(y, 'name').value));
      written(node, child(x, 'schema'), child(y, 'schema'));
      for (const [type, p] of children(child(x, 'content'))) {
        const q = child(y, 'content', type);
        if (known(q)) node.link(schemas(child(p, 'schema'), child(q, 'schema')));
      }
      otherMembers(node, x, y, [
        'name',
        'in',
        'required',
        'allowReserved',
        'allowEmptyValue',
        'style',
        'explode',
        'content',
        'schema',
      ]);
    });
  }

  function parameters(node: Node, x: Operation, y: Operation): void {
    const [old, now] = [parametersOf(before, x), parametersOf(after, y)];
    const nameOf = (key: string): string => key.slice(key.indexOf(' ') + 1);
    const moved = new Set<string>();
    for (const [key, p] of old) {
      const q = now.get(key);
      if (q) {
        node.link(parameter(p, q), { side: 'request' });
        continue;
      }
      const elsewhere = [...now].find(([other]) => nameOf(other) === nameOf(key) && !old.has(other));
      if (elsewhere) {
        moved.add(elsewhere[0]);
        node.report('parameter-moved', p, elsewhere[1], nameOf(key));
      } else
        node.report(
          key.startsWith('header') || key.startsWith('cookie') ? 'parameter-ignored' : 'parameter-removed',
          p,
          undefined,
          nameOf(key),
        );
    }
    for (const [key, q] of now) {
      if (old.has(key) || moved.has(key)) continue;
      node.report(flag(q, 'required') ? 'parameter-added-required' : 'parameter-added-optional', undefined, q, nameOf(key));
    }

    const [had, has] = [groupOf(x.at), groupOf(y.at)];
    if (same(had, has)) return;
    const names = [...new Set([...had, ...has])];
    const possible = choices(names, had, old, true);
    const lost = !possible.isSubsetOf(choices(names, has, now, false));
    node.report(
      lost ? 'exactly-one-of-tightened' : 'exactly-one-of-loosened',
      child(x.at, 'x-exactly-one-of'),
      child(y.at, 'x-exactly-one-of'),
    );
  }

  function requestBody(node: Node, x: At, y: At): void {
    const [p, q] = [before.follow(x), after.follow(y)];
    if (!known(p) && !known(q)) return;
    if (!known(q)) return node.report('request-body-removed', p, undefined);
    if (!known(p))
      return node.report(flag(q, 'required') ? 'request-body-added-required' : 'request-body-added-optional', undefined, q);
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
      written(node, child(x, 'schema'), child(y, 'schema'));
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
      if (!old.has(status)) node.report(success(status) ? 'success-status-added' : 'status-added', undefined, q, status);
  }

  function servers(node: Node, x: Operation, y: Operation): void {
    const effective = (revision: Revision, { at, path }: Operation): At =>
      [at, path, revision.root].map((place) => child(place, 'servers')).find(known) ?? child(revision.root, 'servers');
    const [old, now] = [effective(before, x), effective(after, y)];
    node.link(
      graph.visit(`servers ${old.pointer} ${now.pointer}`, (inner) => {
        // A document without servers is served from where it came.
        const byUrl = (at: At): Map<string, At> =>
          known(at) ? new Map(items(at).map((server) => [text(child(server, 'url').value), server])) : new Map([['/', at]]);
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
      if (oldId.value !== newId.value) node.report(known(oldId) ? 'operation-id-changed' : 'operation-id-added', oldId, newId);
      if (!same(child(p, 'tags').value, child(q, 'tags').value)) node.report('tags-changed', child(p, 'tags'), child(q, 'tags'));
      parameters(node, x, y);
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
          otherMembers(inner, x.path, y.path, [...methods, 'parameters', 'servers', '$ref']),
        ),
      );
    });
}
