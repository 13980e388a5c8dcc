// Tests server/assistant/chains.ts and server/assistant/token-mentions.ts.
/** Each claim of the local provider, with a case in which it holds and a counterexample in which it must say nothing. */
import { expect, test } from '@jest/globals';
import { claims, type Facts } from '../../../server/assistant/providers/local/claims.ts';
import { sceneOf } from '../../../server/assistant/providers/local/context.ts';
import { english } from '../../../server/assistant/providers/local/languages.ts';
import { wordingOf } from '../../../server/assistant/providers/local/wording.ts';
import { nodeOf, type Node } from '../../../server/assistant/conversation-tree.ts';
import type { Subject } from '../../../server/ports/assistant-provider.ts';
import type { TweetBackground } from '../../../server/ports/platform.ts';
import { author, build, emptyArchive, subject, tweet } from './subjects.ts';

const factsOf = (about: Subject): Facts => {
  const { tree, languageOf } = sceneOf(about, emptyArchive);
  return { tree, languageOf, wording: wordingOf(english) };
};
const background = (members: Partial<TweetBackground>): TweetBackground => ({
  ...{ knownCounts: [], inReplyToId: undefined, inReplyToUsername: undefined, quotedId: undefined },
  ...{ retweetedId: undefined, lang: undefined },
  ...members,
});
const noCounts = { retweet_count: 0, reply_count: 0, like_count: 0, quote_count: 0, bookmark_count: 0, view_count: 0 };
const bare = factsOf(subject('Bare.', noCounts));
const nameless = { id: '77', name: '', username: '', profile_image: '', verified: false, followers_count: 0 };

/** A conversation with one of everything. */
const full = factsOf(
  subject(
    'The bridge is closed. https://example.org/a #bridge @tom $HCAT',
    {
      media: [{ type: 'photo', url: 'https://images.example/a.jpg', expanded_url: '', video_url: '' }],
      article: { title: 'Bridges', text: 'They age.' },
      entities: {
        mentions: [{ id: '5', username: 'tom' }],
        hashtags: ['bridge'],
        cashtags: ['HCAT'],
        urls: [{ url: 'https://example.org/a', display_url: 'example.org/a' }],
      },
      quoted_tweet: tweet('9', 'A quoted post.', { author: author('quoted_q') }),
    },
    {
      thread: [tweet('7', 'First.', { author: author('first_f') }), tweet('8', 'Then.', { author: author('then_t') })],
      replies: [
        tweet('20', 'How long?', { author: author('asker') }),
        tweet('21', 'That is not true.', { author: author('doubter') }),
        tweet('22', 'I can confirm this.', { author: author('witness') }),
      ],
      deeperReplies: [tweet('30', 'Six weeks.')],
      quotes: [tweet('40', 'Look at this.', { author: author('quoter') })],
      later: [tweet('50', 'It is open again.', { created_at: '2026-03-09T05:06:07.000Z' })],
      authored: [1, 2, 3].map((n) => tweet(`60${n}`, `A road, number ${n}.`, { like_count: n })),
      backgrounds: new Map([
        ['30', background({ inReplyToId: '20' })],
        ['1', background({ inReplyToId: '8' })],
      ]),
      profile: {
        ...{
          ...nameless,
          id: '4200000001',
          username: 'mira_codes',
          description: 'Roads.',
          location: '',
          created_at: '',
        },
        ...{ following_count: 0, tweet_count: 0, like_count: 0, media_count: 0, is_blue_verified: false },
        ...{ profile_banner: '', pinned_tweet_ids: [] },
      },
    },
  ),
);
const nodeIn = ({ tree }: Facts, id: string): Node => tree.nodes.get(id)!;
const stranger = nodeOf(tweet('99', 'Where?', { author: author('x') }), 'found', undefined, false);

/** For each claim: what it says where it holds, and what it says in the counterexample; empty: it must say nothing. */
const examples: Readonly<Record<keyof typeof claims, readonly [holds: string, counterexample: string]>> = {
  wrote: [claims.wrote(full, 'The bridge is closed.'), claims.wrote(full, 'The bridge is open.')],
  wroteNothing: [claims.wroteNothing(factsOf(subject('https://example.org/a'))), claims.wroteNothing(full)],
  postedOn: [claims.postedOn(full, full.tree.source), ''],
  authorIs: [claims.authorIs(full, full.tree.source), ''],
  profileSays: [claims.profileSays(full), claims.profileSays(bare)],
  followers: [claims.followers(full, full.tree.source), claims.followers(full, { author: nameless })],
  repliesTo: [claims.repliesTo(full), claims.repliesTo(bare)],
  noReplyTo: [claims.noReplyTo(bare), claims.noReplyTo(full)],
  threadStarted: [claims.threadStarted(full), claims.threadStarted(factsOf(build))],
  quotesPost: [claims.quotesPost(full), claims.quotesPost(bare)],
  noQuote: [claims.noQuote(bare), claims.noQuote(full)],
  linksTo: [
    claims.linksTo(full),
    // What the quoted post links to is no link of the post.
    claims.linksTo(factsOf(subject('Yes.', { quoted_tweet: full.tree.source }))),
  ],
  attached: [claims.attached(full), claims.attached(bare)],
  mentions: [claims.mentions(full), claims.mentions(bare)],
  hashtags: [claims.hashtags(full), claims.hashtags(bare)],
  token: [claims.token(full), claims.token(bare)],
  article: [claims.article(full), claims.article(bare)],
  articleSays: [claims.articleSays(full, ['They age.']), claims.articleSays(full, ['They fall.'])],
  figures: [claims.figures(full), claims.figures(bare).replace(/^The source gave no count of: .*$/, '')],
  count: [
    claims.count(full, 'like_count'),
    claims.count(bare, 'like_count').replace('The source gave no count of: likes.', ''),
  ],
  usual: [claims.usual(full, 'like_count'), claims.usual(bare)],
  tooFew: [claims.tooFew(bare), claims.tooFew(full)],
  says: [claims.says(full, nodeIn(full, '22')), claims.says(full, nodeIn(full, '22'), 'I deny this.')],
  later: [claims.later(full, nodeIn(full, '50')), claims.later(full, nodeIn(full, '22'))],
  noLater: [claims.noLater(bare), claims.noLater(full)],
  asked: [claims.asked(full, nodeIn(full, '20')), claims.asked(full, nodeIn(full, '22'))],
  answered: [claims.answered(full, nodeIn(full, '30')), claims.answered(full, nodeIn(full, '21'))],
  noAuthorAnswer: [claims.noAuthorAnswer(bare), claims.noAuthorAnswer(full)],
  objects: [claims.objects(full, nodeIn(full, '21')), claims.objects(full, nodeIn(full, '22'))],
  confirms: [claims.confirms(full, nodeIn(full, '22')), claims.confirms(full, nodeIn(full, '21'))],
  noChecks: [claims.noChecks(bare), claims.noChecks(full)],
  repliesHere: [
    claims.repliesHere(full),
    claims.repliesHere(bare).replace('I found no replies to it in the archive.', ''),
  ],
  stances: [
    claims.stances(full, new Map([['asks', [nodeIn(full, '20')]]])),
    claims.stances(full, new Map([['asks', []]])),
  ],
  unread: [claims.unread(full, 2), claims.unread(full, 0)],
  mood: [
    claims.mood(full, [1, 2, -1, 3, 1]),
    // Four replies are too few, and so are five of twenty.
    [
      claims.mood(full, [1, 1, 1, 1]),
      claims.mood(full, [1, 1, 1, 1, 1, ...Array.from({ length: 15 }, () => undefined)]),
    ]
      .join('')
      .replace(/I cannot tell: only \d of \d+ replies have words or emoji that I know\./g, ''),
  ],
  retweeters: [claims.retweeters(full, [full.tree.subject.profile!]), claims.retweeters(full, [])],
  quotedBy: [
    claims.quotedBy(full),
    claims.quotedBy(bare).replace('I found no post in the archive that quotes it.', ''),
  ],
  elsewhere: [claims.elsewhere(full, stranger.post), claims.elsewhere(full, nodeIn(full, '22').post)],
  profileOf: [
    claims.profileOf(full, full.tree.subject.profile!),
    claims.profileOf(full, { ...full.tree.subject.profile!, description: '' }),
  ],
  namesakes: [
    claims.namesakes(full, [nodeIn(full, '21').post.author, nodeIn(full, '22').post.author]),
    // Somebody who wrote nothing here is none of them.
    claims.namesakes(full, [nodeIn(full, '21').post.author, nameless]),
  ],
  notFound: [claims.notFound(full, 0), ''],
  noOtherPosts: [claims.noOtherPosts(bare), claims.noOtherPosts(full)],
  sameTag: [claims.sameTag(full, '#a', [stranger.post]), claims.sameTag(full, '#a', [])],
};

test.each(Object.entries(examples))(
  '%s holds in its example, and is silent in its counterexample',
  (_name, [holds, counter]) => {
    expect(holds).not.toBe('');
    expect(holds).not.toMatch(/\{|undefined|NaN/);
    expect(counter).toBe('');
  },
);

test('an objection in a language without a list of words is none', () => {
  const replies = [tweet('2', 'That is not true.', { author: author('x') })];
  const unread = factsOf(subject('A.', {}, { replies, backgrounds: new Map([['2', background({ lang: 'it' })]]) }));
  expect(claims.objects(unread, nodeIn(unread, '2'))).toBe('');
});
