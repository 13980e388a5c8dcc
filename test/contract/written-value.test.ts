import { describe, expect, test } from '@jest/globals';
import type { Parameter } from '../../server/contract/openapi.ts';
import { writtenValue } from '../../server/contract/written-value.ts';

const list = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200, B: 150 };
const written = (place: string, style: string, explode: boolean, value: unknown, name = 'color'): string =>
  writtenValue({ in: place, name, style, explode } as unknown as Parameter, value);

const check = (place: string, style: string, explode: boolean, value: unknown, text: string): void =>
  expect(written(place, style, explode, value)).toBe(text);

// The table "Style Examples" of OpenAPI 3.1.1, as far as it states a value.
describe('as in the examples of OpenAPI', () => {
  test.each<[string, string, boolean, unknown, string]>([
    ['path', 'matrix', false, '', ';color='],
    ['path', 'matrix', false, 'blue', ';color=blue'],
    ['path', 'matrix', false, list, ';color=blue,black,brown'],
    ['path', 'matrix', false, object, ';color=R,100,G,200,B,150'],
    ['path', 'matrix', true, 'blue', ';color=blue'],
    ['path', 'matrix', true, list, ';color=blue;color=black;color=brown'],
    ['path', 'matrix', true, object, ';R=100;G=200;B=150'],
    ['path', 'label', false, 'blue', '.blue'],
    ['path', 'label', false, list, '.blue,black,brown'],
    ['path', 'label', false, object, '.R,100,G,200,B,150'],
    ['path', 'label', true, list, '.blue.black.brown'],
    ['path', 'label', true, object, '.R=100.G=200.B=150'],
    ['path', 'simple', false, 'blue', 'blue'],
    ['path', 'simple', false, list, 'blue,black,brown'],
    ['path', 'simple', false, object, 'R,100,G,200,B,150'],
    ['path', 'simple', true, list, 'blue,black,brown'],
    ['path', 'simple', true, object, 'R=100,G=200,B=150'],
    ['query', 'form', false, '', 'color='],
    ['query', 'form', false, 'blue', 'color=blue'],
    ['query', 'form', false, list, 'color=blue,black,brown'],
    ['query', 'form', false, object, 'color=R,100,G,200,B,150'],
    ['query', 'form', true, 'blue', 'color=blue'],
    ['query', 'form', true, list, 'color=blue&color=black&color=brown'],
    ['query', 'form', true, object, 'R=100&G=200&B=150'],
    ['query', 'spaceDelimited', false, list, 'color=blue%20black%20brown'],
    ['query', 'spaceDelimited', false, object, 'color=R%20100%20G%20200%20B%20150'],
    ['query', 'pipeDelimited', false, list, 'color=blue|black|brown'],
    ['query', 'pipeDelimited', false, object, 'color=R|100|G|200|B|150'],
    ['query', 'deepObject', true, object, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['header', 'simple', false, list, 'blue,black,brown'],
    ['header', 'simple', false, object, 'R,100,G,200,B,150'],
    ['header', 'simple', true, object, 'R=100,G=200,B=150'],
    ['cookie', 'form', false, list, 'color=blue,black,brown'],
    ['cookie', 'form', false, object, 'color=R,100,G,200,B,150'],
    ['cookie', 'form', true, 'blue', 'color=blue'],
  ])('%s %s, explode %s: %j', check);
});

describe('beyond the examples', () => {
  test.each<[string, string, boolean, unknown, string]>([
    ['path', 'matrix', true, [], ';color='],
    ['query', 'form', true, [], ''],
    ['query', 'form', true, {}, ''],
    ['query', 'form', false, [], 'color='],
    ['query', 'deepObject', true, list, 'color=blue,black,brown'],
    ['query', 'form', true, [1, true, null, { a: 1 }], 'color=1&color=true&color=null&color=%7B%22a%22%3A1%7D'],
    ['query', 'form', true, { 'a b': 'c&d' }, 'a%20b=c%26d'],
    ['query', 'form', true, 'a\ud800', 'color=a%EF%BF%BD'],
    ['path', 'simple', false, 'a/b', 'a%2Fb'],
    ['header', 'simple', false, 'a/b c', 'a/b c'],
    ['cookie', 'form', false, 'a;b', 'color=a%3Bb'],
  ])('%s %s, explode %s: %j', check);
  test('a name is encoded, but not in a cookie', () => {
    expect(written('query', 'form', true, 'a', 'x[]')).toBe('x%5B%5D=a');
    expect(written('query', 'deepObject', true, { b: 1 }, 'x y')).toBe('x%20y%5Bb%5D=1');
    expect(written('path', 'matrix', false, 'a', 'x y')).toBe(';x%20y=a');
    expect(written('path', 'matrix', true, ['a'], 'x y')).toBe(';x%20y=a');
    expect(written('cookie', 'form', false, 'a', 'x-y')).toBe('x-y=a');
  });
  test.each([
    ['query', 'color=%7B%22a%22%3A%5B1%5D%7D'],
    ['cookie', 'color=%7B%22a%22%3A%5B1%5D%7D'],
    ['path', '%7B%22a%22%3A%5B1%5D%7D'],
    ['header', '{"a":[1]}'],
  ])('in the %s, a value with a media type is JSON', (place, text) => {
    const parameter = { in: place, name: 'color', mediaType: 'application/json' } as unknown as Parameter;
    expect(writtenValue(parameter, { a: [1] })).toBe(text);
  });
});
