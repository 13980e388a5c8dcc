// Not in `npm run test:fast`: it calls a server for each case.
// Tests server/assistant/providers/openai/endpoint-memory.ts.
/** The ways in which servers with an API like that of OpenAI differ: what they refuse, how they send answers, and calls of tools. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpResponse } from 'msw';
import { openaiProvider } from '../../../server/assistant/providers/openai.ts';
import type { ArchiveReader, Question } from '../../../server/ports/assistant-provider.ts';
import {
  accountOf,
  allForms,
  anthropicMessage,
  answered,
  chunk,
  chunked,
  completion,
  endpoint,
  event,
  message,
  response,
  schemaOf,
  spoken,
  type Api,
  type Asked,
} from './endpoint.ts';
import { build, emptyArchive, question } from './subjects.ts';
import { calling } from './tool-calls.ts';

const upstream = endpoint();
beforeAll(() => upstream.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.server.close());

interface Options {
  readonly provider?: ReturnType<typeof openaiProvider>;
  readonly onText?: ((piece: string) => void) | undefined;
  readonly about?: Partial<Question>;
}
const ask = (api: Api, { provider = openaiProvider(), onText, about = {} }: Options = {}) =>
  provider.ask(accountOf(api), question(build, { prompt: 'What do people say?', ...about }), {
    signal: new AbortController().signal,
    questions: 1,
    onText,
  });
const both = [undefined, () => {}];

describe('a server that refuses a part of the request is asked again without it, and it is remembered', () => {
  const flat = (text: string) => ({ object: 'error', message: text, type: 'BadRequestError', param: null, code: 400 });
  const nested = (text: string, code: unknown = null) => ({
    error: { message: text, type: 'invalid_request_error', code },
  });
  const toolRefusals: readonly [number, unknown][] = [
    [500, nested('this template needs --jinja to use tools', 500)],
    [400, flat('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')],
    [
      422,
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted', input: [] }],
      },
    ],
    [422, { detail: 'tools: unknown member' }],
    [404, nested('No endpoints found that support tool use.', 404)],
    [400, nested('`tool calling` is not supported with this model')],
    [
      400,
      [{ error: { code: 400, message: 'Function calling is not enabled for models/g-1', status: 'INVALID_ARGUMENT' } }],
    ],
    [400, { error: 'm-1 does not support tools' }],
    [501, { message: 'tools are not implemented' }],
    [
      405,
      {
        title: 'Unprocessable',
        errors: { tools: ['x'], message: "Additional properties are not allowed ('tools' was unexpected)" },
      },
    ],
    [
      422,
      'Failed to deserialize the JSON body: unknown field `tools`, expected one of `model`, `messages`, `stream`, `system`',
    ],
    [200, nested('this model cannot call functions', 400)],
  ];
  test.each(toolRefusals)('tools, with %i %j', async (status, body) => {
    for (const api of allForms)
      for (const onText of both) {
        const provider = openaiProvider();
        upstream.answer((asked) => {
          if (asked.body['tools'] === undefined) return answered(api, asked.body, 'Fine.');
          return typeof body === 'string'
            ? new HttpResponse(body, { status, headers: { 'content-type': 'text/plain' } })
            : HttpResponse.json(body as object, { status });
        });
        expect((await ask(api, { provider, onText })).summary).toBe('Fine.');
        expect(upstream.asked.length).toBe(2);
        expect(spoken(upstream.asked[1]!).map(({ role }) => role)).toContain('system');
        await ask(api, { provider, onText });
        expect(upstream.asked.length).toBe(3);
      }
  });

  const roleRefusals: readonly [number, unknown][] = [
    [400, flat('System role not supported')],
    [500, nested('System role not supported')],
    [400, nested('Conversation roles must alternate user/assistant/user/assistant/...')],
    [
      422,
      {
        detail: [
          { loc: ['body', 'messages', 0, 'role'], msg: "Input should be 'user' or 'assistant'", input: 'system' },
        ],
      },
    ],
    [400, nested('Developer instruction is not enabled for models/g-1')],
    [400, nested("Unsupported value: 'messages[0].role' does not support 'system' with this model.")],
    [400, 'unknown variant `system`, expected `user` or `assistant`'],
  ];
  test.each(roleRefusals)('the role of the instructions, with %i %j', async (status, body) => {
    for (const onText of both) {
      const provider = openaiProvider();
      upstream.answer((asked) => {
        if (spoken(asked)[0]!.role !== 'system') return answered('chat', asked.body, 'Fine.');
        return typeof body === 'string'
          ? new HttpResponse(body, { status })
          : HttpResponse.json(body as object, { status });
      });
      expect((await ask('chat', { provider, onText })).summary).toBe('Fine.');
      const [first] = spoken(upstream.asked[1]!);
      expect(first!.role).toBe('user');
      // The instructions come before the data, and the model has tools as before.
      expect(first!.content.indexOf('You explain posts')).toBe(0);
      expect(first!.content.indexOf(build.tweet.text.slice(0, 20))).toBeGreaterThan(0);
      expect(upstream.asked[1]!.body['tools']).toBeDefined();
      await ask('chat', { provider, onText });
      expect(upstream.asked.length).toBe(3);
    }
  });

  test.each<[number, unknown]>([
    [500, nested('failed to initialise the grammar: json_schema is not supported')],
    [400, flat("'response_format.type' must be 'text'")],
    [422, { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] }],
    [400, nested('This response_format type is unavailable now')],
  ])('structured output, with %i %j', async (status, body) => {
    const provider = openaiProvider();
    upstream.answer((asked) =>
      schemaOf(asked) === undefined
        ? answered('chat', asked.body, '{"summary":"Fine.","tickers":["$NODE"]}')
        : HttpResponse.json(body as object, { status }),
    );
    const about = { suggest: 'ticker' };
    expect(await ask('chat', { provider, about })).toMatchObject({ summary: 'Fine.', tickers: ['$NODE'] });
    await ask('chat', { provider, about });
    expect(upstream.asked.length).toBe(3);
  });

  test('streams, the tokens of streams, and the storage of responses', async () => {
    const provider = openaiProvider(8, () => {});
    const pieces: string[] = [];
    upstream.answer(({ body }) => {
      if (body['stream_options'] !== undefined)
        return HttpResponse.json(nested('Unrecognized request argument supplied: stream_options'), { status: 400 });
      if (body.stream === true)
        return HttpResponse.json({ detail: 'streaming is not available here' }, { status: 400 });
      return answered('chat', body, 'Fine.');
    });
    const onText = (piece: string): void => void pieces.push(piece);
    expect((await ask('chat', { provider, onText })).summary).toBe('Fine.');
    expect(pieces.join('')).toBe('Fine.');
    expect(upstream.asked.length).toBe(3);
    upstream.answer(({ body }) =>
      'store' in body
        ? HttpResponse.json(
            { detail: [{ loc: ['body', 'store'], msg: 'Extra inputs are not permitted' }] },
            { status: 422 },
          )
        : answered('responses', body, 'Fine.'),
    );
    expect((await ask('responses')).summary).toBe('Fine.');
  });

  test('`null` as the text beside calls, and the choice of no tool', async () => {
    upstream.answer(({ body }) => {
      if ((body['messages'] as { content: unknown }[]).some(({ content }) => content === null))
        return HttpResponse.json(nested('invalid message content type: <nil>'), { status: 400 });
      if (body['tool_choice'] === 'none') return HttpResponse.json(flat('tool_choice must be "auto"'), { status: 400 });
      return body['tools'] === undefined
        ? answered('chat', body, 'Fine.')
        : calling('chat', body, [{ id: 'c1', name: 'search_posts', input: { query: 'a' } }]);
    });
    for (const onText of both)
      expect((await ask('chat', { provider: openaiProvider(1), onText })).summary).toBe('Fine.');
    expect(upstream.asked.length).toBe(8);
  });

  test('all of them: one more request for each, and no endless repetition', async () => {
    const provider = openaiProvider();
    upstream.answer((asked) => {
      const refused =
        asked.body['tools'] !== undefined ? 'tools' : spoken(asked)[0]!.role === 'system' ? 'system role' : '';
      return refused === ''
        ? answered('chat', asked.body, 'Fine.')
        : HttpResponse.json(nested(`${refused} not supported`), { status: 400 });
    });
    expect((await ask('chat', { provider })).summary).toBe('Fine.');
    expect(upstream.asked.length).toBe(3);
    const everything = 'tools, the system role, response_format, stream and content are not supported';
    upstream.answer(() => HttpResponse.json(nested(everything), { status: 400 }));
    for (const onText of both)
      await expect(ask('chat', { onText })).rejects.toMatchObject({ fault: 'rejected', counted: 1 });
    expect(upstream.asked.length).toBeLessThan(10);
  });

  test.each<[number, unknown, string]>([
    [400, nested('maximum context length is 10 tokens, 4 of them in the functions: not enough'), 'rejected'],
    [400, nested('The prompt was flagged by content management policy: system messages are not exempt'), 'rejected'],
    [503, nested('The system is currently unavailable'), 'failed'],
    [429, nested('requests with tools are not possible now'), 'limited'],
    [
      422,
      { detail: [{ loc: ['body', 'x'], msg: 'Field required', input: { tools: 'tools not supported' } }] },
      'rejected',
    ],
  ])('but not for another reason: %i %j', async (status, body, fault) => {
    upstream.answer(() => HttpResponse.json(body as object, { status }));
    await expect(ask('chat')).rejects.toMatchObject({ fault });
    expect(upstream.asked.length).toBe(1);
  });
});

describe('an answer is read by its content', () => {
  const whole: Readonly<Record<Api, unknown>> = {
    chat: completion('Whole answer.'),
    responses: response([message('Whole answer.')]),
    messages: anthropicMessage([{ type: 'text', text: 'Whole answer.' }]),
  };
  const chunks = [chunk({ role: 'assistant', content: 'Whole ' }), chunk({ content: 'answer.' }), chunk({}, 'stop')];
  const json = JSON.stringify(whole.chat, null, 2);
  const lines = chunks.map((each) => JSON.stringify(each));
  const sse = chunks.map(event).join('');

  test.each(allForms)('%s: JSON of any content type, also instead of a stream', async (api) => {
    for (const type of [
      'text/plain; charset=utf-8',
      'application/octet-stream',
      'text/event-stream',
      'application/json',
    ])
      for (const onText of both) {
        const pieces: string[] = [];
        upstream.answer(() => chunked([JSON.stringify(whole[api])], type));
        const reply = await ask(api, { onText: onText && ((piece) => pieces.push(piece)) });
        expect(reply.summary).toBe('Whole answer.');
        if (onText !== undefined) expect(pieces.join('')).toBe('Whole answer.');
      }
  });

  test.each(allForms)('%s: a stream of any content type, also where none was requested', async (api) => {
    for (const type of ['application/json', 'text/plain', 'text/event-stream'])
      for (const onText of both) {
        upstream.answer(async ({ body }) => {
          const streamed = answered(api, { ...body, stream: true }, 'Whole answer.');
          return chunked([await streamed.text()], type);
        });
        expect((await ask(api, { onText })).summary).toBe('Whole answer.');
      }
  });

  test.each<[string, string]>([
    ['JSON with a byte order mark', `\ufeff${json}`],
    ['JSON with white space around it', `\r\n\t ${json}\n\n`],
    ['JSON lines', lines.join('\n')],
    ['events without a space after the colon', sse.replaceAll('data: ', 'data:')],
    ['events with carriage returns', `${sse}data: [DONE]\n\n`.replaceAll('\n', '\r\n')],
    ['events after a byte order mark and empty lines', `\ufeff\n\n${sse}`],
    ['comments between events', `: ping\n\n${sse.replaceAll('\n\n', '\n\n: keep-alive\n\n')}`],
    ['events with other fields', sse.replaceAll('data:', 'event: message\nid: 7\nretry: 10\ndata:')],
    ['events without an empty line between them', lines.map((line) => `data: ${line}\n`).join('')],
    ['events without a line break at the end', sse.trimEnd()],
    ['a stream without an end', sse],
    ['a stream without a finish reason', chunks.slice(0, 2).map(event).join('')],
    ['a stream without a finish reason that is done', `${chunks.slice(0, 2).map(event).join('')}data: [DONE]\n\n`],
    ['a stream that repeats the whole message', `${sse}${event(whole.chat)}`],
    ['a stream with tokens and empty choices', `${event({ choices: [] })}${sse}${event({ choices: [], usage: null })}`],
  ])('%s', async (_what, body) => {
    for (const onText of both)
      for (const size of [1, 7, 10_000]) {
        upstream.answer(() => chunked(body.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [], 'text/plain'));
        expect((await ask('chat', { onText })).summary).toBe('Whole answer.');
      }
  });

  test.each<[string, unknown]>([
    [
      'parts',
      [
        { type: 'text', text: 'Whole ' },
        { type: 'output_text', text: 'answer.' },
      ],
    ],
    ['strings', ['Whole ', 'answer.']],
    ['parts without a type', [{ text: 'Whole answer.' }]],
    [
      'parts beside reasoning',
      [
        { type: 'reasoning', text: 'SECRET' },
        { type: 'text', text: 'Whole answer.' },
      ],
    ],
  ])('a text as a list of %s', async (_what, content) => {
    for (const onText of both) {
      upstream.answer(() => HttpResponse.json(completion(content)));
      expect((await ask('chat', { onText })).summary).toBe('Whole answer.');
    }
  });

  test.each<[unknown, string]>([
    [{ error: { message: 'Rate limit exceeded', code: 429 } }, 'limited'],
    [{ error: 'Unexpected endpoint or method.' }, 'failed'],
    [{ object: 'error', message: 'out of memory', code: 500 }, 'failed'],
    [{ choices: [{ delta: { content: '' }, finish_reason: 'error' }] }, 'failed'],
  ])('an error with status 200 is an error: %j', async (body, fault) => {
    for (const onText of both)
      for (const answer of [() => HttpResponse.json(body as object), () => chunked([event(body)])]) {
        upstream.answer(answer);
        await expect(ask('chat', { onText })).rejects.toMatchObject({ fault, counted: 1 });
        expect(upstream.asked.length).toBe(1);
      }
  });
});

describe('calls of tools', () => {
  const called = (id: unknown, query: unknown, index?: number) => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name: 'search_posts', arguments: typeof query === 'string' ? JSON.stringify({ query }) : query },
  });

  /** What the archive was searched for, and the calls and results that the model gets back. */
  async function calls(
    whole: Record<string, unknown> | undefined,
    deltas: readonly Record<string, unknown>[],
    onText: Options['onText'],
  ) {
    const searched: string[] = [];
    const archive: ArchiveReader = { ...emptyArchive, search: async (query) => (searched.push(query), []) };
    upstream.answer(({ body }, count) => {
      if (count > 1) return answered('chat', body, 'Fine.');
      return onText === undefined && whole !== undefined
        ? HttpResponse.json(completion(null, 'm', {}, whole))
        : chunked([...deltas.map((delta) => event(chunk(delta))), event(chunk({}, 'stop'))]);
    });
    expect((await ask('chat', { onText, about: { archive } })).summary).toBe('Fine.');
    const messages = upstream.asked[1]!.body['messages'] as {
      role: string;
      tool_call_id?: string;
      tool_calls?: { id: string; function: { arguments: string } }[];
    }[];
    const ids = messages.flatMap(({ tool_calls: list }) => (list ?? []).map(({ id }) => id));
    expect(messages.flatMap(({ role, tool_call_id: id }) => (role === 'tool' ? [id] : []))).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^\w+$/);
    for (const { tool_calls: list } of messages)
      for (const {
        function: { arguments: json },
      } of list ?? [])
        expect(typeof JSON.parse(json)).toBe('object');
    return searched;
  }

  const two = (first: object, second: object): [Record<string, unknown>, readonly Record<string, unknown>[]] => [
    { tool_calls: [first, second] },
    [{ tool_calls: [first] }, { tool_calls: [second] }],
  ];
  test.each<[string, [Record<string, unknown>, readonly Record<string, unknown>[]]]>([
    ['with the same index', two(called('call_a', 'coffee', 0), called('call_b', 'tea', 0))],
    ['with the same index and without ids', two(called(undefined, 'coffee', 0), called(undefined, 'tea', 0))],
    ['with the same index and id', two(called('c', 'coffee', 0), called('c', 'tea', 0))],
    ['with empty ids', two(called('', 'coffee', 0), called('', 'tea', 1))],
    ['with ids that are null', two(called(null, 'coffee', 0), called(null, 'tea', 1))],
    ['without ids', two(called(undefined, 'coffee', 0), called(undefined, 'tea', 1))],
    ['with the same id', two(called('call_0', 'coffee', 0), called('call_0', 'tea', 1))],
    ['without indexes', two(called('call_a', 'coffee'), called('call_b', 'tea'))],
    ['without indexes and ids', two(called(undefined, 'coffee'), called(undefined, 'tea'))],
    ['without indexes and with the same id', two(called('c', 'coffee'), called('c', 'tea'))],
    ['with arguments as an object', two(called('a', { query: 'coffee' }, 0), called('b', { query: 'tea' }, 1))],
    ['that are flat', two({ id: 'a', name: 'search_posts', arguments: '{"query":"coffee"}' }, called('b', 'tea'))],
  ])('two calls %s are two calls', async (_what, [whole, deltas]) => {
    for (const onText of both) expect(await calls(whole, deltas, onText)).toEqual(['coffee', 'tea']);
    // Both in one piece.
    expect(await calls(undefined, [whole], () => {})).toEqual(['coffee', 'tea']);
  });

  const name = 'search_posts';
  const piece = (index: number | undefined, id: string | undefined, members: object) => ({
    tool_calls: [{ ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: members }],
  });
  test.each<[string, readonly Record<string, unknown>[]]>([
    [
      'in pieces',
      [
        piece(0, 'a', { name, arguments: '' }),
        piece(0, undefined, { arguments: '{"query":' }),
        piece(0, undefined, { arguments: '"coffee"}' }),
      ],
    ],
    [
      'in pieces without indexes',
      [
        piece(undefined, 'a', { name, arguments: '{"query":' }),
        piece(undefined, undefined, { arguments: '"coffee"}' }),
      ],
    ],
    [
      'that repeats id and name',
      [
        piece(0, 'a', { name, arguments: '{"query":' }),
        piece(0, 'a', { name, arguments: '"coffee"}' }),
        piece(0, 'a', { name, arguments: '' }),
      ],
    ],
    [
      'that repeats its arguments',
      [
        piece(0, 'a', { name, arguments: '{"query":' }),
        piece(0, 'a', { name, arguments: '{"query":"coffee"}' }),
        piece(0, 'a', { name, arguments: '{"query":"coffee"}' }),
      ],
    ],
    [
      'that begins with an empty object',
      [piece(0, 'a', { name, arguments: '{}' }), piece(0, undefined, { arguments: '{"query":"coffee"}' })],
    ],
    [
      'as the older `function_call`',
      [{ function_call: { name, arguments: '' } }, { function_call: { arguments: '{"query":"coffee"}' } }],
    ],
    ['that is no list', [{ tool_calls: called('a', 'coffee') }]],
  ])('a streamed call %s is one call', async (_what, deltas) => {
    expect(await calls(undefined, deltas, () => {})).toEqual(['coffee']);
  });

  test('the older `function_call` of a whole answer is a call', async () => {
    expect(await calls({ function_call: { name, arguments: '{"query":"coffee"}' } }, [], undefined)).toEqual([
      'coffee',
    ]);
  });

  test('a call without arguments has an empty object', async () => {
    for (const input of ['', null, undefined, ' '])
      for (const onText of both) {
        const call = { id: 'a', function: { name, arguments: input } };
        expect(await calls({ tool_calls: [call] }, [{ tool_calls: [call] }], onText)).toEqual([]);
      }
  });

  test.each(['responses', 'messages'] as const)('%s: a call without an id gets one', async (api) => {
    const searched: string[] = [];
    const archive: ArchiveReader = { ...emptyArchive, search: async (query) => (searched.push(query), []) };
    for (const onText of both) {
      upstream.answer(async ({ body }: Asked, count) => {
        if (count > 1) return answered(api, body, 'Fine.');
        const text = await calling(api, body, [{ id: 'ID', name, input: { query: 'coffee' } }]).text();
        return chunked([text.replaceAll('"ID"', '""').replaceAll('fc_ID', '')], 'text/plain');
      });
      expect((await ask(api, { onText, about: { archive } })).summary).toBe('Fine.');
      expect(JSON.stringify(upstream.asked[1]!.body)).toContain('call00001');
    }
    expect(searched).toEqual(['coffee', 'coffee']);
  });
});
