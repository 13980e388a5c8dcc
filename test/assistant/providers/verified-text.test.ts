import { describe, expect, test } from '@jest/globals';
import { KnownSources } from '../../../server/assistant/providers/openai/known-sources.ts';
import { VerifiedText } from '../../../server/assistant/providers/openai/verified-text.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { build } from './subjects.ts';

/** The verified text of an answer that comes in pieces. */
function verified(pieces: readonly string[]): { text: string; cited: readonly string[] } {
  const sources = new KnownSources(build);
  const filter = new VerifiedText(sources);
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.end();
  return { text, cited: sources.citedPosts };
}
const of = (text: string): string => verified([text]).text;

describe('a link to a page that no post names', () => {
  test.each([
    ['https://evil.example/?q=secret', '[?]'],
    ['Look: HTTPS://EVIL.EXAMPLE.', 'Look: [?].'],
    ['(http://evil.example/a)', '([?])'],
    ['//evil.example/x', '[?]'],
    ['www.evil.example', '[?]'],
    ['ftp://evil.example/', '[?]'],
    [String.raw`https:\\evil.example`, '[?]'],
    ['[here](https://evil.example/ "title")', '[here][?]'],
    ['![a picture](https://evil.example/secret.png)', '[a picture][?]'],
    ['![a picture][1]\n\n[1]: https://evil.example/', '[a picture][1]\n\n[1]: [?]'],
    ['[here](https&colon;&sol;&sol;evil.example)', '[here][?]'],
    ['[here](<javascript:alert(1)>)', '[here](<[?]>)'],
    ['[here](data:text/html;base64,AAAA)', '[here][?]'],
    ['mailto:a@evil.example?body=secret', '[?]'],
    ['<img src="https://evil.example/x.png">', '<img src="[?]">'],
    ['<img src=//evil.example/x.png>', '<img src=[?]>'],
    ['ht\u200btps://evil.example', '[?]'],
    ['w\u2060ww.evil.example', '[?]'],
    ['詳しくはhttps://evil.example/秘密。', '詳しくは[?]。'],
    ['https://example.org.evil.example/node-24', '[?]'],
    ['https://example.org/node-24?q=secret', '[?]'],
    ['https://user:secret@example.org/node-24', '[?]'],
  ])('%j becomes %j', (text, expected) => {
    expect(of(text)).toBe(expected);
  });
});

describe('an address without a scheme that no post names', () => {
  test.each([
    ['Go to evil.example/path now.', 'Go to [?] now.'],
    ['bit.ly/abc', '[?]'],
    ['Evil.com, EVIL.COM; (evil.co.uk).', '[?], [?]; ([?]).'],
    ['evil.example:8080 and evil.io:8080/x?y=1#z!', '[?] and [?]!'],
    ['https:evil.example', '[?]'],
    ['http:evil.com and hxxps://evil.com and ftp:evil.com', '[?] and [?] and [?]'],
    ['203.0.113.7, 203.0.113.7:80/a and [2001:db8::1]:8080/a', '[?], [?] and [?]'],
    ['At 2001:db8::1 or ::1 or fe80::1.', 'At [?] or [?] or [?].'],
    ['xn--80ak6aa92e.com', '[?]'],
    ['пример.рф, münchen.de, 例子.中国', '[?], [?], [?]'],
    ['evil。com, evil．com, ｅｖｉｌ．ｃｏｍ, evil[.]com', '[?], [?], [?], [?]'],
    ['詳しくはevil.comへ。', '詳しくは[?]へ。'],
    ['Write to a.b@evil.com, or @someone.bsky.social.', 'Write to [?], or @[?].'],
    ['[here](evil.com/x) ![x](evil.com)', '[here][?] [x][?]'],
    ['[here][1]\n\n[1]: evil.com/x "title"', '[here][1]\n\n[1]: [?] "title"'],
    ['<evil.com> <a href=evil.com/x>', '<[?]> <a href=[?]>'],
    ['**evil.com** _evil.com/x_ __evil.com__ `evil.com`', '**[?]** _[?]_ __[?]__ `[?]`'],
    ['example.org/other and notexample.org and example.org.evil.com', '[?] and [?] and [?]'],
    ['e\u200bvil.c\u00adom', '[?]'],
    ['evil.zip/x, evil.sh/x, a.b.zip', '[?], [?], [?]'],
    ['unknown.sometld/path and unknown.sometld:443', '[?] and [?]'],
  ])('%j becomes %j', (text, expected) => {
    expect(of(text)).toBe(expected);
    for (let cut = 1; cut < text.length; cut++)
      expect(verified([text.slice(0, cut), text.slice(cut)]).text).toBe(expected);
    expect(verified(text.split('')).text).toBe(expected);
  });
});

test.each([
  'Version 1.2.3, v1.2.3.4, 3.5 %, 1,234.56 and 10.30.2026; $3.50, 12.5x, 2.0.',
  'e.g. this, i.e. that, U.S. and U.S.A., a.m., p.m., Ph.D., etc. and so on...',
  'Node.js, Vue.js/React, index.html, README.md, main.rs, setup.py, app.tar.gz, config.yaml, src/main.ts:42.',
  '$BTC.X and $X.AI rose; from 10:30:15 to 11:00, 16:9, std::vector, a::b.',
  'It is done.It was late. See app.run() and x.map(y).',
  '他走了。然后回来。「はい。そうです。」Good。',
  'example.org, EXAMPLE.ORG, example.org/node-24 and [the notes](example.org/node-24).',
  'He said: no. One, two... three. Yes/no, and/or. a.b',
])('%j has no unknown address, and stays as it is', (text) => {
  expect(of(text)).toBe(text);
});

test.each([
  'It costs 3/4 of a/b, and a: b; 10:30; e.g. x.y.z.',
  'https://example.org/node-24 and [the notes](https://example.org/node-24).',
  'Metadata: none. [1] [a] (b) <c> 1 < 2 > 0!',
  'Größe 漢字 😀 👩‍👩‍👧 क्‍ष می‌خواهم',
])('%j stays as it is', (text) => {
  expect(of(text)).toBe(text);
});

test('a post has its number, and an unknown post none', () => {
  expect(verified(['Sam [post:3], Lena [ post: 2 ], Sam [post:3]; ![post:5], [post:6].'])).toEqual({
    text: 'Sam [1], Lena [2], Sam [1]; [3], [?].',
    cited: ['3', '2', '5'],
  });
});

test('what no reader sees is removed, and the markers of the data', () => {
  const tags = [...'secret'].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');
  const bytes = [...'secret'].map((letter) => String.fromCodePoint(0xe0100 + letter.codePointAt(0)!)).join('');
  expect(of(`a${tags}b${bytes}c\u202ed\u2066e\u200bf\ufe00\ufe01\ufe02g`)).toBe('abcdefg');
  expect(of(`Its data: <DATA-0123456789abcdef01234567> x </DATA-0123456789abcdef01234567>`)).toBe('Its data:  x ');
});

const fragment = fc.constantFrom(
  ...[
    '[post:3]',
    '[post:',
    '99]',
    '[',
    '](',
    ')',
    '!',
    'https:',
    '//',
    'evil.example/x',
    'https://example.org/node-24',
  ],
  ...['www.', 'data:', 'word ', ' ', '\n', '漢字', 'é', '<', 'DATA-0123456789abcdef01234567', '>', '\u200b', 'a', '.'],
  ...['\ufe00', '\ufe0f', '&colon;', '"', '\\', 'javascript:'],
);
const randomText = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''));

test('the result does not depend on how the text is cut', () => {
  fc.assert(
    fc.property(randomText, fc.array(fc.nat(60), { maxLength: 12 }), (text, cuts) => {
      const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
        (a, b) => a - b,
      );
      const pieces = places.slice(1).map((end, n) => text.slice(places[n], end));
      expect(verified(pieces).text).toBe(of(text));
    }),
    { numRuns: rounds(3000) },
  );
});

test('no unknown address is left, however the text is cut and however long its words are', () => {
  fc.assert(
    fc.property(randomText, fc.nat(1_100), fc.integer({ min: 40, max: 900 }), (text, length, size) => {
      const long = `${'x'.repeat(length)}https://evil.example/${'y'.repeat(40)}${text}`;
      const pieces = long.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
      expect(verified(pieces).text).not.toMatch(/(?:https?:|www\.)\/{0,2}evil/i);
    }),
    { numRuns: rounds(300) },
  );
});
