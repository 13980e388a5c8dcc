import { expect, test } from '@jest/globals';
import { AuthorMemo } from '../../../server/domain/author-memo.ts';
import { Authors } from '../../../server/search/inverted-index/authors.ts';

test('the memo of an author is not used after the index has given its number to another author', () => {
  const authors = new Authors();
  const memo = new AuthorMemo('1');
  const first = authors.numberOf(memo);
  expect(authors.number('1')).toBe(first);
  authors.forget('1');
  expect(authors.number('2')).toBe(first);
  const second = authors.numberOf(memo);
  expect(second).not.toBe(first);
  expect(authors.number('1')).toBe(second);
});
