/** Compares the parameters of operations and their dependencies. */
import { same } from './canonical.ts';
import { child, children, items, exists, type At, type Json, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { flag, otherMembers, text, compareAsText, type Operation } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import type { RuleId } from './rules.ts';

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

/** The serialisation of a parameter, with the defaults of OpenAPI. */
function formOf(parameter: At): Json {
  const place = child(parameter, 'in').value;
  const style = child(parameter, 'style').value ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return {
    style,
    explode: child(parameter, 'explode').value ?? style === 'form',
    content: children(child(parameter, 'content')).map(([type]) => type),
  };
}

/** The names that must not be sent together, and of which one must be: an extension of this contract. */
const groupOf = (operation: At): string[] =>
  items(child(operation, 'x-exactly-one-of')).map(({ value }) => text(value));

/** Of more names the choices are too many to try. */
const maxNames = 12;

/** Every subset of `names` that an operation accepts by its parameter group and its required parameters. */
function choices(
  names: readonly string[],
  group: readonly string[],
  parameters: Parameters,
  respectRequired: boolean,
): Set<string> {
  const subsets = names.reduce<string[][]>(
    (found, name) => [...found, ...found.map((subset) => [...subset, name])],
    [[]],
  );
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

function parameter(comparison: Comparison, x: At, y: At): string {
  return comparison.graph.visit(`parameter ${x.pointer} ${y.pointer}`, (node) => {
    const turned = (name: string, on: RuleId, off: RuleId): void => {
      if (flag(x, name) !== flag(y, name))
        node.report(flag(y, name) ? on : off, child(x, name), child(y, name), text(child(y, 'name').value));
    };
    turned('required', 'parameter-became-required', 'parameter-became-optional');
    turned('allowReserved', 'reserved-characters-allowed', 'reserved-characters-refused');
    turned('allowEmptyValue', 'empty-value-allowed', 'empty-value-refused');
    if (!same(formOf(x), formOf(y))) node.report('parameter-form-changed', x, y, text(child(y, 'name').value));
    compareAsText(comparison, node, child(x, 'schema'), child(y, 'schema'));
    for (const [type, p] of children(child(x, 'content'))) {
      const q = child(y, 'content', type);
      if (exists(q)) node.link(comparison.compare(child(p, 'schema'), child(q, 'schema')));
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

/** Compares the parameters of two operations. */
export function compareParameters(comparison: Comparison, node: Node, x: Operation, y: Operation): void {
  const [old, now] = [parametersOf(comparison.before, x), parametersOf(comparison.after, y)];
  const nameOf = (key: string): string => key.slice(key.indexOf(' ') + 1);
  const moved = new Set<string>();
  for (const [key, p] of old) {
    const q = now.get(key);
    if (q) {
      node.link(parameter(comparison, p, q), { side: 'request' });
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
    node.report(
      flag(q, 'required') ? 'parameter-added-required' : 'parameter-added-optional',
      undefined,
      q,
      nameOf(key),
    );
  }

  const [had, has] = [groupOf(x.at), groupOf(y.at)];
  const names = [...new Set([...had, ...has])];
  if (names.length === had.length && names.length === has.length) return;
  if (names.length > maxNames)
    return node.report('unjudged', child(x.at, 'x-exactly-one-of'), child(y.at, 'x-exactly-one-of'));
  const possible = choices(names, had, old, true);
  const lost = !possible.isSubsetOf(choices(names, has, now, false));
  node.report(
    lost ? 'exactly-one-of-tightened' : 'exactly-one-of-loosened',
    child(x.at, 'x-exactly-one-of'),
    child(y.at, 'x-exactly-one-of'),
  );
}
