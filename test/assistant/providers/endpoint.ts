/** A stand-in for an endpoint of either form: it answers what a test says, in the shapes that real endpoints have. */
import { delay, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { Account } from '../../../server/ports/assistant-provider.ts';

export type Api = 'chat' | 'responses' | 'messages';
export const forms: readonly Api[] = ['chat', 'responses'];
export const allForms: readonly Api[] = [...forms, 'messages'];
export const baseUrl = 'https://assistant.example/v1';
export const apiKey = 'sk-very-secret-0123456789';
export const accountOf = (api: Api, members: Partial<Account> = {}): Account => ({
  id: 'a1',
  baseUrl,
  apiKey,
  api,
  ...members,
});
const paths: Readonly<Record<Api, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};

/** A request as it arrived. */
export interface Asked {
  readonly api: Api;
  readonly body: { model: string; stream?: boolean; [member: string]: unknown };
  readonly headers: Headers;
  readonly signal: AbortSignal;
}
type Answering = (asked: Asked, count: number) => Response | Promise<Response>;

export function endpoint() {
  const asked: Asked[] = [];
  let answering: Answering = ({ api, body }) => answered(api, body, 'Fine.');
  const server = setupServer(
    ...allForms.map((api) =>
      http.post(baseUrl + paths[api], async ({ request }) => {
        const body = (await request.clone().json()) as Asked['body'];
        asked.push({ api, body, headers: request.headers, signal: request.signal });
        return answering(asked.at(-1)!, asked.length);
      }),
    ),
  );
  return {
    server,
    asked,
    answer(next: Answering): void {
      answering = next;
      asked.length = 0;
    },
  };
}

/** Who spoke which words in a request, the instructions as `system`. */
export function spoken({ body }: Asked): { role: string; content: string }[] {
  const system = body['instructions'] ?? body['system'];
  const instructions = typeof system === 'string' ? [{ role: 'system', content: system }] : [];
  return [...instructions, ...((body['messages'] ?? body['input']) as { role: string; content: string }[])];
}

/** The JSON schema that a request asks for. */
export function schemaOf({ body }: Asked): unknown {
  const format =
    (body['response_format'] as { json_schema?: unknown } | undefined)?.json_schema ??
    (body['text'] as { format?: unknown } | undefined)?.format;
  return (format as { schema?: unknown } | undefined)?.schema;
}

/** Sends pieces as they are, each a chunk of the body of its own. */
export function chunked(pieces: readonly string[], contentType = 'text/event-stream', status = 200): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  return new HttpResponse(body, { status, headers: { 'content-type': contentType } });
}

export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
export const events = (list: readonly unknown[], last: readonly string[] = ['data: [DONE]\n\n']): Response =>
  chunked([...list.map(event), ...last]);

/** Answers a text in the form asked for, as a stream where one is wanted; `besides` are members beside it. */
export function answered(
  api: Api,
  { stream, model }: Asked['body'],
  text: string,
  besides: Record<string, unknown> = {},
): Response {
  if (api === 'messages')
    return stream
      ? events(anthropicEvents(text.match(/[^]{1,5}/gu) ?? [], model), [])
      : HttpResponse.json(anthropicMessage([{ type: 'text', text }], model, besides));
  if (stream)
    return api === 'chat'
      ? events(chatChunks(text.match(/[^]{1,5}/gu) ?? [], model, besides))
      : events(responseEvents(text.match(/[^]{1,5}/gu) ?? [], model, besides));
  return HttpResponse.json(
    api === 'chat' ? completion(text, model, besides) : response([message(text)], model, besides),
  );
}

export const completion = (
  content: unknown,
  model = 'm-1',
  besides: Record<string, unknown> = {},
  of: Record<string, unknown> = {},
) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null, ...of }, finish_reason: 'stop' }],
  ...besides,
});
export const chunk = (
  delta: Record<string, unknown>,
  finish_reason: string | null = null,
  besides: Record<string, unknown> = {},
) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason }],
  ...besides,
});
export const chatChunks = (pieces: readonly string[], model = 'm-1', besides: Record<string, unknown> = {}) => [
  chunk({ role: 'assistant', content: '' }, null, { model }),
  ...pieces.map((content) => chunk({ content }, null, { model })),
  chunk({}, 'stop', { model, ...besides }),
];

export const message = (text: string, annotations: readonly unknown[] = [], id = 'msg_1') => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations, logprobs: [] }],
});
export const response = (output: readonly unknown[], model = 'm-1', besides: Record<string, unknown> = {}) => ({
  id: 'r1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model,
  output,
  incomplete_details: null,
  error: null,
  ...besides,
});
export const delta = (text: string, item_id = 'msg_1') => ({
  type: 'response.output_text.delta',
  item_id,
  output_index: 0,
  content_index: 0,
  delta: text,
});
export const responseEvents = (pieces: readonly string[], model = 'm-1', besides: Record<string, unknown> = {}) => [
  { type: 'response.created', response: { ...response([], model), status: 'in_progress' } },
  ...pieces.map((piece) => delta(piece)),
  { type: 'response.completed', response: response([message(pieces.join(''))], model, besides) },
];

/** Answers nothing until the caller gives up. */
export async function never(): Promise<Response> {
  await delay('infinite');
  return new Response();
}

export const anthropicMessage = (
  content: readonly unknown[],
  model = 'm-1',
  besides: Record<string, unknown> = {},
) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 40, output_tokens: 7 },
  ...besides,
});
export const anthropicEvents = (pieces: readonly string[], model = 'm-1', stop_reason = 'end_turn') => [
  {
    type: 'message_start',
    message: { ...anthropicMessage([], model, { stop_reason: null }), usage: { input_tokens: 40, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];
