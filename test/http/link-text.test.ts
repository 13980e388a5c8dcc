import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { hostOf, linkText } from '../../pages/kit/link-text.ts';

test.each<[string, string | undefined, string]>([
  // The words show the host of the target.
  ['https://example.org/a/long/path', 'example.org/a/lo…', 'example.org/a/lo…'],
  ['https://www.example.org/a', 'example.org/a', 'example.org/a'],
  ['https://example.org:8443/a', 'Example.org:8443/a', 'Example.org:8443/a'],
  ['https://example.org/a', 'https://example.org/a', 'example.org/a'],
  ['https://example.org/a', undefined, 'example.org/a'],
  // They show another host, or none.
  ['https://evil.example/login', 'bank.example/login', 'bank.example/login (evil.example)'],
  ['https://evil.example/x', 'read this', 'read this (evil.example)'],
  ['https://evil.example/x', '', 'evil.example'],
  ['https://evil.example/bank.example', 'bank.example', 'bank.example (evil.example)'],
  ['https://bank.example.evil.example/', 'bank.example', 'bank.example (bank.example.evil.example)'],
  ['https://t.co/abc', 'example.org/story', 'example.org/story (t.co)'],
  // A user name in front of the host, in the address or in the words.
  ['https://bank.example@evil.example/', undefined, 'bank.example@evil.example/ (evil.example)'],
  ['https://bank.example:443@evil.example/', undefined, 'bank.example:443@evil.example/ (evil.example)'],
  ['https://evil.example/', 'bank.example@evil.example', 'bank.example@evil.example (evil.example)'],
  // Letters that look like others; full stops of other scripts; a backslash, which browsers read as a slash.
  ['https://аpple.example/', 'apple.example', 'apple.example (xn--pple-43d.example)'],
  ['https://аpple.example/', undefined, 'аpple.example/ (xn--pple-43d.example)'],
  ['https://apple.example/', 'аpple.example', 'аpple.example (apple.example)'],
  ['https://evil。example/', undefined, 'evil。example/ (evil.example)'],
  ['https://evil.example\\@bank.example', undefined, 'evil.example\\@bank.example (evil.example)'],
  ['https://2130706433/', undefined, '2130706433/ (127.0.0.1)'],
  // Invisible characters, and those that turn the text around.
  ['https://evil.example/', '\u202Emoc.knab\u202C', 'moc.knab (evil.example)'],
  ['https://evil.example/', 'evil\u200B.example', 'evil.example'],
  ['https://evil.example/', '\u2066bank.example\u2069', 'bank.example (evil.example)'],
  ['javascript:alert(1)', 'bank.example', 'bank.example'],
])('the words of a link to %s with the text %j are %j', (url, words, expected) => {
  expect(linkText(url, words)).toBe(expected);
});

test('whatever the words are, the host of the target stands in them', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.string({ unit: 'grapheme', maxLength: 200 }), (url, words) => {
      const host = hostOf(url)!;
      const shown = linkText(url, words).toLowerCase();
      expect(shown.includes(host.replace(/^www\./, ''))).toBe(true);
      expect(shown).not.toMatch(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069]/u);
    }),
  );
});
