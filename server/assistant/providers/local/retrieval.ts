/** Finds the passages that answer a question: by its words, and by the kind of fact that it asks for. */
import { tokensOf } from '../../../search/language/tokenizer.ts';
import { plain } from '../../plain-text.ts';
import type { CueName, Language } from './languages.ts';
import { askedBy, weightOf, withoutAddressees, type Node, type Place } from '../../conversation-tree.ts';
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
}

/** Maximum length of a passage in UTF-16 units, unless one sentence is longer. */
const maxPassage = 160;

/** The posts as passages, with what they ask: for a search of who mentions something. */
export const mentionsOf = (nodes: readonly Node[], lexis: Lexis): Passage[] =>
  nodes.map((node) => {
    const text = withoutAddressees(node.post.text);
    return { node, text, asked: undefined, askedTerms: [], terms: termsOf(text, lexis) };
  });

/** The passages of posts. */
export function passagesOf(nodes: readonly Node[], lexis: Lexis): Passage[] {
  return nodes.flatMap((node) => {
    const asked = askedBy(node);
    const askedTerms = asked === undefined ? [] : termsOf(asked.questions.join(' '), lexis);
    return [...joined(node.statements, plain(node.post.text)), ...joined(node.attached, node.attached.join(' '))].map(
      (text) => ({
        ...{ node, text, asked, askedTerms },
        terms: termsOf(withoutAddressees(text), lexis),
      }),
    );
  });
}

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
/** Weights by place: the author's own words first, then what people say, then other posts. */
const placeWeight: Readonly<Record<Place, number>> = {
  ...{ post: 1.5, repeated: 1.5, quoted: 1.2, linked: 1.2, thread: 1.2, continued: 1.4 },
  ...{ reply: 1, deeper: 1, quote: 1, later: 1.3, authored: 0.3, found: 0.5 },
};
/** An answer of the author to a question like the user's is what the user looks for. */
const authorAnswers = 1.6;

export interface Match {
  readonly passage: Passage;
  /** The part of the weight of the question's terms that the passage has, 0–1. A term weighs one plus its inverse document frequency. */
  readonly coverage: number;
  readonly score: number;
}

/** The part of the question's terms that an answer must have; less where it has two of them, or a number beside one. */
const minCoverage = 0.5;
const minOfTwo = 0.38;
const minCounted = 0.3;
/** What a question of the same kind adds to the answer that it got: “where does it come from” and “where is that from”. */
const sameKind = 3;
/** Minimum length of words of which one begins with the other, and which then count as the same. */
const minStem = 5;

/** The passages that answer a question, best first, at most one of a post. `language`: that of the question. */
export function answersIn(
  passages: readonly Passage[],
  terms: readonly string[],
  fact: FactKind,
  language: Language,
): Match[] {
  const sets = passages.map((passage) => new Set([...passage.terms, ...passage.askedTerms]));
  const vocabulary = new Set(sets.flatMap((each) => [...each]));
  const wanted = [...new Set(terms.map((term) => knownForm(term, vocabulary)))];
  const idf = new Map(wanted.map((term) => [term, idfOf(sets, term)]));
  const total = [...idf.values()].reduce((sum, weight) => sum + 1 + weight, 0);
  const average = passages.reduce((sum, passage) => sum + passage.terms.length, 0) / Math.max(1, passages.length);
  const best = new Map<string, Match>();
  for (const passage of passages) {
    const kind = factOf(passage, fact, wanted, language);
    if (kind === 0) continue;
    const { covered, matched, score } = scoreOf(passage, idf, average);
    const bonus = (covered > 0 || total === 0) && isSameKind(passage, fact, language) ? sameKind : 0;
    const coverage = total === 0 ? 1 : Math.min(1, (covered + bonus) / total);
    if (coverage < (kind === counted ? minCounted : matched > 1 ? minOfTwo : minCoverage)) continue;
    const match = { passage, coverage, score: (score + bonus + coverage * 3) * kind * importance(passage, wanted) };
    const known = best.get(passage.node.post.id);
    if (known === undefined || known.score < match.score) best.set(passage.node.post.id, match);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}

/** The term, or a term of the passages that begins with it or that it begins with. */
function knownForm(term: string, vocabulary: ReadonlySet<string>): string {
  if (vocabulary.has(term) || term.length < minStem) return term;
  for (const other of vocabulary)
    if (other.length >= minStem && (other.startsWith(term) || term.startsWith(other))) return other;
  return term;
}

const cueOf: Readonly<Partial<Record<FactKind, CueName>>> = {
  reason: 'why',
  number: 'howMany',
  time: 'when',
  person: 'who',
  place: 'where',
};
const isSameKind = ({ asked }: Passage, fact: FactKind, language: Language): boolean => {
  const cue = cueOf[fact];
  return cue !== undefined && asked !== undefined && asked.questions.some((each) => language.has(cue, readable(each)));
};

function idfOf(sets: readonly ReadonlySet<string>[], term: string): number {
  const count = sets.filter((each) => each.has(term)).length;
  return Math.log(1 + (sets.length - count + 0.5) / (count + 0.5));
}

const importance = ({ node, asked, askedTerms }: Passage, wanted: readonly string[]): number =>
  placeWeight[node.place] *
  (1 + Math.log10(weightOf(node)) / 6) *
  (asked !== undefined && node.isByAuthor && askedTerms.some((term) => wanted.includes(term)) ? authorAnswers : 1);

function scoreOf(
  passage: Passage,
  idf: ReadonlyMap<string, number>,
  average: number,
): { covered: number; matched: number; score: number } {
  const counts = new Map<string, number>();
  for (const term of [...passage.terms, ...passage.askedTerms])
    if (idf.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  let covered = 0;
  let score = 0;
  const norm = saturation * (1 - lengthWeight + (lengthWeight * passage.terms.length) / Math.max(1, average));
  for (const [term, times] of counts) {
    const weight = idf.get(term) ?? 0;
    covered += 1 + weight;
    score += (weight * times * (saturation + 1)) / (times + norm);
  }
  return { covered, matched: counts.size, score };
}

/** How well a passage with a number beside a term of the question fits. */
const counted = 2;

/** Whether a passage has the kind of fact: 0 rules it out, and above 1 it has it. */
function factOf(passage: Passage, fact: FactKind, wanted: readonly string[], language: Language): number {
  const { text } = passage;
  const folded = readable(text);
  switch (fact) {
    case 'any':
      return 1;
    case 'number':
      return numberIn(passage, wanted, language);
    case 'time':
      return timeIn(folded, language) ? 1.4 : 0;
    case 'reason':
      return language.has('reason', folded) || isSameKind(passage, fact, language) ? 1.4 : 0;
    case 'person':
      return /@\w/.test(text) || /(?<=[\p{L}\p{N},;:’']\s)\p{Lu}\p{Ll}/u.test(text) ? 1.3 : 0.8;
    case 'place':
      return /(?<=[\p{L}\p{N},;:’']\s)\p{Lu}\p{Ll}/u.test(text) ? 1.3 : 0.8;
  }
}

/** Whether a passage has a number that is no term of the question, and whether it stands beside one: “139 runners”. */
function numberIn({ text, terms }: Passage, wanted: readonly string[], language: Language): number {
  const words = tokensOf(withoutMarks(readable(text)));
  const isNumber = (word: string): boolean =>
    !wanted.includes(word) && (/\d/.test(word) || word.replace(language.pattern(language.data.cues.number), '') === '');
  if (!words.some(isNumber)) return 0;
  const own = wanted.filter((term) => terms.includes(term));
  const isBeside = words.some(
    (word, n) =>
      isNumber(word) &&
      own.some((term) => [words[n + 1], words[n + 2]].some((next) => next?.startsWith(term.slice(0, 4)) === true)),
  );
  return isBeside ? counted : 1.4;
}

const withoutMarks = (text: string): string => text.replace(/https?:\/\/\S+|[@#]\S+/g, ' ');

/** Whether a text names a time: a clock time, a date, a year, a month, a day of the week, or a word such as “tomorrow”. */
function timeIn(folded: string, language: Language): boolean {
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
