/** Compares the security requirements of operations. */
import { same } from './canonical.ts';
import { child, children, items, exists, type At, type Revision } from './document.ts';
import type { Graph, Node } from './graph.ts';
import { eachName, otherMembers } from './operation-parts.ts';

/** A security requirement: the schemes that a caller needs together, each with its scopes. */
type Requirement = { readonly at: At; readonly schemes: ReadonlyMap<string, ReadonlySet<string>> };

/** The members of a security scheme that callers depend on. */
const essentialMembers = ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'];
const essentials = (scheme: At): unknown[] =>
  essentialMembers.map((key) => {
    const { value } = child(scheme, key);
    // Names of headers and of HTTP schemes are case-insensitive.
    return typeof value === 'string' && (key === 'scheme' || (key === 'name' && child(scheme, 'in').value === 'header'))
      ? value.toLowerCase()
      : value;
  });

/** Whether a caller that satisfies `requirement` also satisfies `other`. */
const implies = (requirement: Requirement, other: Requirement): boolean =>
  [...other.schemes].every(([scheme, scopes]) => {
    const available = requirement.schemes.get(scheme);
    return available !== undefined && scopes.isSubsetOf(available);
  });
const sameSchemes = (a: Requirement, b: Requirement): boolean =>
  new Set(a.schemes.keys()).symmetricDifference(new Set(b.schemes.keys())).size === 0;
const isOpen = (requirements: readonly Requirement[]): boolean =>
  requirements.some(({ schemes }) => schemes.size === 0);
const labelOf = ({ schemes }: Requirement): string => [...schemes.keys()].join(' with ') || 'no key';

const schemesOf = (revision: Revision): Map<string, At> =>
  new Map(
    children(child(revision.root, 'components', 'securitySchemes')).map(([name, at]) => [name, revision.follow(at)]),
  );
/** The requirements of an operation; those of the document unless the operation has its own. */
const effective = ({ root }: Revision, operation: At): At =>
  [operation, root].map((at) => child(at, 'security')).find(exists) ?? child(root, 'security');
/** All requirements of a revision. */
const allSecurity = ({ root }: Revision): At[] => [
  child(root, 'security'),
  ...children(child(root, 'paths')).flatMap(([, path]) =>
    children(path).map(([, operation]) => child(operation, 'security')),
  ),
];

function requirementsOf(at: At, names: ReadonlyMap<string, string>): Requirement[] {
  const listed = items(at).map((requirement): Requirement => ({
    at: requirement,
    schemes: new Map(
      children(requirement).map(([name, scopes]) => [
        names.get(name) ?? name,
        new Set(Array.isArray(scopes.value) ? scopes.value.map(String) : []),
      ]),
    ),
  }));
  return listed.length > 0 ? listed : [{ at, schemes: new Map() }];
}

/** The new names of renamed schemes by their old names. Callers do not send the name of a scheme. */
function renamedSchemes(old: ReadonlyMap<string, At>, now: ReadonlyMap<string, At>): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [name, scheme] of old) {
    if (now.has(name)) continue;
    const twin = [...now].find(([other, at]) => !old.has(other) && same(essentials(scheme), essentials(at)));
    if (twin) renamed.set(name, twin[0]);
  }
  return renamed;
}

/** Compares the security requirements of operations of two revisions. */
export class SecurityComparison {
  readonly #before: Revision;
  readonly #after: Revision;
  readonly #graph: Graph;
  readonly #oldSchemes: ReadonlyMap<string, At>;
  readonly #newSchemes: ReadonlyMap<string, At>;
  readonly #renamed: ReadonlyMap<string, string>;
  /** The old names of renamed schemes by their new names. */
  readonly #originals: ReadonlyMap<string, string>;
  readonly #used: Set<string>;
  /** Whether an operation of the old revision requires a scope. */
  readonly #hadScopes: boolean;

  /** Adds the pointers of the requirements that it compares to `used`. */
  constructor(before: Revision, after: Revision, graph: Graph, used: Set<string>) {
    this.#used = used;
    this.#before = before;
    this.#after = after;
    this.#graph = graph;
    this.#oldSchemes = schemesOf(before);
    this.#newSchemes = schemesOf(after);
    this.#renamed = renamedSchemes(this.#oldSchemes, this.#newSchemes);
    this.#originals = new Map([...this.#renamed].map(([old, now]) => [now, old]));
    this.#hadScopes = allSecurity(before)
      .flatMap((at) => requirementsOf(at, new Map()))
      .some(({ schemes }) => [...schemes.values()].some(({ size }) => size > 0));
  }

  /** Compares the requirements of two operations. Returns the key of their node. */
  compare(x: At, y: At): string {
    const [old, now] = [effective(this.#before, x), effective(this.#after, y)];
    this.#used.add(old.pointer).add(now.pointer);
    return this.#graph.visit(`security ${old.pointer} ${now.pointer}`, (node) => {
      const [from, to] = [requirementsOf(old, this.#renamed), requirementsOf(now, new Map())];
      for (const name of new Set(from.flatMap(({ schemes }) => [...schemes.keys()])))
        if (to.some(({ schemes }) => schemes.has(name))) node.link(this.#compareScheme(name));

      if (isOpen(from) && !isOpen(to)) node.report('security-required', exists(old) ? old : undefined, now);
      else if (!isOpen(from) && isOpen(to)) node.report('security-dropped', old, exists(now) ? now : undefined);
      const narrowed = this.#reportNarrowed(node, from, to);
      // An open operation got its first requirements; `security-required` reports them.
      if (!isOpen(from)) reportWidened(node, from, to, narrowed);
    });
  }

  /** Reports removed requirements and additional scopes. Returns the requirements with additional scopes. */
  #reportNarrowed(node: Node, from: readonly Requirement[], to: readonly Requirement[]): Set<Requirement> {
    const narrowed = new Set<Requirement>();
    for (const requirement of from) {
      if (requirement.schemes.size === 0 || to.some((other) => implies(requirement, other))) continue;
      const successor = to.find((other) => sameSchemes(requirement, other));
      if (successor === undefined) {
        node.report('security-removed', requirement.at, undefined, labelOf(requirement));
        continue;
      }
      narrowed.add(successor);
      const rule = this.#isIntroduction(requirement) ? 'scope-introduced' : 'scope-added';
      node.report(rule, requirement.at, successor.at, labelOf(requirement));
    }
    return narrowed;
  }

  /**
   * Whether the scopes of an API key, or of another scheme without tokens, are the first of the contract: every existing key
   * then has all scopes.
   */
  #isIntroduction({ schemes }: Requirement): boolean {
    if (this.#hadScopes) return false;
    return [...schemes.keys()].every((name) => {
      const scheme = this.#oldSchemeOf(name);
      return scheme !== undefined && ['apiKey', 'http', 'mutualTLS'].includes(String(child(scheme, 'type').value));
    });
  }

  #oldSchemeOf(name: string): At | undefined {
    return this.#oldSchemes.get(this.#originals.get(name) ?? name);
  }

  #compareScheme(name: string): string {
    return this.#graph.visit(`security scheme ${name}`, (node) => {
      const [p, q] = [this.#oldSchemeOf(name), this.#newSchemes.get(name)];
      // A requirement that names no scheme.
      if ((p && !q) || (q && !p)) node.report('unjudged', p, q, name);
      if (!p || !q) return;
      if (!same(essentials(p), essentials(q))) node.report('security-scheme-changed', p, q, name);
      const [old, now] = [child(p, 'bearerFormat'), child(q, 'bearerFormat')];
      if (!same(old.value, now.value)) node.report('security-scheme-hint-changed', old, now, name);
      compareFlows(node, child(p, 'flows'), child(q, 'flows'));
      otherMembers(node, p, q, [...essentialMembers, 'bearerFormat', 'flows']);
    });
  }
}

/** Compares the OAuth flows of a scheme: the addresses where clients get tokens, and the scopes that they ask for. */
export function compareFlows(node: Node, x: At, y: At): void {
  eachName([x, y], {
    gone: (at, name) => node.report('flow-removed', at, undefined, name),
    added: (at, name) => node.report('flow-added', undefined, at, name),
    both: (p, q, flow) => {
      for (const key of ['authorizationUrl', 'tokenUrl', 'refreshUrl']) {
        const [old, now] = [child(p, key), child(q, key)];
        if (!same(old.value, now.value)) node.report('flow-address-changed', old, now, `${flow} ${key}`);
      }
      // AsyncAPI has another name for the scopes.
      for (const key of ['scopes', 'availableScopes'])
        eachName([child(p, key), child(q, key)], {
          gone: (at, name) => node.report('flow-scope-removed', at, undefined, name),
          added: (at, name) => node.report('flow-scope-added', undefined, at, name),
          both: (old, now, name) =>
            same(old.value, now.value) ? undefined : node.report('documentation-changed', old, now, name),
        });
      otherMembers(node, p, q, ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes', 'availableScopes']);
    },
  });
}

/** Reports added requirements and removed scopes. */
function reportWidened(
  node: Node,
  from: readonly Requirement[],
  to: readonly Requirement[],
  narrowed: ReadonlySet<Requirement>,
): void {
  for (const requirement of to) {
    const isKnown = from.some((other) => implies(other, requirement) && implies(requirement, other));
    if (requirement.schemes.size === 0 || narrowed.has(requirement) || isKnown) continue;
    const wider = from.find((other) => sameSchemes(requirement, other));
    if (wider) node.report('scope-removed', wider.at, requirement.at, labelOf(requirement));
    else node.report('security-added', undefined, requirement.at, labelOf(requirement));
  }
}
