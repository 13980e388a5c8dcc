/** The form of a language: its phrases, and its words for what a question asks for. */
import type { en } from './en.ts';

export type LanguageCode = 'en' | 'es' | 'pt' | 'fr' | 'de' | 'ja' | 'ar' | 'hi';
export type PhraseName = keyof typeof en.phrases;
export type CueName = keyof typeof en.cues;
/** What a reply does by its wording. `neutral`: none of the others. */
export type Stance = 'agree' | 'disagree' | 'asks' | 'jokes' | 'neutral';

export interface Language {
  readonly code: LanguageCode;
  /** BCP 47, for numbers, dates and lists. All languages use Latin digits, so that figures can be searched. */
  readonly locale: string;
  readonly phrases: Readonly<Record<PhraseName, string>>;
  /** Sources of regular expressions of complete words, in lower case. Empty: none. */
  readonly cues: Readonly<Record<CueName, string>>;
  /** Words of a reply that shows a stance. */
  readonly stance: Readonly<Record<'agree' | 'disagree' | 'joke', string>>;
  /** Words that sound positive or negative; English has a lexicon instead. */
  readonly polarity: Readonly<Record<'positive' | 'negative', string>>;
  /** Words that negate the next words. */
  readonly negations: string;
  /** What may stand before a word without a space, as a source of a regular expression. */
  readonly prefix?: string;
  /** Whether words are written without spaces. */
  readonly isUnspaced?: boolean;
  /** What stands between a label and its value, if not a colon and a space. */
  readonly colon?: string;
  /** Whether the language is written from right to left. */
  readonly isRightToLeft?: boolean;
}
