/** Answers questions by retrieval of passages and facts, or states that nothing was found. */
import { tokensOf } from '../../../search/language/tokenizer.ts';
import type { Subject, Turn } from '../../../ports/assistant-provider.ts';
import { factsOf, type Fact } from './facts.ts';
import { sentencesOf, type Passage, type PassageSource } from './passages.ts';
import { bestMatches } from './ranking.ts';
import { counted, day, listed, nameOf, quotation, sentence, withoutAddressees } from './wording.ts';
import { term, termsOf, type IsStop } from './words.ts';

/** Maximum number of terms of a question. */
const maxTerms = 64;
const maxPassages = 3;
/** Words that request the complete explanation. */
const explanationWords = new Set(
  [
    'explain',
    'explanation',
    'summary',
    'summarise',
    'summarize',
    'tldr',
    'tl',
    'dr',
    'meaning',
    'context',
    'analyse',
    'analyze',
    'analysis',
    'gist',
    'point',
  ].map(term),
);
/** Words that request a format. They are ignored, because there is only one format. */
const formatWords = new Set([
  'sentence',
  'line',
  'paragraph',
  'bullet',
  'short',
  'shortly',
  'brief',
  'briefly',
  'simple',
  'simply',
  'plain',
  'main',
]);
/** Words that are no search terms but select a fact. */
const questionWords = new Set(['who', 'when', 'lot']);
/** Words that name the source in which to search. */
const sourceWords: readonly (readonly [PassageSource, readonly string[]])[] = [
  [
    'reply',
    ['reply', 'replied', 'comment', 'commented', 'response', 'answer', 'people', 'others', 'everyone', 'reader'],
  ],
  ['thread', ['thread', 'earlier', 'before']],
  ['article', ['article']],
  ['quoted', ['quoted']],
];

/** The parsed prompt. */
interface ParsedPrompt {
  readonly terms: readonly string[];
  /** The prompt has no terms (“and why?”) and continues the previous question. */
  readonly continued: boolean;
}

/** The paragraphs of an answer; undefined for a general question such as “what is this about?”. */
export function answer(
  subject: Subject,
  passages: readonly Passage[],
  turns: readonly Turn[],
  prompt: string,
  isStop: IsStop,
): string[] | undefined {
  const words = new Set(tokensOf(prompt).slice(0, maxTerms).map(term));
  const parsedPrompt = parsePrompt(prompt, words, turns, isStop);
  if (parsedPrompt === undefined) return undefined;
  const { continued } = parsedPrompt;
  const previousAnswers = turns.map(({ answer: text }) => text).join('\n');
  const newPassages = continued ? passages.filter(({ text }) => !previousAnswers.includes(quoted(text))) : passages;

  const facts = matchingFacts(factsOf(subject, passages), parsedPrompt.terms, words).filter(
    ({ text }) => !continued || !previousAnswers.includes(text),
  );
  const coveredTerms = new Set(facts.flatMap(({ about }) => about));
  const rest = parsedPrompt.terms.filter((word) => !coveredTerms.has(word));
  const place = sourceWords.find(([, names]) => names.some((name) => words.has(name)) && rest.length > 0)?.[0];
  const contentTerms = rest.filter((word) => place === undefined || !wordsForSource(place).has(word));
  const candidates = place === undefined ? newPassages : newPassages.filter((passage) => passage.place === place);
  const found =
    contentTerms.length === 0 ? [] : bestMatches(candidates, contentTerms, maxPassages).map(attributedQuotation);
  // A word that only names the source does not request a fact about the source.
  const relevantFacts =
    place === undefined || found.length === 0
      ? facts
      : facts.filter(({ about }) =>
          parsedPrompt.terms.some((word) => about.includes(word) && !wordsForSource(place).has(word)),
        );
  if (found.length > 0) return [...relevantFacts.map(({ text }) => text), ...found];
  if (relevantFacts.length > 0 && place === undefined)
    return [
      ...relevantFacts.map(({ text }) => text),
      ...(rest.length === 0 ? [] : [nothingFound(subject, rest, place, false)]),
    ];
  // The fact about an empty source states that it is empty.
  if (relevantFacts.length > 0 && !passages.some((passage) => passage.place === place))
    return relevantFacts.map(({ text }) => text);
  const earlier = continued ? undefined : earlierAnswer(turns, contentTerms);
  const missing =
    earlier === undefined
      ? nothingFound(subject, contentTerms, place, continued)
      : sentence(`An earlier answer of this conversation says: ${quotation(earlier)}`);
  return [missing, ...relevantFacts.map(({ text }) => text)];
}

function parsePrompt(
  prompt: string,
  words: ReadonlySet<string>,
  turns: readonly Turn[],
  isStop: IsStop,
): ParsedPrompt | undefined {
  const own = termsOf(prompt, isStop).slice(0, maxTerms);
  if (
    own.some((word) => explanationWords.has(word)) &&
    own.every((word) => explanationWords.has(word) || formatWords.has(word))
  )
    return undefined;
  if (own.length > 0) return { terms: own, continued: false };
  if (words.intersection(questionWords).size > 0) return { terms: [], continued: false };
  const earlier = turns
    .toReversed()
    .map((turn) => termsOf(turn.prompt ?? '', isStop))
    .find((terms) => terms.length > 0);
  return earlier === undefined ? undefined : { terms: earlier.slice(0, maxTerms), continued: true };
}

/**
 * The facts that a question requests, best first, at most two. At least half of the question's terms must belong to the
 * fact.
 */
function matchingFacts(facts: readonly Fact[], questionTerms: readonly string[], words: ReadonlySet<string>): Fact[] {
  const terms = questionTerms.length > 0 ? new Set(questionTerms) : words.intersection(questionWords);
  return facts
    .map((fact) => ({ fact, hits: new Set(fact.about).intersection(terms).size }))
    .filter(({ hits }) => hits > 0 && hits * 2 >= terms.size)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, 2)
    .map(({ fact }) => fact);
}

const wordsForSource = (place: PassageSource): ReadonlySet<string> =>
  new Set(sourceWords.find(([source]) => source === place)?.[1]);
const quoted = (text: string): string => quotation(withoutAddressees(text));

function attributedQuotation({ place, tweet, text }: Passage): string {
  return sentence(`${speaker(place, tweet)} says: ${quoted(text)}`);
}

function speaker(place: PassageSource, tweet: Passage['tweet']): string {
  switch (place) {
    case 'post':
      return 'The post';
    case 'card':
      return 'Its link preview';
    case 'article':
      return 'The article';
    case 'repeated':
      return `The reposted post by ${nameOf(tweet)}`;
    case 'quoted':
      return `The quoted post by ${nameOf(tweet)}`;
    case 'thread':
      return `Earlier in the thread ${nameOf(tweet)}`;
    case 'reply':
      return `In a reply ${nameOf(tweet)}`;
    case 'authored':
      return `On ${day(tweet.created_at)}, in another post, the author`;
  }
}

/**
 * A sentence of an earlier answer on the terms. Sentences with quotations are excluded: they come from the subject,
 * which was already searched.
 */
function earlierAnswer(turns: readonly Turn[], questionTerms: readonly string[]): string | undefined {
  const sentences = turns.flatMap(({ answer: text }) => sentencesOf(text, 4000)).filter((text) => !text.includes('“'));
  const terms = new Set(questionTerms);
  return sentences.findLast(
    (text) => terms.size > 0 && new Set(tokensOf(text).map(term)).intersection(terms).size * 2 >= terms.size,
  );
}

function nothingFound(
  { tweet, thread, replies, authored }: Subject,
  contentTerms: readonly string[],
  place: PassageSource | undefined,
  continued: boolean,
): string {
  const sources: readonly (readonly [PassageSource, string])[] = [
    ['post', 'the post'],
    ['article', tweet.article === undefined ? '' : 'its article'],
    ['quoted', tweet.quoted_tweet === null ? '' : 'the quoted post'],
    ['thread', thread.length === 0 ? '' : 'its thread'],
    [
      'reply',
      replies.length === 0
        ? ''
        : replies.length === 1
          ? 'the available reply'
          : `the ${counted(replies.length, 'available reply', 'available replies')}`,
    ],
    ['authored', authored.length === 0 ? '' : `${counted(authored.length, 'other post')} of its author`],
  ];
  const searched = sources
    .filter(([source, words]) => words !== '' && (place === undefined || source === place))
    .map(([, words]) => words);
  if (searched.length === 0) return 'The archive contains no such text for this post.';
  const terms = [...new Set(contentTerms)].slice(0, 5).map(quotation);
  return `I found no${continued ? ' other' : ''} text${terms.length === 0 ? ' that matches the question' : ` about ${listed(terms)}`} in ${listed(searched)}.`;
}
