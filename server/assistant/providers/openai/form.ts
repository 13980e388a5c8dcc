/** The dialects of OpenAI-compatible APIs. */
import type OpenAI from 'openai';
import type { Part, ToolCall } from './part.ts';

export interface TextMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** The answer of a model that calls tools, and what the tools returned. */
export interface CallMessage {
  readonly role: 'calls';
  readonly content: string;
  readonly calls: readonly ToolCall[];
}
export interface ResultMessage {
  readonly role: 'results';
  readonly results: readonly { readonly id: string; readonly content: string }[];
}

export type Message = TextMessage | CallMessage | ResultMessage;

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface OfferedTools {
  readonly list: readonly ToolDefinition[];
  /** `none`: the messages have calls, but the model must answer now. */
  readonly choice: 'auto' | 'none';
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
  readonly tools?: OfferedTools | undefined;
  /** Whether a stream must report its tokens, where the API leaves that to the request. */
  readonly asksUsage?: boolean | undefined;
}

/** Each call sends exactly one request. Throws the errors of the client, and UpstreamFailure. */
export interface ApiDialect {
  whole(client: OpenAI, asking: ModelRequest, signal: AbortSignal): Promise<Part[]>;
  stream(client: OpenAI, asking: ModelRequest, signal: AbortSignal): AsyncIterable<Part>;
}
