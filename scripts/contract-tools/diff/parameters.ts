/** Compares the parameters of operations and their dependencies. */
import { parametersOfPath } from '../../../server/contract/path-template.ts';
import { same } from './canonical.ts';
import { compareContent } from './content.ts';
import { child, children, isObject, items, exists, type At, type Json, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { flag, isOneWord, otherMembers, text, compareAsText, type Operation } from './operation-parts.ts';
import type { Comparison } from './pair.ts';
import type { RuleId } from './rules.ts';

/** Headers that OpenAPI says are described elsewhere than among the parameters: it ignores them there. */
const ignored = ['header accept', 'header content-type', 'header authorization'];
type Parameters = Map<string, At>;

/** The parameters by place and name; those of the path by their position in it. */
function parametersOf(revision: Revision, { path, at, template }: Operation): Parameters {
  const inPath = parametersOfPath(template);
  const all = [...items(child(path, 'parameters')), ...items(child(at, 'parameters'))].map(revision.follow);
  const named = all.map((parameter): [string, At] => {
    const [place, name] = [text(child(parameter, 'in').value), text(child(parameter, 'name').value)];
    const index = place === 'path' ? inPath.indexOf(name) : -1;
    if (index >= 0) return [`path {${index}}`, parameter];
    return [`${place} ${place === 'header' ? name.toLowerCase() : name}`, parameter];
  });
  return new Map(named);
}

/** The serialisation of a parameter, with the defaults of OpenAPI. */
function formOf(parameter: At): Json {
  const place = child(parameter, 'in').value;
  const style = child(parameter, 'style').value ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return {
    style,
    explode: child(parameter, 'explode').value ?? style === 'form',
    isContent: exists(child(parameter, 'content')),
  };
}

/** Which combinations of query parameters an operation accepts: extensions of this contract. */
interface Groups {
  readonly exactlyOne: readonly string[];
  readonly atLeastOne: readonly string[];
  /** Parameters with the parameters that each of them requires. */
  readonly requires: readonly (readonly [name: string, required: readonly string[]])[];
}
const groupKeywords = ['x-exactly-one-of', 'x-at-least-one-of', 'x-requires'] as const;

const textsOf = (at: At): string[] => items(at).map(({ value }) => text(value));
const groupsOf = (operation: At): Groups => ({
  exactlyOne: textsOf(child(operation, 'x-exactly-one-of')),
  atLeastOne: textsOf(child(operation, 'x-at-least-one-of')),
  requires: children(child(operation, 'x-requires')).map(([name, names]) => [name, textsOf(names)]),
});
const namesIn = ({ exactlyOne, atLeastOne, requires }: Groups): string[] => [
  ...exactlyOne,
  ...atLeastOne,
  ...requires.flatMap(([name, required]) => [name, ...required]),
];

/** Whether an operation accepts a request with exactly these of the grouped parameters. */
function accepts({ exactlyOne, atLeastOne, requires }: Groups, sent: ReadonlySet<string>): boolean {
  const count = (names: readonly string[]): number => names.filter((name) => sent.has(name)).length;
  return (
    (exactlyOne.length === 0 || count(exactlyOne) === 1) &&
    (atLeastOne.length === 0 || count(atLeastOne) > 0) &&
    requires.every(([name, required]) => !sent.has(name) || count(required) === required.length)
  );
}

/** Of more names the choices are too many to try. */
const maxNames = 12;

/** Every subset of `names`. */
const subsetsOf = (names: readonly string[]): ReadonlySet<string>[] =>
  names.reduce<ReadonlySet<string>[]>(
    (found, name) => [...found, ...found.map((subset) => new Set([...subset, name]))],
    [new Set()],
  );

/** Reports combinations of parameters that are no longer, or newly, accepted. */
function compareGroups(node: Node, x: At, y: At, old: Parameters): void {
  const differing = groupKeywords.find((keyword) => !same(sorted(child(x, keyword)), sorted(child(y, keyword))));
  if (differing === undefined) return;
  const places = [child(x, differing), child(y, differing)] as const;
  const [had, has] = [groupsOf(x), groupsOf(y)];
  const names = [...new Set([...namesIn(had), ...namesIn(has)])];
  if (names.length > maxNames) return node.report('unjudged', ...places, differing);
  // A parameter that is required, new or gone has a finding of its own.
  const wasPossible = (subset: ReadonlySet<string>): boolean =>
    names.every((name) => {
      const parameter = old.get(`query ${name}`);
      return subset.has(name) ? parameter !== undefined : !parameter || !flag(parameter, 'required');
    });
  const lost = subsetsOf(names).some((subset) => wasPossible(subset) && accepts(had, subset) && !accepts(has, subset));
  node.report(lost ? 'parameter-group-tightened' : 'parameter-group-loosened', ...places, differing);
}

/** The value of a group whose order has no meaning. */
const sorted = ({ value }: At): unknown =>
  Array.isArray(value)
    ? value.toSorted()
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, names]) => [name, sorted({ value: names, pointer: '' })]))
      : value;

function parameter(comparison: Comparison, x: At, y: At): string {
  return comparison.graph.visit(`parameter ${x.pointer} ${y.pointer}`, (node) => {
    const turned = (name: string, on: RuleId, off: RuleId): void => {
      if (flag(x, name) !== flag(y, name))
        node.report(flag(y, name) ? on : off, child(x, name), child(y, name), text(child(y, 'name').value));
    };
    turned('required', 'parameter-became-required', 'parameter-became-optional');
    turned('allowReserved', 'reserved-characters-allowed', 'reserved-characters-refused');
    turned('allowEmptyValue', 'empty-value-allowed', 'empty-value-refused');
    const [oldName, newName] = [child(x, 'name'), child(y, 'name')];
    if (child(x, 'in').value === 'path' && !same(oldName.value, newName.value))
      node.report('path-parameter-renamed', oldName, newName, text(newName.value));
    const [old, now] = [child(x, 'schema'), child(y, 'schema')];
    if (!same(formOf(x), formOf(y))) {
      const { explode: _a, ...form } = formOf(x);
      const { explode: _b, ...other } = formOf(y);
      const isUnused = same(form, other) && isOneWord(comparison, old, now);
      const rule = isUnused ? 'parameter-form-unused' : 'parameter-form-changed';
      node.report(rule, x, y, text(child(y, 'name').value));
    }
    const [oldContent, newContent] = [child(x, 'content'), child(y, 'content')];
    // From `schema` to `content` the form changes, which is reported.
    if (exists(oldContent) === exists(newContent)) compareAsText(comparison, node, old, now);
    if (exists(oldContent) && exists(newContent)) compareContent(comparison, node, oldContent, newContent);
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
  const nameOf = (key: string): string => text(child((now.get(key) ?? old.get(key))!, 'name').value);
  const moved = new Set<string>();
  for (const key of ignored) {
    const [p, q] = [old.get(key), now.get(key)];
    if (!same(p?.value, q?.value)) node.report('documentation-changed', p, q, key);
    old.delete(key);
    now.delete(key);
  }
  for (const [key, p] of old) {
    const q = now.get(key);
    if (q) {
      node.link(parameter(comparison, p, q));
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

  compareGroups(node, x.at, y.at, old);
}
