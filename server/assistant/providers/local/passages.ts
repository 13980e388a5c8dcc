/** A subject as sentences, each with who says it and where. */
import type { Schemas } from '../../../contract/operations.ts';
import { plain } from '../../plain-text.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { withoutAddressees } from './wording.ts';
import { termsOf, type IsStop } from './words.ts';

type Tweet = Schemas['Tweet'];
export type PassageSource = 'post' | 'card' | 'article' | 'repeated' | 'quoted' | 'thread' | 'reply' | 'authored';

export interface Passage {
  readonly place: PassageSource;
  /** The post that holds it. */
  readonly tweet: Tweet;
  /** One sentence, on one line. */
  readonly text: string;
  /** Its terms with a meaning. */
  readonly terms: readonly string[];
}

/**
 * How much of each text is read, in UTF-16 units, and how many sentences: together they bound the time. The post itself is read
 * whole up to the platform's longest, of each of the many posts around it only the beginning.
 */
const maxLength: Readonly<Record<PassageSource, number>> = {
  post: 25_000,
  card: 1000,
  article: 25_000,
  repeated: 10_000,
  quoted: 10_000,
  thread: 1000,
  reply: 1000,
  authored: 300,
};
const maxSentences = 300;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
const isEmptySentence = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text.replace(/(?:https?:\/\/|[@#])\S+/g, ''));

/** The sentences of a text that say something, at most so many characters and sentences of it. */
export function sentencesOf(text: string, limit: number): string[] {
  const found: string[] = [];
  for (const line of text.slice(0, limit).split(/[\r\n\u2028\u2029]+/)) {
    for (const { segment } of sentences.segment(line)) {
      const sentence = plain(segment);
      if (sentence !== '' && !isEmptySentence(sentence)) found.push(sentence);
      if (found.length === maxSentences) return found;
    }
  }
  return found;
}

/** Everything that the subject says, the post itself first. */
export function passagesOf({ tweet, thread, replies, authored }: Subject, isStop: IsStop): Passage[] {
  const of = (place: PassageSource, holder: Tweet, text: string | undefined): Passage[] =>
    sentencesOf(text ?? '', maxLength[place]).map((sentence) => ({
      place,
      tweet: holder,
      text: sentence,
      terms: termsOf(withoutAddressees(sentence), isStop),
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
    ...thread.flatMap((each) => of('thread', each, each.text)),
    ...replies.flatMap((each) => of('reply', each, each.text)),
    ...authored.flatMap((each) => (each.retweeted_tweet === null ? of('authored', each, each.text) : [])),
  ];
}
