// Tests server/contract/media-type.ts and server/contract/media-preference.ts.
import { describe, expect, test } from '@jest/globals';
import { preferredMediaType, preferredOf } from '../../server/contract/media-preference.ts';
import { declaredMediaType, isMediaRange, mediaKind, mediaTypeOf } from '../../server/contract/media-type.ts';

test.each([
  ['application/json', 'json'],
  ['Application/JSON; charset=utf-8', 'json'],
  ['application/problem+json', 'json'],
  ['application/jsonp', 'binary'],
  ['application/x-ndjson', 'json-lines'],
  ['application/ndjson', 'json-lines'],
  ['application/jsonl', 'json-lines'],
  ['application/x-jsonlines', 'json-lines'],
  ['text/event-stream', 'event-stream'],
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data; boundary=a', 'multipart'],
  ['multipart/mixed', 'binary'],
  ['application/xml', 'text'],
  ['image/svg+xml', 'text'],
  ['application/yaml', 'text'],
  ['text/csv', 'text'],
  ['text/*', 'text'],
  ['image/png', 'binary'],
  ['constructor', 'binary'],
  ['*/*', 'binary'],
])('a body in %s is %s', (mediaType, kind) => {
  expect(mediaKind(mediaType)).toBe(kind);
});

test('a media type is compared without its parameters and in small letters', () => {
  expect([mediaTypeOf('Text/HTML ; a=b;c'), mediaTypeOf(' text/csv')]).toEqual(['text/html', 'text/csv']);
  expect(['image/*', '*/*', 'Image/*; q=1', 'image/png', 'image/*x'].map(isMediaRange)).toEqual([
    ...[true, true, true, false, false],
  ]);
});

describe('a media type belongs to', () => {
  const names = ['Text/CSV; header=present', 'text/*', 'image/*', '*/*'];
  test.each<[string, string[], string | undefined]>([
    ['text/csv', names, 'Text/CSV; header=present'],
    ['TEXT/csv;charset=utf-8', names, 'Text/CSV; header=present'],
    ['text/html', names, 'text/*'],
    ['image/png', names, 'image/*'],
    ['video/mp4', names, '*/*'],
    ['video/mp4', ['image/*', 'text/csv'], undefined],
    ['text/csv', [], undefined],
  ])('%s of %j', (mediaType, all, declared) => {
    expect(declaredMediaType(all, mediaType)).toBe(declared);
  });
});

describe('a request accepts best', () => {
  const types = ['application/json', 'text/csv', 'image/*'];
  test.each<[string | undefined, string]>([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/*', 'text/csv'],
    ['image/png', 'image/*'],
    ['image/png;q=0.5, text/csv;q=0.4', 'image/*'],
    ['application/json;q=0.1, text/csv', 'text/csv'],
    ['video/mp4, text/csv;q=0.1', 'text/csv'],
    ['text/html', 'application/json'],
    ['json', 'application/json'],
    ['', 'application/json'],
    ['text/csv;q=0', 'application/json'],
  ])('%p: %s', (accept, expected) => {
    expect(preferredOf(types, accept)).toBe(expected);
  });
  test('nothing where no success has a body', () => {
    expect(preferredOf([], 'text/csv')).toBeUndefined();
    expect(preferredMediaType({ responses: new Map() })).toBeUndefined();
  });
  test('one of the successes, in the order of the contract', () => {
    const response = (key: string, ...names: string[]) =>
      [key, { key, headers: new Map(), content: new Map(names.map((name) => [name, {} as never])) }] as const;
    const responses = new Map([
      response('400', 'text/html'),
      response('200', 'text/csv', 'application/json'),
      response('2XX', 'text/csv', 'image/png'),
    ]);
    expect(preferredMediaType({ responses })).toBe('text/csv');
    expect(preferredMediaType({ responses }, 'image/*')).toBe('image/png');
    expect(preferredMediaType({ responses }, 'text/html')).toBe('text/csv');
  });
});
