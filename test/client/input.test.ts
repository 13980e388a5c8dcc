import { expect, test } from '@jest/globals';
import { UsageError } from '../../client/src/errors.ts';
import { inputOf, namesIn, type Input } from '../../client/src/input.ts';
import { methodNameOf } from '../../client/src/method-name.ts';

const read = { method: 'get', repeat: 'safe' } as const;
const post = { method: 'post', repeat: 'refused', body: true } as const;
type Sorted = (path: string, operation: Parameters<typeof inputOf>[0]['operation'], parameters: object) => Input;
const input: Sorted = (path, operation, parameters) =>
  inputOf({ path, operation, parameters: { ...parameters } }, { operation: `get ${path}`, attempts: 1 });

test('parameters are in the query of a call without a body, except those of the path', () => {
  expect(input('/a', read, { a: 1 })).toEqual({ path: {}, query: { a: 1 } });
  expect(input('/a/{id}', read, { id: '7', a: 1 })).toEqual({ path: { id: '7' }, query: { a: 1 } });
});
test('parameters are in the body of a call with one, except those of the path and the query', () => {
  expect(input('/a', post, { a: 1 })).toEqual({ path: {}, query: {}, body: { a: 1 } });
  const sorted = input('/a/{id}', { ...post, inQuery: ['dry_run'] }, { id: '7', dry_run: true, a: 1 });
  expect(sorted).toEqual({ path: { id: '7' }, query: { dry_run: true }, body: { a: 1 } });
});
test('a flag takes a boolean, and Unix seconds a Date', () => {
  const operation = { ...read, units: { include_replies: 1, since_time: 1000 } };
  const date = new Date('2026-03-04T05:06:07.890Z');
  const given = { include_replies: true, since_time: date, other: true };
  expect(input('/a', operation, given)).toEqual({
    path: {},
    query: { include_replies: 1, since_time: 1_772_600_767, other: true },
  });
  expect(input('/a', operation, { include_replies: '0', since_time: 7 }).query).toEqual({
    include_replies: '0',
    since_time: 7,
  });
});
test.each([undefined, null, '', '.', '..'])('a parameter of the path cannot be %p', (id) => {
  expect(() => input('/a/{id}', read, { id })).toThrow(UsageError);
});
test.each([null, 'mira_codes', 7, ['mira_codes']])('the parameters cannot be %j', (parameters) => {
  const given = { path: '/a', operation: read, parameters: parameters as unknown as Record<string, unknown> };
  expect(() => inputOf(given, { operation: 'get /a', attempts: 1 })).toThrow('the parameters must be an object');
});
test('the names of the parameters of a path, in their order', () => {
  expect(namesIn('/users/{user-id}/posts.{format}')).toEqual(['user-id', 'format']);
  expect(namesIn('/users')).toEqual([]);
});
test('the name of a method is that of the table, else it is in the path', () => {
  expect(methodNameOf('/social/user/last_tweets')).toEqual(['user', 'lastTweets']);
  expect(methodNameOf('/museum/{id}', 'museum.getHours')).toEqual(['museum', 'getHours']);
});
