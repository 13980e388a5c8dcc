import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Archive } from '../../server/archive/archive.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../server/archive/records.ts';
import type { PageRequest } from '../../server/platforms/platform.ts';
import { parse } from '../../server/search/parse.ts';
import { documentOf, surroundingsIn } from '../../server/search/document.ts';
import { matches } from '../../server/search/evaluate.ts';
import { conditionOf } from '../../server/search/meaning.ts';
import { print, type Query } from '../../server/search/query.ts';
import { rounds } from '../support/rounds.ts';

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
    entities: {
      mentions: [...text.matchAll(/@(\w+)/g)].map(([, username]) => ({ username: username! })),
      hashtags: [...text.matchAll(/#(\w+)/g)].map(([, tag]) => tag!),
      cashtags: [...text.matchAll(/\$([A-Z]+)/g)].map(([, symbol]) => symbol!),
      urls: [],
    },
    ...more,
  },
});

function archiveOf(...records: ArchiveRecord[]): Archive {
  const archive = new Archive();
  for (const record of [...users, ...records]) archive.apply(record);
  return archive;
}

function search(archive: Archive, query: string, order: 'Latest' | 'Top' = 'Latest', limit = 100, between: () => void = () => {}): string[] {
  const ids: string[] = [];
  for (let after: PageRequest['after']; ; ) {
    const page = archive.index.search(query, order, { after, limit });
    ids.push(...page.items.map((ordinal) => String(archive.id(ordinal))));
    if (page.next === null) return ids;
    after = JSON.parse(JSON.stringify(page.next)) as PageRequest['after'];
    between();
  }
}

/** The texts that a query finds among some. */
function found(query: string, ...texts: string[]): string[] {
  const archive = archiveOf(...texts.map((text) => tweet(text)));
  return search(archive, query).map((id) => archive.tweet(archive.ordinal(id)!).text);
}

describe('a query finds', () => {
  test.each<[string, string, string[], string[]]>([
    ['words in any order', 'beans coffee', ['coffee beans', 'Beans! And COFFEE.'], ['coffee', 'beancoffee']],
    ['either side of OR, which binds tighter than a space', 'new coffee OR tea', ['new tea', 'new coffee'], ['new', 'tea']],
    ['what a group says', '(new coffee) OR tea', ['tea', 'new coffee'], ['new', 'coffee']],
    ['a phrase', '"cold brew"', ['the cold brew', 'cold-brew'], ['brew cold', 'cold the brew']],
    ['a word with hyphens as the phrase', 'state-of-the-art', ['state of the art', 'State-of-the-Art!'], ['the art of state']],
    ['what is not negated', 'coffee -decaf -"flat white"', ['coffee'], ['decaf coffee', 'coffee flat white']],
    ['all that is not negated, also with nothing else asked', '-coffee', ['tea'], ['coffee']],
    ['a hashtag, whole and whatever its case', '#NodeJS', ['#nodejs'], ['#nodejs24', 'nodejs']],
    ['a cashtag', '$BTC', ['buy $BTC'], ['BTC']],
    ['a mention', '@Tom', ['hi @tom'], ['hi tom']],
    ['accents and case aside', 'CAFÉ', ['cafe', 'Café'], ['caf']],
    ['Japanese', '東京', ['今日は東京にいる'], ['京東', '東の京']],
    ['Thai and emoji', 'กาแฟ ☕', ['ชอบกาแฟมาก ☕'], ['กาแฟ']],
    ['an unclosed quote up to the end', '"cold brew', ['cold brew'], ['brew cold']],
    ['a number with $, which is no cashtag', '$100', ['only $100'], ['1000']],
    ['one word for * in a phrase', '"this * week"', ['this very week'], ['this week', 'this very long week']],
    ['signs without words as they are', 'what ?', ['what now?'], ['what now']],
    ['an unknown key as words', 'note:well', ['note well'], ['well note']],
  ])('%s: %s', (_name, query, yes, no) => {
    expect(found(query, ...yes, ...no).toSorted()).toEqual(yes.toSorted());
  });

  test('by author, by handle or id, and by a word of the author\'s name', () => {
    const archive = archiveOf(tweet('one'), tweet('two', { author_id: '2' }));
    const texts = (query: string): string[] => search(archive, query).map((id) => archive.tweet(archive.ordinal(id)!).text);
    expect([texts('from:TOM'), texts('from:@mira_codes'), texts('from:2'), texts('coffee'), texts('"tom coffee"'), texts('from:nobody')]).toEqual([['two'], ['one'], ['two'], ['two'], ['two'], []]);
  });

  test('within days and moments: since is inclusive, until exclusive', () => {
    const archive = archiveOf(
      tweet('x', { id: '101', created_at: '2026-03-01T23:59:59.999Z' }),
      tweet('x', { id: '102', created_at: '2026-03-02T00:00:00Z' }),
      tweet('x', { id: '103', created_at: '2026-03-03T00:00:00Z' }),
    );
    expect(search(archive, 'x since:2026-03-02')).toEqual(['103', '102']);
    expect(search(archive, 'x until:2026-03-02')).toEqual(['101']);
    expect(search(archive, 'since:2026-3-2 until:2026-03-03')).toEqual(['102']);
    expect(search(archive, `x since:2026-03-02_00:00:01_UTC`)).toEqual(['103']);
    expect(search(archive, `x until_time:${Date.parse('2026-03-02T00:00:00Z') / 1000}`)).toEqual(['101']);
  });

  test('the original and not its native retweets', () => {
    const archive = archiveOf(tweet('coffee', { id: '201' }), tweet('coffee', { id: '202', retweeted_tweet_id: '201' }));
    expect(search(archive, 'coffee')).toEqual(['201']);
  });

  test('a tweet by its new text and no longer by its old one, and an author by the new name', () => {
    const archive = archiveOf(tweet('old', { id: '301' }), tweet('new', { id: '301', observed_at: '2026-04-01T00:00:00Z' }));
    archive.apply({ kind: 'user', user: { id: '1', username: 'mira', name: 'Renamed', observed_at: '2026-04-01T00:00:00Z' } });
    expect([search(archive, 'old'), search(archive, 'new'), search(archive, 'holt'), search(archive, 'renamed'), search(archive, 'from:mira')]).toEqual([[], ['301'], [], ['301'], ['301']]);
  });
});

test.each<[string, string]>([
  ['(coffee', "at 0: expected ')' for the '(' here"],
  ['coffee)', "at 6: ')' without '('"],
  ['coffee OR', "at 7: 'OR' stands between two things"],
  ['OR coffee', "at 0: 'OR' stands between two things"],
  ['()', "at 1: expected something between '(' and ')'"],
  ['- + *', 'at 0: expected a word, a phrase or an operator'],
  ['from:', 'at 5: expected a username after from:'],
  ['since:yesterday', 'at 6: expected a date such as 2026-03-04'],
  ['since:2026-02-30', 'at 6: expected a date'],
  ['cat filter:vidoes', "at 11: unknown filter 'vidoes': did you mean 'videos'?"],
  ['list:esa/astronauts', "at 0: 'list:' is not answered here: it needs the members of lists"],
  ['filter:follows', "at 0: 'filter:follows' is not answered here: it needs whom the one who asks follows"],
  ['min_faves:-1', 'at 10: expected a whole number after min_faves:'],
  ['within_time:2w', 'at 12: expected a span such as 2d, 3h, 5m or 30s'],
  ['since:2021-12-31_23:59:59_XYZ', 'at 6: expected a date'],
  ['('.repeat(30) + 'x' + ')'.repeat(30), 'nested more than 20 deep'],
  ['x '.repeat(101), 'more than 100 terms'],
])('%s is refused: %s', (query, message) => {
  let said: unknown;
  try {
    parse(query);
  } catch (error) {
    said = error;
  }
  expect(said).toMatchObject({ status: 400, message: expect.stringContaining(message) });
});

test('any text is read, or refused by 400', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('(', ')', '"', '-', ' ', 'OR', 'a', ':', 'from:', 'since:', '$A', '#b', '@c', '日', '\u0301'), { maxLength: 40 }), (parts) => {
      try {
        parse(parts.join(''));
      } catch (error) {
        expect(error).toMatchObject({ status: 400 });
      }
    }),
    { numRuns: rounds(1500) },
  );
});

/** The tree without its places in the text. */
const shape = (tree: Query): unknown => JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'at' || key === 'end' ? undefined : value)));

test('any text that is read is the same when it is printed and read again', () => {
  const pieces = fc.array(
    fc.oneof(fc.constantFrom('(', ')', ') ', ' (', '"', '“', '\\"', '-', ' ', ' OR ', '*', '?', ':)', 'a', 'b c', ':', '.', '_', 'from:x', 'url:', 'near:"', 'exclude:media', 'since:2026-01-01', '$A', '#b', '@c', '日本', 'é', 'İ', '½', '（', '…', '☕️', 'https://x.y/a_b?c'), fc.string({ unit: 'binary', maxLength: 3 })),
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

/** All parts of a tree. */
const partsOf = (tree: Query): Query[] => [tree, ...('parts' in tree ? tree.parts : 'part' in tree ? [tree.part] : []).flatMap(partsOf)];

test('each part says where it stands: read alone, that piece of the text is the same', () => {
  const text = ` new  (coffee OR "cold * brew") OR -(a  b) -from:tom near:"cape town"  https://a.example/x :)  (((deep)) $BTC) ? “open`;
  for (const part of partsOf(parse(text))) {
    const piece = text.slice(part.at, part.end);
    expect([piece, piece.trim(), shape(parse(piece))]).toEqual([piece, piece, shape(part)]);
  }
});

/** Whether a query stays within the bounds. */
const readable = (text: string): boolean => {
  try {
    return parse(text) !== undefined;
  } catch {
    return false;
  }
};

/** What a query finds by looking at each tweet alone. */
function looked(archive: Archive, text: string): number[] {
  const condition = conditionOf(parse(text));
  const around = surroundingsIn(archive);
  return Array.from({ length: archive.size }, (_, ordinal) => ordinal).filter((ordinal) => matches(condition, documentOf(archive.tweet(ordinal), around), Date.now()));
}

const words = fc.array(fc.constantFrom('coffee', 'tea', 'Run', '#run', '$BTC', '@tom', '東京', '京', 'cold', 'brew', 'what?', ':)', 'Tom', 'https://a.example/x-y'), { minLength: 1, maxLength: 6 });
const moment = fc.integer({ min: 0, max: 6 }).map((day) => new Date(Date.UTC(2026, 2, 1 + day)).toISOString());
const id = fc.integer({ min: 1, max: 60 }).map(String);
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const tweetRecord = fc
  .record({
    id,
    words,
    created_at: moment,
    author_id: fc.constantFrom('1', '2', '3'),
    like_count: fc.nat(5),
    lang: sometimes(fc.constantFrom('en', 'ja')),
    media: sometimes(fc.constant([{ type: 'photo' as const, url: 'x' }])),
    retweeted_tweet_id: fc.option(id, { nil: undefined, freq: 5 }),
    quoted_tweet_id: sometimes(id),
    in_reply_to_id: sometimes(id),
    in_reply_to_username: sometimes(fc.constantFrom('tom', 'mira_codes', 'mira')),
    conversation_id: sometimes(id),
    place: sometimes(fc.constantFrom('Cape Town, South Africa', 'Town')),
    expanded_urls: sometimes(fc.constantFrom(['https://edition.cnn.com/cold-brew'], ['https://youtu.be/run'])),
    article: sometimes(fc.constant({ title: 'Cold tea', text: 'brew coffee' })),
    observed_at: sometimes(moment),
  })
  .map(({ words: text, ...rest }) => tweet(text.join(' '), JSON.parse(JSON.stringify(rest)) as Partial<ArchivedTweet>));
const userRecord = fc
  .record({ id: fc.constantFrom('1', '2', '3'), username: fc.constantFrom('tom', 'mira_codes', 'mira', 'third'), name: fc.constantFrom('Tom Coffee', 'Mira Holt', 'Cold Brew'), verified: fc.boolean(), observed_at: moment })
  .map((user): ArchiveRecord => ({ kind: 'user', user }));
const tweets = fc.array(tweetRecord, { maxLength: 60 });
const changes = fc.array(fc.oneof({ arbitrary: tweetRecord, weight: 9 }, { arbitrary: userRecord, weight: 1 }), { maxLength: 80 });
const query = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('coffee', 'tea', 'run', '#run', '$BTC', '@tom', '東京', '京', '"cold brew"', '"cold * run"', '"tom coffee"', '"a example"', '?', ':) ', 'from:tom', 'from:mira', 'from:2', 'to:tom', 'since:2026-03-03', 'until:2026-03-05', 'holt', 'filter:media', 'lang:ja', 'min_faves:3', 'filter:has_engagement', 'filter:verified', 'max_id:40', 'since_id:20', 'conversation_id:7', 'in_reply_to_tweet_id:8', 'filter:replies', 'filter:self_threads', 'filter:quote', 'quoted_user_id:2', 'retweets_of:tom', 'filter:nativeretweets', 'include:nativeretweets', 'url:cnn.com', 'url:cold', 'https://a.example/x-y', 'filter:news', 'filter:videos', 'near:town', 'near:"cape town"', 'within_time:1d'),
    tie('query').map((inner) => `-(${inner})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} ${b})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `((${a}) OR (${b}))`),
    fc.array(tie('query'), { minLength: 9, maxLength: 12 }).map((many) => `(${many.map((one) => `(${one})`).join(' OR ')})`),
  ),
})).query;

test('what the index finds, by pages of any size, is what looking at each tweet finds, however the archive came to be', () => {
  fc.assert(
    // Several queries of each archive: to make one takes longer than to ask it.
    fc.property(changes, changes, fc.array(query, { minLength: 5, maxLength: 5 }), fc.integer({ min: 1, max: 5 }), (first, then, texts, limit) => {
      const asked = texts.filter(readable);
      const archive = archiveOf(...first);
      // A search in between puts the lists in order; what comes after is out of order again.
      for (const text of asked) search(archive, text, 'Latest', limit);
      for (const record of then) archive.apply(record);
      const ids = (ordinals: number[]): string[] => ordinals.map((ordinal) => String(archive.id(ordinal)));
      for (const text of asked) {
        const newest = looked(archive, text).toSorted((a, b) => archive.order(b, a));
        expect([text, search(archive, text, 'Latest', limit)]).toEqual([text, ids(newest)]);
        expect([text, search(archive, text, 'Top', limit)]).toEqual([text, ids(newest.toSorted((a, b) => archive.engagement(b) - archive.engagement(a)))]);
      }
    }),
    { numRuns: rounds(60) },
  );
});

test.each(['Latest', 'Top'] as const)('%s neither repeats nor loses while tweets arrive and counts change between the pages', (order) => {
  fc.assert(
    fc.property(tweets, tweets, fc.integer({ min: 1, max: 3 }), (records, late, limit) => {
      const archive = archiveOf(...records);
      const promised = search(archive, '-nothing', order);
      const waiting = [...late];
      const seen = search(archive, '-nothing', order, limit, () => {
        for (const each of waiting.splice(0, 3)) {
          const { tweet: arriving } = each as { tweet: ArchivedTweet };
          const known = archive.ordinal(arriving.id);
          archive.apply(known === undefined ? each : { kind: 'tweet', tweet: { ...archive.tweet(known), like_count: 50, observed_at: '2027-01-01T00:00:00Z' } });
        }
      });
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => promised.includes(id))).toEqual(promised);
    }),
    { numRuns: rounds(60) },
  );
});
