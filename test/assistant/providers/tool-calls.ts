/** A stand-in for a model that calls tools: its answers have the shapes that the vendors of the APIs publish. */
import type { MessageDeltaUsage, Usage } from '@anthropic-ai/sdk/resources/messages';
import { HttpResponse } from 'msw';
import { events, type Api, type Asked } from './endpoint.ts';

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: object | string;
}

const jsonOf = ({ input }: Call): string => (typeof input === 'string' ? input : JSON.stringify(input));
const pieces = (text: string): string[] => text.match(/[^]{1,7}/gu) ?? [];
const objectOf = (call: Call): unknown => (typeof call.input === 'string' ? {} : call.input);

/** An answer with a text and calls, as a stream where one is wanted. */
export function calling(api: Api, { stream, model }: Asked['body'], calls: readonly Call[], text = ''): Response {
  const streamed = shapes[api].events(calls, text, model);
  return stream === true
    ? events(streamed, api === 'chat' ? undefined : [])
    : HttpResponse.json(shapes[api].whole(calls, text, model) as object);
}

const chatUsage = {
  prompt_tokens: 40,
  completion_tokens: 7,
  total_tokens: 47,
  prompt_tokens_details: { cached_tokens: 30 },
};
const responsesUsage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 47,
};
const messagesUsage: Usage = {
  input_tokens: 10,
  output_tokens: 7,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 30,
  cache_creation: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
  speed: null,
};
const deltaUsage: MessageDeltaUsage = {
  input_tokens: 10,
  output_tokens: 7,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 30,
  output_tokens_details: null,
  server_tool_use: null,
};

const chunkOf = (delta: object, finish: string | null, model: string) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model,
  choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
});

const responseOf = (output: readonly unknown[], status: string, model: string) => ({
  id: 'r1',
  object: 'response',
  created_at: 1,
  status,
  model,
  access_programs: null,
  output,
  output_text: '',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: responsesUsage,
});

const outputOf = (calls: readonly Call[], text: string): readonly Record<string, unknown>[] => [
  ...(text === ''
    ? []
    : [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ]),
  ...calls.map((call) => ({
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: jsonOf(call),
    status: 'completed',
  })),
];

const messageOf = (content: readonly unknown[], stop: string | null, model: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content,
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_reason: stop,
  stop_sequence: null,
  usage: messagesUsage,
});

/** What each API answers: whole, and as the events of a stream. The types are those of the vendors' packages. */
export const shapes: Readonly<
  Record<
    Api,
    {
      readonly wholeType: string;
      readonly eventType: string;
      readonly requestType: string;
      whole(calls: readonly Call[], text: string, model: string): unknown;
      events(calls: readonly Call[], text: string, model: string): readonly unknown[];
    }
  >
> = {
  chat: {
    wholeType: 'Chat.ChatCompletion',
    eventType: 'Chat.ChatCompletionChunk',
    requestType: 'Chat.ChatCompletionCreateParams',
    whole: (calls, text, model) => ({
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [
        {
          index: 0,
          logprobs: null,
          message: {
            role: 'assistant',
            content: text === '' ? null : text,
            refusal: null,
            tool_calls: calls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: jsonOf(call) },
            })),
          },
          finish_reason: calls.length === 0 ? 'stop' : 'tool_calls',
        },
      ],
      usage: chatUsage,
    }),
    events: (calls, text, model) => [
      chunkOf({ role: 'assistant', content: '' }, null, model),
      ...pieces(text).map((content) => chunkOf({ content }, null, model)),
      ...calls.flatMap((call, index) => [
        chunkOf(
          { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] },
          null,
          model,
        ),
        ...pieces(jsonOf(call)).map((json) =>
          chunkOf({ tool_calls: [{ index, function: { arguments: json } }] }, null, model),
        ),
      ]),
      chunkOf({}, calls.length === 0 ? 'stop' : 'tool_calls', model),
      { ...chunkOf({}, null, model), choices: [], usage: chatUsage },
    ],
  },
  responses: {
    wholeType: 'Responses.Response',
    eventType: 'Responses.ResponseStreamEvent',
    requestType: 'Responses.ResponseCreateParams',
    whole: (calls, text, model) => responseOf(outputOf(calls, text), 'completed', model),
    events: (calls, text, model) =>
      [
        { type: 'response.created', response: responseOf([], 'in_progress', model) },
        ...pieces(text).map((delta) => ({
          type: 'response.output_text.delta',
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta,
          logprobs: [],
        })),
        ...calls.flatMap((call, output_index) => [
          ...pieces(jsonOf(call)).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            item_id: `fc_${call.id}`,
            output_index,
            delta,
          })),
          { type: 'response.output_item.done', output_index, item: outputOf([call], '')[0] },
        ]),
        { type: 'response.completed', response: responseOf(outputOf(calls, text), 'completed', model) },
      ].map((event, sequence_number) => ({ ...event, sequence_number })),
  },
  messages: {
    wholeType: 'Messages.Message',
    eventType: 'Messages.RawMessageStreamEvent',
    requestType: 'Messages.MessageCreateParams',
    whole: (calls, text, model) =>
      messageOf(
        [
          ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
          ...calls.map((call) => ({
            type: 'tool_use',
            id: call.id,
            name: call.name,
            input: objectOf(call),
            caller: { type: 'direct' },
          })),
        ],
        calls.length === 0 ? 'end_turn' : 'tool_use',
        model,
      ),
    events: (calls, text, model) => [
      { type: 'message_start', message: messageOf([], null, model) },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
      ...pieces(text).map((piece) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: piece },
      })),
      { type: 'content_block_stop', index: 0 },
      ...calls.flatMap((call, place) => [
        {
          type: 'content_block_start',
          index: place + 1,
          content_block: { type: 'tool_use', id: call.id, name: call.name, input: {}, caller: { type: 'direct' } },
        },
        ...pieces(jsonOf(call)).map((partial_json) => ({
          type: 'content_block_delta',
          index: place + 1,
          delta: { type: 'input_json_delta', partial_json },
        })),
        { type: 'content_block_stop', index: place + 1 },
      ]),
      {
        type: 'message_delta',
        delta: {
          stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
          stop_sequence: null,
          stop_details: null,
          container: null,
        },
        usage: deltaUsage,
      },
      { type: 'message_stop' },
    ],
  },
};
