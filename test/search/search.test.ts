// Tests server/search/language/terms.ts.
import { describe, expect, test } from '@jest/globals';
import fc, { anyCharacter } from '../support/property.ts';
import type { ArchivedPlace, ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { parse } from '../../server/search/language/parse.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { print, type Query } from '../../server/domain/query.ts';
import { rounds } from '../support/rounds.ts';
import { changes, entitiesOf, query, readable, tweets } from './arbitrary.ts';
import { searchedArchives, type SearchedArchive } from './searched-archive.ts';

const users: ArchiveRecord[] = [
  { kind: 'user', user: { id: '1', username: 'mira_codes', name: 'Mira Holt' } },
  { kind: 'user', user: { id: '2', username: 'tom', name: 'Tom Coffee' } },
];
let nextId = 1;
const tweet = (text: string, more: Partial<ArchivedTweet> = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    id: String(nextId++),
    text,
    created_at: '2026-03-04T05:06:07Z',
    author_id: '1',
    entities: entitiesOf(text),
    ...more,
  },
});

const open = searchedArchives();
const archiveOf = (...records: readonly ArchiveRecord[]): Promise<SearchedArchive> => open(...users, ...records);

/** The texts that a query finds among some. */
async function found(query: string, ...texts: string[]): Promise<string[]> {
  return (await archiveOf(...texts.map((text) => tweet(text)))).texts(query);
}

describe('a query finds', () => {
  test.each<[string, string, string[], string[]]>([
    ['words in any order', 'beans coffee', ['coffee beans', 'Beans! And COFFEE.'], ['coffee', 'beancoffee']],
    [
      'either side of OR, which binds tighter than a space',
      'new coffee OR tea',
      ['new tea', 'new coffee'],
      ['new', 'tea'],
    ],
    ['what a group says', '(new coffee) OR tea', ['tea', 'new coffee'], ['new', 'coffee']],
    ['a phrase', '"cold brew"', ['the cold brew', 'cold-brew'], ['brew cold', 'cold the brew']],
    [
      'a word with hyphens as the phrase',
      'state-of-the-art',
      ['state of the art', 'State-of-the-Art!'],
      ['the art of state'],
    ],
    ['what is not negated', 'coffee -decaf -"flat white"', ['coffee'], ['decaf coffee', 'coffee flat white']],
    ['everything except the negated terms, also without other terms', '-coffee', ['tea'], ['coffee']],
    ['a hashtag, whole and whatever its case', '#NodeJS', ['#nodejs'], ['#nodejs24', 'nodejs']],
    ['a cashtag', '$BTC', ['buy $BTC'], ['BTC']],
    ['a mention', '@Tom', ['hi @tom'], ['hi tom']],
    [
      'a mention of a handle',
      '@Alice.Example.com',
      ['hi @alice.example.com.', '@ALICE.example.COM'],
      ['alice.example.com', '@alice example.com', '@alice', '@alice.example.common', '@bob.alice.example.com'],
    ],
    ['a mention before the punctuation of a sentence', '@alice.example.com.,', ['@alice.example.com'], ['alice']],
    ['the words of a handle', 'alice.example', ['hi @alice.example.com', 'alice example'], ['example alice']],
    ['words around a full stop as the phrase', 'hello.world', ['Hello world', 'hello.world'], ['world hello']],
    ['a mention and a number as words', '@v1.2', ['v1 2', '@v1.2'], ['v1 3']],
    ['accents and case aside', 'CAFÉ', ['cafe', 'Café'], ['caf']],
    ['Japanese', '東京', ['今日は東京にいる'], ['京東', '東の京']],
    ['Thai and emoji', 'กาแฟ ☕', ['ชอบกาแฟมาก ☕'], ['กาแฟ']],
    ['an unclosed quote up to the end', '"cold brew', ['cold brew'], ['brew cold']],
    ['a number with $, which is no cashtag', '$100', ['only $100'], ['1000']],
    ['one word for * in a phrase', '"this * week"', ['this very week'], ['this week', 'this very long week']],
    ['signs without words as they are', 'what ?', ['what now?'], ['what now']],
    ['an unknown key as words', 'note:well', ['note well'], ['well note']],
    ['a misspelt operator in quotes as words', '"fron:mira"', ['fron mira'], ['mira fron']],
    ['a misspelt operator without a value as a word', 'fron: mira', ['fron: mira', 'mira! fron'], ['mira']],
    ['letters that have no accent to remove', 'sorlandet', ['Sørlandet', 'SØRLANDET'], ['Sorland']],
    ['the same with them', 'SØRLANDET', ['sorlandet', 'Sørlandet'], ['sörland']],
    ['a letter that stands for two', 'grosse', ['Große', 'GROẞE', 'grosse'], ['grose']],
    ['both forms of sigma', 'ΛΟΓΟΣ', ['λόγος', 'λογοσ', 'Λόγος'], ['λόγο']],
    ['the dotted and the dotless i', 'ışık', ['IŞIK', 'isik', 'ışık'], ['sk']],
    ['Arabic with and without vowel points', 'سلام', ['سَلَام', 'ســـلام', 'سلام'], ['سلم']],
    ['Arabic with vowel points', 'كِتَابٌ', ['كتاب', 'کتاب'], ['كتب']],
    ['forms of alef, heh and yeh', 'الاسكندرية', ['الإسكندرية', 'الاسكندريه'], ['الاسكندر']],
    ['Persian letters as Arabic ones', 'ايراني', ['ایرانی'], ['ایران']],
    ['Arabic digits', '1403', ['۱۴۰۳', '١٤٠٣'], ['۱۴۰']],
    ['Hebrew with and without points', 'תורה', ['תּוֹרָה', 'תורה'], ['תור']],
    ['a word with a soft hyphen', 'donaudampf', ['donau\u00addampf'], ['donau dampf']],
    ['vowels of Devanagari, which are no accents', 'कि', ['कि'], ['का', 'क']],
    ['vowels of Thai, which are no accents', 'กิน', ['กิน'], ['กน', 'กาน']],
    ['a hashtag before the punctuation of a Japanese sentence', '#東京、', ['#東京'], ['東京']],
    ['a hashtag before other punctuation', '#東京」。', ['#東京'], ['東京']],
    ['a hashtag in brackets', '「#東京！', ['#東京'], ['東京']],
    ['a hashtag before an Arabic comma', '#قهوة،', ['#قهوة'], ['قهوة']],
    ['a hashtag before an ellipsis', '#tea…', ['#tea'], ['tea']],
    ['a cashtag and a mention before such punctuation', '$BTC、 @tom。', ['@tom $BTC'], ['tom btc', '@tom', '$BTC']],
    ['a hashtag without a letter as words', '#。', ['a #。'], ['a']],
    ['an arrow, which negates nothing', 'a -> b', ['a -> b', 'b -> a'], ['a b', 'a > b', 'a - b']],
    ['other arrows and lines', 'a --> b', ['a --> b'], ['a b', 'a -> b']],
    ['lines, which are nothing', 'a -- b - + * "" c', ['a b c'], ['a b']],
    ['what a sign in quotes does not exclude', 'a -">"', ['a b', 'a -> b'.replace('>', '')], ['a > b', 'a -> b']],
    ['a sign in quotes', '"?"', ['what?', '?!'], ['what']],
    ['another sign in quotes', 'a "&"', ['a & b'], ['a b']],
    ['a sign or a word', '"&" OR tea', ['a & b', 'tea'], ['a b']],
    ['a dash in quotes', '"-"', ['a - b'], ['a b']],
  ])('%s: %s', async (_name, query, yes, no) => {
    expect((await found(query, ...yes, ...no)).toSorted()).toEqual(yes.toSorted());
  });

  test("by author, by handle or id, and by a word of the author's name", async () => {
    const archive = await archiveOf(tweet('one'), tweet('two', { author_id: '2' }));
    const texts = (query: string): Promise<string[]> => archive.texts(query);
    expect([
      await texts('from:TOM'),
      await texts('from:@mira_codes'),
      await texts('from:2'),
      await texts('coffee'),
      await texts('"tom coffee"'),
      await texts('from:nobody'),
    ]).toEqual([['two'], ['one'], ['two'], ['two'], ['two'], []]);
  });

  test("by a phrase of an author's name in which a token stands for any other", async () => {
    const archive = await archiveOf(
      tweet('the tea'),
      { kind: 'user', user: { id: '3', username: 'bluesky', name: 'Blue Sky Tea' } },
      tweet('one', { author_id: '3' }),
    );
    expect(await archive.texts('"blue * tea"')).toEqual(['one']);
    expect(await archive.search('"the * tea"')).toEqual([]);
  });

  test('by the mark of sensitive content, which is no word', async () => {
    const archive = await archiveOf(
      tweet('one', { id: '101', possibly_sensitive: true }),
      tweet('the field possibly_sensitive', { id: '102' }),
    );
    expect(await archive.search('filter:safe')).toEqual(['102']);
    expect(await archive.search('-filter:safe')).toEqual(['101']);
    expect(await archive.search('possibly_sensitive')).toEqual(['102']);
  });

  test('by a handle as author, addressee and owner of a list, whatever its case', async () => {
    const archive = await archiveOf(
      { kind: 'user', user: { id: '3', username: 'Alice.Example.com' } },
      { kind: 'list', list: { id: '7', owner_id: '3', slug: 'friends' } },
      { kind: 'list_member', list_id: '7', user_id: '2' },
      tweet('one', { id: '101', author_id: '3' }),
      tweet('two', { id: '102', author_id: '2', in_reply_to_id: '101' }),
      tweet('@alice.example.com three', { id: '103' }),
      tweet('four', { id: '104', retweeted_tweet_id: '101' }),
      tweet('five', { id: '105', in_reply_to_username: 'alice.example.COM' }),
    );
    expect(await archive.search('from:alice.example.com')).toEqual(['101']);
    expect(await archive.search('from:@ALICE.example.com')).toEqual(['101']);
    expect(await archive.search('to:alice.example.com')).toEqual(['105', '103', '102']);
    expect(await archive.search('retweets_of:alice.example.com include:nativeretweets')).toEqual(['104']);
    expect(await archive.search('list:@alice.example.com/friends')).toEqual(['102']);
    expect(await archive.search('from:alice')).toEqual([]);
  });

  test('the addressee of a text that starts with a mention: only an entity tells a handle from a full stop', async () => {
    const text = '@tom.thanks a lot';
    const none = { hashtags: [], cashtags: [], urls: [] };
    const archive = await archiveOf(
      tweet(text, { id: '101', entities: { ...none, mentions: [{ username: 'tom' }] } }),
      tweet(text, { id: '102', entities: { ...none, mentions: [{ username: 'Tom.Thanks' }] } }),
      tweet(text, { id: '103', entities: { ...none, mentions: [] } }),
    );
    expect([await archive.search('to:tom'), await archive.search('to:tom.thanks')]).toEqual([['103', '101'], ['102']]);
  });

  test('within days and moments: since is inclusive, until exclusive', async () => {
    const archive = await archiveOf(
      tweet('x', { id: '101', created_at: '2026-03-01T23:59:59.999Z' }),
      tweet('x', { id: '102', created_at: '2026-03-02T00:00:00Z' }),
      tweet('x', { id: '103', created_at: '2026-03-03T00:00:00Z' }),
    );
    expect(await archive.search('x since:2026-03-02')).toEqual(['103', '102']);
    expect(await archive.search('x until:2026-03-02')).toEqual(['101']);
    expect(await archive.search('since:2026-3-2 until:2026-03-03')).toEqual(['102']);
    expect(await archive.search(`x since:2026-03-02_00:00:01_UTC`)).toEqual(['103']);
    expect(await archive.search(`x until_time:${Date.parse('2026-03-02T00:00:00Z') / 1000}`)).toEqual(['101']);
  });

  test.each<[string, string, string[]]>([
    ['a word with an underscore', 'url:Marie_Curie', ['1']],
    ['the same in another case', 'url:marie_curie', ['1']],
    ['a whole address', 'url:https://fr.example.org/wiki/Marie_Curie', ['1']],
    ['an address without its protocol', 'url:fr.example.org/wiki/Marie_Curie', ['1']],
    ['an address in capitals', 'HTTPS://fr.example.org/wiki/Marie_Curie', ['1']],
    ['an underscore for a hyphen', 'url:new_york', ['2']],
    ['a hyphen', 'url:new-york', ['2']],
    ['one underscore for itself and one for a hyphen', 'url:new_york/user_name', ['2']],
    ['many underscores', 'url:a_b_c_d_e', ['3']],
    ['many underscores for hyphens', 'url:f_g_h_i_j', ['3']],
    ['a dot and a tilde, which separate words', 'url:new.york~user_name', ['2']],
    ['percent-encoding for the characters', 'url:cafe', ['4']],
    ['the characters for percent-encoding', 'url:Caf%C3%A9', ['4', '5']],
    ['characters', 'url:café', ['4', '5']],
    ['what is no percent-encoding as it is', 'url:100%/ff', ['4']],
    ['an international name for its encoded form', 'url:bücher.example', ['4', '5']],
    ['an encoded name for its international form', 'url:xn--bcher-kva.example', ['4', '5']],
    ['the domain of a card by its international name', 'card_domain:bücher.example', ['5']],
    ['the domain of a card by its encoded name', 'card_domain:www.xn--bcher-kva.example', ['5']],
    ['a card by its address', 'card_url:my_page', ['5']],
  ])('links by %s: %s', async (_name, query, ids) => {
    const archive = await archiveOf(
      tweet('one', { id: '1', expanded_urls: ['https://fr.example.org/wiki/Marie_Curie?action=edit'] }),
      tweet('two', { id: '2', expanded_urls: ['https://example.org/new-york/user_name'] }),
      tweet('three', { id: '3', expanded_urls: ['https://example.org/a_b_c_d_e/f-g-h-i-j'] }),
      tweet('four', { id: '4', expanded_urls: ['https://xn--bcher-kva.example/caf%C3%A9/100%/%ff'] }),
      tweet('five', {
        id: '5',
        card: {
          url: 'https://bücher.example/café/my-page',
          domain: 'xn--bcher-kva.example',
          title: '',
          description: '',
          image: '',
        },
      }),
    );
    const all = ids.includes('4') && query === 'url:cafe' ? [...ids, '5'] : ids;
    expect((await archive.search(query)).toSorted()).toEqual(all);
    const content = await archive.content();
    expect(content.matching(compileQuery(parse(query)), 'Latest', 0).toSorted()).toEqual(all);
  });

  test('a language by each of its tags, and a tweet by each of its languages', async () => {
    const langs = [
      'in',
      'id',
      'en-US',
      'en',
      'iw',
      'zh-cn',
      'zh_TW',
      'nb',
      'no',
      'tl',
      'ji',
      'und',
      'qme',
      'x-klingon',
    ];
    const archive = await archiveOf(
      ...langs.map((lang) => tweet(lang, { lang })),
      tweet('en ja', { lang: 'en', langs: ['en', 'ja'] }),
    );
    const texts = async (query: string): Promise<string[]> => (await archive.texts(query)).toSorted();
    for (const [same, expected] of [
      [
        ['id', 'in', 'ID', 'in-ID'],
        ['id', 'in'],
      ],
      [['he', 'iw'], ['iw']],
      [
        ['en', 'en-GB', 'en_us'],
        ['en', 'en ja', 'en-US'],
      ],
      [
        ['zh', 'zh-cn', 'zh-Hans-CN', 'zh-tw'],
        ['zh-cn', 'zh_TW'],
      ],
      [
        ['no', 'nb', 'nb-NO'],
        ['nb', 'no'],
      ],
      [['fil', 'tl'], ['tl']],
      [['yi', 'ji'], ['ji']],
      [['ja', 'ja-JP'], ['en ja']],
      [['und'], ['und']],
      [['qme'], ['qme']],
      [['x-klingon'], ['x-klingon']],
      [['de'], []],
    ] as const)
      for (const tag of same) expect([tag, await texts(`lang:${tag}`)]).toEqual([tag, [...expected]]);
  });

  test.each([
    '2026-03-04T05:06:07Z',
    '2026-03-04t05:06:07z',
    '2026-03-04T14:06:07+09:00',
    '2026-03-04T14:06:07.000+09:00',
    '2026-03-04_14:06:07_+0900',
    '2026-03-04_14:06:07+09:00',
    '2026-03-03T23:36:07-05:30',
    '2026-03-04_05:06:07_+00:00',
    '2026-03-04_14:06:07_JST',
    '2026-03-04_07:06:07_CEST',
    '2026-03-04_06:06:07_cet',
    '2026-03-04_10:51:07_NPT',
    '2026-03-04_16:06:07_AEDT',
    '2026-03-03_23:06:07_CST',
  ])('a time with the offset or the zone %s', (time) => {
    const at = Date.parse('2026-03-04T05:06:07Z');
    expect(compileQuery(parse(`since:${time} include:nativeretweets`))).toEqual({
      is: 'all',
      parts: [
        { is: 'created', since: at, until: Number.POSITIVE_INFINITY },
        { is: 'all', parts: [] },
      ],
    });
  });

  test('a time without seconds', () => {
    expect(parse('until:2026-03-04T05:06+09:00')).toMatchObject({ is: 'operator', name: 'until' });
  });

  test('the original and not its native retweets', async () => {
    const archive = await archiveOf(
      tweet('coffee', { id: '201' }),
      tweet('coffee', { id: '202', retweeted_tweet_id: '201' }),
    );
    expect(await archive.search('coffee')).toEqual(['201']);
  });

  test('a tweet by its new text and no longer by its old one, and an author by the new name', async () => {
    const archive = await archiveOf(
      tweet('old', { id: '301' }),
      tweet('new', { id: '301', observed_at: '2026-04-01T00:00:00Z' }),
    );
    await archive.apply({
      kind: 'user',
      user: { id: '1', username: 'mira', name: 'Renamed', observed_at: '2026-04-01T00:00:00Z' },
    });
    expect([
      await archive.search('old'),
      await archive.search('new'),
      await archive.search('holt'),
      await archive.search('renamed'),
      await archive.search('from:mira'),
    ]).toEqual([[], ['301'], [], ['301'], ['301']]);
  });
});

test.each<[string, string]>([
  ['(coffee', "at 0: this '(' has no matching ')'"],
  ['coffee)', "at 6: this ')' has no matching '('"],
  ['coffee OR', 'at 7: `OR` needs a term on both sides'],
  ['OR coffee', 'at 0: `OR` needs a term on both sides'],
  ['coffee OR OR tea', 'at 10: `OR` needs a term on both sides'],
  ['()', 'at 0: these parentheses are empty: put a term between them'],
  ['- + *', 'at 0: the query has no search term: add a word, a phrase or an operator'],
  [
    'from:',
    'at 5: expected a username (1–15 letters, digits or _, or a handle such as alice.example.com) or a user id after from:',
  ],
  [
    'from:abcdefghij_klmnop',
    'at 5: expected a username (1–15 letters, digits or _, or a handle such as alice.example.com) or a user id after from:',
  ],
  ['from:alice.', 'at 5: expected a username'],
  ['from:alice..com', 'at 5: expected a username'],
  ['from:-alice.com', 'at 5: expected a username'],
  ['from:alice.com-', 'at 5: expected a username'],
  ['from:alice.example.42', 'at 5: expected a username'],
  [`from:${'a'.repeat(64)}.com`, 'at 5: expected a username'],
  [`from:${'abcdefg.'.repeat(32)}com`, 'at 5: expected a username'],
  [`list:${'abcdefg.'.repeat(32)}com/x`, 'at 5: expected the id of a list'],
  [
    'to:mira-codes',
    'at 3: expected a username (1–15 letters, digits or _, or a handle such as alice.example.com) or a user id after to:',
  ],
  [
    'retweets_of:"mira codes"',
    'at 12: expected a username (1–15 letters, digits or _, or a handle such as alice.example.com) or a user id after retweets_of:',
  ],
  ['from:12345678901234567890', 'at 5: expected a username'],
  [
    'hi @abcdefghij_klmnop',
    'at 4: expected a username (1–15 letters, digits or _, or a handle such as alice.example.com) after @; to search for the words, put them in quotes',
  ],
  ['@josé', 'at 1: expected a username'],
  ['list:esa/', 'at 5: expected the id of a list, or its owner and name, such as esa/astronauts after list:'],
  ['list:abcdefghij_klmnop/x', 'at 5: expected the id of a list'],
  ['since:yesterday', 'at 6: expected a date such as 2026-03-04'],
  ['since:2026-02-30', 'at 6: expected a date'],
  ['cat filter:vidoes', "at 11: unknown filter 'vidoes': did you mean 'videos'?"],
  [
    'cat fron:mira',
    `at 4: unknown operator 'fron:': did you mean 'from:'? To search for the words, put them in quotes: "fron:mira"`,
  ],
  ['Min_favs:3', "at 0: unknown operator 'Min_favs:': did you mean 'min_faves:'?"],
  ['lagn:en', "at 0: unknown operator 'lagn:': did you mean 'lang:'?"],
  ['contxt:10', "at 0: unknown operator 'contxt:': did you mean 'context:'?"],
  ['near:me', "at 0: 'near:me' is not supported: it needs the location of the viewer"],
  ['exclude:follows', "at 0: 'exclude:follows' is not supported: it needs the accounts that the viewer follows"],
  ['filter:follows', "at 0: 'filter:follows' is not supported: it needs the accounts that the viewer follows"],
  ['sample:10', "at 0: 'sample:' is not supported: it needs a stream of all tweets"],
  ['min_faves:-1', 'at 10: expected a whole number after min_faves:'],
  ['within_time:2w', 'at 12: expected a duration such as 2d, 3h, 5m or 30s'],
  ['since:2021-12-31_23:59:59_XYZ', 'at 6: expected a date'],
  ['since:2021-12-31_23:59:59_IST', 'an offset in place of an ambiguous zone such as IST'],
  ['since:2021-12-31T23:59:59+24:00', 'at 6: expected a date'],
  ['since:2021-12-31T23:59:59+09:60', 'at 6: expected a date'],
  ['since:2021-12-31T23:59:59+9', 'at 6: expected a date'],
  ['since:2021-12-31_23:59:59_constructor', 'at 6: expected a date'],
  ['lang:"en us"', 'at 5: expected a language tag such as en after lang:'],
  ['""', 'the query has no search term'],
  ['"*" - -- +', 'the query has no search term'],
  [
    'geocode:91,0,5km',
    'at 8: expected a latitude (-90 to 90), a longitude (-180 to 180) and a radius in km or mi, such as',
  ],
  ['geocode:0,181,5km', 'at 8: expected a latitude'],
  ['geocode:0,0,5', 'at 8: expected a latitude'],
  ['geocode:0,0,-5km', 'at 8: expected a latitude'],
  ['point_radius:[0 0 5km', "at 13: this '[' has no matching ']'"],
  ['point_radius:[0 0 5km]x', 'at 13: expected a longitude'],
  ['point_radius:[0 5km]', 'at 13: expected a longitude'],
  ['bounding_box:[1 2 3]', 'at 13: expected the west, south, east and north of a box'],
  ['bounding_box:[1 3 2 2]', 'at 13: expected the west, south, east and north of a box'],
  ['place_country:ZAF', 'at 14: expected a country code of two letters (ISO 3166-1) such as ZA after place_country:'],
  ['within:10km', 'at 0: `within:` needs a `near:` in the same group'],
  ['near:Town (within:10km OR tea)', 'at 11: `within:` needs a `near:` in the same group'],
  ['near:Town -within:10km', 'at 11: `within:` needs a `near:` in the same group'],
  [
    'near:Town within:1km within:2km',
    'at 21: `within:` needs a `near:` in the same group, and a group has one `within:`',
  ],
  ['near:Town within:10', 'at 17: expected a distance in km or mi such as 10km after within:'],
  ['('.repeat(30) + 'x' + ')'.repeat(30), 'parentheses are nested more than 20 deep'],
  ['x '.repeat(101), 'the query has more than 100 terms'],
])('rejects %s: %s', (query, message) => {
  let said: unknown;
  try {
    parse(query);
  } catch (error) {
    said = error;
  }
  expect(said).toMatchObject({ status: 400, message: expect.stringContaining(message) });
});

test('any text parses, or returns 400', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('(', ')', '"', '-', ' ', 'OR', 'a', ':', 'from:', 'since:', '$A', '#b', '@c', '日', '\u0301'),
        { maxLength: 40 },
      ),
      (parts) => {
        try {
          parse(parts.join(''));
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
      },
    ),
    { numRuns: rounds(1500) },
  );
});

/** The tree without its places in the text. */
const shape = (tree: Query): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'at' || key === 'end' ? undefined : value)));

test('a parsed query that is printed and parsed again is the same', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        ') ',
        ' (',
        '"',
        '“',
        '\\"',
        '-',
        ' ',
        ' OR ',
        '*',
        '?',
        ':)',
        'a',
        'b c',
        ':',
        '.',
        '_',
        'from:x',
        'url:',
        'near:"',
        'exclude:media',
        'since:2026-01-01',
        '$A',
        '#b',
        '@c',
        '日本',
        'é',
        'İ',
        '½',
        '（',
        '…',
        '☕️',
        'https://x.y/a_b?c',
        '->',
        '"?" ',
        '"->"',
        '\\',
        '>',
        '、',
        '#東京。',
      ),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    ),
    { maxLength: 30 },
  );
  let read = 0;
  fc.assert(
    fc.property(pieces, (parts) => {
      let tree: Query;
      try {
        tree = parse(parts.join(''));
      } catch {
        return;
      }
      read++;
      expect([print(tree), shape(parse(print(tree)))]).toEqual([print(tree), shape(tree)]);
    }),
    { numRuns: rounds(2500), examples: [[['(', '. :)', '?']]] },
  );
  expect(read).toBeGreaterThan(rounds(500));
});

describe('to: finds replies to tweets of the user', () => {
  const post = tweet('post', { id: '5001', author_id: '2' });
  const reply = tweet('reply', { id: '5002', author_id: '1', in_reply_to_id: '5001' });
  const named = tweet('named', { id: '5003', author_id: '1', in_reply_to_id: '999', in_reply_to_username: 'tom' });
  const tom: ArchiveRecord = { kind: 'user', user: { id: '2', username: 'tom', observed_at: '2026-01-01T00:00:00Z' } };
  const renamed: ArchiveRecord = {
    kind: 'user',
    user: { id: '2', username: 'tommy', observed_at: '2026-02-01T00:00:00Z' },
  };

  test.each<[string, ArchiveRecord[]]>([
    ['the post first', [post, reply, named, tom]],
    ['the reply first', [reply, named, post, tom]],
    ['the profile between', [named, reply, tom, post]],
    ['the parent known only later', [tom, tweet('reply', { id: '5002', author_id: '1' }), post, named, reply]],
  ])('%s', async (_name, records) => {
    const archive = await archiveOf(...records);
    for (const query of ['to:tom', 'to:@TOM', 'filter:replies to:tom'])
      expect([query, await archive.search(query)]).toEqual([query, ['5003', '5002']]);
    expect([
      await archive.search('to:2'),
      await archive.search('to:mira_codes'),
      await archive.search('-to:tom'),
    ]).toEqual([['5002'], [], ['5001']]);
    expect(await standingIds(archive, ['to:tom', 'reply to:2'])).toEqual([
      ['to:tom', expect.arrayContaining(['5002', '5003'])],
      ['reply to:2', ['5002']],
    ]);
  });

  test('only after the parent tweet is imported, by the current username of its author', async () => {
    const archive = await archiveOf(tom, reply);
    expect(await archive.search('to:tom')).toEqual([]);
    await archive.apply(post);
    expect(await archive.search('to:tom')).toEqual(['5002']);
    await archive.apply(renamed);
    expect([await archive.search('to:tom'), await archive.search('to:tommy')]).toEqual([[], ['5002']]);
  });
});

describe('location of a tweet', () => {
  const place = (id: string, more: Partial<ArchivedPlace>): ArchiveRecord => ({
    kind: 'place',
    place: { id, ...more },
  });
  const records = [
    place('c1', {
      name: 'Cape Town',
      full_name: 'Cape Town, South Africa',
      country_code: 'ZA',
      bounding_box: [18.3, -34.1, 18.7, -33.8],
    }),
    place('s1', {
      name: 'Suva',
      full_name: 'Suva, Fiji',
      country_code: 'FJ',
      bounding_box: [178.4, -18.2, 178.5, -18.1],
    }),
    place('f1', { name: 'Fiji', country_code: 'FJ', bounding_box: [177, -19, -178, -16] }),
    tweet('in town', { id: '6001', place_id: 'c1' }),
    tweet('at the mountain', { id: '6002', coordinates: { longitude: 18.403, latitude: -33.957 }, place_id: 'c1' }),
    tweet('far away', { id: '6003', coordinates: { longitude: 2.35, latitude: 48.86 } }),
    tweet('in suva', { id: '6004', place_id: 's1' }),
    tweet('on the islands', { id: '6005', place_id: 'f1' }),
    tweet('only a name', { id: '6006', place: 'Cape Town, South Africa' }),
    tweet('nowhere', { id: '6007' }),
    tweet('at the dateline', { id: '6008', coordinates: { longitude: -179.95, latitude: -17 } }),
  ];
  test.each<[string, string[]]>([
    ['has:geo', ['6001', '6002', '6003', '6004', '6005', '6006', '6008']],
    ['-has:geo', ['6007']],
    ['geocode:-33.957,18.403,1km', ['6002']],
    ['geocode:-33.957,18.403,0.6mi', ['6002']],
    ['geocode:-33.95,18.5,40km', ['6001', '6002']],
    ['point_radius:[18.403 -33.957 1km]', ['6002']],
    ['point_radius:[180 -17 6km]', ['6008']],
    ['point_radius:[179.999,-17,5mi]', ['6008']],
    ['bounding_box:[18 -35 19 -33]', ['6001', '6002']],
    ['bounding_box:[18.35 -35 19 -33]', ['6002']],
    ['bounding_box:[176 -20 -177 -15]', ['6004', '6005', '6008']],
    ['bounding_box:[178 -20 -179 -15]', ['6004', '6008']],
    ['near:"cape town"', ['6001', '6002', '6006']],
    ['near:"Cape Town" within:1km', ['6001', '6006']],
    ['near:"Cape Town" within:15km', ['6001', '6002', '6006']],
    ['within:15km (town near:"Cape Town")', ['6001']],
    ['near:atlantis within:100km', []],
    ['place:c1', ['6001', '6002']],
    ['place:"cape town"', ['6001', '6002', '6006']],
    ['place_country:fj', ['6004', '6005']],
    ['place_country:ZA -near:nothing', ['6001', '6002']],
  ])('%s', async (query, ids) => {
    for (const order of [records, records.toReversed()])
      expect((await (await archiveOf(...order)).search(query)).toSorted()).toEqual(ids);
  });

  test('an updated place moves its tweets', async () => {
    const archive = await archiveOf(
      ...records,
      place('c1', { country_code: 'NA', bounding_box: [14, -23, 15, -22], observed_at: '2026-05-01T00:00:00Z' }),
    );
    expect([
      await archive.search('place_country:za'),
      (await archive.search('place_country:na')).length,
      await archive.search('bounding_box:[13 -24 16 -21]'),
    ]).toEqual([[], 2, ['6001']]);
  });
});

test('list: finds tweets of members, by id and by the current owner name, in any import order', async () => {
  const records: ArchiveRecord[] = [
    { kind: 'list', list: { id: '70', owner_id: '1', slug: 'Coffee-People' } },
    { kind: 'list_member', list_id: '70', user_id: '2' },
    { kind: 'list_member', list_id: '71', user_id: '1' },
    tweet('mine', { id: '7001' }),
    tweet('his', { id: '7002', author_id: '2' }),
  ];
  for (const order of [records, records.toReversed()]) {
    const archive = await archiveOf(...order);
    for (const query of ['list:70', 'list:mira_codes/coffee-people', 'list:@Mira_Codes/Coffee-People', '-list:71'])
      expect([query, await archive.search(query)]).toEqual([query, ['7002']]);
    expect([
      await archive.search('list:71'),
      await archive.search('list:70 OR list:71'),
      await archive.search('list:99'),
      await archive.search('list:tom/coffee-people'),
    ]).toEqual([['7001'], ['7002', '7001'], [], []]);
    await archive.apply({ kind: 'user', user: { id: '1', username: 'mira', observed_at: '2026-05-01T00:00:00Z' } });
    expect([
      await archive.search('list:mira/coffee-people'),
      await archive.search('list:mira_codes/coffee-people'),
    ]).toEqual([['7002'], []]);
    await archive.apply({
      kind: 'list',
      list: { id: '70', owner_id: '1', slug: 'tea', observed_at: '2026-05-01T00:00:00Z' },
    });
    expect([await archive.search('list:mira/tea'), await archive.search('list:mira/coffee-people')]).toEqual([
      ['7002'],
      [],
    ]);
  }
});

/** All parts of a tree. */
const partsOf = (tree: Query): Query[] => [
  tree,
  ...('parts' in tree ? tree.parts : 'part' in tree ? [tree.part] : []).flatMap(partsOf),
];

test('the span of each part parses to the same part', () => {
  const text = ` new  (coffee OR "cold * brew") OR -(a  b) -from:tom near:"cape town"  https://a.example/x :)  (((deep)) $BTC) ? “open`;
  for (const part of partsOf(parse(text))) {
    const piece = text.slice(part.at, part.end);
    expect([piece, piece.trim(), shape(parse(piece))]).toEqual([piece, piece, shape(part)]);
  }
});

/** The tweets that standing queries match, by query. */
async function standingIds(archive: SearchedArchive, texts: readonly string[]): Promise<[string, string[]][]> {
  const standing = new Percolator<number>();
  texts.forEach((text, key) => standing.set(key, compileQuery(parse(text))));
  const found = texts.map((text): [string, string[]] => [text, []]);
  const content = await archive.content();
  for (const id of content.tweets.keys())
    for (const key of standing.match(content.document(id), Date.now())) found[key]![1].push(id);
  return found;
}

test('the index returns the results of a scan, with pages of any size and any import order', async () => {
  await fc.assert(
    // Several queries of each archive: to make one takes longer than to ask it.
    fc.asyncProperty(
      changes,
      changes,
      fc.array(query, { minLength: 5, maxLength: 5 }),
      fc.integer({ min: 1, max: 5 }),
      async (first, then, texts, limit) => {
        const asked = texts.filter(readable);
        const archive = await archiveOf(...first);
        await archive.apply(...then);
        const content = await archive.content();
        const looked = (text: string, order: 'Latest' | 'Top' = 'Latest'): string[] =>
          content.matching(compileQuery(parse(text)), order, Date.now());
        for (const text of asked)
          for (const order of ['Latest', 'Top'] as const)
            expect([text, await archive.search(text, order, limit)]).toEqual([text, looked(text, order)]);
        const standing = await standingIds(archive, asked);
        expect(standing.map(([text, ids]) => [text, ids.toSorted()])).toEqual(
          asked.map((text) => [text, looked(text).toSorted()]),
        );
      },
    ),
    { numRuns: rounds(60) },
  );
});

test.each(['Latest', 'Top'] as const)(
  '%s has no duplicates and no gaps while tweets arrive and counts change',
  async (order) => {
    await fc.assert(
      fc.asyncProperty(tweets, tweets, fc.integer({ min: 1, max: 3 }), async (records, late, limit) => {
        const archive = await archiveOf(...records);
        const known = new Map((await archive.content()).tweets);
        const promised = await archive.search('-nothing', order);
        const waiting = [...late];
        const seen = await archive.search('-nothing', order, limit, async () => {
          for (const each of waiting.splice(0, 3)) {
            const { tweet: arriving } = each as { tweet: ArchivedTweet };
            const before = known.get(arriving.id);
            const counted = { ...before, like_count: 50, observed_at: '2027-01-01T00:00:00Z' } as ArchivedTweet;
            await archive.apply(before === undefined ? each : { kind: 'tweet', tweet: counted });
            known.set(arriving.id, before ?? arriving);
          }
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => promised.includes(id))).toEqual(promised);
      }),
      { numRuns: rounds(60) },
    );
  },
);
