// Tests server/assistant/providers/openai/answer-body.ts, server/assistant/providers/openai/form.ts,
// server/assistant/providers/openai/part.ts and server/assistant/providers/openai/structured.ts.
/** The requests of the service, and the answers of the stand-ins of the tests, have the types that the vendors publish. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openaiProvider } from '../../../server/assistant/providers/openai.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runTool } from '../../support/packed.ts';
import { accountOf, allForms, endpoint } from './endpoint.ts';
import { build, question, tweet } from './subjects.ts';
import { calling, shapes, type Call } from './tool-calls.ts';

const upstream = endpoint();
beforeAll(() => upstream.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.server.close());

const call: Call = { id: 'call_1', name: 'search_posts', input: { query: 'loader', limit: 3 } };

/** The errors of a module of TypeScript. */
async function errorsOf(code: string): Promise<string[]> {
  const folder = await temporaryFolder();
  try {
    await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder.path, 'node_modules'));
    await writeFile(join(folder.path, 'shapes.ts'), code);
    const options = '--noEmit --strict --skipLibCheck --types node --target esnext --module nodenext --pretty false';
    const output = await runTool(folder.path, 'typescript-native/bin/tsc', ...options.split(' '), 'shapes.ts').catch(
      ({ message }: Error) => message,
    );
    return output.split(/^(?=shapes\.ts\()/m).filter((error) => error.startsWith('shapes.ts('));
  } finally {
    await folder.dispose();
  }
}

const imports = [
  "import type * as Chat from 'openai/resources/chat/completions';",
  "import type * as Responses from 'openai/resources/responses/responses';",
  "import type * as Messages from '@anthropic-ai/sdk/resources/messages';",
  '',
].join('\n');

test('all requests, and all answers of the stand-ins', async () => {
  const archive = { ...question(build).archive, search: async () => [tweet('70', 'The old loader was slow.')] };
  const lines: string[] = [];
  const add = (type: string, value: unknown): void => {
    lines.push(`export const value${lines.length}: ${type} = ${JSON.stringify(value)};`);
  };
  for (const api of allForms) {
    const { whole, events, wholeType, eventType, requestType } = shapes[api];
    for (const onText of [undefined, () => {}]) {
      upstream.answer(({ body }, count) =>
        calling(api, body, count === 1 ? [call, { ...call, id: 'call_2' }] : [], count === 1 ? 'One moment.' : 'Fine.'),
      );
      const options = { signal: new AbortController().signal, questions: 1, onText };
      await openaiProvider().ask(accountOf(api), question(build, { archive }), options);
      expect(upstream.asked.length).toBe(2);
      for (const { body } of upstream.asked) add(requestType, body);
    }
    for (const text of ['', 'Fine.']) add(wholeType, whole(text === '' ? [call] : [], text, 'm-1'));
    for (const each of events([call], 'Fine.', 'm-1')) add(eventType, each);
  }
  // The check itself works: it sees a request that lacks a member, and no other error.
  add(shapes.messages.requestType, { model: 'incomplete', messages: [], stream: true });
  expect(await errorsOf(imports + lines.join('\n'))).toEqual([expect.stringContaining("'max_tokens' is missing")]);
});
