/** Understands a question: what it asks for, about which part of the conversation, and in which form. */
import { tokensOf } from '../../../search/language/tokenizer.ts';
import type { CountName } from '../../../ports/platform.ts';
import { cueNames, type CueName, type Language, type Stance } from './languages.ts';
import type { FactKind } from './retrieval.ts';
import { readable, type Lexis } from './words.ts';

export type Format = 'usual' | 'short' | 'bullets';
export type Detail = 'links' | 'attached' | 'mentions' | 'hashtags' | 'token';

/** What a question asks for. */
export type Request =
  | { readonly kind: 'explain' | 'who' | 'when' | 'compare' | 'figures' | 'quoted' | 'quotes' | 'self' | 'usual' }
  | { readonly kind: 'followers' | 'replies' | 'sentiment' | 'before' | 'more' }
  /** `about`: the ids of the posts whose answers are asked for; if empty, all. */
  | { readonly kind: 'authorAnswers'; readonly about: readonly string[] }
  | { readonly kind: 'summary'; readonly target: 'post' | 'article' | 'quoted'; readonly format: Format }
  | { readonly kind: 'stance'; readonly stance: Exclude<Stance, 'neutral'> }
  | { readonly kind: 'count' | 'whoDid'; readonly count: CountName }
  | { readonly kind: 'detail'; readonly detail: Detail }
  /** The reply with the most engagement, or with the most likes. */
  | { readonly kind: 'topReply'; readonly byLikes: boolean }
  /** `isHere`: the question is about what the person writes in this conversation. */
  | { readonly kind: 'person'; readonly username: string; readonly isHere: boolean }
  /** People of the conversation with the same name, by their ids. */
  | { readonly kind: 'namesakes'; readonly ids: readonly string[] }
  | { readonly kind: 'item'; readonly index: number }
  /** `terms`: what the conversation may have said about it. */
  | { readonly kind: 'limit'; readonly isForModel: boolean; readonly terms: readonly string[] }
  | { readonly kind: 'truth' | 'later' | 'related'; readonly terms: readonly string[] }
  | {
      readonly kind: 'search';
      readonly terms: readonly string[];
      readonly fact: FactKind;
      readonly isOfReplies: boolean;
    };

/** Maximum number of terms of a question. */
export const maxTerms = 32;
/** Maximum number of words of a question that asks for the figures of the post alone: “how many?”. */
const maxBare = 3;

/** Cues whose words never say what a passage is about. */
const structural: readonly CueName[] = [
  ...([
    'summarise',
    'explain',
    'bullets',
    'short',
    'howMany',
    'who',
    'when',
    'where',
    'why',
    'self',
    'opinion',
  ] as const),
  ...(['verify', 'predict', 'related', 'replies', 'post', 'author', 'best', 'filler'] as const),
];
const structuralOrNow: readonly CueName[] = [...structural, 'now'];
const usual: readonly CueName[] = ['usual'];
/** Cues of facts about a text, not of what a question asks for. */
const ofTexts: ReadonlySet<CueName> = new Set(['reason', 'number', 'time', 'refute', 'confirm', 'now']);
const ofQuestions = cueNames.filter((name) => !ofTexts.has(name));
const countCues: readonly (readonly [CueName, CountName])[] = [
  ['likes', 'like_count'],
  ['reposts', 'retweet_count'],
  ['bookmarks', 'bookmark_count'],
  ['views', 'view_count'],
  ['quoteCount', 'quote_count'],
];
const details: readonly (readonly [CueName, Detail])[] = [
  ['token', 'token'],
  ['hashtags', 'hashtags'],
  ['mentions', 'mentions'],
  ['media', 'attached'],
  ['links', 'links'],
];
const factCues: readonly (readonly [CueName, FactKind])[] = [
  ['why', 'reason'],
  ['howMany', 'number'],
  ['when', 'time'],
  ['who', 'person'],
  ['where', 'place'],
];

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
  readonly #terms: readonly string[];
  /** The words that no cue explains. */
  readonly #unexplained: readonly string[];

  constructor(prompt: string, language: Language, lexis: Lexis, situation: Situation) {
    this.#language = language;
    this.#text = readable(prompt);
    this.#lexis = lexis;
    this.#situation = situation;
    this.#terms = this.#termsWithout(structural);
    this.#unexplained = this.#termsWithout(ofQuestions);
  }

  request(): Request {
    return (
      this.#reference() ??
      this.#limit() ??
      this.#aboutPeople() ??
      this.#summary() ??
      this.#figures() ??
      this.#aboutPlace() ??
      this.#fact() ??
      this.#search()
    );
  }

  #has(...names: readonly CueName[]): boolean {
    return names.some((name) => this.#language.has(name, this.#text));
  }

  /** The terms without the words of these cues. */
  #termsWithout(names: readonly CueName[], text = this.#text): string[] {
    const rest = this.#language.without(names, text);
    return [...new Set(tokensOf(rest).filter((word) => !this.#lexis.isStop(word)))].slice(0, maxTerms);
  }

  /** A reference to the previous answer: “the second one”, “more”, “who are they”. */
  #reference(): Request | undefined {
    const { hasItems, hasReplies, previous } = this.#situation;
    if (this.#unexplained.length <= 1 && (hasItems || (hasReplies && this.#has('replies')))) {
      const ordinals = this.#language.data.cues.ordinals.split(' ; ');
      const index = ordinals.findIndex((source) => this.#text.search(this.#language.pattern(source)) !== -1);
      if (index !== -1) return { kind: 'item', index };
      if (this.#has('last') && !this.#has('author', 'now')) return { kind: 'item', index: -1 };
    }
    const isBare = this.#unexplained.length === 0 && tokensOf(this.#text).length <= 6;
    if (previous?.kind === 'count' && isBare && this.#has('who') && !this.#has('author', 'post'))
      return { kind: 'whoDid', count: previous.count };
    const other = this.#has('summarise', 'explain', 'why', 'who', 'when', 'howMany', 'compare', 'author');
    return this.#has('more') && isBare && previous !== undefined && !other ? { kind: 'more' } : undefined;
  }

  #limit(): Request | undefined {
    if (this.#has('self') && this.#unexplained.length <= 1) return { kind: 'self' };
    if (this.#has('act')) return { kind: 'limit', isForModel: false, terms: [] };
    if (this.#has('translate', 'opinion')) return { kind: 'limit', isForModel: true, terms: [] };
    if (this.#has('verify')) return { kind: 'truth', terms: this.#claimed };
    if (this.#has('predict')) return { kind: 'limit', isForModel: true, terms: this.#terms };
    return undefined;
  }

  /** What a question asks the truth of: in “is the water really safe” the words between the first one and the last one. */
  get #claimed(): string[] {
    const within = (words: string): string => words.split(' ').slice(1, -1).join(' ');
    const { verify } = this.#language.data.cues;
    return this.#termsWithout(structural, this.#text.replace(this.#language.pattern(verify), within));
  }

  get #isOfReplies(): boolean {
    const { previous } = this.#situation;
    const were = previous?.kind === 'replies' || previous?.kind === 'stance' || previous?.kind === 'sentiment';
    return this.#has('replies') || (were && /\bthe(?:y|m)\b/.test(this.#text));
  }

  #aboutPeople(): Request | undefined {
    if (this.#asksForParent) return { kind: 'before' };
    const few = this.#unexplained.length <= 1;
    if (this.#has('answered') && this.#has('author') && few && !this.#has('when', 'howMany', 'who'))
      return { kind: 'authorAnswers', about: [] };
    if (this.#has('sentiment') && few) return { kind: 'sentiment' };
    if (!few) return undefined;
    const stances = (['disagree', 'agree', 'ask', 'joke'] as const).filter((name) => this.#has(name));
    // “Who does not agree” has the words of both.
    const isNegated = stances.includes('disagree') && stances.includes('agree') && this.#negates;
    const [stance] = stances;
    const isAbout = this.#isOfReplies || this.#has('who') || !this.#has('author', 'post');
    if ((stances.length === 1 || isNegated) && stance !== undefined && isAbout)
      return { kind: 'stance', stance: stance === 'ask' ? 'asks' : stance === 'joke' ? 'jokes' : stance };
    if (stance === undefined && this.#has('best') && this.#has('replies'))
      return { kind: 'topReply', byLikes: this.#has('likes') };
    return stances.length > 1 ? { kind: 'replies' } : undefined;
  }

  get #negates(): boolean {
    const { negations } = this.#language.data;
    return negations !== '' && this.#text.search(this.#language.pattern(negations)) !== -1;
  }

  /** Whether it asks with a cue: in “what did they say when he asked?” the second question word is a conjunction. */
  #asks(cue: CueName): boolean {
    const { cues, joined } = this.#language.data;
    const asking = this.#language.pattern(joined.before);
    const at = this.#text.search(this.#language.pattern(cues[cue]));
    const isAsking = at === this.#text.search(asking) || this.#text.slice(at).search(asking) !== 0;
    return at !== -1 && (joined.before === '' || isAsking);
  }

  /** Whether a question begins with a verb, in a language whose questions do: “did they find it?”. */
  get #isYesNo(): boolean {
    return this.#text.search(this.#language.pattern(this.#language.data.joined.verbs)) === 0;
  }

  /** Whether “reply” stands for the post's own parent, as in “what does it reply to?”. */
  get #asksForParent(): boolean {
    // “Did they know it before?” asks about what happened.
    return (
      (!this.#isYesNo || this.#has('answered')) &&
      this.#has('before') &&
      this.#unexplained.length === 0 &&
      !this.#has('howMany', 'when', 'why')
    );
  }

  get #format(): Format {
    if (this.#has('bullets')) return 'bullets';
    return this.#has('short') ? 'short' : 'usual';
  }

  #summary(): Request | undefined {
    const { previous } = this.#situation;
    const isBare = this.#format !== 'usual' && this.#unexplained.length === 0;
    if (previous?.kind === 'summary' && isBare && !this.#has('summarise')) return { ...previous, format: this.#format };
    if ((!this.#has('summarise') && !isBare) || this.#unexplained.length > 2) return undefined;
    if (this.#isOfReplies) return { kind: 'replies' };
    const target = (['article', 'quoted'] as const).find((name) => this.#has(name)) ?? 'post';
    return { kind: 'summary', target, format: this.#format };
  }

  #figures(): Request | undefined {
    if (this.#unexplained.length > 0 || this.#has('why', 'when', 'where')) return undefined;
    const count = countCues.find(([cue]) => this.#has(cue))?.[1];
    if (this.#has('who')) {
      const isOther = this.#has('author') && !/^who (?:has |have )?(?:like|re|quote|bookmark|shar)/.test(this.#text);
      return count === undefined || isOther ? undefined : { kind: 'whoDid', count };
    }
    const wantsNumber = this.#has('howMany');
    if (this.#has('followers')) return { kind: 'followers' };
    if (this.#isComparison && !(wantsNumber && count !== undefined)) return { kind: 'compare' };
    const isOnlyCount = tokensOf(this.#text).length <= 3 || !this.#has('replies', 'explain', 'summarise', 'more');
    // “Quotes?” asks for the quoted post, unless it asks for a number.
    if (count !== undefined && (wantsNumber || (isOnlyCount && count !== 'quote_count')))
      return { kind: 'count', count };
    if (wantsNumber && this.#has('replies') && this.#has('answered')) return { kind: 'count', count: 'reply_count' };
    // A longer question has a verb that is no term: “by how much did it go up?”.
    return wantsNumber && this.#terms.length === 0 && tokensOf(this.#text).length <= maxBare
      ? { kind: 'figures' }
      : undefined;
  }

  /** A comparison with the usual has a word for it besides “usually”, which alone asks what somebody usually does. */
  get #isComparison(): boolean {
    const rest = this.#has('usual') ? this.#language.without(usual, this.#text) : this.#text;
    return this.#language.has('compare', rest);
  }

  #aboutPlace(): Request | undefined {
    const isPlain = this.#unexplained.length === 0;
    if (this.#has('why')) return undefined;
    if (this.#has('related') && !this.#has('usual')) return { kind: 'related', terms: this.#unexplained };
    if (this.#has('usual') && !this.#has('replies') && isPlain) return { kind: 'usual' };
    if (this.#has('now') && !this.#has('howMany', 'replies'))
      return { kind: 'later', terms: this.#termsWithout(structuralOrNow) };
    if (!isPlain) return undefined;
    if (this.#has('quoted')) return { kind: this.#has('who', 'replies') ? 'quotes' : 'quoted' };
    if (this.#isOfReplies && !this.#has('howMany')) return { kind: 'replies' };
    if (this.#has('article')) return { kind: 'summary', target: 'article', format: this.#format };
    return undefined;
  }

  #fact(): Request | undefined {
    const username = namedUser.exec(this.#text)?.[1];
    if (username !== undefined && this.#has('who', 'author', 'explain') && !this.#has('why'))
      return { kind: 'person', username, isHere: false };
    if (this.#unexplained.length > 0 || this.#has('why')) return undefined;
    const detail = this.#has('where') && !this.#has('links') ? undefined : details.find(([cue]) => this.#has(cue))?.[1];
    if (detail !== undefined) return { kind: 'detail', detail };
    const isOfPost = this.#terms.length === 0;
    if (this.#has('when') && isOfPost) return { kind: 'when' };
    // “Did they find him?” asks about what happened, not who he is.
    const isOfEvent = !this.#has('who', 'usual') && this.#language.conceptsIn(this.#text).length > 0;
    const isOther = isOfEvent || this.#has('explain', 'where', 'howMany');
    if (isOfPost && (this.#has('who') || (this.#has('author') && !isOther))) return { kind: 'who' };
    const isOfAdvice = this.#language.has('advice', this.#text);
    const isAll = isOfPost && !(isOfEvent && (isOfAdvice || this.#isYesNo || this.#has('author')));
    return isAll && !this.#has('where', 'howMany', 'agree', 'disagree') ? { kind: 'explain' } : undefined;
  }

  #search(): Request {
    const { previous } = this.#situation;
    const terms =
      this.#terms.length > 0 || previous === undefined || !('terms' in previous) ? this.#terms : previous.terms;
    const fact = factCues.find(([cue]) => this.#asks(cue))?.[1] ?? 'any';
    return { kind: 'search', terms, fact, isOfReplies: this.#isOfReplies };
  }
}

/** A username after `@`, at the end of the question or before a space. */
const namedUser = /@(\w{1,50}(?:[.-]\w+)*)/u;

/** What a prompt asks for in a conversation. */
export const requestOf = (prompt: string, language: Language, lexis: Lexis, situation: Situation): Request =>
  new Reader(prompt, language, lexis, situation).request();
