/** The parts of an answer, independent of the API dialect. */
import type { Schemas } from '../../../contract/operations.ts';
import type { TokenUsage } from '../../../ports/assistant-provider.ts';

/** How an answer ended: complete, cut at a maximum length, or refused because of its content. */
export type FinishReason = 'whole' | 'cut' | 'refused';

/** A call of a tool by a model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON. The model wrote them: they can be anything. */
  readonly input: string;
  /** What the endpoint requires back with the call, such as the signature of a reasoning step. */
  readonly extra?: unknown;
}

/** A part of an answer. Reasoning and search steps are not parts. */
export type Part =
  | { readonly text: string }
  | { readonly source: Schemas['Citation'] }
  | { readonly model: string }
  | { readonly call: ToolCall }
  /** Tokens that the endpoint counted for this request. */
  | { readonly usage: TokenUsage }
  | { readonly end: FinishReason };

/** A member of an untrusted value; undefined if the value is no object or does not have the member. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** The items of an untrusted value; empty if it is no array. */
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value if it is a non-empty string. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Maximum length of the id and the name of a call, and of its arguments, in UTF-16 units. */
const maxNameLength = 200;
const maxInputLength = 10_000;

/**
 * A call of a tool. Arguments that are too long are cut, so that they are no JSON. None without a name. The id is empty if
 * the server gives none.
 */
export function callIn(id: unknown, name: unknown, input: unknown, extra?: unknown): Part[] {
  const tool = textIn(name);
  if (tool === undefined || tool.length > maxNameLength) return [];
  const callId = typeof id === 'number' ? String(id) : (textIn(id) ?? '');
  const json = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  const call = {
    id: callId.length > maxNameLength ? '' : callId,
    name: tool,
    input: json.trim() === '' ? '{}' : json.slice(0, maxInputLength),
  };
  return [{ call: extra === undefined ? call : { ...call, extra } }];
}

export function modelIn(answer: unknown): Part[] {
  const model = textIn(member(answer, 'model'));
  return model === undefined || model.length > 200 ? [] : [{ model }];
}

/** A count of tokens; 0 if the value is none. */
const tokens = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/**
 * The tokens of a request, by the names of any dialect. `kinds`: which of them the value reports. The messages API counts
 * cached tokens beside the input, the others within it.
 */
export function usageIn(usage: unknown, kinds: readonly ('input' | 'output')[] = ['input', 'output']): Part[] {
  if (typeof usage !== 'object' || usage === null) return [];
  const details = member(usage, 'prompt_tokens_details') ?? member(usage, 'input_tokens_details');
  const read = tokens(member(usage, 'cache_read_input_tokens'));
  const beside = read + tokens(member(usage, 'cache_creation_input_tokens'));
  const input = tokens(member(usage, 'input_tokens') ?? member(usage, 'prompt_tokens')) + beside;
  const cached = Math.min(input, read + tokens(member(details, 'cached_tokens')));
  const output = tokens(member(usage, 'output_tokens') ?? member(usage, 'completion_tokens'));
  const hasInput = kinds.includes('input');
  return [
    {
      usage: {
        input: hasInput ? input : 0,
        output: kinds.includes('output') ? output : 0,
        cached: hasInput ? cached : 0,
      },
    },
  ];
}
