/** Verifies the references and links of an answer while it is streamed. */
import { shown } from '../../plain-text.ts';
import { addressIn, addressPattern } from './addresses.ts';
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
    String.raw`\b(?<other>(?:javascript|vbscript|data|mailto|file|blob|tel|sms|h(?:tt|xx)ps?|s?ftps?|wss?|ssh|magnet|intent|ipfs):${urlCharacter}+)`,
    String.raw`(?<mark></?DATA-[0-9a-f]{0,24}>?|DATA-[0-9a-f]{24})`,
    String.raw`(?<picture>!(?=\[))`,
    `(?<bare>${addressPattern})`,
  ].join('|'),
  'giu',
);
/** Maximum length of a text that waits for its end, in UTF-16 units. */
const maxWaiting = 1_000;
/** The end of a longer text, in which a token may begin. The longest name of a host has 253 characters. */
const lastPart = 300;
/** Characters of addresses: of ASCII, letters of any script, and dots. */
const addressCharacter = /[!-~\p{L}\p{M}\p{N}\ud800-\udfff．﹒․]/u;

/** Where the end of a text begins that later pieces may complete to a token: a word, a URL, a reference or a target. */
function startOfUnfinished(text: string): number {
  const word = lastIndex(text, text.length, /[^\s<>"'`]/);
  const address = text.slice(word).search(/[a-z][a-z\d+.-]{0,20}:|www\.|[\\/]/i);
  const lastBracket = text.lastIndexOf('[');
  const lastTarget = text.lastIndexOf('](');
  return Math.min(
    startOfAddress(text, text.length),
    startOfAddress(text, address === -1 ? text.length : word + address),
    lastIndex(text, text.length, /[\ufe00-\ufe0f]/),
    /^\[\s?post:[\s\d]{0,21}$/i.test(text.slice(lastBracket, lastBracket + 40)) ? lastBracket : text.length,
    lastTarget !== -1 && /^[^()\n]*$/.test(text.slice(lastTarget + 2)) ? lastTarget : text.length,
  );
}

/** Where the address before a place begins. An ideographic full stop is a dot only after a Latin letter or a digit. */
function startOfAddress(text: string, end: number): number {
  let start = end;
  while (
    start > 0 &&
    (addressCharacter.test(text.charAt(start - 1)) ||
      (/[。｡]/.test(text.charAt(start - 1)) && /[a-z\dａ-ｚ０-９]/i.test(text.charAt(start - 2))))
  )
    start--;
  return start;
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
  /** Whether the text that waits is a part of one word. */
  #isWord = false;

  constructor(sources: KnownSources) {
    this.#sources = sources;
  }

  /** Adds a piece and returns the text that is verified. */
  push(piece: string): string {
    // Nothing is decided within a word, so that small pieces of a long one are not read again each time.
    const continues = this.#isWord && /^[!-~]*$/.test(piece);
    this.#waiting = continues ? this.#waiting + piece : shown(this.#waiting + piece);
    if (continues && this.#waiting.length <= maxWaiting) return '';
    const start = startOfUnfinished(this.#waiting);
    const isLong = this.#waiting.length - start > maxWaiting;
    const taken = this.#take(isLong ? this.#endOfLongWord() : this.#startOf(start));
    this.#isWord = startOfAddress(this.#waiting, this.#waiting.length) === 0;
    return taken;
  }

  /** Ends the text and returns its last part. */
  end(): string {
    return this.#take(this.#waiting.length);
  }

  /** The place, or the start of the token around it. */
  #startOf(place: number): number {
    return this.#tokenAround(place)?.index ?? place;
  }

  /** The end of what is taken of a word that is too long: before its last part, or after the token around that place. */
  #endOfLongWord(): number {
    const place = this.#waiting.length - lastPart;
    return this.#tokenAround(place)?.end ?? place;
  }

  #tokenAround(place: number): { readonly index: number; readonly end: number } | undefined {
    for (const { index, 0: token } of this.#waiting.matchAll(tokens)) {
      const end = index + token.length;
      if (index >= place) return undefined;
      if (end > place) return { index, end };
    }
    return undefined;
  }

  #take(length: number): string {
    const ready = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    return ready.replace(tokens, (token, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      return groups['bare'] === undefined
        ? this.#verified(token, groups)
        : this.#verifiedAddress(token, ready, rest.at(-3) as number);
    });
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

  /** An address without a scheme, in a text at a place; what only looks like one stays. */
  #verifiedAddress(token: string, text: string, place: number): string {
    const address = addressIn(token, text.charAt(place - 1), text.charAt(place + token.length));
    if (address === undefined || this.#sources.knows(address.form)) return token;
    return `${token.slice(0, address.start)}${unverified}${token.slice(address.end)}`;
  }

  /** A URL in a sentence: the punctuation after it does not belong to it. */
  #verifiedUrl(url: string): string {
    const bare = url.replace(/[.,;:!?)\]}*_。、，！？）」』】]+$/u, '');
    return `${this.#sources.cites(bare) ? bare : unverified}${url.slice(bare.length)}`;
  }
}
