/** The posts that a post replies to or quotes. */
import type { Schemas } from '../../../contract/operations.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import type { Passage, PassageSource } from './passages.ts';
import { centralPassages } from './ranking.ts';
import { nameOf, quotation, quotations, sentence, withoutAddressees } from './wording.ts';

type Tweet = Schemas['Tweet'];

/** Maximum number of quoted sentences of a longer text. */
const maxSentences = 2;

/** The post that this post replies to or continues; empty if there is none. */
export function answered({ tweet, thread }: Subject, passages: readonly Passage[]): string {
  const before = thread.at(-1);
  if (before === undefined) return '';
  const [first = before] = thread;
  const own = before.author.id === tweet.author.id;
  const start =
    thread.length > 1 && first.author.id !== before.author.id ? `In a thread that ${nameOf(first)} started, it` : 'It';
  return sentence(
    `${start} ${own ? "continues the author's own post" : `replies to ${nameOf(before)}`}${saidClause(before, passages, 'thread', own ? 'which' : 'who')}`,
  );
}

/** The quoted post; empty if there is none. */
export function quoting({ tweet: { quoted_tweet: quoted } }: Subject, passages: readonly Passage[]): string {
  return quoted === null ? '' : sentence(`It quotes ${nameOf(quoted)}${saidClause(quoted, passages, 'quoted')}`);
}

/**
 * `, who says: “…”` with the complete text, or with the most central sentences of a longer text; empty if there is no
 * text.
 */
export function saidClause(tweet: Tweet, passages: readonly Passage[], place: PassageSource, who = 'who'): string {
  const text = withoutAddressees(tweet.text);
  if (text === '') return '';
  const own = passages.filter((passage) => passage.place === place && passage.tweet.id === tweet.id);
  return `, ${who} says: ${own.length <= maxSentences ? quotation(text) : quotations(centralPassages(own, passages, maxSentences).map((passage) => passage.text))}`;
}
