/** The explanation of a post: who, what, what it stands on, how far it goes, what people say. */
import type { Schemas } from '../../../contract.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../provider.ts';
import { attachments, authorship, engagement, links, reach, reactions } from './facts.ts';
import type { Passage, Place } from './passages.ts';
import { central } from './ranking.ts';
import { listed, nameOf, quotation } from './wording.ts';

type Tweet = Schemas['Tweet'];

/** A post of so many sentences is quoted whole. */
const wholePost = 3;

/** Paragraphs; each sentence is quoted from the subject or computed from it. */
export function explanation(subject: Subject, passages: readonly Passage[]): string[] {
  const { tweet, thread } = subject;
  const quoted = tweet.quoted_tweet;
  const before = thread.at(-1);
  return [
    authorship(subject),
    before === undefined ? '' : `It answers ${nameOf(before)}${thread.length > 1 ? ', in a thread that begins with ' + nameOf(thread[0]!) : ''}${said(before, passages, 'thread')}.`,
    statement(subject, passages),
    article(tweet.retweeted_tweet ?? tweet, passages),
    quoted === null ? '' : `It quotes ${nameOf(quoted)}${said(quoted, passages, 'quoted')}.`,
    attachments(subject),
    links(subject),
    `${engagement(subject)} ${reach(subject)}`,
    reactions(subject),
  ].filter((paragraph) => paragraph !== '');
}

function statement({ tweet }: Subject, passages: readonly Passage[]): string {
  const { retweeted_tweet: repeated } = tweet;
  if (repeated !== null) return `It repeats a post by ${nameOf(repeated)}${said(repeated, passages, 'repeated')}.`;
  if (plain(tweet.text) === '') return 'It has no text.';
  const own = passages.filter((passage) => passage.place === 'post');
  if (own.length <= wholePost) return `It says: ${quotation(tweet.text)}.`;
  return `Of its ${own.length} sentences these carry most: ${quotations(central(own, passages, wholePost))}.`;
}

function article({ article: published }: Tweet, passages: readonly Passage[]): string {
  if (published === undefined) return '';
  const own = passages.filter((passage) => passage.place === 'article' && plain(published.title) !== passage.text);
  const main = central(own, passages, 2);
  const title = plain(published.title) === '' ? 'an article' : `the article ${quotation(published.title)}`;
  return `It publishes ${title}${main.length === 0 ? '' : `; these sentences carry most: ${quotations(main)}`}.`;
}

/** `, who says: “…”` with the most central sentences, or nothing where there is no text. */
function said(tweet: Tweet, passages: readonly Passage[], place: Place): string {
  const own = passages.filter((passage) => passage.place === place && passage.tweet.id === tweet.id);
  if (own.length > 0) return `, who says: ${quotations(central(own, passages, 2))}`;
  return plain(tweet.text) === '' ? '' : `, who says: ${quotation(tweet.text)}`;
}

const quotations = (passages: readonly Passage[]): string => listed(passages.map(({ text }) => quotation(text)));
