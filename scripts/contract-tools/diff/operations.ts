/** Compares the operations of two revisions: parameters, bodies, responses, security and servers. */
import { openApiMethods } from '../../../server/contract/operation-table.ts';
import { same } from './canonical.ts';
import { compareContent, compareHeaders } from './content.ts';
import { child, children, exists, isObject, type At, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { eachName, flag, opposite, otherMembers, type Operation } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import { compareParameters } from './parameters.ts';
import type { Side } from './rules.ts';
import { SecurityComparison } from './security.ts';
import { compareServers } from './servers.ts';

/** A path without the names of its parameters: they have no meaning for requests. */
const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

/** A Path Item with the members beside its reference. */
function pathItem(revision: Revision, item: At): At {
  const target = revision.follow(item);
  if (target === item || !isObject(item.value) || !isObject(target.value)) return target;
  const { $ref: _, ...own } = item.value;
  return Object.keys(own).length === 0 ? target : { ...target, value: { ...target.value, ...own } };
}

/** The operations of a Path Item. */
const operationsIn = (revision: Revision, item: At, template: string, sent: Side): Operation[] => {
  const path = pathItem(revision, item);
  return openApiMethods
    .map((method) => ({ label: `${method.toUpperCase()} ${template}`, template, at: child(path, method), path, sent }))
    .filter(({ at }) => exists(at));
};

/** Whether a Path Item has an operation. */
export const hasOperations = (revision: Revision, item: At): boolean =>
  exists(item) && operationsIn(revision, item, '', 'request').length > 0;

/** The operations of a revision by method and path; the names of path parameters make no difference. */
export function operationsOf(revision: Revision): Map<string, Operation> {
  const paths = children(child(revision.root, 'paths')).filter(([path]) => path.startsWith('/'));
  return new Map(
    paths.flatMap(([path, item]) =>
      operationsIn(revision, item, path, 'request').map((operation): [string, Operation] => [
        shapeOf(operation.label),
        operation,
      ]),
    ),
  );
}

/** The webhooks of a revision by method and name. The service calls them. */
export const webhooksOf = (revision: Revision): Map<string, Operation> =>
  new Map(
    children(child(revision.root, 'webhooks')).flatMap(([name, item]) =>
      operationsIn(revision, item, `webhook ${name}`, 'response').map((operation) => [operation.label, operation]),
    ),
  );

/** Compares operations of two revisions. */
export class OperationComparison {
  readonly #schemas: Comparison;
  readonly #security: SecurityComparison;
  /** The pointers of the servers and of the security that operations use. */
  readonly #used = new Set<string>();

  constructor(schemas: Comparison) {
    this.#schemas = schemas;
    this.#security = new SecurityComparison(schemas.before, schemas.after, schemas.graph, this.#used);
  }

  /** Compares two operations of the same path and method. Returns the key of their node. */
  compare(x: Operation, y: Operation): string {
    const { graph } = this.#schemas;
    return graph.visit(`operation ${x.label} ${x.at.pointer} ${y.at.pointer}`, (node) => {
      const [p, q] = [x.at, y.at];
      const [oldId, newId] = [child(p, 'operationId'), child(q, 'operationId')];
      const rule = exists(oldId) ? 'operation-id-changed' : 'operation-id-added';
      if (!same(oldId.value, newId.value)) node.report(rule, oldId, newId);
      if (!same(child(p, 'tags').value, child(q, 'tags').value))
        node.report('tags-changed', child(p, 'tags'), child(q, 'tags'));
      const part = (name: string, side: Side, compare: (inner: Node) => void): void =>
        node.link(graph.visit(`${name} of ${x.label} ${p.pointer} ${q.pointer}`, compare), { side });
      part('parameters', x.sent, (inner) => compareParameters(this.#schemas, inner, x, y));
      part('body', x.sent, (inner) => this.#requestBody(inner, child(p, 'requestBody'), child(q, 'requestBody')));
      part('responses', opposite(x.sent), (inner) =>
        this.#responses(inner, child(p, 'responses'), child(q, 'responses')),
      );
      this.#callbacks(node, x, y);
      if (x.sent === 'request') {
        node.link(this.#security.compare(p, q));
        node.link(this.#servers(x, y));
      }
      otherMembers(node, p, q, x.sent === 'request' ? [...ownMembers, 'security', 'servers'] : ownMembers);
      const ofPath = [...openApiMethods, 'parameters', '$ref', ...(x.sent === 'request' ? ['servers'] : [])];
      node.link(
        graph.visit(`path ${x.path.pointer} ${y.path.pointer}`, (inner) => otherMembers(inner, x.path, y.path, ofPath)),
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
      compareContent(this.#schemas, inner, child(p, 'content'), child(q, 'content'));
      otherMembers(inner, p, q, ['required', 'content']);
    });
    node.link(key);
  }

  #responses(node: Node, x: At, y: At): void {
    const { before, after } = this.#schemas;
    const [old, now] = [statusesOf(x), statusesOf(y)];
    for (const [status, p] of old) {
      const q = responseFor(status, now);
      if (q) {
        node.link(this.#response(before.follow(p), after.follow(q)));
        if (!now.has(status)) node.report('documentation-changed', p, undefined, status);
      } else node.report(isSuccess(status, old) ? 'success-status-removed' : 'status-removed', p, undefined, status);
    }
    for (const [status, q] of now) {
      if (old.has(status)) continue;
      const p = responseFor(status, old);
      if (p) {
        node.link(this.#response(before.follow(p), after.follow(q)));
        node.report('documentation-changed', undefined, q, status);
      } else node.report(isSuccess(status, now) ? 'success-status-added' : 'status-added', undefined, q, status);
    }
    otherMembers(node, x, y, [...old.keys(), ...now.keys()]);
  }

  #response(x: At, y: At): string {
    return this.#schemas.graph.visit(`response ${x.pointer} ${y.pointer}`, (node) => {
      compareHeaders(this.#schemas, node, child(x, 'headers'), child(y, 'headers'));
      compareContent(this.#schemas, node, child(x, 'content'), child(y, 'content'));
      this.#links(node, child(x, 'links'), child(y, 'links'));
      otherMembers(node, x, y, ['headers', 'content', 'links']);
    });
  }

  #links(node: Node, x: At, y: At): void {
    const { before, after } = this.#schemas;
    eachName([x, y], {
      gone: (at, name) => node.report('link-removed', at, undefined, name),
      added: (at, name) => node.report('link-added', undefined, at, name),
      both: (p, q, name) => {
        const [from, to] = [before.follow(p), after.follow(q)];
        for (const [member] of new Map([...children(from), ...children(to)])) {
          const [old, now] = [child(from, member), child(to, member)];
          if (!same(old.value, now.value))
            node.report(member === 'description' ? 'documentation-changed' : 'links-changed', old, now, name);
        }
      },
    });
  }

  /** Compares the callbacks, each by its expression: operations in which both sides change their places. */
  #callbacks(node: Node, x: Operation, y: Operation): void {
    const { before, after } = this.#schemas;
    const sent = opposite(x.sent);
    const gone = (at: At, name: string): void => node.report('callback-removed', at, undefined, name);
    const added = (at: At, name: string): void => node.report('callback-added', undefined, at, name);
    const both = (p: At, q: At, name: string): void =>
      eachName([before.follow(p), after.follow(q)], {
        gone,
        added,
        both: (from, to, expression) => {
          if (expression.startsWith('x-'))
            return same(from.value, to.value) ? undefined : node.report('extension-changed', from, to, expression);
          const template = `callback ${name} of ${x.label}`;
          const [old, now] = [operationsIn(before, from, template, sent), operationsIn(after, to, template, sent)];
          for (const each of old) {
            const other = now.find(({ label }) => label === each.label);
            if (other) node.link(this.compare(each, other));
            else gone(each.at, name);
          }
          for (const each of now) if (!old.some(({ label }) => label === each.label)) added(each.at, name);
        },
      });
    eachName([child(x.at, 'callbacks'), child(y.at, 'callbacks')], { gone, added, both });
  }

  #servers(x: Operation, y: Operation): string {
    const effective = ({ root }: Revision, { at, path }: Operation): At =>
      [at, path, root].map((each) => child(each, 'servers')).find(exists) ?? child(root, 'servers');
    const [p, q] = [effective(this.#schemas.before, x), effective(this.#schemas.after, y)];
    this.#used.add(p.pointer).add(q.pointer);
    return this.#schemas.graph.visit(`servers ${p.pointer} ${q.pointer}`, (node) => compareServers(node, p, q));
  }

  /** Reports the servers and the security of the document where they differ and no operation uses them. */
  compareDefaults(node: Node): void {
    const { before, after } = this.#schemas;
    for (const name of ['servers', 'security']) {
      const [x, y] = [child(before.root, name), child(after.root, name)];
      if (!same(x.value, y.value) && !this.#used.has(x.pointer)) node.report('inner-part-changed', x, y, name);
    }
  }
}

type Responses = ReadonlyMap<string, At>;

const statusesOf = (at: At): Responses => new Map(children(at).filter(([name]) => !name.startsWith('x-')));

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
  'callbacks',
  'x-exactly-one-of',
  'x-at-least-one-of',
  'x-requires',
];
