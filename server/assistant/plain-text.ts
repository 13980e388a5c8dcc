/** Makes untrusted text safe to quote in a sentence. */
import { lazy } from '../collections/lazy.ts';

/** Control characters, and characters that change the text direction. */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** A text that is such a line already, as most are: to find that out is faster than to replace nothing. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/** One trimmed line without control and direction characters. */
export const plain = (text: string): string =>
  plainLine.test(text) ? text : text.toWellFormed().replace(controlCharacters, ' ').replace(/\s+/gu, ' ').trim();

/**
 * Characters that no reader sees and that carry text past a reader: tags (U+E0000 to U+E007F), direction overrides and
 * isolates, zero-width spaces, and variation selectors that encode bytes. Joiners stay, because scripts and emoji need
 * them.
 */
const invisible =
  /[\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\ufeff\u00ad\u180e]|[\ufe00-\ufe0f]{2,}/gu;

/** The part of a text that a reader sees. */
export const shown = (text: string): string => text.toWellFormed().replace(invisible, '');

/** At most `limit` UTF-16 units, without a cut grapheme; `…` marks the cut. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = text.slice(0, limit - 1);
  const space = room.lastIndexOf(' ');
  const end = space > limit / 2 ? space : lastGraphemeStart(room);
  return `${room.slice(0, end).trimEnd()}…`;
}

/**
 * The start of the last grapheme of a cut text, which may be incomplete. A letter can have any number of combining
 * marks.
 */
function lastGraphemeStart(text: string): number {
  let last = 0;
  for (const { index } of graphemes().segment(text)) last = index;
  return last === 0 ? text.length - (/[\ud800-\udbff]$/.test(text) ? 1 : 0) : last;
}
const graphemes = lazy(() => new Intl.Segmenter('und', { granularity: 'grapheme' }));
