import { expect, test } from '@jest/globals';
import fc, { anyCharacter } from '../support/property.ts';
import { duplicateName } from '../../server/text/duplicate-json-names.ts';
import { rounds } from '../support/rounds.ts';

/** A JSON value with the names of each object in a list, so that a name can stand there twice. */
type Tree =
  | { readonly leaf: unknown }
  | { readonly list: readonly Tree[] }
  | { readonly members: readonly (readonly [string, Tree])[] };

const name = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', '"', '\\', ',', '{', 'a"b'),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
);
const leaf = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('{"a":1,"a":2}', '\\"', ':', ','),
  fc.integer(),
  fc.constantFrom(null, true, 1e-7),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf.map((value) => ({ leaf: value })),
    fc.array(tie('tree'), { maxLength: 4 }).map((list) => ({ list })),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((members) => ({ members })),
  ),
}));

/** Every character of a string as an escape: another way to write the same. */
const escaped = (text: string): string =>
  `"${text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

function write(tree: Tree, pad: string, quote: (name: string) => string): string {
  if ('leaf' in tree) return JSON.stringify(tree.leaf);
  const items =
    'list' in tree
      ? tree.list.map((each) => write(each, pad, quote))
      : tree.members.map(([key, value]) => `${quote(key)}${pad}:${pad}${write(value, pad, quote)}`);
  const [opens, closes] = 'list' in tree ? '[]' : '{}';
  return `${opens}${pad}${items.join(`${pad},${pad}`)}${pad}${closes}`;
}

const hasDuplicate = (tree: Tree): boolean =>
  'list' in tree
    ? tree.list.some(hasDuplicate)
    : 'members' in tree &&
      (new Set(tree.members.map(([key]) => key)).size < tree.members.length ||
        tree.members.some(([, value]) => hasDuplicate(value)));

test('detects duplicate names in any JSON text', () => {
  const written = fc.tuple(
    tree,
    fc.constantFrom('', ' ', '\r\n\t'),
    fc.infiniteStream(fc.constantFrom(JSON.stringify, escaped)),
  );
  fc.assert(
    fc.property(written, ([value, pad, quotes]) => {
      const text = write(value, pad, (key) => (quotes.next().value as (key: string) => string)(key));
      JSON.parse(text);
      expect(duplicateName(text) !== undefined).toBe(hasDuplicate(value));
    }),
    { numRuns: rounds(2_000) },
  );
});

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', undefined],
  ['{"params":{"query":"x","query":"y"}}', 'params.query'],
  ['{"a":[{"b":1,"\\u0062":2}]}', 'a.b'],
  ['{"a":"a","b":"a"}', undefined],
  ['["a","a"]', undefined],
  ['{"":1,"":2}', ''],
  ['"a"', undefined],
])('returns the first duplicate: %s', (text, expected) => {
  expect(duplicateName(text)).toBe(expected);
});

test('handles a text of nested brackets only', () => {
  const depth = 100_000;
  expect(duplicateName('[{"a":'.repeat(depth) + '{"b":1,"b":2}' + '}]'.repeat(depth))).toMatch(/^a\.a\..*b$/);
});
