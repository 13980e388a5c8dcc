/** The dialect of the chat completions API. */
import type OpenAI from 'openai';
import { items, member, modelIn, textIn, usageIn, type FinishReason, type Part } from './part.ts';
import type { ModelRequest, ApiDialect } from './form.ts';
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
    const parts = partsOf(completion);
    // A completion without a finish reason is complete: not every endpoint reports one.
    return choice === undefined || parts.some((part) => 'end' in part) ? parts : [...parts, { end: 'whole' }];
  },
  async *stream(client, asking, signal) {
    const chunks = await client.chat.completions.create({ ...bodyOf(asking), stream: true }, { signal });
    for await (const chunk of chunks) yield* partsOf(chunk);
  },
};

function bodyOf({
  model,
  instructions,
  messages,
  schema,
}: ModelRequest): Omit<OpenAI.ChatCompletionCreateParams, 'stream'> {
  return {
    model,
    messages: [{ role: 'system', content: instructions }, ...messages],
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
