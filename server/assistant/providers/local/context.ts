/** What an answer is made of: the subject, its passages, and the language of the answer. */
import type { ArchiveReader, Subject } from '../../../ports/assistant-provider.ts';
import type { Schemas } from '../../../contract/operations.ts';
import { passagesOf, type Passage } from './passages.ts';
import { wordingOf, type Post, type Wording } from './wording.ts';
import type { Language } from './languages/language.ts';
import { stemmerOf, stopWordsOf, type Lexis } from './words.ts';

type Tweet = Schemas['Tweet'];

export interface Context {
  readonly subject: Subject;
  readonly archive: ArchiveReader;
  readonly wording: Wording;
  readonly lexis: Lexis;
  readonly passages: readonly Passage[];
  /** The replies without the posts with which the author continues the thread. */
  readonly replies: readonly Tweet[];
}

/** An answer, in parts: one sentence that answers, what it rests on, and figures. */
export interface Answer {
  readonly lead: string;
  readonly evidence?: readonly string[];
  readonly figures?: readonly string[];
  /** The posts that the answer lists, in order, so that a follow-up can refer to them. */
  readonly items?: readonly Post[];
}

export async function contextOf(
  subject: Subject,
  archive: ArchiveReader,
  language: Language,
  prompt: string,
): Promise<Context> {
  const lexis = { isStop: stopWordsOf(language.code, subject.tweet.text, prompt), stem: await stemmerOf(language) };
  const continued = new Set(subject.continuation.map(({ id }) => id));
  return {
    subject,
    archive,
    wording: wordingOf(language),
    lexis,
    passages: passagesOf(subject, lexis),
    replies: subject.replies.filter(({ id }) => !continued.has(id)),
  };
}
