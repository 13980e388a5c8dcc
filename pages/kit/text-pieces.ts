/** Finds the links, mentions, hashtags and cashtags in the text of a tweet. */
import { handlePattern } from '../../server/text/username.ts';

export interface Piece {
  readonly is: 'plain' | 'link' | 'mention' | 'hashtag' | 'cashtag';
  readonly text: string;
}

/**
 * A URL ends before the punctuation that ends a sentence. A sign within a word starts no tag, as in `a@b` and `C#7`.
 * A mention is a handle where a whole one follows the sign.
 */
const linkPattern = new RegExp(
  [
    String.raw`(?<link>https?://[^\s<>"“”]*[^\s<>"“”.,:;!?'’)\]}…。、])`,
    String.raw`(?<![\p{L}\p{M}\p{N}_&/@#])(?:(?<mention>@(?:${handlePattern}(?!\.?[\w@])|\w{1,15}(?![\w@])))|(?<hashtag>#[\p{L}\p{M}\p{N}_]*[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*))`,
    String.raw`(?<![\p{L}\p{M}\p{N}_$])(?<cashtag>\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)(?![\p{L}\p{N}_])`,
  ].join('|'),
  'gu',
);

/** The names of the groups of the pattern. */
const kinds = ['link', 'mention', 'hashtag', 'cashtag'] as const;

/** Splits a text into pieces; their concatenation is the text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const addPlainText = (until: number): void =>
    void (until > end && pieces.push({ is: 'plain', text: text.slice(end, until) }));
  for (const { index, 0: match, groups } of text.matchAll(linkPattern)) {
    const is = kinds.find((kind) => groups?.[kind] !== undefined) ?? 'plain';
    addPlainText(index);
    pieces.push({ is, text: match });
    end = index + match.length;
  }
  addPlainText(text.length);
  return pieces;
}
