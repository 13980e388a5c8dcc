import { expect, test } from '@jest/globals';
import { methodName, plainMethodName, reservedGroups } from '../../server/contract/method-name.ts';

const named = (path: string, operationId = 'someId', tags?: string[]) => ({ path, operation: { operationId, tags } });

test.each<[path: string, template: string | undefined, group: string, name: string]>([
  ['/social/user/last_tweets', '/social/{group}/{name}', 'user', 'lastTweets'],
  ['/social/User/last', '/social/{group}/{name}', 'theTag', 'someId'],
  ['/social/user/last/more', '/social/{group}/{name}', 'theTag', 'someId'],
  ['/v1/social/user/last', '/social/{group}/{name}', 'theTag', 'someId'],
  ['/a.b/user:list', '/a.b/{group}:{name}', 'user', 'list'],
  ['/axb/user:list', '/a.b/{group}:{name}', 'theTag', 'someId'],
  ['/social/user', '/social/{group}', 'theTag', 'someId'],
  ['/social/user/last', undefined, 'theTag', 'someId'],
])('%s by %s is %s.%s', (path, template, group, name) => {
  expect(methodName(named(path, 'someId', ['the tag', 'other']), template)).toEqual({ group, name });
});

test('names are identifiers', () => {
  expect(methodName(named('/', 'Museum-hours  get', ['2 Museum.hours']))).toEqual({
    group: 'n2MuseumHours',
    name: 'museumHoursGet',
  });
  expect(methodName(named('/', '日本', ['_x']))).toEqual({ group: 'x', name: 'n' });
  expect(methodName(named('/', 'a', []))).toEqual({ group: 'api', name: 'a' });
  expect(methodName(named('/', 'a'))).toEqual({ group: 'api', name: 'a' });
});

test('a client of any contract keeps the names that it needs itself', () => {
  for (const group of reservedGroups)
    expect(plainMethodName(named('/', 'a', [group]))).toEqual({ group: `${group}Api`, name: 'a' });
  expect(reservedGroups).toEqual(expect.arrayContaining(['events', 'request', 'then']));
  expect(plainMethodName(named('/', 'events', ['user']))).toEqual({ group: 'user', name: 'events' });
  expect(plainMethodName(named('/x/then/run'), '/x/{group}/{name}')).toEqual({ group: 'thenApi', name: 'run' });
});
