/** Texts as tokens: the one place that says what a word is, for what is searched and for what is asked. */

/**
 * Scripts whose words are not set apart, or carry their endings with them: each character is a token, and a word is a phrase of them.
 * So 東京 is found in 東京都 and 서울 in 서울에서.
 */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const token = new RegExp(String.raw`[${unspaced}]|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}|[[\p{L}\p{M}\p{N}_]--[${unspaced}]]+`, 'gv');
const signs = new RegExp(String.raw`[^\s\p{L}\p{M}\p{N}_\p{Extended_Pictographic}\p{Regional_Indicator}]+`, 'gv');
const plainAscii = /^[\0-\x7f]*$/;
/** Accents of alphabets; the marks of other scripts are letters of their own. Selectors and joiners change only how an emoji looks. */
const ignored = /[\u0300-\u036f\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** Case, accents and width aside: `Café`, `cafe` and `ＣＡＦＥ` are the same. */
export const fold = (text: string): string => (plainAscii.test(text) ? text : text.normalize('NFKD').replace(ignored, '').normalize('NFC')).toLowerCase();

/** The tokens of a text in order, folded. */
export const tokensOf = (text: string): string[] => fold(text).match(token) ?? [];

/** The runs of signs between the tokens of a text, such as `?` and `:)`, folded. */
export const signRuns = (text: string): string[] => fold(text).match(signs) ?? [];
