/** Conversations with the assistant about a tweet. */
import type { AnswerStream, AskOptions } from './ask.ts';
import type { Call } from './call.ts';
import type { AssistantParams } from '../../generated/client.ts';
import type { AssistantAnswer } from '../../generated/types.ts';
import type { Parameters } from './parameters.ts';
import type { ErrorOf } from './error-of.ts';
import type { CallOptions } from './options.ts';

type Explain = (
  parameters: Parameters<'explainTweet'>,
  options?: CallOptions,
) => Call<AssistantAnswer, ErrorOf<'explainTweet'>>;
type Start = Omit<AssistantParams, 'tweet_id' | 'conversation_id'>;
type Continue = Omit<AssistantParams, 'tweet_id' | 'conversation_id' | 'prompt'>;

/** A conversation about a tweet. */
export interface Chat {
  /** The id to pass to `client.assistant.resume` later. */
  readonly conversationId: string;
  /** The newest answer; undefined in a resumed conversation until the first question. */
  readonly answer: AssistantAnswer | undefined;
  /**
   * Asks the next question. It costs one question of the quota, two with `extract`. The client does not retry after the
   * service may have counted the question.
   * Throws ConversationExpiredError when the conversation has expired: start a new one with `explain`.
   */
  ask(prompt: string, parameters?: Continue, options?: CallOptions): Promise<AssistantAnswer>;
}

/** Conversations with the assistant. */
export interface AssistantMethods {
  /**
   * Starts a conversation about a tweet with an explanation. It costs one question of the quota, two with `extract`.
   *
   * @example
   * ```ts
   * const chat = await client.assistant.explain('1890000000000000001');
   * console.log(chat.answer.summary);
   * console.log((await chat.ask('Is that a lot?')).summary);
   * ```
   */
  explain(
    tweetId: string,
    parameters?: Start,
    options?: CallOptions,
  ): Promise<Chat & { readonly answer: AssistantAnswer }>;
  /** Continues a conversation by its id, without a request. */
  resume(conversationId: string): Chat;
  /**
   * Asks as `tweet.assistant` does, at the same cost, and returns the answer in parts. A lost connection costs nothing more: the
   * client asks for the same answer again. `break` cancels the question.
   *
   * @example
   * ```ts
   * const stream = client.assistant.stream({ tweet_id: '1890000000000000001' });
   * for await (const part of stream) process.stdout.write(part);
   * console.log((await stream.answer()).citations);
   * ```
   */
  stream(parameters: Parameters<'explainTweet'>, options?: AskOptions): AnswerStream;
}

/** The conversation methods on top of the method of the operation `explainTweet`. */
export function assistantOf(explain: Explain, stream: AssistantMethods['stream']): AssistantMethods {
  function chatOf<First extends AssistantAnswer | undefined>(
    conversationId: string,
    answer: First,
  ): Chat & { readonly answer: AssistantAnswer | First } {
    const chat = {
      conversationId,
      answer: answer as AssistantAnswer | First,
      async ask(prompt: string, parameters: Continue = {}, options?: CallOptions) {
        const next = await explain({ ...parameters, conversation_id: chat.conversationId, prompt }, options);
        chat.answer = next;
        chat.conversationId = next.conversation_id;
        return next;
      },
    };
    return chat;
  }
  return {
    stream,
    async explain(tweetId, parameters = {}, options) {
      const answer = await explain({ ...parameters, tweet_id: tweetId }, options);
      return chatOf(answer.conversation_id, answer);
    },
    resume: (conversationId) => chatOf(conversationId, undefined),
  };
}
