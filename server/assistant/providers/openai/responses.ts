/** The dialect of the responses API. */
import type OpenAI from 'openai';
import { UpstreamFailure } from './faults.ts';
import type { ModelRequest, ApiDialect } from './form.ts';
import { items, member, modelIn, textIn, usageIn, type Part } from './part.ts';
import { annotationCitations, listedCitations } from './upstream-sources.ts';

export const responses: ApiDialect = {
  async whole(client, asking, signal) {
    const response = await client.responses.create({ ...bodyOf(asking), stream: false }, { signal });
    return [...texts(response), ...besidesText(response)];
  },
  async *stream(client, asking, signal) {
    const events = await client.responses.create({ ...bodyOf(asking), stream: true }, { signal });
    const heard = new Set<unknown>();
    for await (const event of events) yield* partsOf(event, heard);
  },
};

function bodyOf({
  model,
  instructions,
  messages,
  schema,
}: ModelRequest): Omit<OpenAI.Responses.ResponseCreateParams, 'stream'> {
  return {
    model,
    instructions,
    input: messages.map(({ role, content }) => ({ role, content })),
    // The endpoint need not store the conversation, because each request contains all of it.
    store: false,
    ...(schema === undefined
      ? {}
      : { text: { format: { type: 'json_schema', name: schema.name, schema: schema.schema, strict: true } } }),
  };
}

/**
 * Only message text becomes a part: not `reasoning_summary_text`, `custom_tool_call_input`, `web_search_call` and
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
