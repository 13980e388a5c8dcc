/** The dialect of the messages API of Anthropic, and of endpoints that are compatible with it. */
import { callIn, member, items, modelIn, textIn, usageIn, type FinishReason, type Part } from './part.ts';
import type { Message, ModelRequest, ApiDialect } from './form.ts';

/** The API requires a limit of the answer in tokens; the prompt asks for at most 300 words. */
const maxTokens = 4096;

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'whole',
  stop_sequence: 'whole',
  max_tokens: 'cut',
  model_context_window_exceeded: 'cut',
  refusal: 'refused',
};

export const messages: ApiDialect = {
  async whole(client, asking, signal) {
    const answer = await client.post<unknown>('/messages', { body: bodyOf(asking, false), signal });
    const blocks = items(member(answer, 'content')).flatMap((block) => [...textOf(block), ...callOf(block)]);
    return [...modelIn(answer), ...blocks, ...usageIn(member(answer, 'usage')), ...endOf(answer)];
  },
  async *stream(client, asking, signal) {
    const options = { body: bodyOf(asking, true), signal, stream: true };
    const events = await client.post<AsyncIterable<unknown>>('/messages', options);
    const call = new StreamedCall();
    for await (const event of events) yield* [...partsOf(event), ...call.read(event)];
  },
};

/**
 * The schema of an answer is left out: the API has no such member, and the prompt describes the JSON. The instructions
 * are a member of their own, so that no message can look like them.
 */
const bodyOf = ({ model, instructions, messages: turns, tools }: ModelRequest, stream: boolean) => ({
  model,
  max_tokens: maxTokens,
  system: instructions,
  messages: turns.map(turnOf),
  ...(tools === undefined
    ? {}
    : {
        tools: tools.list.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
        tool_choice: { type: tools.choice },
      }),
  stream,
});

function turnOf(message: Message) {
  if (message.role === 'results') {
    const results = message.results.map(({ id, content }) => ({ type: 'tool_result', tool_use_id: id, content }));
    return { role: 'user', content: results };
  }
  if (message.role !== 'calls') return { role: message.role, content: message.content };
  const text = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  const calls = message.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: objectOf(input) }));
  return { role: 'assistant', content: [...text, ...calls] };
}

/** The API accepts only an object as the arguments of a call. */
function objectOf(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

const callOf = (block: unknown): Part[] =>
  member(block, 'type') === 'tool_use'
    ? callIn(member(block, 'id'), member(block, 'name'), member(block, 'input'))
    : [];

/** Joins the pieces of the call that a stream is at; the blocks of a stream follow one another. */
class StreamedCall {
  #block: unknown;
  #json = '';

  read(event: unknown): Part[] {
    const delta = member(event, 'delta');
    switch (member(event, 'type')) {
      case 'content_block_start':
        this.#block = member(event, 'content_block');
        this.#json = '';
        return [];
      case 'content_block_delta':
        if (member(delta, 'type') === 'input_json_delta') this.#json += textIn(member(delta, 'partial_json')) ?? '';
        return [];
      case 'content_block_stop': {
        const block = this.#block;
        this.#block = undefined;
        // A call without arguments has no pieces.
        return this.#json === '' || member(block, 'type') !== 'tool_use'
          ? callOf(block)
          : callIn(member(block, 'id'), member(block, 'name'), this.#json);
      }
      default:
        return [];
    }
  }
}

/** Only text blocks become text: not `thinking` and others. */
function textOf(block: unknown): Part[] {
  const text = member(block, 'type') === 'text' ? textIn(member(block, 'text')) : undefined;
  return text === undefined ? [] : [{ text }];
}

function partsOf(event: unknown): Part[] {
  switch (member(event, 'type')) {
    case 'message_start': {
      const message = member(event, 'message');
      return [...modelIn(message), ...usageIn(member(message, 'usage'), ['input'])];
    }
    case 'content_block_start':
      return textOf(member(event, 'content_block'));
    case 'content_block_delta': {
      const delta = member(event, 'delta');
      const text = member(delta, 'type') === 'text_delta' ? textIn(member(delta, 'text')) : undefined;
      return text === undefined ? [] : [{ text }];
    }
    case 'message_delta':
      return [...usageIn(member(event, 'usage'), ['output']), ...endOf(member(event, 'delta'))];
    default:
      return [];
  }
}

function endOf(holder: unknown): Part[] {
  const reason = member(holder, 'stop_reason');
  return typeof reason === 'string' ? [{ end: finishReasons[reason] ?? 'whole' }] : [];
}
