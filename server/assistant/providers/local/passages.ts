/** The passages of a subject: its sentences with their source. */
import type { Schemas } from '../../../contract/operations.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { withoutAddressees } from './wording.ts';
import { termsOf, type Lexis } from './words.ts';

type Tweet = Schemas['Tweet'];
export type PassageSource =
  | 'post'
  | 'card'
  | 'article'
  | 'repeated'
  | 'quoted'
  | 'thread'
  | 'continued'
  | 'reply'
  | 'authored';

export interface Passage {
  readonly place: PassageSource;
  /** The post that contains the sentence. */
  readonly tweet: Tweet;
  /** One sentence, on one line. */
  readonly text: string;
  /** Its terms without stop words. */
  readonly terms: readonly string[];
}

/**
 * Maximum length of each text in UTF-16 units, and maximum number of sentences, which together bound the time. The post
 * itself is read completely up to the platform's maximum length; of the other posts only the beginning is read.
 */
const maxLength: Readonly<Record<PassageSource, number>> = {
  post: 25_000,
  card: 1000,
  article: 25_000,
  repeated: 10_000,
  quoted: 10_000,
  thread: 1000,
  continued: 1000,
  reply: 1000,
  authored: 300,
};
const maxSentences = 300;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
const isEmptySentence = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text.replace(/(?:https?:\/\/|[@#])\S+/g, ''));

const dayNumber = /(?:^|\s)\d{1,2}\.\s*$/u;
const germanMonth = /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u;

/** The sentences of a line. The day of a German date (“18. März”) ends none. */
function segmentsOf(line: string): string[] {
  const found: string[] = [];
  for (const { segment } of sentences.segment(line)) {
    const last = found.at(-1);
    const isDate = last !== undefined && dayNumber.test(last.slice(-8)) && germanMonth.test(segment);
    if (isDate) found[found.length - 1] = last + segment;
    else found.push(segment);
  }
  return found;
}

/** The non-empty sentences of the first `limit` UTF-16 units of a text. */
export function sentencesOf(text: string, limit: number): string[] {
  const sentenceTexts: string[] = [];
  for (const line of text.slice(0, limit).split(/[\r\n\u2028\u2029]+/)) {
    for (const segment of segmentsOf(line)) {
      const sentence = plain(segment);
      if (sentence !== '' && !isEmptySentence(sentence)) sentenceTexts.push(sentence);
      if (sentenceTexts.length === maxSentences) return sentenceTexts;
    }
  }
  return sentenceTexts;
}

/** All passages of the subject, those of the post first. */
export function passagesOf({ tweet, thread, replies, authored, continuation }: Subject, lexis: Lexis): Passage[] {
  const of = (place: PassageSource, holder: Tweet, text: string | undefined): Passage[] =>
    sentencesOf(text ?? '', maxLength[place]).map((sentence) => ({
      place,
      tweet: holder,
      text: sentence,
      terms: termsOf(withoutAddressees(sentence), lexis),
    }));
  const attached = (holder: Tweet): Passage[] => [
    ...of('card', holder, [holder.card?.title, holder.card?.description].filter(Boolean).join('\n')),
    ...of('article', holder, [holder.article?.title, holder.article?.text].filter(Boolean).join('\n')),
  ];
  const { quoted_tweet: quoted, retweeted_tweet: repeated } = tweet;
  return [
    ...(repeated === null
      ? of('post', tweet, tweet.text)
      : [...of('repeated', repeated, repeated.text), ...attached(repeated)]),
    ...attached(tweet),
    ...(quoted === null ? [] : [...of('quoted', quoted, quoted.text), ...attached(quoted)]),
    ...thread.flatMap((post) => of('thread', post, post.text)),
    ...continuation.flatMap((post) => of('continued', post, post.text)),
    ...replies.flatMap((post) => (continuation.some(({ id }) => id === post.id) ? [] : of('reply', post, post.text))),
    ...authored.flatMap((post) => (post.retweeted_tweet === null ? of('authored', post, post.text) : [])),
  ];
}
