/** Texts as tokens: the one place that says what a word is, for what is searched and for what is asked. */

/**
 * Scripts whose words are not set apart, or carry their endings with them: each character is a token, and a word is a phrase of them.
 * So 東京 is found in 東京都 and 서울 in 서울에서.
 */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** One character of a word, and one of a run of signs. */
const letter = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspaced}]]`;
const sign = String.raw`[^\s\p{L}\p{M}\p{N}_\p{Extended_Pictographic}\p{Regional_Indicator}]`;
const alone = String.raw`[${unspaced}]|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}`;
/**
 * A regular expression takes stack for each character that a loop has passed, and throws where a loop passes millions. So runs are matched
 * in pieces of bounded length, and pieces that touch are one run.
 */
const pieceLength = 4096;
const token = new RegExp(`${alone}|(?<run>${letter}{1,${pieceLength}})`, 'gv');
const signs = new RegExp(`(?<run>${sign}{1,${pieceLength}})`, 'gv');
const plainAscii = /^[\0-\x7f]*$/;
/** Accents of alphabets; the marks of other scripts are letters of their own. Selectors and joiners change only how an emoji looks. */
const ignored = /[\u0300-\u036f\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** Case, accents and width aside: `Café`, `cafe` and `ＣＡＦＥ` are the same. */
export const fold = (text: string): string =>
  (plainAscii.test(text) ? text : text.normalize('NFKD').replace(ignored, '').normalize('NFC')).toLowerCase();

/** The tokens of a text in order, folded. */
export const tokensOf = (text: string): string[] => matchesOf(fold(text), token);

/** The runs of signs between the tokens of a text, such as `?` and `:)`, folded. */
export const signRuns = (text: string): string[] => matchesOf(fold(text), signs);

/** The matches of a pattern whose group `run` matches at most one piece; runs of several pieces are put together. */
function matchesOf(text: string, pattern: RegExp): string[] {
  // No run is longer than the text: what is matched is whole.
  if (text.length <= pieceLength) return text.match(pattern) ?? [];
  const found: string[] = [];
  /** Where the last run ended; -1 where what came last was none. */
  let end = -1;
  for (const { 0: match, index, groups } of text.matchAll(pattern)) {
    const isRun = groups?.run !== undefined;
    if (isRun && index === end) found.push(`${found.pop() ?? ''}${match}`);
    else found.push(match);
    end = isRun ? index + match.length : -1;
  }
  return found;
}
