/** What endpoints have shown about themselves since the start, so that no question pays for it again. */
import { LRUCache } from 'lru-cache';
import type { Account } from '../../../ports/assistant-provider.ts';
import type { Feature, Message, ModelRequest } from './form.ts';

/** The knowledge about a model at an endpoint. */
export interface EndpointMemory {
  /** The parts of requests that the endpoint refused. */
  readonly refused: Set<Feature>;
  /** Whether the text of an answer had reasoning in it. */
  hasReasoned: boolean;
  /** The number of whole answers in words that had no reasoning in their text. */
  plainAnswers: number;
  /** The number of answers in a row that had calls of tools in their text. */
  callsInText: number;
}

/** Whole answers without reasoning in their text, after which the text of a model is passed on as it arrives. */
const enoughPlainAnswers = 3;

/**
 * Whether the text of a model can be passed on as it arrives. Templates of some models put the beginning of the reasoning into
 * the prompt, so that only its end shows what came before it.
 */
export const canStream = ({ hasReasoned, plainAnswers }: EndpointMemory): boolean =>
  !hasReasoned && plainAnswers >= enoughPlainAnswers;

/** Maximum number of models at endpoints; callers can name any model. */
const maxKnown = 1_000;

/** The memory of a provider, by account and model. */
export class EndpointMemories {
  readonly #known = new LRUCache<string, EndpointMemory>({ max: maxKnown });

  of({ id, baseUrl, api }: Account, model: string): EndpointMemory {
    const key = JSON.stringify([id, baseUrl, api, model]);
    const known = this.#known.get(key) ?? {
      refused: new Set<Feature>(),
      hasReasoned: false,
      plainAnswers: 0,
      callsInText: 0,
    };
    this.#known.set(key, known);
    return known;
  }
}

/** The parts of a request that an endpoint can refuse. */
export function sentFeatures(
  api: NonNullable<Account['api']>,
  { tools, schema, instructions, messages, without, asksUsage }: ModelRequest,
  streams: boolean,
): Feature[] {
  const has: Readonly<Record<Feature, boolean>> = {
    choice: tools?.choice === 'none' && without?.has('choice') !== true,
    tools: tools !== undefined,
    // The prompt describes the JSON too, and the messages API has no schema.
    schema: schema !== undefined && api !== 'messages',
    system: instructions !== undefined,
    usage: api === 'chat' && streams && asksUsage === true && without?.has('usage') !== true,
    stream: streams,
    store: api === 'responses' && without?.has('store') !== true,
    null: api === 'chat' && messages.some(hasNoText) && without?.has('null') !== true,
  };
  return (Object.keys(has) as Feature[]).filter((feature) => has[feature]);
}

const hasNoText = (message: Message): boolean => message.role === 'calls' && message.content === '';

/** The request without what an endpoint refuses, except tools: without them the instructions are others. */
export function adaptedTo(refused: ReadonlySet<Feature>, asking: ModelRequest): ModelRequest {
  return {
    ...asking,
    ...(refused.has('schema') ? { schema: undefined } : {}),
    ...(refused.has('system') ? withoutSystem(asking) : {}),
    without: refused,
  };
}

/** The instructions become a part of the first message, in front of the quoted data. */
function withoutSystem({ instructions, messages }: ModelRequest): Pick<ModelRequest, 'instructions' | 'messages'> {
  const [first, ...rest] = messages;
  if (instructions === undefined || first?.role !== 'user') return { instructions, messages };
  return { instructions: undefined, messages: [{ ...first, content: `${instructions}\n\n${first.content}` }, ...rest] };
}
