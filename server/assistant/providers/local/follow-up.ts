/** Answers to questions, by retrieval: what the subject says on them, or plainly that it says nothing. */
import { tokensOf } from '../../../search/tokens.ts';
import type { Subject, Turn } from '../../provider.ts';
import { factsOf, type Fact } from './facts.ts';
import { sentencesOf, type Passage } from './passages.ts';
import { fitting } from './ranking.ts';
import { counted, day, listed, nameOf, quotation } from './wording.ts';
import { term, termsOf, type IsStop } from './words.ts';

/** Of a long question the first terms count. */
const mostTerms = 64;
const mostPassages = 3;
/** Words by which the whole explanation is asked for. */
const explaining = new Set(['explain', 'explanation', 'summary', 'summarise', 'summarize', 'tldr', 'mean', 'meaning', 'context', 'analyse', 'analyze', 'analysis', 'tell'].map(term));

/** Whether a question asks for nothing in particular, such as “what is this about?”. */
export function asksForAll(prompt: string, isStop: IsStop): boolean {
  const terms = termsOf(prompt, isStop);
  const facts = tokensOf(prompt).some((word) => word === 'who' || word === 'when');
  return terms.length === 0 ? !facts : terms.every((each) => explaining.has(each));
}

/** Paragraphs that answer a question. A question without a matter of its own (“and why?”) goes on with the one before. */
export function answer(subject: Subject, passages: readonly Passage[], turns: readonly Turn[], prompt: string, isStop: IsStop): string[] {
  const own = termsOf(prompt, isStop);
  const earlier = turns.toReversed().map((turn) => termsOf(turn.prompt ?? '', isStop)).find((terms) => terms.length > 0) ?? [];
  const asked = (own.length > 0 ? own : earlier).slice(0, mostTerms);
  const words = new Set([...asked, ...tokensOf(prompt).slice(0, mostTerms).map(term)]);

  const facts = matching(factsOf(subject), words, asked);
  const found = fitting(passages, asked, mostPassages);
  const texts = [...facts, ...found.map(worded)];
  if (texts.length > 0) return texts;
  const recalled = earlierAnswer(turns, asked);
  return recalled === undefined ? [nothing(subject, asked)] : [`An earlier answer of this conversation says: ${quotation(recalled)}.`];
}

/** The facts that a question asks for: at least half of what it speaks of must be theirs. At most two, the best first. */
function matching(facts: readonly Fact[], words: ReadonlySet<string>, asked: readonly string[]): string[] {
  return facts
    .map(({ text, about }) => ({ text, hits: new Set(about.map(term)).intersection(words).size }))
    .filter(({ hits }) => hits > 0 && hits * 2 >= new Set(asked).size)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, 2)
    .map(({ text }) => text);
}

function worded({ place, tweet, text }: Passage): string {
  const quoted = quotation(text);
  switch (place) {
    case 'post':
      return `The post says: ${quoted}.`;
    case 'card':
      return `The preview of its link says: ${quoted}.`;
    case 'article':
      return `The article says: ${quoted}.`;
    case 'repeated':
      return `The repeated post by ${nameOf(tweet)} says: ${quoted}.`;
    case 'quoted':
      return `The quoted post by ${nameOf(tweet)} says: ${quoted}.`;
    case 'thread':
      return `Earlier in the thread ${nameOf(tweet)} says: ${quoted}.`;
    case 'reply':
      return `In a reply ${nameOf(tweet)} says: ${quoted}.`;
    case 'authored':
      return `In another post of ${day(tweet.created_at)} the author says: ${quoted}.`;
  }
}

/** What was said before on the matter. Quotations in it come from the subject, which has already been searched. */
function earlierAnswer(turns: readonly Turn[], asked: readonly string[]): string | undefined {
  const sentences = turns.flatMap(({ answer: text }) => sentencesOf(text, 4000)).filter((text) => !text.includes('“'));
  const terms = new Set(asked);
  return sentences.findLast((text) => terms.size > 0 && new Set(tokensOf(text).map(term)).intersection(terms).size * 2 >= terms.size);
}

function nothing({ tweet, thread, replies, authored }: Subject, asked: readonly string[]): string {
  const places = [
    'the post',
    tweet.quoted_tweet === null ? '' : 'the post that it quotes',
    thread.length === 0 ? '' : 'its thread',
    replies.length === 0 ? '' : `the ${counted(replies.length, 'reply', 'replies')} that I looked at`,
    authored.length === 0 ? '' : `${counted(authored.length, 'other post')} of its author`,
  ].filter((place) => place !== '');
  const matter = [...new Set(asked)].slice(0, 5);
  return `The archive does not tell: I found nothing in ${listed(places)}${matter.length === 0 ? ' that answers this' : ` on ${listed(matter.map(quotation))}`}.`;
}
