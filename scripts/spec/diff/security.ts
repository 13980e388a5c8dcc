/** Compares the security requirements of operations. */
import { same } from './canonical.ts';
import { child, children, items, known, type At, type Revision } from './document.ts';
import type { Graph } from './graph.ts';

/** One way to identify oneself: the schemes it needs together, each with its scopes. */
type Way = { readonly at: At; readonly needs: ReadonlyMap<string, ReadonlySet<string>> };

/** What of a security scheme decides how callers identify themselves. */
const essence = (scheme: At): unknown[] =>
  ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'].map((key) => {
    const { value } = child(scheme, key);
    // Names of headers and of HTTP schemes have no case.
    return typeof value === 'string' && (key === 'scheme' || (key === 'name' && child(scheme, 'in').value === 'header'))
      ? value.toLowerCase()
      : value;
  });

/** Whether someone who fits `way` also fits `other`. */
const suffices = (way: Way, other: Way): boolean =>
  [...other.needs].every(([scheme, scopes]) => {
    const held = way.needs.get(scheme);
    return held !== undefined && scopes.isSubsetOf(held);
  });
const sameSchemes = (a: Way, b: Way): boolean =>
  new Set(a.needs.keys()).symmetricDifference(new Set(b.needs.keys())).size === 0;
const label = ({ needs }: Way): string => [...needs.keys()].join(' with ') || 'no key';

/** Builds the comparison of what two operations demand; it returns the key of its node. */
export function securityComparison(before: Revision, after: Revision, graph: Graph): (x: At, y: At) => string {
  const schemesOf = (revision: Revision): Map<string, At> =>
    new Map(
      children(child(revision.root, 'components', 'securitySchemes')).map(([name, at]) => [name, revision.follow(at)]),
    );
  const [oldSchemes, newSchemes] = [schemesOf(before), schemesOf(after)];
  // The name of a scheme is nothing that a caller sends: one that was only renamed is the same.
  const renamed = new Map(
    [...oldSchemes].flatMap(([name, scheme]): [string, string][] => {
      if (newSchemes.has(name)) return [];
      const twin = [...newSchemes].find(
        ([other, now]) => !oldSchemes.has(other) && same(essence(scheme), essence(now)),
      );
      return twin ? [[name, twin[0]]] : [];
    }),
  );
  const originals = new Map([...renamed].map(([old, now]) => [now, old]));

  const effective = (revision: Revision, operation: At): At =>
    [operation, revision.root].map((at) => child(at, 'security')).find(known) ?? child(revision.root, 'security');
  const waysOf = (at: At, names: ReadonlyMap<string, string>): Way[] => {
    const listed = items(at).map((way): Way => ({
      at: way,
      needs: new Map(
        children(way).map(([name, scopes]) => [
          names.get(name) ?? name,
          new Set(Array.isArray(scopes.value) ? scopes.value.map(String) : []),
        ]),
      ),
    }));
    return listed.length > 0 ? listed : [{ at, needs: new Map() }];
  };

  const demandsOf = (revision: Revision): At[] => [
    child(revision.root, 'security'),
    ...children(child(revision.root, 'paths')).flatMap(([, path]) =>
      children(path).map(([, operation]) => child(operation, 'security')),
    ),
  ];
  const demandsScopes = ({ needs }: Way): boolean => [...needs.values()].some(({ size }) => size > 0);
  const knewScopes = demandsOf(before).some((at) => waysOf(at, new Map()).some(demandsScopes));
  /**
   * Whether the roles of an API key, or of another scheme that hands out no tokens with scopes, are the contract's first: no key can
   * have been made for less than all.
   */
  const isIntroduction = ({ needs }: Way): boolean =>
    !knewScopes &&
    [...needs.keys()].every((name) => {
      const known = oldSchemes.get(originals.get(name) ?? name);
      return known !== undefined && ['apiKey', 'http', 'mutualTLS'].includes(String(child(known, 'type').value));
    });

  function scheme(name: string): string {
    return graph.visit(`security scheme ${name}`, (node) => {
      const [p, q] = [oldSchemes.get(originals.get(name) ?? name), newSchemes.get(name)];
      if (!p || !q) return;
      if (!same(essence(p), essence(q))) node.report('security-scheme-changed', p, q, name);
      for (const key of ['bearerFormat', 'flows']) {
        if (!same(child(p, key).value, child(q, key).value))
          node.report('security-scheme-hint-changed', child(p, key), child(q, key), name);
      }
      if (!same(child(p, 'description').value, child(q, 'description').value))
        node.report('documentation-changed', child(p, 'description'), child(q, 'description'), 'description');
      for (const [key] of [...children(p), ...children(q)].filter(([member]) => member.startsWith('x-'))) {
        if (!same(child(p, key).value, child(q, key).value))
          node.report('extension-changed', child(p, key), child(q, key), key);
      }
    });
  }

  return (x, y) => {
    const [old, now] = [effective(before, x), effective(after, y)];
    return graph.visit(`security ${old.pointer} ${now.pointer}`, (node) => {
      const [from, to] = [waysOf(old, renamed), waysOf(now, new Map())];
      const open = (ways: readonly Way[]): boolean => ways.some(({ needs }) => needs.size === 0);
      for (const name of new Set(from.flatMap(({ needs }) => [...needs.keys()])))
        if (to.some(({ needs }) => needs.has(name))) node.link(scheme(name));

      if (open(from) && !open(to)) node.report('security-required', known(old) ? old : undefined, now);
      else if (!open(from) && open(to)) node.report('security-dropped', old, known(now) ? now : undefined);
      // Where nobody had to, every way is new: that is said above.
      const narrowed = new Set<Way>();
      for (const way of from) {
        if (way.needs.size === 0 || to.some((other) => suffices(way, other))) continue;
        const successor = to.find((other) => sameSchemes(way, other));
        if (successor) narrowed.add(successor);
        if (successor)
          node.report(isIntroduction(way) ? 'scope-introduced' : 'scope-added', way.at, successor.at, label(way));
        else node.report('security-removed', way.at, undefined, label(way));
      }
      for (const way of to) {
        const known = from.some((other) => suffices(way, other) && suffices(other, way));
        if (open(from) || way.needs.size === 0 || narrowed.has(way) || known) continue;
        const wider = from.find((other) => sameSchemes(way, other));
        if (wider) node.report('scope-removed', wider.at, way.at, label(way));
        else node.report('security-added', undefined, way.at, label(way));
      }
    });
  };
}
