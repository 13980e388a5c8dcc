/** The forms in which endpoints are asked. */
import type OpenAI from 'openai';
import type { Part } from './part.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A JSON schema that an answer is to follow. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Record<string, unknown>;
}

/** One request. */
export interface ModelRequest {
  readonly model: string;
  /** What the assistant is told to do: never anything that strangers wrote. */
  readonly instructions: string;
  readonly messages: readonly Message[];
  readonly schema?: AnswerSchema | undefined;
}

/** Each call sends exactly one request. Throws what the client throws, and Refusal. */
export interface ApiDialect {
  whole(client: OpenAI, asking: ModelRequest, signal: AbortSignal): Promise<Part[]>;
  stream(client: OpenAI, asking: ModelRequest, signal: AbortSignal): AsyncIterable<Part>;
}
