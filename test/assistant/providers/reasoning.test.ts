// Tests server/assistant/providers/openai/responses.ts.
/** Reasoning and calls that servers leave in the text of an answer: none of it reaches a caller, whole or in pieces. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpResponse } from 'msw';
import { openaiProvider } from '../../../server/assistant/providers/openai.ts';
import { visiblePart, visibleText } from '../../../server/assistant/providers/openai/visible-text.ts';
import { accountOf, allForms, answered, chunk, completion, endpoint, events } from './endpoint.ts';
import { build, question } from './subjects.ts';

const upstream = endpoint();
beforeAll(() => upstream.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.server.close());

const leaks = [
  'The user wants SECRET.\n</think>\n\nAnswer.',
  'SECRET </thinking>Answer.',
  'SECRET\n</thought>\nAnswer.',
  'SECRET</reasoning>Answer.',
  'SECRET <think> SECRET </think> SECRET</think>Answer.',
  'SECRET</think>SECRET</think>Answer.',
  '<think>SECRET<think>SECRET</think>SECRET</think>Answer.',
  '<think>SECRET `</think>` SECRET</think>Answer.',
  '<seed:think>SECRET<seed:cot_budget_reflect>SECRET</seed:cot_budget_reflect>SECRET</seed:think>Answer.',
  '<reasoning>SECRET</reasoning><answer>Answer.</answer>',
  '<think>SECRET</think>\n<response>Answer.</response>',
  '[THINK]SECRET[/THINK]Answer.',
  'SECRET[/THINK]Answer.',
  '◁think▷SECRET◁/think▷Answer.',
  '<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant<|channel|>final<|message|>Answer.<|return|>',
  'SECRET<|end|><|start|>assistant<|channel|>final<|message|>Answer.',
  '<|channel|>analysis<|message|>SECRET<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"SECRET":1}<|call|><|start|>assistant<|channel|>final<|message|>Answer.',
  'analysisThe user SECRETassistantfinalAnswer.',
  '<|begin_of_thought|>SECRET<|end_of_thought|><|begin_of_solution|>Answer.<|end_of_solution|>',
  '<|START_THINKING|>SECRET<|END_THINKING|><|START_RESPONSE|>Answer.<|END_RESPONSE|>',
  'SECRET<|END_THINKING|><|START_RESPONSE|>Answer.<|END_RESPONSE|>',
  '<|channel>thought\nSECRET<channel|>Answer.',
  '<|inner_prefix|>SECRET<|inner_suffix|>Answer.',
  '<unused94>thought\nSECRET<unused95>Answer.',
  'Here is my thought process:\nSECRET\nHere is my response:\nAnswer.',
  "Here's my thought process: SECRET Here's my response: Answer.",
  'Answer.<think>SECRET, without an end',
  'Answer.<tool_call>{"name":"SECRET"}</tool_call>',
  'Answer.<function_calls><invoke name="SECRET"><x>SECRET</x></invoke></function_calls>',
  'Answer.<function=SECRET><parameter=q>SECRET</parameter></function>',
  'Answer.[TOOL_CALLS][{"name":"SECRET"}]',
  'Answer.<|tool_calls_section_begin|><|tool_call_begin|>SECRET<|tool_call_end|><|tool_calls_section_end|>',
  'Answer.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>SECRET<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'Answer.<|python_tag|>{"name":"SECRET"}',
  'Answer.<|im_end|>',
];

describe.each(leaks)('%j', (text) => {
  test('is only the answer, wherever the text is cut', () => {
    expect(visiblePart(text)).toBe('Answer.');
    for (const streams of [true, false])
      for (let cut = 1; cut < text.length; cut++) {
        const filter = visibleText(streams);
        const shown = filter.push(text.slice(0, cut)) + filter.push(text.slice(cut)) + filter.end();
        // A text that streams already has the shown part taken back by an error.
        if (!filter.found.leaked) expect(shown).toBe('Answer.');
      }
  });

  test('is only the answer for a caller, also in pieces', async () => {
    for (const onText of [false, true])
      for (const size of [1, 5, 1000]) {
        const pieces: string[] = [];
        upstream.answer(({ body }) =>
          body.stream === true
            ? events([
                ...(text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []).map((content) => chunk({ content })),
                chunk({}, 'stop'),
              ])
            : HttpResponse.json(completion(text)),
        );
        const options = { signal: new AbortController().signal, questions: 1 };
        const listen = onText ? { onText: (piece: string) => void pieces.push(piece) } : {};
        const { summary } = await openaiProvider(0).ask(accountOf('chat'), question(build), { ...options, ...listen });
        expect(summary).toBe('Answer.');
        if (onText) expect(pieces.join('')).toBe('Answer.');
      }
  });
});

test.each([
  'R1 ends its reasoning with `</think>`, and begins it with `<think>`.',
  'Use ``<|channel|>analysis`` for it.',
  'See [analysis](https://example.org/node-24), [1] and [THINK](https://example.org/node-24).',
  'a < b, <b>bold</b>, x<y, [x], `code` and ```js\nx\n```',
  'The analysis is done. Here is my response: fine.',
])('%j stays as it is', (text) => {
  expect(visiblePart(text)).toBe(text);
});

const options = { signal: new AbortController().signal, questions: 1 };

test.each(allForms)('%s: the text arrives in pieces after three whole answers without reasoning in it', async (api) => {
  const provider = openaiProvider(0);
  const long = 'A sentence with some words. '.repeat(20).trim();
  const counts: number[] = [];
  for (let n = 0; n < 4; n++) {
    const pieces: string[] = [];
    upstream.answer(({ body }) => answered(api, body, long));
    const onText = (piece: string): void => void pieces.push(piece);
    expect((await provider.ask(accountOf(api), question(build), { ...options, onText })).summary).toBe(long);
    expect(pieces.join('')).toBe(long);
    counts.push(pieces.length);
  }
  expect(counts.slice(0, 3).every((count) => count <= 2)).toBe(true);
  expect(counts[3]).toBeGreaterThan(10);
  // A model that begins to reason fails the question, and is never passed on early again.
  for (const [rest, expected] of [
    [`${long}</think>Answer.`, undefined],
    [`${long}</think>Answer.`, 'Answer.'],
  ] as const) {
    upstream.answer(({ body }) => answered(api, body, rest));
    const reply = await provider
      .ask(accountOf(api), question(build), { ...options, onText: () => {} })
      .catch(() => undefined);
    expect(reply?.summary).toBe(expected);
  }
});

test('a model that only ends its reasoning, and is cut in it, gives no answer', async () => {
  const provider = openaiProvider(0);
  upstream.answer(() => HttpResponse.json(completion('SECRET</think>Answer.')));
  await provider.ask(accountOf('chat'), question(build), options);
  const cut = { ...completion(''), choices: [{ message: { content: 'SECRET' }, finish_reason: 'length' }] };
  upstream.answer(() => HttpResponse.json(cut));
  await expect(provider.ask(accountOf('chat'), question(build), options)).rejects.toMatchObject({ fault: 'failed' });
});

test.each([
  '<tool_call>\n{"name": "search_posts", "arguments": {"query": "coffee"}}\n</tool_call>',
  'Let me look. <function=search_posts><parameter=query>coffee</parameter></function>',
  '{"name": "search_posts", "parameters": {"query": "coffee"}}',
  '```json\n[{"name": "search_posts", "arguments": {"query": "coffee"}}]\n```',
  '[search_posts(query="coffee")]',
  '[TOOL_CALLS]search_posts[ARGS]{"query":"coffee"}',
])('a call in the text is asked again without tools, and after the third remembered: %j', async (text) => {
  for (const onText of [undefined, () => {}]) {
    const provider = openaiProvider();
    upstream.answer(({ body }) => answered('chat', body, body['tools'] === undefined ? 'Fine.' : text));
    for (let n = 0; n < 4; n++)
      expect((await provider.ask(accountOf('chat'), question(build), { ...options, onText })).summary).toBe('Fine.');
    expect(upstream.asked.length).toBe(7);
  }
});
