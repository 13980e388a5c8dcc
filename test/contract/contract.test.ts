/**
 * What the compiler demands of handlers. `npm test` type-checks this file first: each `@ts-expect-error` is an assertion, because a
 * line that compiles after all is itself an error.
 */
import { expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { operationIds, type Handler, type Handlers, type Query } from '../../server/contract/operations.ts';
import { createHandlers } from '../../server/operations/index.ts';
import type { Parts } from '../../server/operations/parts.ts';

const handlers = createHandlers({} as Parts);

test('an operation without a handler, and a handler without an operation, do not compile', () => {
  const { unlikeTweet, ...others } = handlers;
  // @ts-expect-error: unlikeTweet is missing
  const incomplete: Handlers = others;
  // @ts-expect-error: the contract has no likeTweet
  const overfull = { ...handlers, likeTweet: unlikeTweet } satisfies Handlers;
  expect([incomplete, overfull]).toHaveLength(2);
});

test('a result of another shape does not compile', () => {
  // @ts-expect-error: success is a boolean
  const wrongType: Handler<'unlikeTweet'> = () => ({ success: 'yes' });
  // @ts-expect-error: has_next_page is missing
  const missing: Handler<'getTweetReplies'> = () => ({ replies: [], next_cursor: null });
  // @ts-expect-error: replies, not tweets
  const misnamed: Handler<'getTweetReplies'> = () => ({ tweets: [], next_cursor: null, has_next_page: false });
  expect([wrongType, missing, misnamed]).toHaveLength(3);
});

test('a misspelt parameter does not compile, and a parameter with a default is always defined', () => {
  const read = (query: Query<'searchTweets'>): [string, number, 'Latest' | 'Top'] => [
    query.query,
    query.limit,
    query.query_type,
  ];
  // @ts-expect-error: query_typ
  const misspelt = (query: Query<'searchTweets'>): unknown => query.query_typ;
  // @ts-expect-error: cursor may be missing
  const optional = (query: Query<'searchTweets'>): string => query.cursor;
  expect([read, misspelt, optional]).toHaveLength(3);
});

test('every operation of the table has its handler', () => {
  expect(operationIds).toEqual(Object.keys(operations));
  expect(Object.keys(handlers).toSorted()).toEqual([...operationIds].toSorted());
});
