/** What can be computed or read off about a post, in sentences, each with the words by which it is asked for. */
import type { Schemas } from '../../../contract.ts';
import { reachOf, type Reach } from '../../reach.ts';
import { sourcesOf } from '../../sources.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../provider.ts';
import { contractsIn, tokenOf } from '../../token-mentions.ts';
import { counted, day, listed, moment, nameOf, number, quotation } from './wording.ts';

type Tweet = Schemas['Tweet'];

export interface Fact {
  readonly text: string;
  /** Terms as words.ts makes them. */
  readonly about: readonly string[];
}

/** Who wrote the post, and when. */
export function authorship({ tweet }: Subject): string {
  const { author } = tweet;
  const username = plain(author.username);
  if (username === '') return `The archive does not know the author of this post, who has the id ${author.id}; it was posted on ${moment(tweet.created_at)}.`;
  const name = plain(author.name);
  const who = name === '' || name === username ? `@${username}` : `${quotation(name)} (@${username})`;
  const standing = [author.verified ? 'verified' : '', author.followers_count > 0 ? counted(author.followers_count, 'follower') : ''].filter((each) => each !== '');
  return `${who}${standing.length > 0 ? `, ${listed(standing)},` : ''} posted this on ${moment(tweet.created_at)}.`;
}

/** What the post has been given so far; a retweet's counts are those of the post that it repeats. */
export function engagement({ tweet }: Subject): string {
  const counts = countsOf(tweet.retweeted_tweet ?? tweet).map(([value, one, many]) => counted(value, one, many));
  return `${tweet.retweeted_tweet === null ? 'It' : 'The repeated post'} has ${listed(counts)}.`;
}

const countsOf = (tweet: Tweet): readonly (readonly [number, string, string])[] => [
  [tweet.like_count, 'like', 'likes'],
  [tweet.retweet_count, 'repost', 'reposts'],
  [tweet.reply_count, 'reply', 'replies'],
  [tweet.quote_count, 'quote', 'quotes'],
  [tweet.bookmark_count, 'bookmark', 'bookmarks'],
  [tweet.view_count, 'view', 'views'],
];

/** The reach against the author's other posts, or why there is no comparison. */
export function reach(subject: Subject): string {
  if (subject.tweet.retweeted_tweet !== null) return 'It only repeats a post, so there is no reach of its own to compare.';
  const reaches = reachOf(subject);
  if (reaches.length === 0) {
    const { length } = subject.authored;
    return `The archive has ${length === 0 ? 'no other post' : `only ${counted(length, 'other post')}`} of this author${length === 0 ? '' : ' to compare with'}, so it cannot tell whether that is usual.`;
  }
  return reaches.map(compared).join(' ');
}

function compared({ measure, count, posts, median, below, percentile }: Reach): string {
  const judgement = percentile >= 90 ? 'far more than usual' : percentile >= 65 ? 'more than usual' : percentile >= 35 ? 'about as usual' : 'less than usual';
  return `By ${measure} it does ${judgement === 'about as usual' ? judgement : `${judgement}`} for this author: ${number(count)} against a median of ${number(median)}, above ${number(below)} of ${number(posts)} other posts (${percentile}%).`;
}

/** What people answer: how many, who stands out with what. */
export function reactions({ tweet, replies }: Subject): string {
  if (replies.length === 0) {
    return tweet.reply_count === 0 ? 'It has no replies.' : `Of its ${counted(tweet.reply_count, 'reply', 'replies')} the archive holds none.`;
  }
  const held = `The archive holds ${counted(replies.length, 'reply', 'replies')}`;
  const spoken = replies.filter(({ text }) => /[\p{L}\p{N}\p{S}]/u.test(text)).slice(0, 2);
  const voices = spoken.map((reply) => `${nameOf(reply)} (${counted(reply.like_count, 'like')}) says: ${quotation(withoutAddressees(reply.text))}.`);
  return [`${held} that I looked at.`, ...voices].join(' ');
}

/** A reply begins with the people it is addressed to. */
const withoutAddressees = (text: string): string => plain(text).replace(/^(?:@\w{1,50}\s+)+(?=\S)/, '');

/** Pictures, videos and animations. */
export function attachments({ tweet }: Subject): string {
  const { media } = tweet.retweeted_tweet ?? tweet;
  const of = (type: Schemas['Media']['type'], one: string, many?: string): string[] => {
    const { length } = media.filter((each) => each.type === type);
    return length === 0 ? [] : [counted(length, one, many)];
  };
  const kinds = [...of('photo', 'photo'), ...of('video', 'video'), ...of('animated_gif', 'animation')];
  return kinds.length === 0 ? '' : `It carries ${listed(kinds)}, which I cannot see.`;
}

/** The pages it links to. */
export function links(subject: Subject): string {
  const sources = sourcesOf(subject).slice(0, 5);
  return sources.length === 0 ? '' : `It links to ${listed(sources.map(({ title, domain }) => (title === null ? domain : `${quotation(title)} (${domain})`)))}.`;
}

function token(subject: Subject): string {
  const { ticker, name, contract, chain } = tokenOf(subject);
  const said = [
    ticker === null ? '' : `the ticker ${ticker}`,
    name === null ? '' : `the name ${quotation(name)}`,
    contract === null ? '' : `the contract ${contract}`,
    chain === null ? '' : `the chain ${chain}`,
  ].filter((each) => each !== '');
  const more = contractsIn(subject).length;
  const warning = more > 1 ? ` It names ${counted(more, 'address', 'addresses')}; this is the first.` : '';
  return said.length === 0 ? '' : `On a token the post gives ${listed(said)}.${warning}`;
}

/** Every fact, those with nothing to tell left out. */
export function factsOf(subject: Subject): Fact[] {
  const { tweet, authored } = subject;
  const single = countsOf(tweet.retweeted_tweet ?? tweet).map(([value, one, many]) => ({
    text: `The post has ${counted(value, one, many)}.`,
    about: [one === 'repost' ? 'retweet' : one, one === 'like' ? 'liked' : one],
  }));
  const named = tweet.entities.mentions.map(({ username }) => `@${username}`);
  const tags = tweet.entities.hashtags.map((tag) => `#${tag}`);
  const last = authored[0];
  return [
    { text: capitalised(authorship(subject)), about: ['who', 'author', 'wrote', 'written', 'writer', 'account', 'follower', 'verified', 'when', 'date', 'time', 'published'] },
    ...single,
    { text: `${engagement(subject)} ${reach(subject)}`, about: ['reach', 'viral', 'popular', 'popularity', 'performance', 'performed', 'engagement', 'average', 'median', 'usual', 'usually', 'compared', 'attention'] },
    { text: reactions(subject), about: ['reply', 'react', 'reaction', 'response', 'responding', 'answer', 'comment', 'people', 'others', 'opinion', 'sentiment', 'think'] },
    { text: attachments(subject), about: ['photo', 'picture', 'image', 'video', 'media', 'gif'] },
    { text: links(subject), about: ['link', 'source', 'url', 'website', 'page', 'article', 'linked'] },
    { text: token(subject), about: ['token', 'coin', 'contract', 'address', 'ticker', 'chain', 'blockchain', 'ca'] },
    { text: named.length === 0 ? '' : `It names ${listed(named)}.`, about: ['mention', 'mentioned', 'tagged'] },
    { text: tags.length === 0 ? '' : `Its hashtags are ${listed(tags)}.`, about: ['hashtag'] },
    { text: last === undefined ? '' : `The newest other post of this author in the archive is of ${day(last.created_at)}: ${quotation(last.text)}.`, about: ['latest', 'newest', 'recent', 'lately', 'elsewhere'] },
  ].filter(({ text }) => text !== '');
}

const capitalised = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
