import { expect, test } from '@jest/globals';
import { TermDictionary } from '../../../server/search/inverted-index/term-dictionary.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

const dictionary = (): TermDictionary => new TermDictionary((a, b) => a - b, 2);

type Step = { readonly add: number } | { readonly read: number } | { readonly isBulkLoading: boolean };

const term = fc.nat(5);
const step = fc.oneof(
  { arbitrary: fc.record({ add: term }), weight: 20 },
  fc.record({ read: term }),
  fc.record({ isBulkLoading: fc.boolean() }),
);

test('a bulk load begins and ends at any time without a difference in the lists of the terms', () => {
  fc.assert(
    fc.property(fc.array<Step>(step, { maxLength: 200 }), (steps) => {
      const [plain, bulk] = [dictionary(), dictionary()];
      for (const [ordinal, each] of steps.entries()) {
        if ('isBulkLoading' in each) bulk.isBulkLoading = each.isBulkLoading;
        else if ('read' in each) expect(bulk.tweets(`t${each.read}`)).toEqual(plain.tweets(`t${each.read}`));
        else for (const terms of [plain, bulk]) terms.add(terms.number(`t${each.add}`), ordinal, true);
      }
      for (let each = 0; each <= 5; each++) expect(bulk.tweets(`t${each}`)).toEqual(plain.tweets(`t${each}`));
    }),
    { numRuns: rounds(300) },
  );
});

test('a bulk load of more tweets than wait at a time has all of them, in order', () => {
  const terms = dictionary();
  terms.isBulkLoading = true;
  const [rare, common] = [terms.number('rare'), terms.number('common')];
  const count = 2 ** 21;
  for (let ordinal = 0; ordinal < count; ordinal++) terms.add(ordinal % 1024 === 0 ? rare : common, ordinal, true);
  expect(terms.tweets('rare')).toEqual(Uint32Array.from({ length: count / 1024 }, (_, index) => 1024 * index));
  const found = terms.tweets('common');
  expect(found.length).toBe(count - count / 1024);
  expect(found.every((ordinal, index) => index === 0 || found[index - 1]! < ordinal)).toBe(true);
});
