/** The contract describes parameters so that generators of test data can make valid values without trying many. */
import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { operations } from '../../generated/operations.ts';
import { readPostAddress, readStatusAddress } from '../../server/domain/post-address.ts';
import { contract } from '../support/contract.ts';

const { TweetReference } = (contract.components as { readonly schemas?: unknown }).schemas as Record<
  string,
  { readonly pattern: string }
>;

test('a generator makes ids and addresses of tweets from the pattern alone, all of them within 1,024 characters', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(TweetReference!.pattern), { size: 'max' }), (value) => {
      expect(value.length).toBeLessThanOrEqual(1024);
      kinds.add(/^(?:at|http)?/.exec(value)![0]);
      const isAddress = readPostAddress(value) !== undefined || readStatusAddress(value) !== undefined;
      expect(/^\d{1,19}$/.test(value) || isAddress).toBe(true);
    }),
    { numRuns: 200 },
  );
  expect([...kinds].sort()).toEqual(['', 'at', 'http']);
});

test('the longest address is valid, and one character more is not', () => {
  const pattern = new RegExp(TweetReference!.pattern);
  const address = (authority: number): string => `at://${'a'.repeat(authority)}/app.bsky.feed.post/${'b'.repeat(512)}`;
  expect(address(487)).toHaveLength(1024);
  expect([pattern.test(address(487)), pattern.test(address(488))]).toEqual([true, false]);
});

test('patterns of headers have only classes that mean the same in every dialect of regular expressions', () => {
  const parameters = (contract.components as { readonly parameters?: unknown }).parameters as Record<
    string,
    { readonly in: string; readonly schema: { readonly pattern?: string } }
  >;
  const patterns = Object.values(parameters).flatMap(({ in: place, schema: { pattern } }) =>
    place === 'header' && pattern !== undefined ? [pattern] : [],
  );
  expect(patterns.length).toBeGreaterThan(0);
  for (const pattern of patterns) expect(pattern).not.toMatch(/\\[wdsb]|\(\?/);
  expect(Object.keys(operations)).toContain('getTweetReplies');
});
