/** The entities of texts, by the expressions of the platform. The conformance suite of the platform is in `conformance.test.ts`. */
import { describe, expect, test } from '@jest/globals';
import { cashtagsIn, hashtagsIn, linksIn, mentionsIn } from '../../server/formats/twitter-text.ts';

const urlsIn = (text: string): string[] => linksIn(text).map(({ text: url }) => url);
const tagsIn = (text: string): string[] => hashtagsIn(text, linksIn(text));

describe('links', () => {
  test.each<[string, string[]]>([
    ['Tea (https://tea.example.com/a_(b)?c=d&e#f), or not', ['https://tea.example.com/a_(b)?c=d&e#f']],
    ['HTTP://Tea.ORG:8080/x/. And more', ['HTTP://Tea.ORG:8080/x/']],
    ['see tea.com/leaves?kind=green, and a.b.co.uk!', ['tea.com/leaves?kind=green', 'a.b.co.uk']],
    ['no known domain: https://tea.invalidtld and tea.md5 and 3.14', []],
    ['お茶はtea.jpへ。https://食べ物.みんな/緑', ['tea.jp', 'https://食べ物.みんな/']],
    ['https://чай.рф/зелёный', ['https://чай.рф/зелёный']],
    // The parts of ASCII, the last one with the path.
    ['茶tea.com茶.leaf.com/x', ['tea.com', 'leaf.com/x']],
    ['a@tea.com, #tea.com, -tea.com, _tea.com, x/tea.com', []],
    // Nothing follows the name of a short link, which has at most 40 characters.
    ['https://t.co/abc123/more https://t.co/abc?x=1', ['https://t.co/abc123', 'https://t.co/abc?x=1']],
    [`https://t.co/${'a'.repeat(40)} https://t.co/${'a'.repeat(41)}`, [`https://t.co/${'a'.repeat(40)}`]],
    [`https://${'l'.repeat(63)}.com https://${'l'.repeat(64)}.com`, [`https://${'l'.repeat(63)}.com`]],
    // 30 letters are 64 characters as they are sent.
    [`https://${'茶'.repeat(10)}.com https://${'éü'.repeat(40)}.com`, [`https://${'茶'.repeat(10)}.com`]],
    [
      `https://tea.com/${'a'.repeat(4072)} https://tea.com/${'a'.repeat(4073)}`,
      [`https://tea.com/${'a'.repeat(4072)}`],
    ],
    ['xn--e1afmkfd.xn--p1ai https://xn--чай.com', ['xn--e1afmkfd.xn--p1ai']],
    ['before\u202Ahttps://tea.com\u202Cafter', ['https://tea.com']],
  ])('%j', (text, expected) => {
    expect(urlsIn(text)).toEqual(expected);
    for (const { text: url, start, end } of linksIn(text))
      if (/^https?:/i.test(url)) expect(text.slice(start, end)).toBe(url);
  });
});

test.each<[string, string[]]>([
  ['#tea ＃緑茶 (#teá_2)', ['tea', '緑茶', 'teá_2']],
  ['#1 #2026 #1a #a1 #_', ['1a', 'a1']],
  ['x#tea &#tea #tea#leaf #tea://x', []],
  // Not within a link, and not the key with a number sign.
  ['https://tea.com/#tea tea.com/#leaf #\uFE0F\u20E31a', []],
  // Letters of each plane, and joiners within a word.
  ['#𠮷野家 #می\u200Cخواهم #ハリー・ポッター', ['𠮷野家', 'می\u200Cخواهم', 'ハリー・ポッター']],
  ['😀#tea \ud800#leaf', ['tea']],
])('the hashtags of %j', (text, expected) => {
  expect(tagsIn(text)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['$TEA $tea.b, $T_ab. $LEAFS!', ['TEA', 'tea.b', 'T_ab', 'LEAFS']],
  ['x$TEA $TEA1 $TOOLONG $5 $ſ', []],
])('the cashtags of %j', (text, expected) => {
  expect(cashtagsIn(text)).toEqual(expected);
});

test.each<[string, string[]]>([
  ['@ada RT@bob .@carol: ＠dan', ['ada', 'bob', 'carol', 'dan']],
  ['x@ada @ada@bob @adé @http://x @lists/mine', []],
  [`@${'a'.repeat(20)}b`, ['a'.repeat(20)]],
])('the mentions of %j', (text, expected) => {
  expect(mentionsIn(text)).toEqual(expected);
});

test('finds the same in a text again', () => {
  const text = '@ada #tea $TEA https://tea.com';
  const all = (): unknown[] => [mentionsIn(text), tagsIn(text), cashtagsIn(text), urlsIn(text)];
  expect(all()).toEqual(all());
});
