/** Understands a question: what it asks for, about which part of the context, and in which form. */
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { CountName } from '../../../ports/platform.ts';
import type { CueName, Language, Stance } from './languages/language.ts';
import { matcherOf } from './languages/matcher.ts';
import type { PassageSource } from './passages.ts';
import type { Lexis } from './words.ts';

export type Format = 'usual' | 'oneSentence' | 'short' | 'bullets';
export type Limit = 'translate' | 'verify' | 'predict' | 'judge' | 'act';
export type Target = 'post' | 'replies' | 'article' | 'quoted' | 'thread' | 'author';
/** The facts that one phrase states. */
export type Detail = 'links' | 'media' | 'mentions' | 'hashtags' | 'token';

/** What a question asks for. */
export type Request =
  | { readonly kind: 'explain' }
  | { readonly kind: 'summary'; readonly target: Target; readonly format: Format }
  | { readonly kind: 'who' | 'when' | 'compare' | 'figures' | 'quoted' | 'self' | 'usual' | 'followers' }
  | { readonly kind: 'why'; readonly terms: readonly string[] }
  | { readonly kind: 'replies'; readonly format: Format }
  | { readonly kind: 'stance'; readonly stance: Exclude<Stance, 'neutral'> }
  | { readonly kind: 'sentiment'; readonly target: 'post' | 'replies' }
  | { readonly kind: 'thread'; readonly direction: 'before' | 'after' | 'both' }
  | { readonly kind: 'count'; readonly count: CountName }
  | { readonly kind: 'detail'; readonly detail: Detail }
  /** The reply with the most engagement, or with the most likes. */
  | { readonly kind: 'topReply'; readonly byLikes: boolean }
  /** `isHere`: the question is about what the person writes in this conversation. */
  | { readonly kind: 'person'; readonly username: string; readonly isHere: boolean }
  | { readonly kind: 'related' }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'more' }
  | { readonly kind: 'limit'; readonly limit: Limit; readonly terms: readonly string[] }
  | { readonly kind: 'elsewhere'; readonly terms: readonly string[] }
  | {
      readonly kind: 'search';
      readonly terms: readonly string[];
      readonly place: PassageSource | undefined;
      /** The question asks for a number. */
      readonly wantsNumber: boolean;
    };

/** Maximum length of a prompt that is read in UTF-16 units, and maximum number of its terms. */
const maxLength = 2000;
const maxTerms = 32;

/** Cues whose words never say what a passage is about. */
const structural: readonly CueName[] = [
  'summarise',
  'explain',
  'bullets',
  'oneSentence',
  'short',
  'howMany',
  'who',
  'when',
  'where',
  'why',
  'wrote',
  'self',
  'opinion',
  'verify',
  'predict',
  'related',
  'replies',
  'they',
  'post',
  'author',
  'best',
  'filler',
];

const ordinals: readonly CueName[] = ['first', 'second', 'third', 'fourth', 'fifth'];
const countCues: readonly (readonly [CueName, CountName])[] = [
  ['likes', 'like_count'],
  ['reposts', 'retweet_count'],
  ['bookmarks', 'bookmark_count'],
  ['views', 'view_count'],
  ['quoteCount', 'quote_count'],
];
const details: readonly Detail[] = ['token', 'hashtags', 'mentions', 'media', 'links'];

/** What the question can refer to. */
export interface Situation {
  /** What the previous question asked for. */
  readonly previous: Request | undefined;
  /** Whether the previous answer listed posts. */
  readonly hasItems: boolean;
  readonly hasReplies: boolean;
}

/** A question and its words. */
class Reader {
  readonly #language: Language;
  readonly #text: string;
  readonly #lexis: Lexis;
  readonly #situation: Situation;

  constructor(prompt: string, language: Language, lexis: Lexis, situation: Situation) {
    this.#language = language;
    this.#text = fold(prompt.slice(0, maxLength))
      .replace(/[’‘`´]/gu, "'")
      // The vowel signs of Arabic, and the stretching of words: people write with and without them.
      .replace(/[\u064b-\u0652\u0670\u0640]/gu, '')
      .trim();
    this.#lexis = lexis;
    this.#situation = situation;
  }

  request(): Request {
    return (
      this.#reference() ??
      this.#limit() ??
      this.#aboutReplies() ??
      this.#summary() ??
      this.#figures() ??
      this.#aboutPlace() ??
      this.#fact() ??
      this.#search()
    );
  }

  #has(...names: readonly CueName[]): boolean {
    return names.some((name) => matcherOf(this.#language).has(name, this.#text));
  }

  /** The terms without the words of these cues. */
  #termsWithout(names: readonly CueName[]): string[] {
    const rest = matcherOf(this.#language).without(names, this.#text);
    return [...new Set(tokensOf(rest).filter((word) => !this.#lexis.isStop(word)))].slice(0, maxTerms);
  }

  get #terms(): string[] {
    return this.#termsWithout(structural);
  }

  /** The words that no cue explains. */
  get #unexplained(): string[] {
    const names = (Object.keys(this.#language.cues) as CueName[]).filter((name) => name !== 'reason');
    return this.#termsWithout(names);
  }

  /** A reference to the previous answer: “the second one”, “more”. */
  #reference(): Request | undefined {
    const { hasItems, hasReplies, previous } = this.#situation;
    const few = this.#unexplained.length <= 1;
    if (few && (hasItems || (hasReplies && this.#has('replies')))) {
      const index = ordinals.findIndex((name) => this.#has(name));
      if (index !== -1) return { kind: 'item', index };
      if (this.#has('last') && !this.#has('newest', 'author')) return { kind: 'item', index: -1 };
    }
    const isOnlyMore = this.#has('more') && this.#unexplained.length === 0 && tokensOf(this.#text).length <= 6;
    const other = this.#has('summarise', 'explain', 'why', 'who', 'when', 'howMany', 'compare', 'replies', 'author');
    if (isOnlyMore && previous !== undefined && !other) return { kind: 'more' };
    return undefined;
  }

  #limit(): Request | undefined {
    const terms = this.#terms;
    if (this.#has('self') && this.#unexplained.length <= 1) return { kind: 'self' };
    if (this.#has('translate')) return { kind: 'limit', limit: 'translate', terms: [] };
    if (this.#has('act')) return { kind: 'limit', limit: 'act', terms: [] };
    if (this.#has('verify')) return { kind: 'limit', limit: 'verify', terms };
    if (this.#has('opinion')) return { kind: 'limit', limit: 'judge', terms };
    if (this.#has('predict')) return { kind: 'limit', limit: 'predict', terms };
    return undefined;
  }

  get #isAboutReplies(): boolean {
    const { previous } = this.#situation;
    const wereReplies = previous?.kind === 'replies' || previous?.kind === 'stance' || isOfReplies(previous);
    return this.#has('replies') || (wereReplies && this.#has('they'));
  }

  #aboutReplies(): Request | undefined {
    if (this.#has('before') && this.#has('replies') && this.#has('post', 'who', 'before') && this.#asksForParent())
      return { kind: 'thread', direction: 'before' };
    const isAbout = this.#isAboutReplies;
    const unexplained = this.#unexplained.length;
    if (this.#has('sentiment') && unexplained <= 1)
      return { kind: 'sentiment', target: isAbout || !this.#has('post', 'author') ? 'replies' : 'post' };
    if (unexplained > 1) return undefined;
    const stances = (['disagree', 'agree', 'ask', 'joke'] as const).filter((name) => this.#has(name));
    const [stance] = stances;
    if (stances.length === 1 && stance !== undefined && (isAbout || this.#has('they') || !this.#has('author', 'post')))
      return { kind: 'stance', stance: stance === 'ask' ? 'asks' : stance === 'joke' ? 'jokes' : stance };
    if (stance === undefined && this.#has('best') && this.#has('replies'))
      return { kind: 'topReply', byLikes: this.#has('likes') };
    if (stances.length > 1 && isAbout) return { kind: 'replies', format: this.#format };
    return undefined;
  }

  /** Whether “reply” stands for the post's own parent, as in “what does it reply to?”. */
  #asksForParent(): boolean {
    const { cues } = this.#language;
    const own = matcherOf(this.#language);
    return cues.before !== '' && own.without(['before'], this.#text) !== this.#text && !this.#has('howMany', 'when');
  }

  get #format(): Format {
    if (this.#has('oneSentence')) return 'oneSentence';
    if (this.#has('bullets')) return 'bullets';
    return this.#has('short') ? 'short' : 'usual';
  }

  #summary(): Request | undefined {
    const { previous } = this.#situation;
    const onlyFormat = previous?.kind === 'summary' && this.#format !== 'usual' && this.#unexplained.length === 0;
    if (onlyFormat && !this.#has('summarise')) return { ...previous, format: this.#format };
    if (!this.#has('summarise') && !(this.#format !== 'usual' && this.#unexplained.length === 0)) return undefined;
    if (this.#unexplained.length > 2) return undefined;
    if (this.#isAboutReplies) return { kind: 'replies', format: this.#format };
    const target = (['article', 'thread', 'quoted'] as const).find((name) => this.#has(name)) ?? 'post';
    return { kind: 'summary', target, format: this.#format };
  }

  #figures(): Request | undefined {
    if (this.#unexplained.length > 0 || this.#has('why', 'who', 'when', 'where')) return undefined;
    const wantsNumber = this.#has('howMany');
    if (this.#has('followers')) return { kind: 'followers' };
    if (this.#isComparison && !(wantsNumber && this.#hasCount)) return { kind: 'compare' };
    const count = countCues.find(([cue]) => this.#has(cue))?.[1];
    const isOnlyCount = tokensOf(this.#text).length <= 3 || !this.#has('replies', 'explain', 'summarise', 'more');
    if (count !== undefined && (wantsNumber || isOnlyCount) && !this.#isOnlyQuote(count))
      return { kind: 'count', count };
    if (wantsNumber && this.#has('replies')) return { kind: 'count', count: 'reply_count' };
    return wantsNumber ? { kind: 'figures' } : undefined;
  }

  get #hasCount(): boolean {
    return countCues.some(([cue]) => this.#has(cue));
  }

  /** A comparison with the usual has a word for it besides “usually”, which alone asks what somebody usually does. */
  get #isComparison(): boolean {
    const matcher = matcherOf(this.#language);
    return this.#has('usual') ? matcher.has('compare', matcher.without(['usual'], this.#text)) : this.#has('compare');
  }

  /** “Quotes?” asks for the quoted post, unless it asks for a number. */
  #isOnlyQuote(count: CountName): boolean {
    return count === 'quote_count' && !this.#has('howMany');
  }

  #aboutPlace(): Request | undefined {
    const unexplained = this.#unexplained;
    if (this.#has('related') && !this.#has('newest', 'usual')) {
      if (unexplained.length > 0) return { kind: 'elsewhere', terms: unexplained };
      return { kind: 'related' };
    }
    if (unexplained.length > 0) return undefined;
    if (this.#has('newest', 'usual') && !this.#has('replies')) return { kind: 'usual' };
    if (this.#has('why')) return undefined;
    if (this.#has('quoted')) return { kind: 'quoted' };
    if (this.#isAboutReplies && !this.#has('thread')) return { kind: 'replies', format: this.#format };
    if (this.#has('article')) return { kind: 'summary', target: 'article', format: this.#format };
    if (this.#has('before')) return { kind: 'thread', direction: 'before' };
    if (this.#has('after')) return { kind: 'thread', direction: 'after' };
    return this.#has('thread') ? { kind: 'thread', direction: 'both' } : undefined;
  }

  #fact(): Request | undefined {
    if (this.#has('why')) return { kind: 'why', terms: this.#terms };
    const username = namedUser.exec(this.#text)?.[1];
    if (username !== undefined && this.#has('who', 'author', 'explain'))
      return { kind: 'person', username, isHere: false };
    if (this.#unexplained.length > 0) return undefined;
    const detail = this.#has('where') && !this.#has('links') ? undefined : details.find((name) => this.#has(name));
    if (detail !== undefined) return { kind: 'detail', detail };
    if (this.#has('when')) return { kind: 'when' };
    if (this.#has('who') || (this.#has('author') && !this.#has('explain', 'wrote'))) return { kind: 'who' };
    return this.#has('where', 'agree', 'disagree') ? undefined : { kind: 'explain' };
  }

  #search(): Request {
    const { previous } = this.#situation;
    const own = this.#terms;
    const terms = own.length > 0 ? own : previous !== undefined && 'terms' in previous ? previous.terms : [];
    return { kind: 'search', terms, place: this.#place(), wantsNumber: this.#has('howMany', 'when') };
  }

  #place(): PassageSource | undefined {
    if (this.#isAboutReplies) return 'reply';
    if (this.#has('article')) return 'article';
    if (this.#has('quoted')) return 'quoted';
    return this.#has('thread') ? 'thread' : undefined;
  }
}

/** A username after `@`, at the end of the question or before a space. */
const namedUser = /@(\w{1,50}(?:[.-]\w+)*)/u;

const isOfReplies = (request: Request | undefined): boolean =>
  (request?.kind === 'sentiment' && request.target === 'replies') ||
  (request?.kind === 'search' && request.place === 'reply');

/** What a prompt asks for in a conversation. */
export const requestOf = (prompt: string, language: Language, lexis: Lexis, situation: Situation): Request =>
  new Reader(prompt, language, lexis, situation).request();
