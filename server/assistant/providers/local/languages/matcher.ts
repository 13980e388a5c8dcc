/** Finds the question words of a language in a folded text. Expressions are compiled at their first use. */
import { fold } from '../../../../search/language/tokenizer.ts';
import type { CueName, Language } from './language.ts';

/** A regular expression that matches the words of a source as complete words. */
export function wordsPattern(source: string, { prefix = '', isUnspaced = false }: WordRules, flags = 'u'): RegExp {
  if (source === '') return /(?!)/g;
  // Folded like the text, so that the sources can have accents.
  const body = foldSource(source);
  return isUnspaced
    ? new RegExp(body, flags)
    : new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])${foldSource(prefix)}(?:${body})(?![\\p{L}\\p{M}\\p{N}_])`, flags);
}

type WordRules = Pick<Language, 'prefix' | 'isUnspaced'>;

/** Folds a source, but not its classes such as `\p{L}`. */
const foldSource = (source: string): string =>
  source
    .split(/(\\p\{[A-Z]\})/)
    .map((part) => (part.startsWith('\\p{') ? part : fold(part)))
    .join('');

class Matcher {
  readonly #language: Language;
  readonly #patterns = new Map<string, RegExp>();

  constructor(language: Language) {
    this.#language = language;
  }

  has(name: CueName, text: string): boolean {
    const pattern = this.#pattern(name, [name]);
    pattern.lastIndex = 0;
    return pattern.test(text);
  }

  /** The text without the words of some cues. */
  without(names: readonly CueName[], text: string): string {
    return text.replace(this.#pattern(names.join(), names), ' ');
  }

  /** The number of UTF-16 units in words of the language. */
  coveredLength(text: string): number {
    const names = (Object.keys(this.#language.cues) as CueName[]).filter((name) => name !== 'reason');
    let covered = 0;
    for (const [match] of text.matchAll(this.#pattern('*', names))) covered += match.length;
    return covered;
  }

  #pattern(key: string, names: readonly CueName[]): RegExp {
    let pattern = this.#patterns.get(key);
    if (pattern === undefined) {
      const source = names
        .map((name) => this.#language.cues[name])
        .filter((each) => each !== '')
        .join('|');
      pattern = wordsPattern(source, this.#language, 'gu');
      this.#patterns.set(key, pattern);
    }
    return pattern;
  }
}

const matchers = new Map<Language, Matcher>();

export function matcherOf(language: Language): Matcher {
  let matcher = matchers.get(language);
  if (matcher === undefined) {
    matcher = new Matcher(language);
    matchers.set(language, matcher);
  }
  return matcher;
}
