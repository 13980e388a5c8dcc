/** The languages of questions and answers. Each is a file of data: phrases, and words that show what a question asks for. */
import { detect } from 'tinyld/light';
import { memoized } from '../../../collections/memoized.ts';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import ar from './languages/ar.json' with { type: 'json' };
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };
import es from './languages/es.json' with { type: 'json' };
import fr from './languages/fr.json' with { type: 'json' };
import hi from './languages/hi.json' with { type: 'json' };
import ja from './languages/ja.json' with { type: 'json' };
import pt from './languages/pt.json' with { type: 'json' };
import { stopLists, stopWordsOf } from '../../stop-lists.ts';

/** English defines which phrases and cues exist, and which values the phrases take; the other languages have the same. */
type LanguageData = typeof en;
export type PhraseName = keyof LanguageData['phrases'];
export type CueName = keyof LanguageData['cues'];
/** What people ask about in other words than those of the answer: “what does it cost?” and “four euros a month”. */
export type ConceptName = keyof LanguageData['concepts'];
/** What a reply does by its wording. `neutral`: none of the others. */
export type Stance = 'agree' | 'disagree' | 'asks' | 'jokes' | 'neutral';

export const cueNames = Object.keys(en.cues) as readonly CueName[];

const files = { en, es, pt, fr, de, ja, ar, hi } satisfies Record<string, LanguageData>;
export type LanguageCode = keyof typeof files;

/** The number of words of which it is kept whether they are cues. */
const maxCueWords = 5000;

/** One language. Its sources of regular expressions match complete words, and are compiled at their first use. */
export class Language {
  readonly code: LanguageCode;
  readonly data: LanguageData;
  /** Auxiliary verbs and the like that the stop list of the language lacks. */
  readonly stopWords: ReadonlySet<string>;
  readonly #sources: Readonly<Record<CueName | ConceptName, string>>;
  readonly #patterns = new Map<string, RegExp>();
  /** The patterns of several cues, by the list of their names. */
  readonly #joined = new WeakMap<readonly CueName[], RegExp>();

  constructor(code: LanguageCode, data: LanguageData) {
    this.code = code;
    this.data = data;
    this.stopWords = new Set(tokensOf(data.stopWords));
    this.#sources = { ...data.cues, ...data.concepts };
  }

  /** Whether a folded text has words of a cue or a concept. */
  has(name: CueName | ConceptName, text: string): boolean {
    return text.search(this.pattern(this.#sources[name])) !== -1;
  }

  /** The concepts of a folded text, each with the words that name it. */
  conceptsIn(text: string): [ConceptName, string[]][] {
    return (Object.keys(this.data.concepts) as ConceptName[])
      .map((name): [ConceptName, string[]] => [name, text.match(this.pattern(this.data.concepts[name])) ?? []])
      .filter(([, words]) => words.length > 0);
  }

  /** The folded text without the words of some cues: of the same list, the pattern is built once. */
  without(names: readonly CueName[], text: string): string {
    let pattern = this.#joined.get(names);
    if (pattern === undefined) {
      pattern = this.pattern(
        names
          .map((name) => this.data.cues[name])
          .filter((source) => source !== '')
          .join('|'),
      );
      this.#joined.set(names, pattern);
    }
    return text.replace(pattern, ' ');
  }

  /** The questions of a folded text: after a question mark, or joined by a word such as “and” before a question word. */
  questionsIn(text: string): string[] {
    const { by, before, verbs } = this.data.joined;
    if (before === '') return text.split(/(?<=[?？])/u).filter((each) => tokensOf(each).length > 1);
    const asks = verbs === '' ? before : `${before}|${verbs}`;
    const gap = this.code === 'ar' ? '' : '\\s+';
    const joint = foldSource(`[\\s,،]+(?:${by})${gap}(?=(?:${asks})(?![\\p{L}\\p{M}]))`);
    const found = text
      .split(new RegExp(`${joint}|(?<=[?؟])`, 'u'))
      .filter((each) => each.search(this.pattern(asks)) !== -1);
    // “What do the replies ask? What is the question?” is one.
    return found.filter((each, n) => n === 0 || !(this.has('ask', each) && this.has('ask', found[0] ?? '')));
  }

  /** Whether a folded word is a cue. */
  readonly isCue = memoized(maxCueWords, (word) => this.without(cueNames, word) === ' ');

  /** A regular expression of complete words. Folded like the texts, so that the sources can have accents. */
  pattern(source: string): RegExp {
    let pattern = this.#patterns.get(source);
    if (pattern === undefined) {
      const { isUnspaced, prefix } = this.data;
      const body = foldSource(source.replaceAll(' ; ', '|'));
      const whole = `(?<![\\p{L}\\p{M}\\p{N}_])${foldSource(prefix)}(?:${body})(?![\\p{L}\\p{M}\\p{N}_])`;
      pattern = new RegExp(source === '' ? '(?!)' : isUnspaced ? body : whole, 'gu');
      this.#patterns.set(source, pattern);
    }
    return pattern;
  }
}

/** Folds a source, but not its classes such as `\p{L}` and `\S`. */
const foldSource = (source: string): string =>
  source
    .split(/(\\(?:p\{[A-Z]\}|[A-Z]))/)
    .map((part, n) => (n % 2 === 1 ? part : fold(part)))
    .join('');

export const languages: readonly Language[] = (Object.keys(files) as LanguageCode[]).map(
  (code) => new Language(code, files[code]),
);
export const english = languages[0]!;

/** The language with an ISO 639-1 code, or with such a code and a region; undefined if it has no file. */
export const languageOf = (code: string | undefined): Language | undefined =>
  code === undefined ? undefined : languages.find((each) => each.code === code.toLowerCase().split(/[-_]/)[0]);

/** The number of UTF-16 units that determine the language, and of letters from which detection is reliable. */
const sampleLength = 500;
const reliableLength = 24;

const withoutNames = (text: string): string => text.replace(/https?:\/\/\S+|[@#$]\S+/g, ' ').slice(0, sampleLength);
const letterCount = (text: string): number => text.replace(/[^\p{L}\p{M}]/gu, '').length;

/** The ISO 639-1 code of the language of a text; undefined if it is unknown, or the text too short to tell. */
export function detectedCode(text: string): string | undefined {
  const sample = withoutNames(text);
  return letterCount(sample) < reliableLength ? undefined : detect(sample) || undefined;
}

/** Whether a text is surely in another language than this one: by two methods, because short texts mislead each of them. */
export function isInOther(text: string, language: Language): boolean {
  const code = detectedCode(text);
  return code !== undefined && languageOf(code) !== language && stopWordsOf(text) !== stopLists.get(language.code);
}

/** Abbreviations that every language uses: they show none. */
const neutralWords = new Set('tl dr tldr pls plz ok okay lol omg btw fyi imo wtf thx ty hi info link ca'.split(' '));

/**
 * The language of a question: by its script, then by the words of the language in it, of which those that few languages have
 * count more. Without evidence, and for a language that has no file: `fallback`, the language of the conversation.
 */
export function languageOfQuestion(prompt: string, fallback: Language = english): Language {
  const text = withoutNames(prompt);
  const [shown] = Object.entries({ ...scripts, ...signs }).find(([, sign]) => sign.test(text)) ?? [];
  if (shown !== undefined) return languageOf(shown) ?? fallback;
  const words = tokensOf(fold(text)).filter((word) => !neutralWords.has(word) && /\p{L}/u.test(word));
  const spaced = languages.filter(({ code }) => !(code in scripts));
  const points = new Map(spaced.map((language) => [language, 0]));
  for (const word of words) {
    const having = spaced.filter((language) => isWordOf(language, word));
    for (const language of having) points.set(language, (points.get(language) ?? 0) + 1 / having.length);
  }
  // Phrases of several words show a language that shares each of the words with another one.
  const phrase = words.join(' ');
  if (phrase === '') return fallback;
  for (const language of spaced) {
    const rest = language.without(cueNames, phrase).trim().length;
    points.set(language, (points.get(language) ?? 0) + 1 - rest / phrase.length);
  }
  // Close languages share most of their words: “le dieron la carta” is asked where people write Spanish.
  const own = points.get(fallback) ?? 0;
  if (own > 0) points.set(fallback, own + ofConversation);
  const [[first, most] = [fallback, 0], [, second] = [fallback, 0]] = [...points].sort((a, b) => b[1] - a[1]);
  // Then detection, which takes most of the time, changes nothing.
  if (most > minPoints && most >= words.length * minCovered && most - second > ofDetection) return first;
  const code = detect(text);
  const detected = languageOf(code);
  if (detected !== undefined && points.has(detected)) points.set(detected, (points.get(detected) ?? 0) + ofDetection);
  const [best, covered] = [...points].reduce((most, each) => (each[1] > most[1] ? each : most));
  const isLong = letterCount(text) >= reliableLength;
  const isOther = isLong && code !== '' && detected === undefined && covered < words.length * minCovered;
  return covered > minPoints && !isOther ? best : fallback;
}

/** What only one language has. */
const signs = { es: /[¿¡]/u, pt: /(?<!\p{L})o que(?!\p{L})|[ãõ]/iu, de: /ß/u };
/**
 * Scripts that show a language; the part of the words that shows one against detection; the least evidence for one; and how much detection
 * and the language of the conversation count.
 */
const scripts = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
};
const minCovered = 0.6;
const minPoints = 0.45;
const ofDetection = 0.4;
const ofConversation = 0.3;

const isWordOf = (language: Language, word: string): boolean =>
  stopLists.get(language.code)?.has(word) === true || language.isCue(word);
