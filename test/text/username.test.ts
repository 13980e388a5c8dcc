import { expect, test } from '@jest/globals';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { piecesOf } from '../../pages/kit/text-pieces.ts';
import { isUsername } from '../../server/text/username.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const { pattern } = contract.components.schemas.UsernameOrHandle;
const inContract = (username: string): boolean => new RegExp(pattern, 'u').test(username);

const label = (length: number): string => 'a'.repeat(length);
/** A handle of this length. */
const handle = (length: number): string => `${'abcdefg.'.repeat(40)}`.slice(0, length - 4) + '.com';

test.each([
  'mira_codes',
  '_',
  '15_letters_long',
  'a.b',
  'alice.example.com',
  'Alice.EXAMPLE.com',
  'xn--bcher-kva.example',
  '8.example',
  '4chan.org',
  `${label(63)}.com`,
  `a.${label(63)}`,
  `${'a.'.repeat(126)}b`,
  handle(253),
])('%s is a username', (username) => {
  expect([isUsername(username), inContract(username), inContract(`@${username}`)]).toEqual([true, true, true]);
});

test.each([
  '',
  'sixteen_letters_',
  'alice.',
  '.alice',
  'alice..com',
  'alice-.com',
  '-alice.com',
  'alice.-com',
  'alice.com-',
  'mira_codes.example.com',
  'alice.example.42',
  '127.0.0.1',
  'älice.example.com',
  'alice.example.com\n',
  'alice example.com',
  '@@alice.example.com',
  `${label(64)}.com`,
  `a.${label(64)}`,
  handle(254),
])('%j is no username', (username) => {
  expect([isUsername(username), inContract(username)]).toEqual([false, false]);
});

test('the code and the contract agree about every text', () => {
  const part = fc.stringMatching(/^[a-c0-9_-]{0,17}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.join('.');
      expect(isUsername(text)).toBe(inContract(text));
    }),
    { numRuns: rounds(2000) },
  );
});

test.each<[string, string[]]>([
  ['hi @tom.', ['@tom']],
  ['@alice.example.com, hi', ['@alice.example.com']],
  ['I asked @alice.example.com. She agreed.', ['@alice.example.com']],
  ['(@alice.example.com)…', ['@alice.example.com']],
  ['@my-name.bsky.social: yes', ['@my-name.bsky.social']],
  ['@a-very-long-first-label.example.com', ['@a-very-long-first-label.example.com']],
  ['@mira_codes.example', ['@mira_codes']],
  ['@alice.example.42', ['@alice']],
  ['@alice.example.com_x', ['@alice']],
  ['@tom… @alice.example.com@tom', ['@tom', '@alice']],
  ['mail@alice.example.com a/@tom', []],
])('the mentions of %j on a page', (text, mentions) => {
  const pieces = piecesOf(text);
  expect(pieces.filter(({ is }) => is === 'mention').map((piece) => piece.text)).toEqual(mentions);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

test('a text is divided into links, mentions, hashtags, cashtags and the rest', () => {
  const text = 'See https://example.org/a. @tom likes #coffee and $ETH!';
  expect(piecesOf(text)).toEqual([
    { is: 'plain', text: 'See ' },
    { is: 'link', text: 'https://example.org/a' },
    { is: 'plain', text: '. ' },
    { is: 'mention', text: '@tom' },
    { is: 'plain', text: ' likes ' },
    { is: 'hashtag', text: '#coffee' },
    { is: 'plain', text: ' and ' },
    { is: 'cashtag', text: '$ETH' },
    { is: 'plain', text: '!' },
  ]);
});

test('the time to find the mentions of a text grows with its length only', () => {
  // A pattern that tries every division of a text does not end here.
  for (const text of [
    '@' + 'a.'.repeat(20_000),
    '@a-'.repeat(20_000),
    '@' + 'a-'.repeat(20_000) + '.',
    '@a.a'.repeat(20_000),
  ])
    expect(
      piecesOf(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
});
