/** Texts of strangers, made fit to be quoted in a sentence. */

/** Control characters, and the marks that turn the direction of the text around them. */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** One line without control and direction characters, at its ends no space. */
export const plain = (text: string): string =>
  text.toWellFormed().replace(controlCharacters, ' ').replace(/\s+/gu, ' ').trim();

/** At most `limit` UTF-16 units, cut before a character that does not fit whole; `…` shows the cut. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = text.slice(0, limit - 1);
  const space = room.lastIndexOf(' ');
  const end = space > limit / 2 ? space : lastGraphemeStart(room);
  return `${room.slice(0, end).trimEnd()}…`;
}

/** Where the last grapheme of a cut text begins: it may have been cut in two. Marks may pile up on one letter without end. */
function lastGraphemeStart(text: string): number {
  let last = 0;
  for (const { index } of graphemes.segment(text)) last = index;
  return last === 0 ? text.length - (/[\ud800-\udbff]$/.test(text) ? 1 : 0) : last;
}
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
