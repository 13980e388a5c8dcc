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
 * What a text is the same with and without: accents of alphabets; the vowel points and signs of recitation of Hebrew and Arabic, and the tatweel,
 * which only widens a word; the soft hyphen and the word joiner; selectors and joiners that change only the look of an emoji. Marks of other
 * scripts, such as the vowels of Devanagari and Thai, are letters and remain.
 */
const ignoredRanges = [
  String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f`,
  String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
  String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`,
  String.raw`\u00ad\u2060\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}`,
].join('');
const ignored = new RegExp(`[${ignoredRanges}]`, 'gu');
const onlyIgnored = new RegExp(`^[${ignoredRanges}]+$`, 'u');

/** Whether `fold` removes each character of a text that is not empty. */
export const isIgnored = (text: string): boolean => onlyIgnored.test(text);

/**
 * Letters that Unicode does not decompose, and what stands for them where a keyboard or a habit does not have them: Latin letters as on
 * passports and in file names; forms of alef, heh and yeh, and the letters that Persian and Urdu write with a code of their own; the two
 * forms of sigma; Arabic digits.
 */
const replaced: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'đd ðd ɖd ɗd øo łl ħh ŧt ıi ŋn ĸq ƒf ɓb ƀb ƙk ɨi ɫl ɛe əa ɔo ßss æae œoe þth ȷj',
    'ٱا ٲا ٳا ىي یي ېي کك ةه ہه ەه ۃه ςσ',
    '٠0 ١1 ٢2 ٣3 ٤4 ٥5 ٦6 ٧7 ٨8 ٩9 ۰0 ۱1 ۲2 ۳3 ۴4 ۵5 ۶6 ۷7 ۸8 ۹9',
  ]
    .flatMap((line) => line.split(' '))
    .map(([from = '', ...to]) => [from, to.join('')]),
);
const replacedLetter = new RegExp(`[${Object.keys(replaced).join('')}]`, 'gu');

/**
 * Folds case, accents, width, and forms of a letter: `Café`, `cafe` and `ＣＡＦＥ` become the same text, and so do `Łódź` and `lodz`. Stored terms are
 * those of one version of this function: a change needs another version of the tables (`version` in open-tables.ts).
 */
export const fold = (text: string): string => (plainAscii.test(text) ? text.toLowerCase() : foldAny(text));

const foldAny = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(ignored, '')
    .toLowerCase()
    .replace(replacedLetter, (letter) => replaced[letter] ?? letter)
    .normalize('NFC');

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
