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
  path: '/messages',
  bodyOf: (asking, stream) => bodyOf(asking, stream),
  async *partsOf(values) {
    const call = new StreamedCall();
    for await (const value of values)
      yield* Array.isArray(member(value, 'content')) ? wholeParts(value) : [...partsOf(value), ...call.read(value)];
  },
};

const wholeParts = (answer: unknown): Part[] => [
  ...modelIn(answer),
  ...items(member(answer, 'content')).flatMap((block) => [...textOf(block), ...callOf(block)]),
  ...usageIn(member(answer, 'usage')),
  // A whole answer is complete, also where a server reports no reason for its end.
  ...(endOf(answer)[0] === undefined ? [{ end: 'whole' } as const] : endOf(answer)),
];

/**
 * The schema of an answer is left out: the API has no such member, and the prompt describes the JSON. The instructions
 * are a member of their own, so that no message can look like them.
 */
const bodyOf = ({ model, instructions, messages: turns, tools, without }: ModelRequest, stream: boolean) => ({
  model,
  max_tokens: maxTokens,
  ...(instructions === undefined ? {} : { system: instructions }),
  messages: turns.map(turnOf),
  ...(tools === undefined
    ? {}
    : {
        tools: tools.list.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
        // The API requires the tools of earlier calls, so that only the choice can be left out.
        ...(tools.choice === 'none' && without?.has('choice') === true ? {} : { tool_choice: { type: tools.choice } }),
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
