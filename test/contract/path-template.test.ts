import { describe, expect, test } from '@jest/globals';
import {
  bySpecificity,
  expressPath,
  filledPath,
  parametersOfPath,
  pathWith,
  rawPathValues,
} from '../../server/contract/path-template.ts';

test.each<[string, string[], string]>([
  ['/', [], '/'],
  ['/users/{id}', ['id'], '/users/:id'],
  ['/{a}{b1}', ['a', 'b1'], '/:a:b1'],
  ['/{_a}/{user-id}/{1st}/{a"b}', ['_a', 'user-id', '1st', 'a"b'], String.raw`/:_a/:"user-id"/:"1st"/:"a\"b"`],
  ['/posts.{format}(all)', ['format'], String.raw`/posts.:format\(all\)`],
  [String.raw`/a+b?c!d:e*f[g]\h`, [], String.raw`/a\+b\?c\!d\:e\*f\[g\]\\h`],
  ['/a{b/c}d', ['b/c'], '/a:"b/c"d'],
  ['/a{b', [], String.raw`/a\{b`],
  ['/a}b', [], String.raw`/a\}b`],
])('%s has the parameters %j, and is %s for Express', (template, parameters, express) => {
  expect([parametersOfPath(template), expressPath(template)]).toEqual([parameters, express]);
});

describe('the values in a path', () => {
  test.each<[string, string, [string, string][]]>([
    ['/users/{id}', '/users/a%2Fb', [['id', 'a%2Fb']]],
    [
      '/users/{id}/posts.{format}',
      '/users/7/posts.json',
      [
        ['id', '7'],
        ['format', 'json'],
      ],
    ],
    [
      '/{a}-{b}',
      '/1-2-3',
      [
        ['a', '1'],
        ['b', '2-3'],
      ],
    ],
    ['/a.b/{id}', '/a.b/1', [['id', '1']]],
    ['/a+(b)[c]$^|*?\\{id}', '/a+(b)[c]$^|*?\\1', [['id', '1']]],
    ['/users', '/users', []],
    ['/users/{id}', '/users/', []],
    ['/users/{id}', '/users/1/2', []],
    ['/users/{id}', '/more/users/1', []],
    ['/a.b/{id}', '/axb/1', []],
    ['/users/{id}', '/Users/1', []],
  ])('%s of %s', (template, path, values) => {
    expect([...rawPathValues(template, path)]).toEqual(values);
  });
});

test('a path is filled with texts as they are, or with values that are encoded', () => {
  const template = '/users/{id}/{format}.x';
  expect(
    filledPath(
      template,
      new Map([
        ['id', 'a%20b'],
        ['format', ';a=1'],
        ['other', 'x'],
      ]),
    ),
  ).toBe('/users/a%20b/;a=1.x');
  expect(filledPath(template, new Map())).toBe('/users//.x');
  expect(pathWith(template, { id: 'a/b', format: 5 })).toBe('/users/a%2Fb/5.x');
});

describe('the more specific path comes first:', () => {
  test.each([
    ['/users/me', '/users/{id}'],
    ['/users/{id}.json', '/users/{id}'],
    ['/users/me', '/users/{id}.json'],
    ['/users/{id}', '/{a}/{b}'],
    ['/users/{id}', '/{a}/me'],
    ['/{a}/me', '/{a}/{b}'],
    ['/a/b', '/a/{b}/c'],
    ['/x{a}y', '/{a}'],
    ['/{a}x', '/{a}'],
    ['/x{a}', '/{a}'],
  ])('%s, then %s', (one, other) => {
    expect(bySpecificity(one, other)).toBeLessThan(0);
    expect(bySpecificity(other, one)).toBeGreaterThan(0);
    expect([other, one].toSorted(bySpecificity)).toEqual([one, other]);
  });
  test.each([
    ['/a', '/b'],
    ['/{a}', '/{b}'],
    ['/a/{b}', '/c/{d}'],
    ['/x{a}', '/{a}x'],
  ])('%s and %s are the same', (one, other) => {
    expect([bySpecificity(one, other), bySpecificity(other, one)]).toEqual([0, 0]);
  });
  test('a longer path with a parameter is less specific than its beginning', () => {
    expect(bySpecificity('/a/{b}', '/a')).toBeGreaterThan(0);
    expect(bySpecificity('/a', '/a/b')).toBe(0);
  });
});
