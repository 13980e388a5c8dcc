/** The passages of a conversation, and what they have of a question: its words, and the kind of fact that it asks for. */
import { lazy } from '../../../collections/lazy.ts';
import { tokensOf } from '../../../search/language/tokenizer.ts';
import { plain } from '../../plain-text.ts';
import type { ConceptName, CueName, Language } from './languages.ts';
import { askedBy, withoutAddressees, type Node } from '../../conversation-tree.ts';
import { readable, termsOf, type Lexis } from './words.ts';

/** What kind of fact a question asks for; `any`: no special one. */
export type FactKind = 'any' | 'number' | 'time' | 'person' | 'reason' | 'place';

/** Successive sentences of a post that state something. */
export interface Passage {
  readonly node: Node;
  readonly text: string;
  readonly terms: readonly string[];
  /** The question that it answers, and its terms. */
  readonly asked: Node | undefined;
  readonly askedTerms: readonly string[];
  /** How often it or that question has each term. */
  readonly counts: ReadonlyMap<string, number>;
  /** It and that question as texts in which words can be found. */
  readonly folded: string;
  readonly foldedQuestion: string;
}

function passageOf(node: Node, text: string, asked: Node | undefined, lexis: Lexis): Passage {
  const question = asked?.questions.join('\n') ?? '';
  const [terms, askedTerms] = [termsOf(withoutAddressees(text), lexis), termsOf(question, lexis)];
  const counts = new Map<string, number>();
  for (const term of [...terms, ...askedTerms]) counts.set(term, (counts.get(term) ?? 0) + 1);
  const [folded, foldedQuestion] = [lazy(() => readable(text)), lazy(() => readable(question))];
  return {
    ...{ node, text, terms, asked, askedTerms, counts },
    get folded() {
      return folded();
    },
    get foldedQuestion() {
      return foldedQuestion();
    },
  };
}

/** Maximum length of a passage in UTF-16 units, unless one sentence is longer. */
const maxPassage = 160;

/** The posts as passages, with what they ask: for a search of who mentions something. */
export const mentionsOf = (nodes: readonly Node[], lexis: Lexis): Passage[] =>
  nodes.map((node) => passageOf(node, withoutAddressees(node.post.text), undefined, lexis));

/** The passages of posts. */
export const passagesOf = (nodes: readonly Node[], lexis: Lexis): Passage[] =>
  nodes.flatMap((node) =>
    [...joined(node.statements, plain(node.post.text)), ...joined(node.attached, node.attached.join(' '))].map((text) =>
      passageOf(node, text, askedBy(node), lexis),
    ),
  );

/** Short sentences that follow one another in a text belong together. */
function joined(sentences: readonly string[], whole: string): string[] {
  const found: string[] = [];
  for (const text of sentences) {
    const last = found.at(-1);
    const together = [`${last} ${text}`, `${last}${text}`].find((each) => whole.includes(each));
    if (last !== undefined && together !== undefined && together.length < maxPassage)
      found[found.length - 1] = together;
    else found.push(text);
  }
  return found;
}

/** BM25's usual constants (Robertson and Zaragoza, «The Probabilistic Relevance Framework», 2009). */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Whether a post of these passages is one that the author wrote after the post and outside its conversation. */
export const isAfterwards = ({ place }: Node): boolean => place === 'later' || place === 'authored';

/** What a question asks about. */
export interface Query {
  /** Its words as terms. */
  readonly terms: readonly string[];
  /** The concepts that it names, each with its terms. */
  readonly concepts: readonly (readonly [ConceptName, readonly string[]])[];
  readonly fact: FactKind;
  /** Whether it asks about the present, which later posts are about. */
  readonly isOfNow: boolean;
  /** The language of a post; for one without a file, that of the question. */
  readonly languageOf: (node: Node) => Language;
}

/** A word of the same concept counts less than the very word. */
const conceptWeight = 0.8;
/** Concepts of which the answer to a question must have words itself. */
const required: ReadonlySet<ConceptName> = new Set(['price', 'duration', 'distance', 'weight', 'speed']);

/** Whether a text has words that only a reason has. */
export function statesReason(folded: string, language: Language): boolean {
  const [strong = ''] = language.data.cues.reason.split(' ; ');
  return folded.search(language.pattern(strong)) !== -1;
}

export const isRequired = ({ concepts }: Part, fact: FactKind): boolean =>
  fact === 'number' && concepts.some((concept) => required.has(concept));

/** A term of a question, or words that name concepts, its weight, and how often each passage has it. */
export interface Part {
  readonly terms: readonly string[];
  readonly concepts: readonly ConceptName[];
  readonly weight: number;
  readonly counts: readonly number[];
}

export function partsOf(passages: readonly Passage[], { terms, concepts, languageOf }: Query): Part[] {
  const vocabulary = new Set(passages.flatMap(({ counts }) => [...counts.keys()]));
  const inConcepts = new Set(concepts.flatMap(([, words]) => words));
  const part = (own: readonly string[], named: readonly ConceptName[] = []): Part => {
    const known = own.map((term) => knownForm(term, vocabulary));
    const counts = passages.map(({ node, counts: bag, folded, foldedQuestion }) => {
      const count = known.reduce((sum, term) => sum + (bag.get(term) ?? 0), 0);
      if (count > 0) return count;
      const language = languageOf(node);
      const isNamed = named.some((concept) => language.has(concept, folded) || language.has(concept, foldedQuestion));
      return isNamed ? conceptWeight : 0;
    });
    // A word that no passage has weighs as one that a single passage has.
    const having = Math.max(1, counts.filter((count) => count > 0).length);
    return {
      terms: known,
      concepts: named,
      counts,
      weight: Math.log(1 + (passages.length - having + 0.5) / (having + 0.5)),
    };
  };
  return [
    ...[...new Set(terms)].filter((term) => !inConcepts.has(term)).map((term) => part([term])),
    // A word that names several concepts is one part.
    ...[...Map.groupBy(concepts, ([, words]) => words.join(' ')).values()].map((same) =>
      part(
        same[0]?.[1] ?? [],
        same.map(([name]) => name),
      ),
    ),
  ];
}

/** Minimum length of words of which one is a part of the other, or has the same beginning, and which then count as the same. */
const minStem = 5;
export const minBeginning = 4;
/** The part of the longer word that such a beginning must have. */
const minShared = 0.7;

/** The term, or the term of the passages that is most like it: “konzert” and “sommerkonzert”, “coute” and “coutent”. */
function knownForm(term: string, vocabulary: ReadonlySet<string>): string {
  if (vocabulary.has(term) || term.length < minBeginning || /\d/.test(term)) return term;
  let found = term;
  let best = minShared;
  for (const other of vocabulary) {
    if (other.length < minBeginning) continue;
    const [short, long] = other.length < term.length ? [other, term] : [term, other];
    const isPart = short.length >= minStem && (long.startsWith(short) || long.endsWith(short));
    const likeness = isPart ? 0.9 : beginningOf(short, long) / long.length;
    if (likeness > best) [found, best] = [other, likeness];
  }
  return found;
}

function beginningOf(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length < minBeginning ? 0 : length;
}

const cueOf: Readonly<Partial<Record<FactKind, CueName>>> = {
  reason: 'why',
  number: 'howMany',
  time: 'when',
  person: 'who',
  place: 'where',
};
export const isSameKind = ({ asked, foldedQuestion }: Passage, { fact, languageOf }: Query): boolean => {
  const cue = cueOf[fact];
  return cue !== undefined && asked !== undefined && languageOf(asked).has(cue, foldedQuestion);
};

export function scoreOf(
  { terms }: Passage,
  index: number,
  parts: readonly Part[],
  average: number,
): { covered: number; matched: number; score: number } {
  let [covered, matched, score] = [0, 0, 0];
  const norm = saturation * (1 - lengthWeight + (lengthWeight * terms.length) / Math.max(1, average));
  for (const { counts, weight } of parts) {
    const times = counts[index] ?? 0;
    if (times === 0) continue;
    matched++;
    covered += Math.min(1, times) * (1 + weight);
    score += (weight * times * (saturation + 1)) / (times + norm);
  }
  return { covered, matched, score };
}

export const isOfPrice = ({ concepts }: Query): boolean => concepts.some(([name]) => name === 'price');

/** Whether a passage has a number that is no term of the question: `beside` if it stands beside one, as in “139 runners”. */
export function numberIn(
  { folded, terms }: Passage,
  wanted: readonly string[],
  language: Language,
): 'beside' | 'elsewhere' | undefined {
  const words = tokensOf(withoutMarks(folded));
  const isNumber = (word: string): boolean =>
    !wanted.includes(word) && (/\d/.test(word) || word.replace(language.pattern(language.data.cues.number), '') === '');
  if (!words.some(isNumber)) return undefined;
  // “How many bacteria were in the sample?” asks for a number of bacteria.
  const own = wanted.slice(0, 1).filter((term) => terms.includes(term));
  const isBeside = words.some(
    (word, n) =>
      isNumber(word) &&
      own.some((term) => [words[n + 1], words[n + 2]].some((next) => next?.startsWith(term.slice(0, 4)) === true)),
  );
  return isBeside ? 'beside' : 'elsewhere';
}

const withoutMarks = (text: string): string => text.replace(/https?:\/\/\S+|[@#]\S+/g, ' ');

/** Whether a text names a time: a clock time, a date, a year, a month, a day of the week, or a word such as “tomorrow”. */
export function timeIn(folded: string, language: Language): boolean {
  const text = withoutMarks(folded);
  if (
    /\b(?:[01]?\d|2[0-3])[:.h]\d\d\b|\b(?:19|20)\d\d\b|\b\d{1,2}\s?(?:am|pm|uhr|h)\b|\d[日月年時]|\b\d{1,2}[./-]\d{1,2}\b/u.test(
      text,
    )
  )
    return true;
  if (language.has('time', text)) return true;
  const names = timeNamesOf(language);
  return tokensOf(text).some((word) => names.has(word));
}

const timeNames = new Map<Language, ReadonlySet<string>>();
/** The names of months and days in a language. */
function timeNamesOf(language: Language): ReadonlySet<string> {
  let names = timeNames.get(language);
  if (names === undefined) {
    const { locale } = language.data;
    const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
    const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    const months = Array.from({ length: 12 }, (_, n) => month.format(Date.UTC(2026, n, 15)));
    const days = Array.from({ length: 7 }, (_, n) => day.format(Date.UTC(2026, 5, n + 1)));
    names = new Set([...months, ...days].flatMap((name) => tokensOf(name)).filter((name) => name.length > 2));
    timeNames.set(language, names);
  }
  return names;
}

/**
 * The `count` most central sentences in their original order, by nearness to the centroid of all passages (Radev et al.,
 * «Centroid-based summarization of multiple documents», 2004). Earlier sentences weigh more, because writers put the main
 * point first.
 */
export function centralSentences(
  sentences: readonly string[],
  all: readonly Passage[],
  count: number,
  lexis: Lexis,
): string[] {
  if (sentences.length <= count) return [...sentences];
  const shared = new Map<string, number>();
  for (const { terms } of all) for (const term of new Set(terms)) shared.set(term, (shared.get(term) ?? 0) + 1);
  return sentences
    .map((text, index) => {
      const terms = termsOf(text, lexis);
      const weight = [...new Set(terms)].reduce((sum, term) => sum + Math.log(1 + (shared.get(term) ?? 0)), 0);
      return { text, index, score: (weight / Math.sqrt(terms.length + 3)) * (1 + 0.5 / (1 + index)) };
    })
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text);
}
