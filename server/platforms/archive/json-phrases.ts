/**
 * Shortens the JSON of tweets: a control character stands for a phrase that many tweets have. `JSON.stringify` escapes the control
 * characters of a text, so a text has none of them.
 */

/** By the code of the control character. The longest phrase wins where several begin at one place. */
const phrases: readonly string[] = [
  '"text":',
  ',"entities":{"mentions":[],"hashtags":[],"cashtags":[],"urls":[]},"lang":"',
  ',"entities":{"mentions":[],"hashtags":[],"cashtags":[],"urls":[]},"',
  ',"entities":{"mentions":[],"hashtags":[],"cashtags":[],"urls":[{"url":"https://t.co/',
  ',"entities":{"mentions":[',
  '{"username":"',
  '","name":"',
  '","id":"',
  '"}],"hashtags":[],"cashtags":[],"urls":[]},"',
  '],"hashtags":[',
  '],"cashtags":[',
  '],"urls":[{"url":"https://t.co/',
  '],"urls":[]},"',
  '{"url":"https://t.co/',
  '{"url":"',
  '","display_url":"',
  '"}]},"expanded_urls":["https://',
  '"}]},"expanded_urls":["http',
  ',"in_reply_to_id":"',
  '","in_reply_to_username":"',
  '","lang":"',
  '],"lang":"',
  '","source":"Twitter ',
  '","source":"',
  ',"possibly_sensitive":false',
  ',"quoted_tweet_id":"',
  ',"retweeted_tweet_id":"',
  ',"conversation_id":"',
  ',"media":[{"type":"photo","url":"https://pbs.twimg.com/media/',
  '","expanded_url":"http',
  '","uri":"at://did:plc:',
  '/app.bsky.feed.post/',
];

const escaped = (phrase: string): string => phrase.replace(/[[\]{}./]/g, String.raw`\$&`);
const longestFirst = phrases.toSorted((a, b) => b.length - a.length);
const anyPhrase = new RegExp(longestFirst.map(escaped).join('|'), 'g');
const codes = new Map(phrases.map((phrase, code) => [phrase, String.fromCharCode(code)]));
// oxlint-disable-next-line no-control-regex -- They are the codes.
const anyCode = /[\0-\x1f]/g;

/** `json`: text without control characters. */
export const shorten = (json: string): string => json.replace(anyPhrase, (phrase) => codes.get(phrase)!);

export const expand = (shortened: string): string => shortened.replace(anyCode, (code) => phrases[code.charCodeAt(0)]!);

/** The number of bytes of the expanded text. */
export function expandedBytes(shortened: string): number {
  let bytes = Buffer.byteLength(shortened);
  for (let index = 0; index < shortened.length; index++) {
    const phrase = phrases[shortened.charCodeAt(index)];
    if (phrase !== undefined) bytes += phrase.length - 1;
  }
  return bytes;
}

/** Stands for `"text":`. */
export const textMember = codes.get('"text":')!;
