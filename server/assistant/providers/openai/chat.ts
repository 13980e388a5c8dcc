/** The dialect of the chat completions API. */
import type OpenAI from 'openai';
import { UpstreamFailure } from './faults.ts';
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
  path: '/chat/completions',
  bodyOf(asking, stream) {
    const usage = asking.asksUsage === true && asking.without?.has('usage') !== true;
    return { ...bodyOf(asking), ...(stream && usage ? { stream_options: { include_usage: true } } : {}), stream };
  },
  async *partsOf(values) {
    const calls = new StreamedCalls();
    let [hasChoice, hasEnd, hasText] = [false, false, false];
    for await (const value of values) {
      const choice = firstChoice(value);
      const delta = member(choice, 'delta');
      const message = member(choice, 'message');
      hasChoice ||= choice !== undefined && choice !== null;
      calls.add(callsOf(delta));
      // The last chunk of some streams repeats the whole message.
      const parts = partsOf(value, delta ?? (hasText ? undefined : message), choice);
      hasText ||= parts.some((part) => 'text' in part);
      hasEnd ||= parts.some((part) => 'end' in part);
      yield* parts;
      if (calls.isEmpty) yield* callsOf(message).flatMap(callOf);
    }
    yield* calls.parts();
    // Not every server reports a finish reason. A connection that breaks is an error of the body before.
    if (hasChoice && !hasEnd) yield { end: 'whole' };
  },
};

function bodyOf({
  model,
  instructions,
  messages,
  schema,
  tools,
  without,
}: ModelRequest): Omit<OpenAI.ChatCompletionCreateParams, 'stream'> {
  const emptyText = without?.has('null') === true ? '' : null;
  return {
    model,
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system' as const, content: instructions }]),
      ...messages.flatMap((message) => messagesOf(message, emptyText)),
    ],
    // A server that does not take the choice `none` gets no tools for the last answer.
    ...(tools === undefined || (tools.choice === 'none' && without?.has('choice') === true)
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

function messagesOf(message: Message, emptyText: '' | null): OpenAI.ChatCompletionMessageParam[] {
  if (message.role === 'results')
    return message.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  if (message.role !== 'calls') return [message];
  const calls = message.calls.map(({ id, name, input, extra }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: input },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }));
  return [{ role: 'assistant', content: message.content === '' ? emptyText : message.content, tool_calls: calls }];
}

/** The calls of a message or of a delta: a list, a single call, or the older form with one function. */
function callsOf(message: unknown): readonly unknown[] {
  const calls = member(message, 'tool_calls');
  const list = Array.isArray(calls) ? calls : [calls];
  const older = member(message, 'function_call');
  return [...list, ...(older === undefined ? [] : [{ function: older }])].filter(
    (call) => typeof call === 'object' && call !== null,
  );
}

/** Some servers leave out the member `function` around name and arguments. */
const calledIn = (call: unknown): unknown => member(call, 'function') ?? call;

const callOf = (call: unknown): Part[] =>
  callIn(
    member(call, 'id'),
    member(calledIn(call), 'name'),
    member(calledIn(call), 'arguments'),
    member(call, 'extra_content'),
  );

/** Maximum number of calls in one answer. The rest is left out. */
const maxCalls = 32;

/** Whether the arguments of a call are complete. */
function isObject(json: string): boolean {
  if (!/^\s*\{/.test(json) || !/\}\s*$/.test(json)) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

interface OpenCall extends ToolCall {
  readonly index: unknown;
}

/**
 * Joins the pieces of the calls of a stream. A piece continues the last call with its index, or else with its id, or
 * else the last call. Servers also send several calls with the same index or id, each of them whole, and repeat the
 * name or all earlier arguments in each piece.
 */
class StreamedCalls {
  readonly #calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  add(deltas: readonly unknown[]): void {
    for (const delta of deltas) {
      const place = this.#continuedBy(delta);
      const before = this.#calls[place];
      if (before === undefined && this.#calls.length >= maxCalls) continue;
      const called = calledIn(delta);
      const extra = before?.extra ?? member(delta, 'extra_content');
      this.#calls[before === undefined ? this.#calls.length : place] = {
        index: before?.index ?? member(delta, 'index'),
        id: before?.id || (textIn(member(delta, 'id')) ?? ''),
        name: before?.name || (textIn(member(called, 'name')) ?? ''),
        input: joined(before?.input ?? '', inputIn(called)),
        ...(extra === undefined ? {} : { extra }),
      };
    }
  }

  parts(): Part[] {
    return this.#calls.flatMap(({ id, name, input, extra }) => callIn(id, name, input, extra));
  }

  /** The place of the call that a piece continues; -1 if it begins another one. */
  #continuedBy(delta: unknown): number {
    const [index, id] = [member(delta, 'index'), textIn(member(delta, 'id'))];
    const called = calledIn(delta);
    const name = textIn(member(called, 'name'));
    const place =
      typeof index === 'number'
        ? this.#calls.findLastIndex((call) => call.index === index)
        : id === undefined
          ? this.#calls.length - 1
          : this.#calls.findLastIndex((call) => call.id === id);
    const before = this.#calls[place];
    if (before === undefined || name === undefined) return place;
    const isOther = id !== undefined && before.id !== '' && id !== before.id;
    const input = inputIn(called);
    // Nothing continues complete arguments. A last piece without any may only repeat the id and the name.
    const isWhole = isObject(before.input) && (input === '' ? id === undefined : !input.startsWith(before.input));
    return isOther || isWhole || (before.name !== '' && before.name !== name) ? -1 : place;
  }
}

/** The arguments in a piece: text, or an object. */
function inputIn(called: unknown): string {
  const input = member(called, 'arguments') ?? '';
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** Appends a piece of arguments, or replaces them by a piece that repeats them, or that fills an empty object. */
const joined = (before: string, piece: string): string =>
  /^\s*\{/.test(before) && (piece.startsWith(before) || (before === '{}' && piece.startsWith('{')))
    ? piece
    : before + piece;

const firstChoice = (answer: unknown): unknown => items(member(answer, 'choices'))[0];

/** The parts of a completion or of a chunk, without calls. Throws UpstreamFailure for a failed answer. */
function partsOf(answer: unknown, message: unknown, choice: unknown): Part[] {
  const finish = member(choice, 'finish_reason');
  if (finish === 'error') throw new UpstreamFailure(undefined);
  const refused = textIn(member(message, 'refusal')) !== undefined;
  return [
    ...modelIn(answer),
    ...textOf(member(message, 'content')),
    ...annotationCitations(member(message, 'annotations')),
    ...listedCitations(answer),
    ...usageIn(member(answer, 'usage')),
    ...(refused
      ? [{ end: 'refused' } as const]
      : textIn(finish) === undefined
        ? []
        : [{ end: finishReasons[String(finish)] ?? 'whole' } as const]),
  ];
}

/** The types of parts with text. Parts of type `thinking` and others are left out. */
const textTypes = new Set<unknown>(['text', 'output_text', undefined]);

/** The text of a message: a string, or its parts. */
function textOf(content: unknown): Part[] {
  const texts =
    typeof content === 'string'
      ? [content]
      : items(content).map((part) =>
          typeof part === 'string' ? part : textTypes.has(member(part, 'type')) ? member(part, 'text') : undefined,
        );
  return texts.flatMap((text) => textIn(text) ?? []).map((text) => ({ text }));
}
