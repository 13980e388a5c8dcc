import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { matchesAll } from '../../../scripts/contract-tools/diff/pattern-inclusion.ts';
import { rounds } from '../../support/rounds.ts';

describe('one pattern matches all that another one matches', () => {
  test.each([
    ['^(a|b|c)$', '^(a|b)$'],
    ['^(?:a|bc)$', '^a$'],
    ['^[a-z0-9_]+$', '^[a-z]+$'],
    ['^\\w{1,20}$', '^[a-z]{2,9}$'],
    ['^.*$', '^[^\\r\\n\\u2028\\u2029x]*$'],
    ['^a{1,9}$', '^a$'],
    ['^x?y$', '^y$'],
    ['a', '^a$'],
    ['^(?=.{1,9}$)[a-z]+$', '^(?=.{1,5}$)[a-z]+$'],
    ['^(?!ab)\\w+$', '^(?!ab|cd)\\w+$'],
    ['^(?<year>\\d{4})-\\d\\d$', '^(\\d{4})-\\d\\d$'],
  ])('%s: %s', (wide, narrow) => expect(matchesAll(wide, narrow)).toBe(true));

  test.each([
    ['^(a|b)$', '^(a|b|c)$'],
    ['^[a-z]+$', '^[a-z0-9]+$'],
    ['^a$', 'a'],
    ['^a{2,}$', '^a+$'],
    ['^(?!ab|cd)\\w+$', '^(?!ab)\\w+$'],
    ['^(?=.{1,5}$)[a-z]+$', '^(?=.{1,9}$)[a-z]+$'],
    ['^[^a]$', '^[ab]$'],
  ])('but not %s: %s', (wide, narrow) => expect(matchesAll(wide, narrow)).toBe(false));

  test.each([
    ['an invalid pattern', '(', '('],
    ['a reference to what was matched', '^(a|b|c)\\1$', '^(a|b)\\1$'],
    ['another structure', '^(aa)+$', '^aa$'],
  ])('unknown, so no: %s', (_, wide, narrow) => expect(matchesAll(wide, narrow)).toBe(false));
});

test('where it says so, no text shows the contrary', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\w', '\\d', '\\b', '(?=a)', '(?!a)', '(?<=b)');
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    part: fc.oneof(
      { weight: 3, arbitrary: atom },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('a', 'b', '[ab]'), fc.constantFrom('?', '*', '+', '{1,2}'))
          .map((all) => all.join('')),
      },
      { weight: 1, arbitrary: tie('pattern').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: tie('pattern').map((inner) => `(?!${inner})`) },
    ),
    pattern: fc
      .array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
      .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
  }));
  const texts = ['', ...'ab1c'].flatMap((first) =>
    ['', ...'ab1'].flatMap((then) => ['', 'a', 'b', 'ba'].map((last) => first + then + last)),
  );
  const anchored = fc.tuple(pattern, fc.boolean()).map(([inner, whole]) => (whole ? `^(?:${inner})$` : inner));
  let certain = 0;
  fc.assert(
    fc.property(anchored, anchored, (wide, narrow) => {
      if (!matchesAll(wide, narrow)) return;
      certain++;
      const [w, n] = [new RegExp(wide, 'u'), new RegExp(narrow, 'u')];
      expect({ wide, narrow, lost: texts.filter((each) => n.test(each) && !w.test(each)) }).toEqual({
        wide,
        narrow,
        lost: [],
      });
    }),
    { numRuns: rounds(5000) },
  );
  expect(certain).toBeGreaterThan(0);
});
