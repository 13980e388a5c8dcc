/** Answers to questions, by retrieval: what the subject says on them, or plainly that it says nothing. */
import { tokensOf } from '../../../search/language/tokenizer.ts';
import type { Subject, Turn } from '../../../ports/assistant-provider.ts';
import { factsOf, type Fact } from './facts.ts';
import { sentencesOf, type Passage, type Place } from './passages.ts';
import { fitting } from './ranking.ts';
import { counted, day, listed, nameOf, quotation, sentence, withoutAddressees } from './wording.ts';
import { term, termsOf, type IsStop } from './words.ts';

/** Of a long question the first terms count. */
const mostTerms = 64;
const mostPassages = 3;
/** Words by which the whole explanation is asked for. */
const explaining = new Set(
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
/** Words that say what form it is wanted in; it has one form. */
const forming = new Set([
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
/** Words that carry no matter of their own and still ask for something certain. */
const pointing = new Set(['who', 'when', 'lot']);
/** Words that name where an answer is looked for. */
const whereabouts: readonly (readonly [Place, readonly string[]])[] = [
  [
    'reply',
    ['reply', 'replied', 'comment', 'commented', 'response', 'answer', 'people', 'others', 'everyone', 'reader'],
  ],
  ['thread', ['thread', 'earlier', 'before']],
  ['article', ['article']],
  ['quoted', ['quoted']],
];

/** What a prompt asks for. */
interface Asked {
  readonly terms: readonly string[];
  /** It has no matter of its own (“and why?”) and goes on with the one before. */
  readonly continued: boolean;
}

/** Paragraphs that answer a question; undefined where it asks for nothing in particular, such as “what is this about?”. */
export function answer(
  subject: Subject,
  passages: readonly Passage[],
  turns: readonly Turn[],
  prompt: string,
  isStop: IsStop,
): string[] | undefined {
  const words = new Set(tokensOf(prompt).slice(0, mostTerms).map(term));
  const asked = askedOf(prompt, words, turns, isStop);
  if (asked === undefined) return undefined;
  const { continued } = asked;
  const heard = turns.map(({ answer: text }) => text).join('\n');
  const fresh = continued ? passages.filter(({ text }) => !heard.includes(quoted(text))) : passages;

  const facts = matching(factsOf(subject, passages), asked.terms, words).filter(
    ({ text }) => !continued || !heard.includes(text),
  );
  const told = new Set(facts.flatMap(({ about }) => about));
  const rest = asked.terms.filter((each) => !told.has(each));
  const place = whereabouts.find(([, names]) => names.some((name) => words.has(name)) && rest.length > 0)?.[0];
  const matter = rest.filter((each) => place === undefined || !named(place).has(each));
  const candidates = place === undefined ? fresh : fresh.filter((passage) => passage.place === place);
  const found = matter.length === 0 ? [] : fitting(candidates, matter, mostPassages).map(worded);
  // A place that was only named to look there is not asked for itself.
  const wanted =
    place === undefined || found.length === 0
      ? facts
      : facts.filter(({ about }) => asked.terms.some((each) => about.includes(each) && !named(place).has(each)));
  if (found.length > 0) return [...wanted.map(({ text }) => text), ...found];
  if (wanted.length > 0 && place === undefined)
    return [...wanted.map(({ text }) => text), ...(rest.length === 0 ? [] : [nothing(subject, rest, place, false)])];
  // Where the place itself is empty, the fact about it says so.
  if (wanted.length > 0 && !passages.some((passage) => passage.place === place)) return wanted.map(({ text }) => text);
  const recalled = continued ? undefined : earlierAnswer(turns, matter);
  const missing =
    recalled === undefined
      ? nothing(subject, matter, place, continued)
      : sentence(`An earlier answer of this conversation says: ${quotation(recalled)}`);
  return [missing, ...wanted.map(({ text }) => text)];
}

function askedOf(
  prompt: string,
  words: ReadonlySet<string>,
  turns: readonly Turn[],
  isStop: IsStop,
): Asked | undefined {
  const own = termsOf(prompt, isStop).slice(0, mostTerms);
  if (own.some((each) => explaining.has(each)) && own.every((each) => explaining.has(each) || forming.has(each)))
    return undefined;
  if (own.length > 0) return { terms: own, continued: false };
  if (words.intersection(pointing).size > 0) return { terms: [], continued: false };
  const earlier = turns
    .toReversed()
    .map((turn) => termsOf(turn.prompt ?? '', isStop))
    .find((terms) => terms.length > 0);
  return earlier === undefined ? undefined : { terms: earlier.slice(0, mostTerms), continued: true };
}

/** The facts that a question asks for: at least half of what it speaks of must be theirs. At most two, the best first. */
function matching(facts: readonly Fact[], asked: readonly string[], words: ReadonlySet<string>): Fact[] {
  const sought = asked.length > 0 ? new Set(asked) : words.intersection(pointing);
  return facts
    .map((fact) => ({ fact, hits: new Set(fact.about).intersection(sought).size }))
    .filter(({ hits }) => hits > 0 && hits * 2 >= sought.size)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, 2)
    .map(({ fact }) => fact);
}

const named = (place: Place): ReadonlySet<string> => new Set(whereabouts.find(([each]) => each === place)?.[1]);
const quoted = (text: string): string => quotation(withoutAddressees(text));

function worded({ place, tweet, text }: Passage): string {
  return sentence(`${speaker(place, tweet)} says: ${quoted(text)}`);
}

function speaker(place: Place, tweet: Passage['tweet']): string {
  switch (place) {
    case 'post':
      return 'The post';
    case 'card':
      return 'The preview of its link';
    case 'article':
      return 'The article';
    case 'repeated':
      return `The repeated post by ${nameOf(tweet)}`;
    case 'quoted':
      return `The quoted post by ${nameOf(tweet)}`;
    case 'thread':
      return `Earlier in the thread ${nameOf(tweet)}`;
    case 'reply':
      return `In a reply ${nameOf(tweet)}`;
    case 'authored':
      return `In another post of ${day(tweet.created_at)} the author`;
  }
}

/** What was said before on the matter. Quotations in it come from the subject, which has already been searched. */
function earlierAnswer(turns: readonly Turn[], asked: readonly string[]): string | undefined {
  const sentences = turns.flatMap(({ answer: text }) => sentencesOf(text, 4000)).filter((text) => !text.includes('“'));
  const terms = new Set(asked);
  return sentences.findLast(
    (text) => terms.size > 0 && new Set(tokensOf(text).map(term)).intersection(terms).size * 2 >= terms.size,
  );
}

function nothing(
  { tweet, thread, replies, authored }: Subject,
  matter: readonly string[],
  place: Place | undefined,
  continued: boolean,
): string {
  const everywhere: readonly (readonly [Place, string])[] = [
    ['post', 'the post'],
    ['article', tweet.article === undefined ? '' : 'its article'],
    ['quoted', tweet.quoted_tweet === null ? '' : 'the post that it quotes'],
    ['thread', thread.length === 0 ? '' : 'its thread'],
    [
      'reply',
      replies.length === 0
        ? ''
        : replies.length === 1
          ? 'the one reply that I read'
          : `the ${counted(replies.length, 'reply', 'replies')} that I read`,
    ],
    ['authored', authored.length === 0 ? '' : `${counted(authored.length, 'other post')} of its author`],
  ];
  const here = everywhere
    .filter(([each, words]) => words !== '' && (place === undefined || each === place))
    .map(([, words]) => words);
  if (here.length === 0) return 'The archive holds nothing of the kind for this post.';
  const terms = [...new Set(matter)].slice(0, 5).map(quotation);
  return `I looked for the words of the question and found nothing${continued ? ' more' : ''}${terms.length === 0 ? '' : ` on ${listed(terms)}`} in ${listed(here)}.`;
}
