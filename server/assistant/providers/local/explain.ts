/** The explanation of a post: who, what, what it stands on, how far it goes, what people say. */
import type { Schemas } from '../../../contract.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../provider.ts';
import { attachments, authorship, engagement, links, reach, reactions } from './facts.ts';
import type { Passage, Place } from './passages.ts';
import { central } from './ranking.ts';
import { listed, nameOf, quotation, sentence, withoutAddressees } from './wording.ts';

type Tweet = Schemas['Tweet'];

/** A post of so many sentences is quoted whole, and of a longer one as many; another post than the explained one gets fewer. */
const wholePost = 3;
const wholeOther = 2;

/** Paragraphs; each sentence is quoted from the subject or computed from it. */
export function explanation(subject: Subject, passages: readonly Passage[]): string[] {
  const { tweet } = subject;
  const quoted = tweet.quoted_tweet;
  return [
    authorship(subject),
    answered(subject, passages),
    statement(subject, passages),
    article(tweet.retweeted_tweet ?? tweet, passages),
    quoted === null ? '' : sentence(`It quotes ${nameOf(quoted)}${said(quoted, passages, 'quoted')}`),
    attachments(subject),
    links(subject),
    `${engagement(subject)} ${reach(subject)}`,
    reactions(subject, passages),
  ].filter((paragraph) => paragraph !== '');
}

function answered({ tweet, thread }: Subject, passages: readonly Passage[]): string {
  const before = thread.at(-1);
  if (before === undefined) return '';
  const first = thread[0]!;
  const own = before.author.id === tweet.author.id;
  const start = thread.length > 1 && first.author.id !== before.author.id ? `, in a thread that ${nameOf(first)} began` : '';
  return sentence(`It ${own ? "goes on with the author's own post" : `answers ${nameOf(before)}`}${start}${said(before, passages, 'thread', own ? 'which' : 'who')}`);
}

function statement({ tweet }: Subject, passages: readonly Passage[]): string {
  const { retweeted_tweet: repeated } = tweet;
  if (repeated !== null) return sentence(`It repeats a post by ${nameOf(repeated)}${said(repeated, passages, 'repeated')}`);
  if (plain(tweet.text) === '') return 'It has no text.';
  const own = passages.filter((passage) => passage.place === 'post');
  if (own.length <= wholePost) return sentence(`It says: ${quotation(withoutAddressees(tweet.text))}`);
  return sentence(`Of its ${own.length} sentences these carry most: ${quotations(central(own, passages, wholePost))}`);
}

function article({ article: published }: Tweet, passages: readonly Passage[]): string {
  if (published === undefined) return '';
  const own = passages.filter((passage) => passage.place === 'article' && plain(published.title) !== passage.text);
  const main = central(own, passages, wholeOther);
  const title = plain(published.title) === '' ? 'an article' : `the article ${quotation(published.title)}`;
  return sentence(`It publishes ${title}${main.length === 0 ? '' : `; these sentences carry most: ${quotations(main)}`}`);
}

/** `, who says: “…”` with the whole text, or of a longer one the most central sentences; nothing where there is no text. */
function said(tweet: Tweet, passages: readonly Passage[], place: Place, who = 'who'): string {
  const text = withoutAddressees(tweet.text);
  if (text === '') return '';
  const own = passages.filter((passage) => passage.place === place && passage.tweet.id === tweet.id);
  return `, ${who} says: ${own.length <= wholeOther ? quotation(text) : quotations(central(own, passages, wholeOther))}`;
}

const quotations = (passages: readonly Passage[]): string => listed(passages.map(({ text }) => quotation(withoutAddressees(text))));
