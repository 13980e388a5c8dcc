/** Composes the explanation of a post: author, content, context, reach and replies. */
import type { Schemas } from '../../../contract/operations.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { attachments, authorship, engagement, links, reach, reactions } from './facts.ts';
import type { Passage } from './passages.ts';
import { centralPassages } from './ranking.ts';
import { answered, quoting, saidClause } from './surroundings.ts';
import { nameOf, quotation, quotations, sentence, withoutAddressees } from './wording.ts';

type Tweet = Schemas['Tweet'];

/**
 * Maximum number of quoted sentences of a post and of an article. A post with no more sentences is quoted completely.
 */
const maxPostSentences = 3;
const maxArticleSentences = 2;

/** The paragraphs of the explanation. Each sentence is quoted or computed from the subject. */
export function explanation(subject: Subject, passages: readonly Passage[]): string[] {
  const { tweet } = subject;
  return [
    authorship(subject),
    answered(subject, passages),
    statement(subject, passages),
    article(tweet.retweeted_tweet ?? tweet, passages),
    quoting(subject, passages),
    attachments(subject),
    links(subject),
    `${engagement(subject)} ${reach(subject)}`,
    reactions(subject, passages),
  ].filter((paragraph) => paragraph !== '');
}

function statement({ tweet }: Subject, passages: readonly Passage[]): string {
  const { retweeted_tweet: repeated } = tweet;
  if (repeated !== null)
    return sentence(`It reposts a post by ${nameOf(repeated)}${saidClause(repeated, passages, 'repeated')}`);
  if (plain(tweet.text) === '') return 'It has no text.';
  const own = passages.filter((passage) => passage.place === 'post');
  if (own.length <= maxPostSentences) return sentence(`It says: ${quotation(withoutAddressees(tweet.text))}`);
  return sentence(
    `The most important of its ${own.length} sentences: ${quotations(centralPassages(own, passages, maxPostSentences).map(({ text }) => text))}`,
  );
}

function article({ article: published }: Tweet, passages: readonly Passage[]): string {
  if (published === undefined) return '';
  const own = passages.filter((passage) => passage.place === 'article' && plain(published.title) !== passage.text);
  const main = centralPassages(own, passages, maxArticleSentences);
  const title = plain(published.title) === '' ? 'an article' : `the article ${quotation(published.title)}`;
  return sentence(
    `It publishes ${title}${main.length === 0 ? '' : `; its most important sentences: ${quotations(main.map(({ text }) => text))}`}`,
  );
}
