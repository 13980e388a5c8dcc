/** The dialect of the responses API. */
import type OpenAI from 'openai';
import { UpstreamFailure } from './faults.ts';
import type { Message, ModelRequest, ApiDialect } from './form.ts';
import { callIn, items, member, modelIn, textIn, usageIn, type Part } from './part.ts';
import { annotationCitations, listedCitations } from './upstream-sources.ts';

export const responses: ApiDialect = {
  path: '/responses',
  bodyOf: (asking, stream) => ({ ...bodyOf(asking), stream }),
  async *partsOf(values) {
    const heard = new Set<unknown>();
    let [hasEnd, hasMessage, hasCall] = [false, false, false];
    for await (const value of values) {
      const isWhole = Array.isArray(member(value, 'output'));
      const parts = isWhole ? [...texts(value), ...besidesText(value)] : partsOf(value, heard);
      hasEnd ||= parts.some((part) => 'end' in part);
      hasMessage ||= isWhole || member(value, 'type') === 'response.output_text.done';
      // The last event of a stream repeats the calls.
      yield* hasCall && member(value, 'response') !== undefined ? parts.filter((part) => !('call' in part)) : parts;
      hasCall ||= parts.some((part) => 'call' in part);
    }
    // Some servers report no status, and end a stream after its message.
    if (hasMessage && !hasEnd) yield { end: 'whole' };
  },
};

function bodyOf({
  model,
  instructions,
  messages,
  schema,
  tools,
  without,
}: ModelRequest): Omit<OpenAI.Responses.ResponseCreateParams, 'stream'> {
  return {
    model,
    ...(instructions === undefined ? {} : { instructions }),
    input: messages.flatMap(inputOf),
    // The endpoint need not store the conversation, because each request contains all of it.
    ...(without?.has('store') === true ? {} : { store: false }),
    ...(tools === undefined || (tools.choice === 'none' && without?.has('choice') === true)
      ? {}
      : {
          tools: tools.list.map(({ name, description, schema: parameters }) => ({
            type: 'function',
            name,
            description,
            parameters,
            // A strict schema requires each member, so that it can have none that is optional.
            strict: false,
          })),
          tool_choice: tools.choice,
        }),
    ...(schema === undefined
      ? {}
      : { text: { format: { type: 'json_schema', name: schema.name, schema: schema.schema, strict: true } } }),
  };
}

/** The call is sent back without the id of its item: the endpoint has not stored the item. */
function inputOf(message: Message): OpenAI.Responses.ResponseInputItem[] {
  if (message.role === 'results')
    return message.results.map(({ id, content }) => ({ type: 'function_call_output', call_id: id, output: content }));
  if (message.role !== 'calls') return [{ role: message.role, content: message.content }];
  const { content, calls } = message;
  return [
    ...(content === '' ? [] : [{ role: 'assistant' as const, content }]),
    ...calls.map(({ id, name, input }) => ({ type: 'function_call' as const, call_id: id, name, arguments: input })),
  ];
}

const callOf = (item: unknown): Part[] =>
  member(item, 'type') === 'function_call'
    ? callIn(member(item, 'call_id') ?? member(item, 'id'), member(item, 'name'), member(item, 'arguments'))
    : [];

/**
 * Only message text and function calls become parts: not `reasoning_summary_text`, `custom_tool_call_input`, `web_search_call` and
 * others.
 */
function partsOf(event: unknown, heard: Set<unknown>): Part[] {
  switch (member(event, 'type')) {
    case 'response.output_text.delta': {
      const text = textIn(member(event, 'delta'));
      return text === undefined ? [] : paragraph(member(event, 'item_id'), heard, text);
    }
    case 'response.output_text.annotation.added':
      return annotationCitations([member(event, 'annotation')]);
    case 'response.output_item.done':
      return callOf(member(event, 'item'));
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed': {
      const response = member(event, 'response');
      return [...(heard.size === 0 ? texts(response) : []), ...besidesText(response)];
    }
    case 'error':
      throw new UpstreamFailure(member(event, 'code'));
    default:
      return [];
  }
}

/** Separates two messages by a blank line. */
function paragraph(item: unknown, heard: Set<unknown>, text: string): Part[] {
  const another = heard.size > 0 && !heard.has(item);
  heard.add(item);
  return [{ text: another ? `\n\n${text}` : text }];
}

function texts(response: unknown): Part[] {
  const heard = new Set<unknown>();
  return messagesOf(response).flatMap((message, place) =>
    items(member(message, 'content')).flatMap((content) => {
      const text = member(content, 'type') === 'output_text' ? textIn(member(content, 'text')) : undefined;
      return text === undefined ? [] : paragraph(place, heard, text);
    }),
  );
}

const messagesOf = (response: unknown): unknown[] =>
  items(member(response, 'output')).filter((item) => member(item, 'type') === 'message');

/** Model, sources and finish reason. Throws UpstreamFailure for a failed response. */
function besidesText(response: unknown): Part[] {
  const contents = messagesOf(response).flatMap((message) => items(member(message, 'content')));
  return [
    ...modelIn(response),
    ...items(member(response, 'output')).flatMap(callOf),
    ...contents.flatMap((content) => annotationCitations(member(content, 'annotations'))),
    ...listedCitations(response),
    ...usageIn(member(response, 'usage')),
    ...endOf(response, contents),
  ];
}

function endOf(response: unknown, contents: readonly unknown[]): Part[] {
  if (contents.some((content) => member(content, 'type') === 'refusal')) return [{ end: 'refused' }];
  switch (member(response, 'status')) {
    case 'completed':
      return [{ end: 'whole' }];
    case 'incomplete':
      return [
        { end: member(member(response, 'incomplete_details'), 'reason') === 'content_filter' ? 'refused' : 'cut' },
      ];
    case 'failed':
    case 'cancelled':
      throw new UpstreamFailure(member(member(response, 'error'), 'code'));
    default:
      return [];
  }
}
