/** The port to the assistant's conversations: a tweet with its questions and answers, for one API key. */
import type { Turn } from './assistant-provider.ts';

/** A conversation that one call uses exclusively until `release`. */
export interface Conversation {
  readonly id: string;
  readonly tweetId: string;
  /** The earlier turns, oldest first. The number and the size of the turns are limited; the oldest are removed. */
  readonly turns: readonly Turn[];
  /** Appends a turn; durable when the promise resolves. Throws ServiceError 503 if it cannot be stored. */
  append(turn: Turn): Promise<void>;
  /**
   * Admits the next call; later calls of `release` do nothing. The time of the use is stored in the background. An
   * adapter whose release can be lost, for example in a crash, ends the use after a time limit.
   */
  release(): void;
}

/** Conversations that expire after a time without use, and whose total number and size are limited. */
export interface Conversations {
  /** Starts a conversation. It can be resumed once its first turn is stored. */
  start(keyId: string, tweetId: string): Promise<Conversation>;
  /**
   * Resumes a conversation, after the earlier calls of it in all processes. Throws ServiceError 404 for an id that was
   * not issued to this key, 409 for an expired conversation, 429 if too many calls of the conversation wait, if the
   * wait is too long or if `signal` aborts.
   */
  resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation>;
  /**
   * Ends the conversations about these tweets, those in use included, and removes their texts from the storage. They
   * count as expired. Returns their number; nothing else is lost where it rejects with StoreError.
   */
  endAbout(isAbout: (tweetId: string) => boolean): Promise<number>;
  /** The number of conversations about these tweets. */
  countAbout(isAbout: (tweetId: string) => boolean): number;
}
