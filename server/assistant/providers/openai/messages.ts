/** The dialect of the messages API of Anthropic, and of endpoints that are compatible with it. */
import { member, items, modelIn, textIn, usageIn, type FinishReason, type Part } from './part.ts';
import type { ModelRequest, ApiDialect } from './form.ts';

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
    const texts = items(member(answer, 'content')).flatMap(textOf);
    return [...modelIn(answer), ...texts, ...usageIn(member(answer, 'usage')), ...endOf(answer)];
  },
  async *stream(client, asking, signal) {
    const options = { body: bodyOf(asking, true), signal, stream: true };
    const events = await client.post<AsyncIterable<unknown>>('/messages', options);
    for await (const event of events) yield* partsOf(event);
  },
};

/**
 * The schema of an answer is left out: the API has no such member, and the prompt describes the JSON. The instructions
 * are a member of their own, so that no message can look like them.
 */
const bodyOf = ({ model, instructions, messages: turns }: ModelRequest, stream: boolean) => ({
  model,
  max_tokens: maxTokens,
  system: instructions,
  messages: turns.map(({ role, content }) => ({ role, content })),
  stream,
});

/** Only text blocks become parts: not `thinking`, `tool_use` and others. */
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
