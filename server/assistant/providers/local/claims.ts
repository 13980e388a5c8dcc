/**
 * Every sentence that an answer can state about posts. A claim checks the condition that makes it true, and is empty where
 * the condition does not hold; nothing else words a fact. Sentences about the assistant itself are no claims.
 */
import { plain } from '../../plain-text.ts';
import type { Schemas } from '../../../contract/operations.ts';
import type { CountName } from '../../../ports/platform.ts';
import { answersTo, askedBy, type ConversationTree, type Node, type Post } from '../../conversation-tree.ts';
import {
  comparedPosts,
  engagementBaselines,
  isKnown,
  minComparedPosts,
  type EngagementBaseline,
} from '../../engagement-baseline.ts';
import { sourcesOf } from '../../sources.ts';
import { tokenOf } from '../../token-mentions.ts';
import type { Language, PhraseName, Stance } from './languages.ts';
import { confirms, objects } from './stance.ts';
import { quotation, type Wording } from './wording.ts';

/** What a claim is about. */
export interface Facts {
  readonly tree: ConversationTree;
  readonly wording: Wording;
  readonly languageOf: (node: Node) => Language | undefined;
}

const labels: Readonly<Record<CountName, PhraseName>> = {
  like_count: 'likes',
  retweet_count: 'reposts',
  reply_count: 'replies',
  quote_count: 'quotes',
  bookmark_count: 'bookmarks',
  view_count: 'views',
};
const countNames = Object.keys(labels) as CountName[];
const maxPages = 5;
/** The least number of replies with words or emoji that are known, and the least part of all, from which a mood is stated. */
export const minScored = 5;
export const minScoredPart = 0.4;

const hasText = (text: string): boolean => /[^\s]/u.test(text.replace(/https?:\/\/\S+/g, ''));
const isLater = ({ subject: { tweet } }: ConversationTree, { post }: Node): boolean =>
  post.author.id === tweet.author.id && post.created_at > tweet.created_at;
/** The text of a post has all parts of a quotation. */
const has = ({ post, attached }: Node, text: string): boolean => {
  const whole = [plain(post.text), ...attached].join('\n');
  return text.split(' … ').every((part) => whole.includes(part)) || attached.join(' ').includes(text);
};

export const claims = {
  /** The post has these words. */
  wrote({ tree, wording }: Facts, text: string): string {
    const { tweet } = tree.subject;
    const values = { when: wording.moment(tweet.created_at), quote: wording.quote(tree.source, text) };
    if (!hasText(tree.source.text) || !has(tree.sourceNode, text)) return '';
    if (tweet.retweeted_tweet !== null)
      return wording.say('reposted', { ...values, who: wording.fullNameOf(tweet), whom: wording.nameOf(tree.source) });
    const facts = [
      ...(tweet.author.verified ? [wording.say('verifiedAccount')] : []),
      ...(tweet.author.followers_count > 0 ? [wording.figure('followers', tweet.author.followers_count)] : []),
    ];
    return wording.say('wrote', { ...values, who: wording.fullNameOf(tweet, facts) });
  },
  /** The post has no words, and is no repost; or what it reposts is missing. */
  wroteNothing({ tree, wording }: Facts): string {
    const { tweet, backgrounds } = tree.subject;
    const values = { who: wording.fullNameOf(tweet), when: wording.moment(tweet.created_at) };
    if (tweet.retweeted_tweet === null && backgrounds.get(tweet.id)?.retweetedId !== undefined)
      return wording.say('repostedUnknown', values);
    return hasText(tree.source.text) ? '' : wording.say('wroteNothing', values);
  },
  postedOn: ({ wording }: Facts, post: Post): string =>
    wording.say('postedOn', { who: wording.nameOf(post), when: wording.moment(post.created_at) }),
  authorIs: ({ wording }: Facts, post: Post): string => wording.say('authorIs', { who: wording.fullNameOf(post) }),
  /** The archive has a profile with a description. */
  profileSays({ tree, wording }: Facts): string {
    const text = plain(tree.subject.profile?.description ?? '');
    return text === '' ? '' : wording.say('profileSays', { quote: quotation(text) });
  },
  /** The profile of somebody else has a description. */
  profileOf: ({ wording }: Facts, user: Schemas['User']): string =>
    plain(user.description) === ''
      ? ''
      : wording.say('profileOf', { who: wording.nameOf({ author: user }), quote: quotation(plain(user.description)) }),
  /** The number of followers is known: 0 may stand for an unknown one. */
  followers: ({ wording }: Facts, { author }: Pick<Post, 'author'>): string =>
    author.followers_count > 0 ? `${wording.start(wording.figure('followers', author.followers_count))}.` : '',

  /** The post is a reply. */
  repliesTo({ tree, wording }: Facts): string {
    const { tweet, backgrounds } = tree.subject;
    const { parent } = tree.root;
    if (parent === undefined) {
      const { inReplyToId, inReplyToUsername: username } = backgrounds.get(tweet.id) ?? {};
      if (inReplyToId === undefined) return '';
      return username === undefined
        ? wording.say('repliesToMissing')
        : wording.say('repliesToMissingOf', { who: `@${username}` });
    }
    const quote = wording.quote(parent.post);
    return parent.isByAuthor
      ? wording.say('continues', { quote })
      : wording.say('repliesTo', { who: wording.nameOf(parent.post), quote });
  },
  /** The post is known to be no reply. */
  noReplyTo: (facts: Facts): string => (claims.repliesTo(facts) === '' ? facts.wording.say('noReplyTo') : ''),
  /** The first post of the thread is known, and is not the one that the post replies to. */
  threadStarted({ tree, wording }: Facts): string {
    const { thread, backgrounds } = tree.subject;
    const [first] = thread;
    if (first === undefined || thread.length < 2 || backgrounds.get(first.id)?.inReplyToId !== undefined) return '';
    return wording.say('threadStarted', { who: wording.nameOf(first), quote: wording.quote(first, first.text, 240) });
  },
  /** The post quotes another one. */
  quotesPost({ tree, wording }: Facts): string {
    const { tweet, backgrounds } = tree.subject;
    const other = tweet.quoted_tweet ?? tree.source.quoted_tweet;
    if (other !== null) return wording.say('quotesPost', { who: wording.nameOf(other), quote: wording.quote(other) });
    return backgrounds.get(tweet.id)?.quotedId === undefined ? '' : wording.say('quotesMissing');
  },
  noQuote: (facts: Facts): string => (claims.quotesPost(facts) === '' ? facts.wording.say('noQuote') : ''),
  /** The post itself links to pages; what it quotes is no page, and neither are the links of the quoted post. */
  linksTo(facts: Facts): string {
    const list = pagesOf(facts).map(({ title, domain }) =>
      title === null ? domain : `${quotation(title)} (${domain})`,
    );
    return list.length === 0 ? '' : facts.wording.say('linksTo', { list: facts.wording.listed(list) });
  },
  attached: ({ tree, wording }: Facts): string =>
    tree.source.media.length === 0 ? '' : wording.say('attached', { count: tree.source.media.length }),
  mentions: ({ tree, wording }: Facts): string =>
    namesIn(
      wording,
      'mentions',
      tree.source.entities.mentions.map(({ username }) => `@${plain(username)}`),
    ),
  hashtags: ({ tree, wording }: Facts): string =>
    namesIn(
      wording,
      'hashtags',
      tree.source.entities.hashtags.map((tag) => `#${plain(tag)}`),
    ),
  token({ tree, wording }: Facts): string {
    const { ticker, name, contract, chain } = tokenOf(tree.subject);
    return namesIn(
      wording,
      'token',
      [ticker, name, contract, chain].filter((each) => each !== null),
    );
  },
  article({ tree, wording }: Facts): string {
    const title = plain(tree.source.article?.title ?? '');
    return title === '' ? '' : wording.say('articleTitle', { quote: quotation(title) });
  },
  articleSays: ({ tree, wording }: Facts, sentences: readonly string[]): string =>
    sentences.length === 0 || !sentences.every((each) => tree.sourceNode.attached.includes(each))
      ? ''
      : wording.say('articleSays', { list: wording.quote(tree.source, sentences.join(' … ')) }),

  /** The counts that the source gave, and which it did not give. */
  figures({ tree, wording }: Facts, post: Post = tree.source): string {
    const known = countNames.filter((name) => isKnown(tree.subject, post, name));
    const unknown = countNames.filter((name) => !known.includes(name)).map((name) => wording.say(labels[name]));
    const list = wording.listed(known.map((name) => wording.figure(labels[name], post[name])));
    const missing = unknown.length === 0 ? '' : wording.say('notCounted', { list: wording.listed(unknown) });
    return [known.length === 0 ? '' : wording.say('figures', { list }), missing]
      .filter((part) => part !== '')
      .join(' ');
  },
  /** A count that the source gave. */
  count: ({ tree, wording }: Facts, name: CountName): string =>
    isKnown(tree.subject, tree.source, name)
      ? `${wording.start(wording.figure(labels[name], tree.source[name]))}.`
      : wording.say('notCounted', { list: wording.say(labels[name]) }),
  /** The post is no repost, and enough other posts of the author have the count. */
  usual({ tree, wording }: Facts, measure?: CountName): string {
    if (tree.subject.tweet.retweeted_tweet !== null) return '';
    const baselines = engagementBaselines(tree.subject).filter(
      (each) => measure === undefined || labels[measure] === each.measure,
    );
    return baselines.map((baseline) => comparison(wording, baseline)).join(' ');
  },
  /** Fewer other posts of the author have counts than a comparison needs. */
  tooFew({ tree, wording }: Facts): string {
    const others = comparedPosts(tree.subject);
    const most = Math.max(
      ...(['like_count', 'view_count'] as const).map(
        (name) => others.filter((other) => isKnown(tree.subject, other, name)).length,
      ),
    );
    return most >= minComparedPosts ? '' : wording.say('tooFew', { posts: most, needed: minComparedPosts });
  },

  /** What somebody wrote. */
  says: ({ wording }: Facts, node: Node, text = node.post.text): string =>
    has(node, plain(text))
      ? wording.say('answers', { who: wording.nameOf(node.post), quote: wording.quote(node.post, text) })
      : '',
  /** A later post of the author. */
  later: ({ tree, wording }: Facts, node: Node): string =>
    isLater(tree, node)
      ? wording.say('later', { when: wording.moment(node.post.created_at), quote: wording.quote(node.post) })
      : '',
  noLater: ({ tree, wording }: Facts): string =>
    tree.at('later', 'continued').length === 0 ? wording.say('noLater') : '',
  /** A post that asks. */
  asked: (facts: Facts, node: Node): string => (node.questions.length === 0 ? '' : said(facts, 'asked', node)),
  /** A post that replies to a question of somebody else with a statement. */
  answered: (facts: Facts, node: Node): string => (askedBy(node) === undefined ? '' : said(facts, 'answered', node)),
  /** No question of the conversation has an answer of the author. */
  noAuthorAnswer: ({ tree, wording }: Facts): string =>
    tree.conversation.some((node) => answersTo(node).some(({ isByAuthor }) => isByAuthor))
      ? ''
      : wording.say('noAuthorAnswer'),
  /** A statement with words of an objection, in a language whose words are known. */
  objects: (facts: Facts, node: Node): string =>
    objects(node, facts.languageOf(node)) ? said(facts, 'objects', node) : '',
  confirms: (facts: Facts, node: Node): string =>
    confirms(node, facts.languageOf(node)) ? said(facts, 'confirms', node) : '',
  /** No post in a language whose words are known objects or confirms by them. */
  noChecks({ tree, wording, languageOf }: Facts): string {
    const read = tree.conversation.filter((node) => languageOf(node) !== undefined);
    const isCheck = (node: Node): boolean =>
      node.place !== 'post' && (objects(node, languageOf(node)) || confirms(node, languageOf(node)));
    return read.length === 0 || read.some(isCheck) ? '' : wording.say('noChecks', { count: read.length });
  },

  repliesHere({ tree, wording }: Facts): string {
    const count = tree.root.replies.length;
    return count === 0 ? wording.say('noReplies') : wording.say('repliesHere', { count });
  },
  /** Replies in languages whose words are known, by what they do. */
  stances({ wording }: Facts, found: ReadonlyMap<Stance, readonly Node[]>): string {
    const total = [...found.values()].reduce((sum, { length }) => sum + length, 0);
    const list = [...found].map(([stance, { length }]) => wording.figure(stance, length));
    return total === 0 ? '' : wording.say('stances', { total, list: wording.listed(list) });
  },
  unread: ({ wording }: Facts, count: number): string => (count > 0 ? wording.say('unread', { count }) : ''),
  /** Enough replies have words or emoji that show a mood; otherwise no mood is stated. */
  mood({ wording }: Facts, scores: readonly (number | undefined)[]): string {
    const scored = scores.filter((score) => score !== undefined);
    const values = { scored: scored.length, total: scores.length };
    if (scored.length < minScored || scored.length < scores.length * minScoredPart)
      return wording.say('cannotTell', values);
    const [positive, negative] = [scored.filter((score) => score > 0), scored.filter((score) => score < 0)];
    return wording.say('moodCounts', { ...values, positive: positive.length, negative: negative.length });
  },
  /** The archive knows users who reposted it. */
  retweeters: ({ wording }: Facts, users: readonly Schemas['User'][]): string =>
    users.length === 0
      ? ''
      : wording.say('retweeters', { list: wording.listed(users.map((user) => wording.fullNameOf({ author: user }))) }),
  quotedBy: ({ tree, wording }: Facts): string =>
    wording.say(tree.at('quote').length === 0 ? 'notQuoted' : 'quotedBy', { count: tree.at('quote').length }),

  /** A post that is no part of the conversation. */
  elsewhere: ({ tree, wording }: Facts, post: Post): string =>
    tree.conversation.some((node) => node.post.id === post.id)
      ? ''
      : wording.say('elsewhere', {
          who: wording.nameOf(post),
          when: wording.day(post.created_at),
          quote: wording.quote(post, post.text, 240),
        }),
  /** Several people wrote in the conversation who have the same name. */
  namesakes: ({ tree, wording }: Facts, people: readonly Post['author'][]): string =>
    people.length < 2 || !people.every(({ id }) => tree.conversation.some(({ post }) => post.author.id === id))
      ? ''
      : wording.say('namesakes', {
          count: people.length,
          list: wording.listed(people.map((author) => wording.fullNameOf({ author }))),
        }),
  /** Posts that were looked at, and none of which answers. */
  notFound: ({ tree, wording }: Facts, others: number): string =>
    wording.say('notFound', { count: tree.conversation.length, other: others }),
  noOtherPosts: ({ tree, wording }: Facts): string =>
    comparedPosts(tree.subject).length === 0 ? wording.say('noOtherPosts') : '',
  /** Other posts with the same hashtag, link or cashtag. */
  sameTag: ({ wording }: Facts, what: string, found: readonly Post[]): string =>
    found.length === 0 ? '' : wording.say('sameTag', { what, count: found.length }),
} as const;

/** A phrase about who wrote a post, with the post. */
const said = ({ wording }: Facts, phrase: PhraseName, { post }: Node): string =>
  wording.say(phrase, { who: wording.nameOf(post), quote: wording.quote(post) });

const namesIn = (wording: Wording, phrase: PhraseName, names: readonly string[]): string =>
  names.length === 0 ? '' : wording.say(phrase, { list: wording.listed([...new Set(names)]) });

/** The pages that the post itself links to. A link to a post is none, as the cut display text of one is none. */
export function pagesOf({ tree }: Facts): Schemas['Citation'][] {
  const { source, subject } = tree;
  const quotes = source.quoted_tweet !== null || subject.backgrounds.get(source.id)?.quotedId !== undefined;
  return sourcesOf({ tweet: { ...source, quoted_tweet: null, retweeted_tweet: null }, thread: [] })
    .filter(({ url, domain }) => !isPost(url) && !(quotes && isPlatform(domain)))
    .slice(0, maxPages);
}

const isPlatform = (domain: string): boolean => /^(?:(?:www|mobile)\.)?(?:twitter|x|t)\.com?$/.test(domain);
const isPost = (url: string): boolean =>
  /^https?:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/(?:\w+|i\/web)\/status(?:\/|$|…|%)/i.test(url);

/** A share of posts from which a count is far from the usual, and from which it is different from it. */
const farShare = 0.9;
const differentShare = 0.65;

/** The level of a count. Equal counts are no difference: with all counts equal it is the usual one. */
function levelOf({ count, median, below, above, posts }: EngagementBaseline): PhraseName {
  if (count > median && below / posts >= differentShare) return below / posts >= farShare ? 'farMore' : 'more';
  if (count < median && above / posts >= differentShare) return above / posts >= farShare ? 'farLess' : 'less';
  return 'same';
}

const comparison = (wording: Wording, baseline: EngagementBaseline): string =>
  wording.say('usual', {
    label: wording.say(baseline.measure),
    count: baseline.count,
    level: wording.say(levelOf(baseline)),
    posts: baseline.posts,
    median: baseline.median,
  });
