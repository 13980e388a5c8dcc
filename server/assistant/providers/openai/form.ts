/** The dialects of OpenAI-compatible APIs. */
import type OpenAI from 'openai';
import type { Part } from './part.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A JSON schema for an answer. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Record<string, unknown>;
}

export interface ModelRequest {
  readonly model: string;
  /** Instructions to the model, without untrusted text. */
  readonly instructions: string;
  readonly messages: readonly Message[];
  readonly schema?: AnswerSchema | undefined;
}

/** Each call sends exactly one request. Throws the errors of the client, and UpstreamFailure. */
export interface ApiDialect {
  whole(client: OpenAI, asking: ModelRequest, signal: AbortSignal): Promise<Part[]>;
  stream(client: OpenAI, asking: ModelRequest, signal: AbortSignal): AsyncIterable<Part>;
}
