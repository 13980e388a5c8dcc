/** The tokenizer, for indexed texts and for queries. */

/**
 * Scripts without spaces between words, or with endings attached to words. Each character is a token, and a word is a
 * phrase of them. So 東京 matches 東京都, and 서울 matches 서울에서.
 */
const unspacedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** One character of a word, and one character of a punctuation run. */
const letter = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspacedScripts}]]`;
const sign = String.raw`[^\s\p{L}\p{M}\p{N}_\p{Extended_Pictographic}\p{Regional_Indicator}]`;
const singleToken = String.raw`[${unspacedScripts}]|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}`;
/**
 * A regular expression uses stack for each character that a loop matches, and throws after millions. So the tokenizer
 * matches runs in pieces of bounded length and joins adjacent pieces.
 */
const pieceLength = 4096;
const token = new RegExp(`${singleToken}|(?<run>${letter}{1,${pieceLength}})`, 'gv');
const signs = new RegExp(`(?<run>${sign}{1,${pieceLength}})`, 'gv');
const plainAscii = /^[\0-\x7f]*$/;
/** As `token` and `signs`, for folded texts of ASCII characters only: the processor tests fewer ranges. */
const asciiToken = /[\da-z_]+/g;
const asciiSigns = /[^\s\da-z_]+/g;
/**
 * Accents of alphabets, and selectors and joiners that change only the look of an emoji. Marks of other scripts are
 * letters and remain.
 */
const ignored = /[\u0300-\u036f\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** Folds case, accents and width: `Café`, `cafe` and `ＣＡＦＥ` become the same text. */
export const fold = (text: string): string => (plainAscii.test(text) ? text.toLowerCase() : foldAny(text));

const foldAny = (text: string): string => text.normalize('NFKD').replace(ignored, '').normalize('NFC').toLowerCase();

/** The folded tokens of a text, in order. */
export const tokensOf = (text: string): string[] => allMatches(text, token, asciiToken);

/** The folded punctuation runs between the tokens of a text, such as `?` and `:)`. */
export const signRuns = (text: string): string[] => allMatches(text, signs, asciiSigns);

/**
 * All matches of a pattern in the folded text; `asciiPattern` has the same ones in ASCII. The group `run` matches at most one piece
 * of a run; adjacent pieces are joined.
 */
function allMatches(unfolded: string, pattern: RegExp, asciiPattern: RegExp): string[] {
  const isAscii = plainAscii.test(unfolded);
  const text = isAscii ? unfolded.toLowerCase() : foldAny(unfolded);
  // No run is longer than the text, so each match is complete.
  if (text.length <= pieceLength) return text.match(isAscii ? asciiPattern : pattern) ?? [];
  const found: string[] = [];
  /** The end of the previous run; -1 if the previous match was no run. */
  let end = -1;
  for (const { 0: match, index, groups } of text.matchAll(pattern)) {
    const isRun = groups?.run !== undefined;
    if (isRun && index === end) found.push(`${found.pop() ?? ''}${match}`);
    else found.push(match);
    end = isRun ? index + match.length : -1;
  }
  return found;
}
