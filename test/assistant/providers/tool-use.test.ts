// Tests server/assistant/providers/openai/tool-use.ts.
/** Tool use with the three APIs: what a model can read, how much, and what its answer can refer to. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpResponse } from 'msw';
import { openaiProvider } from '../../../server/assistant/providers/openai.ts';
import { notFound, ServiceError } from '../../../server/contract/service-error.ts';
import { ProviderError, type ArchiveReader, type Reply } from '../../../server/ports/assistant-provider.ts';
import type { TweetBackground } from '../../../server/ports/platform.ts';
import { accountOf, allForms, answered, apiKey, endpoint, spoken, type Api, type Asked } from './endpoint.ts';
import { author, build, emptyArchive, question, tweet } from './subjects.ts';
import { calling, type Call } from './tool-calls.ts';

const upstream = endpoint();
beforeAll(() => upstream.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.server.close());

const background: TweetBackground = {
  knownCounts: ['like_count'],
  inReplyToId: undefined,
  inReplyToUsername: undefined,
  quotedId: undefined,
  retweetedId: undefined,
  lang: undefined,
};
/** An archive with some posts; `gone` has those that were removed. */
function archiveOf(texts: readonly string[], gone: ReadonlySet<string> = new Set()) {
  const posts = texts.map((text, n) =>
    tweet(`${70 + n}`, text, { author: author(`reader_${n}`), view_count: 0, like_count: n }),
  );
  const reads: string[] = [];
  const there = () => posts.filter(({ id }) => !gone.has(id));
  const archive: ArchiveReader = {
    search: async (query, limit) => (reads.push(`search ${query} ${limit}`), there().slice(0, limit)),
    thread: async (id) => (reads.push(`thread ${id}`), there()),
    retweeters: async () => [],
    profiles: async () => [],
    author: async (username, limit) => (reads.push(`author ${username} ${limit}`), there().slice(0, limit)),
    present: async (ids) => new Set(ids.filter((id) => !gone.has(id))),
    backgrounds: async (ids) => new Map(ids.filter((id) => !gone.has(id)).map((id) => [id, background])),
  };
  return { archive, reads };
}

const search: Call = { id: 'c1', name: 'search_posts', input: { query: 'loader', limit: 3 } };

interface Options {
  readonly archive?: ArchiveReader;
  readonly onText?: ((piece: string) => void) | undefined;
  readonly calls?: number;
  readonly provider?: ReturnType<typeof openaiProvider>;
}
const ask = (api: Api, { archive = emptyArchive, onText, calls, provider = openaiProvider(calls) }: Options = {}) =>
  provider.ask(accountOf(api), question(build, { archive, prompt: 'What do people say?' }), {
    signal: new AbortController().signal,
    questions: 1,
    onText,
  });

/** The model calls tools at its first answers, one list for each, and then answers. */
function model(rounds: readonly (readonly Call[])[], answer: string, remark = ''): void {
  upstream.answer(({ api, body }, count) => {
    const calls = rounds[count - 1];
    return calls === undefined ? calling(api, body, [], answer) : calling(api, body, calls, remark);
  });
}

/** What the tools returned in a request, as the model reads it. */
function results({ api, body }: Asked): string[] {
  const list = (body['messages'] ?? body['input']) as { [member: string]: unknown }[];
  if (api === 'chat') return list.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  if (api === 'responses')
    return list.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output));
  return list.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap((block: { type: string; content: string }) =>
          block.type === 'tool_result' ? [block.content] : [],
        )
      : [],
  );
}
const markOf = (asked: Asked): string => /<(DATA-[0-9a-f]{24})>/.exec(spoken(asked)[0]!.content)![1]!;
/** The data of a result, which must stand between the markers of the question. */
function dataOf(asked: Asked, result: string): { [list: string]: { id: string; text: string; counts: object }[] } {
  const mark = markOf(asked);
  const [open, json, close, ...rest] = result.split('\n');
  expect([open, close, rest]).toEqual([`<${mark}>`, `</${mark}>`, []]);
  return JSON.parse(json!);
}
const both = [undefined, () => {}];

describe.each(allForms)('a model with the %s API', (api) => {
  test('reads the archive, and its answer cites what it read', async () => {
    const { archive, reads } = archiveOf(['The loader was slow.', 'I miss the loader.']);
    for (const onText of both) {
      const pieces: string[] = [];
      model([[search], [{ id: 'c2', name: 'read_thread', input: { post_id: '71' } }]], 'Two do [post:71], [post:70].');
      const reply = await ask(api, { archive, onText: onText && ((piece) => pieces.push(piece)) });
      expect(reply).toMatchObject({ summary: 'Two do [1], [2].', citedTweets: ['71', '70'] });
      if (onText !== undefined) expect(pieces.join('')).toBe(reply.summary);
      expect(upstream.asked.length).toBe(3);
      const last = upstream.asked[2]!;
      const [found, thread] = results(last);
      expect(dataOf(last, found!)['posts']!.map(({ id, text }) => [id, text])).toEqual([
        ['70', 'The loader was slow.'],
        ['71', 'I miss the loader.'],
      ]);
      // An unknown count is not 0.
      expect(dataOf(last, found!)['posts']![0]!.counts).toEqual({ likes: 0, reposts: 3, replies: 4, quotes: 1 });
      expect(Object.keys(dataOf(last, thread!))).toEqual(['answered_posts', 'posts', 'replies']);
    }
    expect(reads.slice(0, 2)).toEqual(['search loader 3', 'thread 71']);
  });

  test('that calls several tools at once gets all results', async () => {
    const { archive, reads } = archiveOf(['One.']);
    const calls: Call[] = [search, { id: 'c2', name: 'posts_of_author', input: { username: '@lena_types' } }];
    for (const onText of both) {
      model([calls], 'Fine.');
      await ask(api, { archive, onText });
      expect(results(upstream.asked[1]!)).toHaveLength(2);
    }
    expect(reads.slice(0, 2)).toEqual(['search loader 3', 'author lena_types 10']);
  });

  test('cannot refer to a post that it did not read', async () => {
    const { archive } = archiveOf(['One.']);
    for (const onText of both) {
      model([[search]], 'It fell [post:70]. It rose [post:99]. Sam asked [post:3]. Again [post:70].');
      expect(await ask(api, { archive, onText })).toMatchObject({
        summary: 'It fell [1]. It rose [?]. Sam asked [2]. Again [1].',
        citedTweets: ['70', '3'],
      });
    }
    model([], 'No source at all.');
    expect(Object.keys(await ask(api))).not.toContain('citedTweets');
  });

  test('gets a limited number of calls, and must then answer', async () => {
    const { archive, reads } = archiveOf(['One.']);
    for (const onText of both) {
      reads.length = 0;
      upstream.answer(({ body }) =>
        body['tool_choice'] === 'none' || (body['tool_choice'] as { type?: string }).type === 'none'
          ? calling(api, body, [search], 'Enough.')
          : calling(api, body, [search, { ...search, id: 'c2' }, { ...search, id: 'c3' }]),
      );
      expect((await ask(api, { archive, onText, calls: 4 })).summary).toBe('Enough.');
      expect(reads).toHaveLength(4);
      expect(upstream.asked.length).toBe(3);
      expect(results(upstream.asked[2]!).at(-1)).toBe('{"error":"no call is left: answer now"}');
    }
  });

  test.each<[string, Call['input'], string]>([
    ['search_posts', '{"query":', 'the arguments are not valid JSON'],
    ['search_posts', {}, "'query' is missing"],
    ['search_posts', { query: 'a', limit: 1e9 }, "'limit' must be"],
    ['search_posts', { query: 7 }, "'query' must be"],
    ['search_posts', { query: 'x'.repeat(301) }, "'query' must"],
    ['search_posts', { query: 'from:' }, "'query' is invalid"],
    ['search_posts', { query: 'a', path: '/etc' }, 'there is an argument that the tool does not have'],
    ['read_thread', { post_id: '../1' }, "'post_id' must be the id of a post"],
    ['read_thread', [], 'the arguments must be'],
    ['posts_of_author', { username: '' }, "'username' must"],
    ['delete_post', { post_id: '1' }, 'no such tool; the tools are search_posts, read_thread, posts_of_author'],
    ['unlike', {}, 'no such tool'],
  ])('that calls %s with %j gets an error', async (name, input, message) => {
    // The API of Anthropic has arguments only as an object; a stream has them as text.
    const onText = api === 'messages' ? () => {} : undefined;
    const { archive, reads } = archiveOf(['One.']);
    model([[{ id: 'c1', name, input }]], 'Fine.');
    expect((await ask(api, { archive, onText })).summary).toBe('Fine.');
    expect(reads).toEqual([]);
    const [result] = results(upstream.asked[1]!);
    expect(Object.keys(JSON.parse(result!))).toEqual(['error']);
    expect(result).toContain(message);
  });

  test('gets no more text than the limits', async () => {
    const { archive } = archiveOf(Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(24_000)}`));
    model([[{ id: 'c1', name: 'search_posts', input: { query: 'x', limit: 20 } }]], 'Fine.');
    await ask(api, { archive });
    const [result] = results(upstream.asked[1]!);
    expect(result!.length).toBeLessThan(12_200);
    const data = dataOf(upstream.asked[1]!, result!);
    expect(data['posts']!.length + Number(data['omitted_posts'])).toBe(20);
    const many = Array.from({ length: 8 }, (_, n): Call => ({ ...search, id: `c${n}`, input: { query: 'x' } }));
    model([many], 'Fine.');
    await ask(api, { archive });
    expect(results(upstream.asked[1]!).join('').length).toBeLessThan(73_000);
    expect(results(upstream.asked[1]!).at(-1)).toContain('no call is left');
  });

  test('gets no removed post, and no answer about one that is removed meanwhile', async () => {
    const gone = new Set(['71']);
    const { archive } = archiveOf(['One.', 'SECRET'], gone);
    const slow: ArchiveReader = { ...archive, search: async () => [tweet('70', 'One.'), tweet('71', 'SECRET')] };
    model([[search]], 'Fine [post:71].');
    expect((await ask(api, { archive: slow })).summary).toBe('Fine [?].');
    expect(JSON.stringify(upstream.asked.map(({ body }) => body))).not.toContain('SECRET');
    upstream.answer(({ body }, count) => {
      if (count === 2) gone.add('70');
      return count === 1 ? calling(api, body, [search]) : calling(api, body, [], 'It says One [post:70].');
    });
    await expect(ask(api, { archive })).rejects.toMatchObject({ fault: 'failed', counted: 1 });
  });

  test('gets an error if the archive cannot answer, and none of its words', async () => {
    const failing: ArchiveReader = {
      ...emptyArchive,
      search: async () => Promise.reject(new ServiceError(503, 'SECRET')),
      thread: async () => Promise.reject(notFound('SECRET')),
    };
    model([[search, { id: 'c2', name: 'read_thread', input: { post_id: '1' } }]], 'Fine.');
    await ask(api, { archive: failing });
    const error = '{"error":"the archive cannot answer now"}';
    expect(results(upstream.asked[1]!)).toEqual([error, error]);
  });

  test('that remarks on its work before a call: a short remark is no part of the answer', async () => {
    const { archive } = archiveOf(['One.']);
    const long = 'The build moved to Node 24 and became faster. '.repeat(8);
    for (const onText of both) {
      for (const [remark, summary] of [
        ['Let me look.', 'Fine.'],
        [long, `${long.trim()}\n\nFine.`],
      ] as const) {
        const pieces: string[] = [];
        model([[search]], 'Fine.', remark);
        const reply = await ask(api, { archive, onText: onText && ((piece) => pieces.push(piece)) });
        expect(reply.summary).toBe(summary);
        if (onText !== undefined) expect(pieces.join('')).toBe(summary);
      }
    }
  });

  test('that has no tools is asked again without them, as the same question, and is remembered', async () => {
    const provider = openaiProvider();
    upstream.answer(({ body }) =>
      body['tools'] === undefined
        ? answered(api, body, 'Fine.')
        : HttpResponse.json({ error: { message: 'this model does not support tools' } }, { status: 400 }),
    );
    expect((await ask(api, { provider })).summary).toBe('Fine.');
    expect(upstream.asked.length).toBe(2);
    expect(spoken(upstream.asked[1]!)[0]!.content).not.toContain('tools before you answer');
    await ask(api, { provider });
    expect(upstream.asked.length).toBe(3);
  });

  test('gets no tools if the operator allows no call', async () => {
    upstream.answer(({ body }) => answered(api, body, 'Fine.'));
    await ask(api, { calls: 0 });
    expect(Object.keys(upstream.asked[0]!.body)).not.toContain('tools');
  });

  test('a failure after a call counts the question once', async () => {
    const { archive } = archiveOf(['One.']);
    for (const [status, fault] of [
      [429, 'limited'],
      [500, 'failed'],
      [400, 'rejected'],
    ] as const) {
      upstream.answer(({ body }, count) =>
        count === 1
          ? calling(api, body, [search])
          : HttpResponse.json({ error: { message: `tools ${apiKey}` } }, { status }),
      );
      const failure: unknown = await ask(api, { archive }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProviderError);
      expect(failure).toMatchObject({ fault, counted: 1 });
      expect(upstream.asked.length).toBe(2);
    }
  });

  test('that sends a call without a name or an answer without words fails', async () => {
    upstream.answer(({ body }) => calling(api, body, [{ id: '', name: '', input: {} }]));
    await expect(ask(api)).rejects.toMatchObject({ fault: 'failed', counted: 1 });
    upstream.answer(({ body }) => calling(api, body, [search]));
    await expect(ask(api, { calls: 1 })).rejects.toMatchObject({ fault: 'failed', counted: 1 });
    expect(upstream.asked.length).toBe(2);
  });
});

test('a call of the chat API keeps what the endpoint wants back with it', async () => {
  const extra = { google: { thought_signature: 'signed' } };
  for (const onText of both) {
    upstream.answer(({ body, api }, count) => {
      if (count > 1) return calling(api, body, [], 'Fine.');
      const call = { id: 'c1', type: 'function', function: { name: 'search_posts', arguments: '{}' } };
      const message = { role: 'assistant', content: null, tool_calls: [{ ...call, extra_content: extra }] };
      const stream = `data: ${JSON.stringify({ choices: [{ delta: message, finish_reason: 'tool_calls' }] })}\n\n`;
      return onText === undefined
        ? HttpResponse.json({ model: 'm', choices: [{ message, finish_reason: 'tool_calls' }] })
        : new HttpResponse(stream, { headers: { 'content-type': 'text/event-stream' } });
    });
    await ask('chat', { onText });
    expect(JSON.stringify(upstream.asked[1]!.body)).toContain(JSON.stringify(extra));
  }
});

test('a tool that takes too long is an error for the model', async () => {
  const { ArchiveTools } = await import('../../../server/assistant/providers/openai/tools.ts');
  const { KnownSources } = await import('../../../server/assistant/providers/openai/known-sources.ts');
  const archive: ArchiveReader = { ...emptyArchive, search: () => new Promise(() => {}) };
  const tools = new ArchiveTools({ archive, sources: new KnownSources(build), mark: 'm', calls: 2, callMs: 1 });
  const { results: given } = await tools.run([{ id: 'c1', name: 'search_posts', input: '{"query":"a"}' }]);
  expect(given).toEqual([{ id: 'c1', content: '{"error":"the archive took too long"}' }]);
  expect(tools.remaining).toBe(1);
});

const summaryOf = async (answer: string): Promise<Reply> => {
  model([], answer);
  return ask('chat');
};
test('the page that an answer links to is cited, and no other link stays', async () => {
  const { summary, citations } = await summaryOf(
    'See [the notes](https://example.org/node-24), https://example.org/node-24. Not https://evil.example/?q=1!',
  );
  expect(summary).toBe('See [the notes](https://example.org/node-24), https://example.org/node-24. Not [?]!');
  expect(citations.map(({ url }) => url)).toEqual(['https://example.org/node-24']);
});
