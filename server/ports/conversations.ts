/** The port to the assistant's conversations: a tweet with its questions and answers, for one API key. */
import { ServiceError } from '../contract/service-error.ts';
import type { Turn } from './assistant-provider.ts';

/** Tweets, and users whose profiles came with tweets, by their ids. */
export interface TweetsAndUsers {
  readonly tweetIds: ReadonlySet<string>;
  readonly userIds: ReadonlySet<string>;
}

/** A conversation that one call uses exclusively until `release`. */
export interface Conversation {
  readonly id: string;
  readonly tweetId: string;
  /** The earlier turns, oldest first. The number and the size of the turns are limited; the oldest are removed. */
  readonly turns: readonly Turn[];
  /** What all earlier answers have used, those of removed turns included: a later answer may repeat their text. */
  readonly used: TweetsAndUsers;
  /**
   * Appends a turn, and what its answer has used; durable when the promise resolves. A conversation that has used too many
   * tweets ends instead. Throws ServiceError 503 if the turn cannot be stored, and 409 if the conversation was ended.
   */
  append(turn: Turn, used: TweetsAndUsers): Promise<void>;
  /**
   * Admits the next call; later calls of `release` do nothing. The time of the use is stored in the background. An
   * adapter whose release can be lost, for example in a crash, ends the use after a time limit.
   */
  release(): void;
}

/** Conversations that expire after a time without use, and whose total number and size are limited. */
export interface Conversations {
  /** Whether there is none. */
  readonly isEmpty: boolean;
  /** Starts a conversation. It can be resumed once its first turn is stored. */
  start(keyId: string, tweetId: string): Promise<Conversation>;
  /**
   * Resumes a conversation, after the earlier calls of it in all processes. Throws ServiceError 404 for an id that was
   * not issued to this key, 409 for an expired conversation, 429 if too many calls of the conversation wait, if the
   * wait is too long or if `signal` aborts.
   */
  resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation>;
  /**
   * Ends the conversations about these tweets, those whose answers used one of them, and those whose answers used a profile of
   * these users; those in use included. This process has no text of them any more when the call returns; the storage has none
   * after a purge. They count as expired. Resolves with their number when that is durable. Rejects with StoreError.
   */
  endUsing(removed: TweetsAndUsers): Promise<number>;
  /** The number of conversations that `endUsing` would end. */
  countUsing(removed: TweetsAndUsers): number;
  /** The tweets that all conversations are about or have used. */
  usedTweets(): ReadonlySet<string>;
  /** Removes the texts of expired and ended conversations, and of removed turns, from the storage. Rejects with StoreError. */
  purge(): Promise<void>;
  /** Ends the purges that the adapter makes by itself. */
  stop(): void;
}

/** The error for the caller of a conversation that has expired or was ended. */
export const conversationExpired = (): ServiceError =>
  new ServiceError(409, 'the conversation has expired; begin a new one with tweet_id');
