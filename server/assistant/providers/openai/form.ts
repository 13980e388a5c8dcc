/** The dialects of OpenAI-compatible APIs. */
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

/**
 * A part of a request that not every server takes. `choice`: the member that forbids further calls of tools. `usage`: the
 * request for the tokens of a stream. `null`: a message with calls and `null` as its text.
 */
export type Feature = 'tools' | 'choice' | 'schema' | 'system' | 'usage' | 'stream' | 'store' | 'null';

export interface ModelRequest {
  readonly model: string;
  /** Instructions to the model, without untrusted text; undefined if the messages contain them. */
  readonly instructions?: string | undefined;
  readonly messages: readonly Message[];
  readonly schema?: AnswerSchema | undefined;
  readonly tools?: OfferedTools | undefined;
  /** Whether a stream must report its tokens, where the API leaves that to the request. */
  readonly asksUsage?: boolean | undefined;
  /** What the endpoint has refused: requests leave it out. */
  readonly without?: ReadonlySet<Feature> | undefined;
}

/** How an API writes requests and answers. */
export interface ApiDialect {
  /** Below the URL of the account. */
  readonly path: string;
  bodyOf(asking: ModelRequest, stream: boolean): object;
  /** The parts of an answer from its JSON values: one whole answer, or the events of a stream. Throws UpstreamFailure. */
  partsOf(values: AsyncIterable<unknown>): AsyncIterable<Part>;
}
