/** Facts about a post, as sentences with the terms of the questions that they answer. */
import type { Schemas } from '../../../contract/operations.ts';
import { engagementBaselines, type EngagementBaseline } from '../../engagement-baseline.ts';
import { sourcesOf } from '../../sources.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { contractsIn, tokenOf } from '../../token-mentions.ts';
import type { Passage, PassageSource } from './passages.ts';
import { answered, quoting } from './surroundings.ts';
import { counted, day, listed, moment, nameOf, number, quotation, sentence, withoutAddressees } from './wording.ts';

type Tweet = Schemas['Tweet'];

export interface Fact {
  readonly text: string;
  /** Terms in the form of words.ts. */
  readonly about: readonly string[];
}

/** The author and the time of the post. */
export function authorship({ tweet }: Subject): string {
  const { author, retweeted_tweet: repeated } = tweet;
  const username = plain(author.username);
  if (username === '')
    return `The archive has no profile of the author, whose id is ${author.id}. The post is from ${moment(tweet.created_at)}.`;
  const name = plain(author.name);
  const displayName = name === '' || name === username ? `@${username}` : `${quotation(name)} (@${username})`;
  const followers = author.followers_count > 0 ? counted(author.followers_count, 'follower') : '';
  const account = author.verified
    ? `, a verified account${followers && ` with ${followers}`},`
    : followers && `, with ${followers},`;
  return `${displayName}${account} ${repeated === null ? 'posted' : 'reposted'} this on ${moment(tweet.created_at)}.`;
}

/** The engagement counts of the post; for a retweet, those of the retweeted post. */
export function engagement({ tweet }: Subject): string {
  const counts = countsOf(tweet.retweeted_tweet ?? tweet)
    .filter(([value]) => value > 0)
    .map(([value, one, many]) => counted(value, one, many));
  return `${tweet.retweeted_tweet === null ? 'It' : 'The reposted post'} has ${counts.length === 0 ? 'no likes, reposts, replies or views so far' : listed(counts)}.`;
}

const countsOf = (tweet: Tweet): readonly (readonly [number, string, string])[] => [
  [tweet.like_count, 'like', 'likes'],
  [tweet.retweet_count, 'repost', 'reposts'],
  [tweet.reply_count, 'reply', 'replies'],
  [tweet.quote_count, 'quote', 'quotes'],
  [tweet.bookmark_count, 'bookmark', 'bookmarks'],
  [tweet.view_count, 'view', 'views'],
];

/** The reach compared with the author's other posts, or the reason why there is no comparison. */
export function reach(subject: Subject): string {
  if (subject.tweet.retweeted_tweet !== null) return 'It is a repost, so it has no engagement of its own to compare.';
  const baselines = engagementBaselines(subject);
  const [first] = baselines;
  if (first === undefined) {
    const { length } = subject.authored;
    const available =
      length === 0
        ? 'The archive has no other post of this kind by its author'
        : `The archive has only ${counted(length, 'other post')} of this kind by its author`;
    return `${available}, so there is no comparison with its usual engagement.`;
  }
  const isUniform = baselines.every((baseline) => comparisonText(baseline) === comparisonText(first));
  if (isUniform)
    return `That is ${comparisonText(first)} for this author: ${listed(baselines.map((baseline) => `${number(baseline.count)} ${baseline.measure} compared with ${medianText(baseline)}`))}.`;
  return baselines
    .map(
      (baseline) =>
        `The number of ${baseline.measure} is ${comparisonText(baseline)} for this author: ${number(baseline.count)} compared with ${medianText(baseline)}.`,
    )
    .join(' ');
}

const comparisonText = ({ percentile }: EngagementBaseline): string =>
  percentile >= 90
    ? 'far more than usual'
    : percentile >= 65
      ? 'more than usual'
      : percentile >= 35
        ? 'about as usual'
        : percentile >= 10
          ? 'less than usual'
          : 'far less than usual';
const medianText = ({ median, below, posts }: EngagementBaseline): string =>
  `a median of ${number(median)} (more than ${below === posts ? 'all' : `${number(below)} of`} ${counted(posts, 'other post')})`;

/** The replies: their number, the most prominent ones, and common topics. */
export function reactions({ tweet, replies }: Subject, passages: readonly Passage[]): string {
  if (replies.length === 0) {
    if (tweet.retweeted_tweet !== null) return '';
    if (tweet.reply_count === 0) return 'It has no replies.';
    return tweet.reply_count === 1
      ? 'It has one reply, but the archive does not contain it.'
      : `It has ${number(tweet.reply_count)} replies, but the archive contains none of them.`;
  }
  const read =
    tweet.reply_count > replies.length
      ? `I read ${number(replies.length)} of its ${counted(tweet.reply_count, 'reply', 'replies')}.`
      : `I read ${counted(replies.length, 'reply', 'replies')} to it.`;
  const withText = replies.filter(({ text }) => /[\p{L}\p{N}\p{S}]/u.test(text)).slice(0, 3);
  const quotedReplies = withText.map((reply) =>
    sentence(
      `${nameOf(reply)}${reply.like_count === 0 ? '' : ` (${counted(reply.like_count, 'like')})`} says: ${quotation(withoutAddressees(reply.text))}`,
    ),
  );
  const common = commonTerms(passages, 'reply');
  return [read, ...quotedReplies, common.length === 0 ? '' : `Several replies contain these words: ${listed(common)}.`]
    .filter((text) => text !== '')
    .join(' ');
}

/** Minimum number of posts that contain a topic word, and maximum number of topics. */
const minPostsPerTopic = 3;
const maxTopics = 5;

/** The most common words of the posts of one source, each with the number of posts: `“node” (4 times)`. */
function commonTerms(passages: readonly Passage[], place: PassageSource): string[] {
  const postIds = new Map<string, Set<string>>();
  for (const { tweet, terms } of passages.filter((passage) => passage.place === place)) {
    // A single character of a script without spaces is not a word.
    for (const word of terms)
      if (/^\p{L}{3,}$/u.test(word)) postIds.set(word, (postIds.get(word) ?? new Set()).add(tweet.id));
  }
  return [...postIds]
    .filter(([, { size }]) => size >= minPostsPerTopic)
    .sort((a, b) => b[1].size - a[1].size)
    .slice(0, maxTopics)
    .map(([word, { size }]) => `${quotation(word)} (${number(size)})`);
}

/** The usual topics of the author. */
function topics({ authored }: Subject, passages: readonly Passage[]): string {
  const common = commonTerms(passages, 'authored');
  return common.length === 0
    ? ''
    : `In the author's ${counted(authored.length, 'other post')} of this kind the most frequent words are ${listed(common)}.`;
}

/** Pictures, videos and animations. */
export function attachments({ tweet }: Subject): string {
  const { media } = tweet.retweeted_tweet ?? tweet;
  const of = (type: Schemas['Media']['type'], one: string, many?: string): string[] => {
    const { length } = media.filter((item) => item.type === type);
    return length === 0 ? [] : [counted(length, one, many)];
  };
  const kinds = [...of('photo', 'photo'), ...of('video', 'video'), ...of('animated_gif', 'animation')];
  return kinds.length === 0 ? '' : `It has ${listed(kinds)}, which this provider cannot analyse.`;
}

/** The linked pages. */
export function links(subject: Subject): string {
  const sources = sourcesOf(subject).slice(0, 5);
  return sources.length === 0
    ? ''
    : `It links to ${listed(sources.map(({ title, domain }) => (title === null ? domain : `${quotation(title)} (${domain})`)))}.`;
}

function token(subject: Subject): string {
  const { ticker, name, contract, chain } = tokenOf(subject);
  const parts = [
    ticker === null ? '' : `the ticker ${ticker}`,
    name === null ? '' : `the name ${quotation(name)}`,
    contract === null ? '' : `the contract ${contract}`,
    chain === null ? '' : `the chain ${chain}`,
  ].filter((text) => text !== '');
  const more = contractsIn(subject).length;
  const warning = more > 1 ? ` It contains ${counted(more, 'address', 'addresses')}; this is the first one.` : '';
  return parts.length === 0 ? '' : `The post names a token: ${listed(parts)}.${warning}`;
}

/** The terms of the questions that each fact answers. */
const terms = {
  authorship: 'who author wrote write written writer account follower verified when date time published old'.split(' '),
  quoting: ['quote', 'quoted', 'quoting'],
  thread: ['answering', 'answered', 'replying', 'thread', 'began', 'started'],
  reach:
    'reach viral popular popularity success successful performance performed engagement average median usual compared compare attention lot'.split(
      ' ',
    ),
  reactions:
    'reply replied react reaction response respond responding answer comment commented people others everyone opinion sentiment reader'.split(
      ' ',
    ),
  attachments: ['photo', 'picture', 'image', 'video', 'media', 'gif'],
  links: ['link', 'source', 'url', 'website', 'page', 'linked'],
  token: ['token', 'coin', 'contract', 'address', 'ticker', 'chain', 'blockchain', 'ca'],
  mentions: ['mention', 'mentioned', 'tagged'],
  hashtags: ['hashtag'],
  topics: ['usually', 'topic', 'often', 'typically', 'generally', 'interest', 'interested', 'otherwise'],
  newest: ['latest', 'newest', 'recent', 'recently', 'lately', 'elsewhere'],
} as const;

/** All facts, without empty ones. */
export function factsOf(subject: Subject, passages: readonly Passage[]): Fact[] {
  const { mentions, hashtags } = subject.tweet.entities;
  return [
    { text: authorship(subject), about: terms.authorship },
    { text: quoting(subject, passages), about: terms.quoting },
    { text: answered(subject, passages), about: terms.thread },
    ...singleCounts(subject),
    { text: `${engagement(subject)} ${reach(subject)}`, about: terms.reach },
    { text: reactions(subject, passages), about: terms.reactions },
    { text: attachments(subject), about: terms.attachments },
    { text: links(subject), about: terms.links },
    { text: token(subject), about: terms.token },
    {
      text: named(
        'It mentions',
        mentions.map(({ username }) => `@${plain(username)}`),
      ),
      about: terms.mentions,
    },
    {
      text: named(
        'Its hashtags are',
        hashtags.map((tag) => `#${plain(tag)}`),
      ),
      about: terms.hashtags,
    },
    { text: topics(subject, passages), about: terms.topics },
    { text: newestOther(subject), about: terms.newest },
  ].filter(({ text }) => text !== '');
}

/** A sentence that lists the names; empty without names. */
const named = (start: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${start} ${listed(names)}.`;

/** One fact for each engagement count; likes and views are compared with the author's other posts. */
function singleCounts(subject: Subject): Fact[] {
  const { tweet } = subject;
  const baselines = engagementBaselines(subject);
  return countsOf(tweet.retweeted_tweet ?? tweet).map(([value, one, many]) => {
    const baseline = tweet.retweeted_tweet === null ? baselines.find(({ measure }) => measure === many) : undefined;
    const comparison =
      baseline === undefined
        ? ''
        : `, ${comparisonText(baseline)} for this author, whose median is ${number(baseline.median)}`;
    return {
      text: `The post has ${counted(value, one, many)}${comparison}.`,
      about: one === 'repost' ? ['repost', 'retweet'] : [one, `${one}d`, `${one}ed`, one.replace(/y$/, 'ied')],
    };
  });
}

/** The newest other post of the author. */
function newestOther({ authored: [newest] }: Subject): string {
  if (newest === undefined) return '';
  const words = quotation(withoutAddressees(newest.text));
  return sentence(`The newest other post of this author in the archive is from ${day(newest.created_at)}: ${words}`);
}
