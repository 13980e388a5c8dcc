/** The dialect of the chat completions API. */
import type OpenAI from 'openai';
import {
  callIn,
  items,
  member,
  modelIn,
  textIn,
  usageIn,
  type FinishReason,
  type Part,
  type ToolCall,
} from './part.ts';
import type { Message, ModelRequest, ApiDialect } from './form.ts';
import { annotationCitations, listedCitations } from './upstream-sources.ts';

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'whole',
  length: 'cut',
  content_filter: 'refused',
};

export const chat: ApiDialect = {
  async whole(client, asking, signal) {
    const completion = await client.chat.completions.create({ ...bodyOf(asking), stream: false }, { signal });
    const choice = firstChoice(completion);
    const calls = items(member(member(choice, 'message'), 'tool_calls')).flatMap(callOf);
    const parts = [...partsOf(completion), ...calls];
    // A completion without a finish reason is complete: not every endpoint reports one.
    return choice === undefined || parts.some((part) => 'end' in part) ? parts : [...parts, { end: 'whole' }];
  },
  async *stream(client, asking, signal) {
    const usage = asking.asksUsage === true ? { stream_options: { include_usage: true } } : {};
    const chunks = await client.chat.completions.create({ ...bodyOf(asking), ...usage, stream: true }, { signal });
    const calls = new StreamedCalls();
    for await (const chunk of chunks) {
      calls.add(member(member(firstChoice(chunk), 'delta'), 'tool_calls'));
      yield* partsOf(chunk);
    }
    yield* calls.parts();
  },
};

function bodyOf({
  model,
  instructions,
  messages,
  schema,
  tools,
}: ModelRequest): Omit<OpenAI.ChatCompletionCreateParams, 'stream'> {
  return {
    model,
    messages: [{ role: 'system', content: instructions }, ...messages.flatMap(messagesOf)],
    ...(tools === undefined
      ? {}
      : {
          tools: tools.list.map(({ name, description, schema: parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
          tool_choice: tools.choice,
        }),
    ...(schema === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: schema.name, schema: schema.schema, strict: true },
          },
        }),
  };
}

function messagesOf(message: Message): OpenAI.ChatCompletionMessageParam[] {
  if (message.role === 'results')
    return message.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  if (message.role !== 'calls') return [message];
  const calls = message.calls.map(({ id, name, input, extra }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: input },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }));
  return [{ role: 'assistant', content: message.content === '' ? null : message.content, tool_calls: calls }];
}

const callOf = (call: unknown): Part[] => {
  const called = member(call, 'function');
  return callIn(member(call, 'id'), member(called, 'name'), member(called, 'arguments'), member(call, 'extra_content'));
};

/** Maximum number of calls in one answer. The rest is left out. */
const maxCalls = 32;

/** Joins the pieces of the calls of a stream, by their index. An endpoint without indexes sends each call whole. */
class StreamedCalls {
  readonly #calls = new Map<unknown, ToolCall>();

  add(deltas: unknown): void {
    for (const delta of items(deltas)) {
      const key = member(delta, 'index') ?? member(delta, 'id');
      const before = this.#calls.get(key);
      if (before === undefined && this.#calls.size >= maxCalls) continue;
      const called = member(delta, 'function');
      const extra = before?.extra ?? member(delta, 'extra_content');
      this.#calls.set(key, {
        id: before?.id ?? textIn(member(delta, 'id')) ?? '',
        name: before?.name ?? textIn(member(called, 'name')) ?? '',
        input: (before?.input ?? '') + (textIn(member(called, 'arguments')) ?? ''),
        ...(extra === undefined ? {} : { extra }),
      });
    }
  }

  parts(): Part[] {
    return [...this.#calls.values()].flatMap(({ id, name, input, extra }) => callIn(id, name, input, extra));
  }
}

const firstChoice = (answer: unknown): unknown => items(member(answer, 'choices'))[0];

/** The parts of a completion or of a chunk, which differ only in the name of the message member. */
function partsOf(answer: unknown): Part[] {
  const choice = firstChoice(answer);
  const message = member(choice, 'message') ?? member(choice, 'delta');
  const finish = member(choice, 'finish_reason');
  const refused = textIn(member(message, 'refusal')) !== undefined;
  return [
    ...modelIn(answer),
    ...textOf(member(message, 'content')),
    ...annotationCitations(member(message, 'annotations')),
    ...listedCitations(answer),
    ...usageIn(member(answer, 'usage')),
    ...(refused
      ? [{ end: 'refused' } as const]
      : typeof finish === 'string'
        ? [{ end: finishReasons[finish] ?? 'whole' } as const]
        : []),
  ];
}

/** The text of a message: a string, or the parts of type `text`. Parts of type `thinking` are left out. */
function textOf(content: unknown): Part[] {
  const texts =
    typeof content === 'string'
      ? [content]
      : items(content).map((part) => (member(part, 'type') === 'text' ? member(part, 'text') : undefined));
  return texts.flatMap((text) => textIn(text) ?? []).map((text) => ({ text }));
}
