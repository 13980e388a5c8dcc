/** Verifies the references and links of an answer while it is streamed. */
import { shown } from '../../plain-text.ts';
import type { KnownSources } from './known-sources.ts';

/** Replaces what could not be verified. */
export const unverified = '[?]';

const urlCharacter = String.raw`[^\s<>"'\u0060]`;
/** `[post:ID]`; a Markdown target; a URL of a scheme, without a scheme, or of a scheme without slashes; the marker of the data. */
const tokens = new RegExp(
  [
    String.raw`!?\[\s?post:\s?(?<post>\d{1,19})\s?\]`,
    String.raw`\]\(\s{0,3}<?(?<target>[^\s()<>]{0,2048})(?:[>\s][^()\n]{0,300})?\)`,
    String.raw`(?<url>(?:[a-z][a-z\d+.-]{0,20}:[\\/]{1,3}|[\\/]{2}(?=[^\s/]+\.)|\bwww\.)${urlCharacter}+)`,
    String.raw`\b(?<other>(?:javascript|vbscript|data|mailto|file|blob|tel|sms):${urlCharacter}+)`,
    String.raw`(?<mark></?DATA-[0-9a-f]{0,24}>?|DATA-[0-9a-f]{24})`,
    String.raw`(?<picture>!(?=\[))`,
  ].join('|'),
  'giu',
);
/** Maximum length of a text that waits for its end, in UTF-16 units. */
const maxWaiting = 1_000;
/** The end of a longer text, at which a token may begin. */
const beginning = /(?:[a-z][a-z\d+.-]{0,20}(?::[\\/]{0,3})?|[\\/]{1,3}|!?\[[^\]\s]{0,26}|[!\]]|<?\/?[a-z\d-]{0,30})$/iu;

/** Where the end of a text begins that later pieces may complete to a token: a word, a URL, a reference or a target. */
function startOfUnfinished(text: string): number {
  const word = lastIndex(text, text.length, /[^\s<>"'`]/);
  const address = text.slice(word).search(/[a-z][a-z\d+.-]{0,20}:|www\.|[\\/]/i);
  const lastBracket = text.lastIndexOf('[');
  const lastTarget = text.lastIndexOf('](');
  return Math.min(
    lastIndex(text, address === -1 ? text.length : word + address, /[!-~]/),
    lastIndex(text, text.length, /[\ufe00-\ufe0f]/),
    /^\[\s?post:[\s\d]{0,21}$/i.test(text.slice(lastBracket, lastBracket + 40)) ? lastBracket : text.length,
    lastTarget !== -1 && /^[^()\n]*$/.test(text.slice(lastTarget + 2)) ? lastTarget : text.length,
  );
}

/** Where the run of such characters before a place begins. */
function lastIndex(text: string, end: number, character: RegExp): number {
  let start = end;
  while (start > 0 && character.test(text.charAt(start - 1))) start--;
  return start;
}

/**
 * Replaces `[post:ID]` with the number of the post, and what is unverified with `[?]`. Pictures become links, and
 * characters that no reader sees are removed. The result does not depend on how the pieces are cut.
 */
export class VerifiedText {
  readonly #sources: KnownSources;
  #waiting = '';

  constructor(sources: KnownSources) {
    this.#sources = sources;
  }

  /** Adds a piece and returns the text that is verified. */
  push(piece: string): string {
    this.#waiting = shown(this.#waiting + piece);
    const start = startOfUnfinished(this.#waiting);
    const isLong = this.#waiting.length - start > maxWaiting;
    return this.#take(isLong ? this.#endOfLongWord() : this.#startOf(start));
  }

  /** Ends the text and returns its last part. */
  end(): string {
    return this.#take(this.#waiting.length);
  }

  /** The place, or the start of the token around it. */
  #startOf(place: number): number {
    return this.#tokenAround(place)?.index ?? place;
  }

  /** The end of what is taken of a word that is too long: where a token may begin, or all of it inside of a token. */
  #endOfLongWord(): number {
    const place = this.#waiting.length - (beginning.exec(this.#waiting)?.[0].length ?? 0);
    return this.#tokenAround(place) === undefined ? place : this.#waiting.length;
  }

  #tokenAround(place: number): { readonly index: number } | undefined {
    for (const { index, 0: token } of this.#waiting.matchAll(tokens)) {
      if (index >= place) return undefined;
      if (index + token.length > place) return { index };
    }
    return undefined;
  }

  #take(length: number): string {
    const ready = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    return ready.replace(tokens, (token, ...rest) => this.#verified(token, rest.at(-1)));
  }

  #verified(token: string, groups: Record<string, string | undefined>): string {
    const { post, target, url, other, mark, picture } = groups;
    if (picture !== undefined || mark !== undefined) return '';
    if (post !== undefined) {
      const number = this.#sources.numberOf(post);
      return number === undefined ? unverified : `[${number}]`;
    }
    if (target !== undefined) return this.#sources.cites(target) ? token : `]${unverified}`;
    if (url !== undefined) return this.#verifiedUrl(url);
    return other === undefined ? token : unverified;
  }

  /** A URL in a sentence: the punctuation after it does not belong to it. */
  #verifiedUrl(url: string): string {
    const bare = url.replace(/[.,;:!?)\]}*_。、，！？）」』】]+$/u, '');
    return `${this.#sources.cites(bare) ? bare : unverified}${url.slice(bare.length)}`;
  }
}
