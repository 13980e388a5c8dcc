/** What can be followed in the text of a tweet. */

export interface Piece {
  readonly is: 'plain' | 'link' | 'mention' | 'hashtag' | 'cashtag';
  readonly text: string;
}

/**
 * Addresses end before the punctuation that ends a sentence; signs within a word begin nothing, as `a@b` and `C#7` show. The
 * platform's own rules (github.com/twitter/twitter-text) know more cases, in a library that no browser gets from here.
 */
const followed = new RegExp(
  [
    String.raw`(?<link>https?://[^\s<>"“”]*[^\s<>"“”.,:;!?'’)\]}…。、])`,
    String.raw`(?<![\p{L}\p{M}\p{N}_&/@#])(?:(?<mention>@\w{1,15})(?![\w@])|(?<hashtag>#[\p{L}\p{M}\p{N}_]*[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*))`,
    String.raw`(?<![\p{L}\p{M}\p{N}_$])(?<cashtag>\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)(?![\p{L}\p{N}_])`,
  ].join('|'),
  'gu',
);

/** The text in pieces; together they are the text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const plainUntil = (at: number): void => void (at > end && pieces.push({ is: 'plain', text: text.slice(end, at) }));
  for (const { index, 0: found, groups } of text.matchAll(followed)) {
    const [is] = Object.entries(groups!).find(([, group]) => group !== undefined)!;
    plainUntil(index);
    pieces.push({ is: is as Piece['is'], text: found });
    end = index + found.length;
  }
  plainUntil(text.length);
  return pieces;
}
