/** The parameters of each operation of the contract. */
import type { AssistantParams, NamedParameters } from '../../generated/client.ts';
import type { OperationId } from './contract.ts';

/** The parameters of explainTweet: a tweet that starts a conversation, or a conversation and a question. */
export type ExplainParams = Omit<AssistantParams, 'tweet_id' | 'conversation_id' | 'prompt'> &
  (
    | { tweet_id: string; prompt?: string | undefined; conversation_id?: never }
    | { conversation_id: string; prompt: string; tweet_id?: string | undefined }
  );

/** The parameters of an operation: those of the path and the query, and the members of the request body. */
export type Parameters<Id extends OperationId> = Id extends 'explainTweet'
  ? ExplainParams
  : Id extends keyof NamedParameters
    ? NamedParameters[Id]
    : Record<string, never>;
