/** What a post says, who wrote it and when. */
import type { Schemas } from '../../../../contract/operations.ts';
import { plain } from '../../../plain-text.ts';
import type { Answer, Context } from '../context.ts';
import type { Passage } from '../passages.ts';
import type { Format, Target } from '../question.ts';
import { centralPassages } from '../ranking.ts';
import { quotation, quoted, withoutAddressees, type Post } from '../wording.ts';

type Tweet = Schemas['Tweet'];

/** Maximum number of quoted sentences by format. */
const maxSentences: Readonly<Record<Format, number>> = { oneSentence: 1, short: 1, usual: 3, bullets: 6 };

/** Whether a text has a word besides links, mentions and hashtags. */
const hasText = (text: string): boolean =>
  withoutAddressees(text)
    .replace(/https?:\/\/\S+/g, '')
    .trim() !== '';

/** The passages of a place, or of one post. */
const passagesIn = ({ passages }: Context, place: Passage['place'], id: string): Passage[] =>
  passages.filter((passage) => passage.place === place && passage.tweet.id === id);

/** A quotation of the most central sentences of a post, or of the whole post if it has no more of them. */
export function gist(context: Context, tweet: Post, place: Passage['place'], count: number): string {
  const own = passagesIn(context, place, tweet.id);
  if (own.length <= count) return quoted(tweet.text);
  return centralPassages(own, context.passages, count)
    .map(({ text }) => quoted(text))
    .join(' … ');
}

/** Who wrote what and when, in one sentence. */
export function statement(context: Context, sentences: number): string {
  const { subject, wording } = context;
  const { tweet } = subject;
  const values = { who: wording.fullNameOf(tweet), when: wording.moment(tweet.created_at) };
  const { retweeted_tweet: repeated } = tweet;
  if (repeated !== null) {
    return wording.say('reposted', {
      ...values,
      whom: wording.nameOf(repeated),
      quote: gist(context, repeated, 'repeated', sentences),
    });
  }
  if (subject.backgrounds.get(tweet.id)?.retweetedId !== undefined) return wording.say('repostedUnknown', values);
  if (!hasText(tweet.text)) return wording.say('wroteNothing', values);
  return wording.say('wrote', { ...values, quote: gist(context, tweet, 'post', sentences) });
}

/** The author's profile is unknown: nothing else about the author can be said. */
export const unknownProfile = ({ subject, wording }: Context): string =>
  plain(subject.tweet.author.username) === '' ? wording.say('profileUnknown') : '';

/** The title of the article, and its most central sentences. */
export function article(context: Context, count: number): string[] {
  const { subject, wording, passages } = context;
  const holder = subject.tweet.retweeted_tweet ?? subject.tweet;
  const { article: published } = holder;
  if (published === undefined) return [];
  const own = passagesIn(context, 'article', holder.id).filter(({ text }) => text !== plain(published.title));
  const main = centralPassages(own, passages, count);
  return [
    ...(plain(published.title) === '' ? [] : [wording.say('articleTitle', { quote: quotation(published.title) })]),
    ...(main.length === 0
      ? []
      : [wording.say('articleSays', { list: main.map(({ text }) => quotation(text)).join(' … ') })]),
  ];
}

/** The summary of a text of the context. */
export function summary(context: Context, target: Target, format: Format): Answer {
  const { subject, wording } = context;
  const { tweet } = subject;
  const count = maxSentences[format];
  if (target === 'article') return articleSummary(context, format);
  if (target === 'quoted' && tweet.quoted_tweet !== null)
    return {
      lead: wording.say('quotesPost', {
        who: wording.nameOf(tweet.quoted_tweet),
        quote: gist(context, tweet.quoted_tweet, 'quoted', count),
      }),
    };
  if (format !== 'bullets') return { lead: statement(context, count), evidence: article(context, 1) };
  const own = centralPassages(ownPassages(context, tweet), context.passages, count);
  const hasArticle = (tweet.retweeted_tweet ?? tweet).article !== undefined;
  if (own.length < 2) return hasArticle ? articleSummary(context, format) : { lead: statement(context, 1) };
  return {
    lead: wording.say('postedOn', { who: wording.fullNameOf(tweet), when: wording.moment(tweet.created_at) }),
    evidence: own.map(({ text }) => `- ${quoted(text)}`),
  };
}

/** The sentences of the post, or of its article if it has one. */
const ownPassages = (context: Context, tweet: Tweet): Passage[] =>
  tweet.retweeted_tweet === null
    ? passagesIn(context, 'post', tweet.id)
    : passagesIn(context, 'repeated', tweet.retweeted_tweet.id);

function articleSummary(context: Context, format: Format): Answer {
  const { subject, wording, passages } = context;
  const holder = subject.tweet.retweeted_tweet ?? subject.tweet;
  const { article: published } = holder;
  if (published === undefined) return { lead: wording.say('nothingSuch'), evidence: [statement(context, 1)] };
  const own = passagesIn(context, 'article', holder.id).filter(({ text }) => text !== plain(published.title));
  const main = centralPassages(own, passages, maxSentences[format]);
  const title = plain(published.title);
  const quotes = main.map(({ text }) => quotation(text));
  const lead = title === '' ? wording.say('nothingSuch') : wording.say('articleTitle', { quote: quotation(title) });
  if (format === 'bullets') return { lead, evidence: quotes.map((quote) => `- ${quote}`) };
  const says = quotes.length === 0 ? [] : [wording.say('articleSays', { list: quotes.join(' … ') })];
  return { lead, evidence: says };
}
