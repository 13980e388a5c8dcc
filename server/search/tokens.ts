/** Texts as tokens: the one place that says what a word is, for what is searched and for what is asked. */

/** Scripts that are written without spaces: each character is a token, and a word is a phrase of them. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const token = new RegExp(String.raw`[${unspaced}]|\p{Extended_Pictographic}|(?:(?![${unspaced}])[\p{L}\p{N}_])+`, 'gu');
const plainAscii = /^[\0-\x7f]*$/;

/** Case and accents aside: `Café` and `cafe` are the same. */
export const fold = (text: string): string => (plainAscii.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC')).toLowerCase();

/** The tokens of a text in order, folded. */
export const tokensOf = (text: string): string[] => fold(text).match(token) ?? [];
