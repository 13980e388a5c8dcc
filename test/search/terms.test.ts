/** The one form of values that tweets are indexed by and queries ask for. */
import { expect, test } from '@jest/globals';
import {
  domainTerm,
  languageOf,
  languageTerm,
  linkTokens,
  sourceTerm,
  withoutEscapes,
} from '../../server/search/language/terms.ts';

test('a domain: without www, in lower case, an international one in its ASCII form', () => {
  expect(domainTerm('WWW.Example.com')).toBe('card_domain:example.com');
  expect(domainTerm('my.www.example.com')).toBe('card_domain:my.www.example.com');
  expect(domainTerm('münchen.de')).toBe('card_domain:xn--mnchen-3ya.de');
  // A name that no URL has stays a text.
  expect(domainTerm('Ünïcode domain')).toBe('card_domain:unicode domain');
  expect(domainTerm('EXAMPLE:99')).toBe('card_domain:example:99');
});

test('a link: without protocol, query string and fragment, its escapes decoded', () => {
  expect(linkTokens('https://example.com/a-b?c=d#e')).toEqual(['example', 'com', 'a', 'b']);
  expect(linkTokens('HTTP://example.com/caf%C3%A9#top?x')).toEqual(['example', 'com', 'cafe']);
  expect(linkTokens('example.com/?to=https://other.org')).toEqual(['example', 'com']);
  expect(linkTokens('example.com/https://other.org/x')).toEqual(['example', 'com', 'https', 'other', 'org', 'x']);
});

test('what is no percent-encoding of UTF-8 stays', () => {
  expect(withoutEscapes('100%')).toBe('100%');
  expect(withoutEscapes('a%ffb%20c')).toBe('a%ffb c');
});

test('a language: one form for its names, regions and cases; another text stands for itself', () => {
  for (const [tag, language] of [
    ['en-US', 'en'],
    ['EN_gb', 'en'],
    [' pt-BR ', 'pt'],
    ['iw', 'he'],
    ['in', 'id'],
    ['nb', 'no'],
    ['no', 'no'],
    ['zh-Hant-TW', 'zh'],
    ['und', 'und'],
    ['Not A Language!', 'not a language!'],
    ['', ''],
  ] as const) {
    expect({ tag, language: languageOf(tag) }).toEqual({ tag, language });
    // The second time it comes from the table.
    expect({ tag, language: languageOf(tag) }).toEqual({ tag, language });
  }
  expect(languageTerm('de-AT')).toBe('lang:de');
});

test('the name of a client: underscores for blanks and hyphens, without case', () => {
  expect(sourceTerm('Twitter Web-App X')).toBe('source:twitter_web_app_x');
});
