/** The language of a question. */
import { detect } from 'tinyld/light';
import { fold } from '../../../../search/language/tokenizer.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { ja } from './ja.ts';
import type { Language } from './language.ts';
import { matcherOf } from './matcher.ts';
import { pt } from './pt.ts';

export const languages: readonly Language[] = [en, es, pt, fr, de, ja, ar, hi];

/** The number of UTF-16 units that determine the language. */
const sampleLength = 500;

/** The language with an ISO 639-1 code, or with such a code and a region; undefined if the answers do not support it. */
export const languageOf = (code: string | undefined): Language | undefined =>
  code === undefined ? undefined : languages.find((each) => each.code === code.toLowerCase().split(/[-_]/)[0]);

/** The ISO 639-1 code of the language of a text; undefined if unknown. */
export function detectedCode(text: string): string | undefined {
  const sample = withoutNames(text).slice(0, sampleLength);
  const code = detect(sample);
  return code === '' ? undefined : code;
}

/**
 * The language of a question. Detection fails for a few words (“tl;dr”), so the language whose question words cover most
 * of the text decides, and detection decides between equals. Without any evidence: the language of the conversation.
 */
export function languageOfQuestion(prompt: string, previous: Language | undefined): Language {
  const text = fold(withoutNames(prompt).slice(0, sampleLength));
  if (!/\p{L}/u.test(text)) return previous ?? en;
  // Only Spanish has these marks.
  if (/[¿¡]/u.test(prompt)) return es;
  const code = detectedCode(prompt);
  const detected = languageOf(code);
  const coverages = languages.map((language) => ({
    language,
    covered: matcherOf(language).coveredLength(text) + (language === detected ? detectionBonus(text) : 0),
  }));
  const best = coverages.reduce((most, each) => (each.covered > most.covered ? each : most));
  // A language without phrases shares words with those that have them.
  const isOther = code !== undefined && detected === undefined && best.covered < letterCount(text) * minCoveredPart;
  return best.covered > 0 && !isOther ? best.language : (previous ?? en);
}

const minCoveredPart = 0.6;
const letterCount = (text: string): number => text.replace(/[^\p{L}\p{M}]/gu, '').length;
/** Detection counts like a quarter of the letters: it is right in longer texts, and guesses in short ones. */
const detectionBonus = (text: string): number => letterCount(text) * 0.25;

const withoutNames = (text: string): string => text.replace(/https?:\/\/\S+|[@#$]\S+/g, ' ');
