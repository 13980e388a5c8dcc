import { describe, expect, test } from '@jest/globals';
import { parseTarget, parseTargets, targetText } from '../../server/config/targets.ts';
import fc from '../support/property.ts';

test.each([
  ['bluesky:alice.example.com', 'account', 'alice.example.com'],
  [' bluesky:@Alice.Example.COM ', 'account', 'alice.example.com'],
  ['bluesky:did:plc:ewvi7nxzyoun6zhxrhs64oiz', 'account', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'],
  ['bluesky:did:web:example.com', 'account', 'did:web:example.com'],
  ['bluesky:list:at://did:plc:abc/app.bsky.graph.list/3kabc', 'list', 'at://did:plc:abc/app.bsky.graph.list/3kabc'],
  ['bluesky:search: coffee, "flat white" ', 'search', 'coffee, "flat white"'],
  ['bluesky:*', 'network', ''],
  ['bluesky:*:EN+de+en', 'network', 'de+en'],
  ['x:@Ada_L', 'account', 'ada_l'],
  ['x:search', 'account', 'search'],
  ['x:search:from:ada lang:en', 'search', 'from:ada lang:en'],
])('reads %j', (text, kind, value) => {
  const target = parseTarget(text);
  expect(target).toEqual({ source: text.trim().split(':')[0], kind, value });
  expect(parseTarget(targetText(target))).toEqual(target);
});

test.each([
  ['alice.example.com', ['bluesky:alice.example.com']],
  ['@Alice.Example.com', ['bluesky:alice.example.com']],
  ['https://bsky.app/profile/alice.example.com', ['bluesky:alice.example.com']],
  ['did:plc:abc', ['bluesky:did:plc:abc']],
  ['bsky:alice.example.com', ['bluesky:alice.example.com']],
  ['Bluesky: alice.example.com', ['bluesky:alice.example.com']],
  ['https://x.com/ada', ['x:ada']],
  ['twitter:ada', ['x:ada']],
  ['@ada', ['bluesky:ada.bsky.social', 'x:ada']],
  ['ada_l', ['x:ada_l']],
  ['mastodon:alice', []],
  ['twitter:alice.example.com', []],
  ['', []],
])('%j suggests %j', (text, suggestions) => {
  const message = (): string => {
    try {
      return String(parseTarget(text));
    } catch (error) {
      return (error as Error).message;
    }
  };
  const named = [...message().matchAll(/(?:Did you mean|or) '([^']+)'/g)].map(([, target]) => target);
  expect(named).toEqual(suggestions);
  for (const target of suggestions) expect(targetText(parseTarget(target))).toBe(target);
});

describe('rejects with the expected form:', () => {
  const bluesky = /^'[^]{0,100}' is no target: expected bluesky:HANDLE/;
  test.each([
    ['alice.example.com', /expected one of bluesky:HANDLE, bluesky:did:…/],
    ['mastodon:alice', /expected one of/],
    ['', /expected one of/],
    ['bluesky:', bluesky],
    ['bluesky:alice', bluesky],
    ['bluesky:alice..example.com', bluesky],
    ['bluesky:-a.example.com', bluesky],
    ['bluesky:alice.example.1', bluesky],
    [`bluesky:${'a'.repeat(64)}.com`, bluesky],
    [`bluesky:${'a.'.repeat(130)}com`, bluesky],
    ['bluesky:did:plc', bluesky],
    ['bluesky:did:plc:a b', bluesky],
    ['bluesky:list:https://bsky.app/profile/alice/lists/3k', bluesky],
    ['bluesky:list:at://did:plc:abc/app.bsky.feed.post/3k', bluesky],
    ['bluesky:search: ', bluesky],
    [`bluesky:search:${'x'.repeat(1025)}`, bluesky],
    ['bluesky:*:english', bluesky],
    ['x:', /expected x:USERNAME or x:search:QUERY$/],
    ['x:alice.example.com', /expected x:USERNAME/],
    ['x:a_name_of_16_chars', /expected x:USERNAME/],
    ['x:*', /expected x:USERNAME/],
  ])('%j', (text, message) => {
    expect(() => parseTarget(text)).toThrow(message);
  });
});

describe('the list of FOLLOW', () => {
  const read = (text: string): string[] => parseTargets(text).map(targetText);

  test('is separated by commas, without repeated targets', () => {
    expect(read('')).toEqual([]);
    expect(read(' bluesky:a.example.com ,, x:ada,bluesky:@A.example.com ,')).toEqual([
      'bluesky:a.example.com',
      'x:ada',
    ]);
  });

  test('has commas in queries between double quotes, or as %2C', () => {
    expect(read('bluesky:search:"one, two" three,x:ada')).toEqual(['bluesky:search:"one, two" three', 'x:ada']);
    expect(read('bluesky:search:geocode:37%2C-122%2c10km,x:ada')).toEqual([
      'bluesky:search:geocode:37,-122,10km',
      'x:ada',
    ]);
  });

  test('with an open quote, or one invalid target, is rejected', () => {
    expect(() => parseTargets('x:ada,bluesky:search:"one, two')).toThrow('a double quote is not closed');
    expect(() => parseTargets('x:ada,y:ben')).toThrow("'y:ben' is no target");
  });

  test('holds any queries', () => {
    const query = fc.stringMatching(/^[a-z][ -~]{0,30}$/).filter((text) => !text.includes('"') && !/%2c/i.test(text));
    fc.assert(
      fc.property(
        fc.uniqueArray(
          query.map((text) => text.trim()),
          { maxLength: 5 },
        ),
        (queries) => {
          const text = queries.map((each) => `x:search:${each.replaceAll(',', '%2C')}`).join(',');
          expect(parseTargets(text).map(({ value }) => value)).toEqual(queries);
        },
      ),
    );
  });
});
