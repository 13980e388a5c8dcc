/** Model servers of this machine: found at their usual ports, added only when a person agrees, and then in use at once. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { knownEndpoints, providerOf } from '../../server/assistant/known-endpoints.ts';
import { localServers } from '../../server/assistant/local-servers.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { keysOf } from '../../server/text/object.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { nightlyTest } from '../support/nightly.ts';
import { run } from '../support/server.ts';
import { redirectUsualPorts, startModelServers, type ModelServers } from '../support/usual-ports.ts';

const tweet_id = '1890000000000000001';
const root = new URL('../../', import.meta.url).pathname;
const found = [
  ['Ollama', 11434, 'qwen3:8b'],
  ['LM Studio', 1234, 'gemma-3-12b'],
  ['llama.cpp', 8080, 'phi.gguf'],
  ['vLLM', 8000, 'org/mistral'],
] as const;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let models: ModelServers;
let endRedirect: () => void;
let server: LocalServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  models = await startModelServers();
  endRedirect = redirectUsualPorts(models.ports);
  server = await startLocalServer(join(folder.path, 'data'));
});
afterAll(async () => {
  await server?.end();
  endRedirect?.();
  models?.close();
  await folder?.dispose();
});

/** What was sent to the servers since the last call, by port. */
const sent = (): typeof models.asked => models.asked.splice(0);
const lists = found.map(([, port]) => [port, 'GET /v1/models', undefined]);

async function operate(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${server.url}/operate/api${path}`, {
    method,
    headers: { 'x-api-key': server.operatorKey ?? '', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function ask(extra: Record<string, string> = {}): Promise<Schemas['AssistantAnswer']> {
  const response = await fetch(`${server.url}/social/tweet/assistant?${new URLSearchParams({ tweet_id, ...extra })}`, {
    headers: { 'x-api-key': server.firstKey ?? '' },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Schemas['AssistantAnswer'];
}

test('each kind of server is found at its usual port, and is asked for nothing but its models', async () => {
  sent();
  expect(await localServers()).toEqual(
    found.map(([name, port, model]) => ({ name, base_url: `http://127.0.0.1:${port}/v1`, models: [model] })),
  );
  expect(sent().toSorted()).toEqual(lists.toSorted());
});

test('the operator adds one with a click, and it answers from then on; until then the local analysis does', async () => {
  expect(await ask()).toMatchObject({ provider: 'local', model: 'local-extractive-2' });
  const { body } = await operate('GET', '/model-servers');
  expect(body.servers).toHaveLength(4);
  expect(new Set(sent().map(([, request]) => request))).toEqual(new Set(['GET /v1/models']));
  const added = await operate('POST', '/model-servers', { base_url: 'http://127.0.0.1:1234/v1', model: 'gemma-3-12b' });
  expect(added.body).toMatchObject({ name: 'LM Studio', pool: { state: 'available', reason: null } });
  expect(await ask()).toMatchObject({ provider: 'lm-studio', model: 'm', summary: 'I am at 1234.' });
  expect(await ask({ model: 'local-extractive-2' })).toMatchObject({ provider: 'local' });
  expect(sent().filter(([, request]) => request.startsWith('POST'))).toEqual(
    Array(2).fill([1234, 'POST /v1/chat/completions', undefined]),
  );
  await operate('DELETE', `/accounts/${added.body.id}`);
  expect(await ask()).toMatchObject({ provider: 'local' });
});

test('the provider of an answer names no host and no name of the operator', () => {
  for (const name of keysOf(knownEndpoints)) expect(providerOf({ baseUrl: knownEndpoints[name].base_url })).toBe(name);
  expect(
    [undefined, 'http://localhost:11434/v1', 'http://[::1]:8000/', 'https://llm.internal.example/v1'].map((baseUrl) =>
      providerOf(baseUrl === undefined ? {} : { baseUrl }),
    ),
  ).toEqual(['local', 'ollama', 'vllm', 'other']);
});

describe('npm run accounts, without a server', () => {
  const variables = (name: string): Record<string, string> => ({
    DATA_DIR: join(folder.path, name),
    TEST_USUAL_PORTS: [...models.ports].map((pair) => pair.join(':')).join(),
    NODE_OPTIONS: `--import=${new URL('../support/preload/usual-ports.ts', import.meta.url).href}`,
  });
  const command = (name: string, ...args: string[]): ReturnType<typeof run> =>
    run('scripts/cli/accounts.ts', args, { ...variables(name), ACCOUNT_KEY: 'sk-of-a-preset' });

  test('detect offers each server with the command that adds it, and adds none without a person', async () => {
    sent();
    const { code, stdout } = await command('detected', 'detect');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/nothing is added: .*\n$/)]);
    for (const [name, port, model] of found)
      expect(stdout).toContain(
        `${name} at http://127.0.0.1:${port}/v1: ${model}\n  npm run accounts -- add --url http://127.0.0.1:${port}/v1 --no-key --model "${model}"\n`,
      );
    expect(sent().toSorted()).toEqual(lists.toSorted());
    expect((await command('detected', 'list')).stdout).not.toContain('127.0.0.1');
  });

  // `script` of util-linux gives the command a terminal.
  (existsSync('/usr/bin/script') ? nightlyTest : test.skip)(
    'detect adds on a terminal only after the word “add”',
    async () => {
      const answer = (word: string): Promise<string> =>
        new Promise((resolve) => {
          const child = execFile(
            ...([
              '/usr/bin/script',
              ['-qec', `${process.execPath} scripts/cli/accounts.ts detect --model phi.gguf`, '/dev/null'],
              { cwd: root, env: { ...process.env, ...variables('terminal') } },
            ] as const),
            (_error, stdout) => resolve(stdout),
          );
          child.stdout?.on('data', (text: string) => {
            if (text.includes('to go on: ')) child.stdin?.write(`${word}\n`);
          });
        });
      sent();
      expect(await answer('no')).toContain('nothing is added');
      expect(sent().map(([, request]) => request)).toEqual(Array(4).fill('GET /v1/models'));
      expect(await answer('add')).toMatch(/available .* http:\/\/127\.0\.0\.1:8080\/v1 {2}phi\.gguf/);
      expect(sent()).toContainEqual([8080, 'POST /v1/chat/completions', undefined]);
    },
  );

  const addPreset = async (preset: keyof typeof knownEndpoints): Promise<void> => {
    const { base_url: url, api, needsKey } = knownEndpoints[preset];
    const { code, stdout } = await command(
      'presets',
      'add',
      '--preset',
      preset,
      ...(needsKey ? ['--model', 'm-1'] : []),
    );
    const model = needsKey ? 'm-1' : found.find(([, port]) => url.includes(`:${port}/`))?.[2];
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${url}  ${model}`)]);
    expect(stdout).toContain(needsKey ? 'ASSISTANT=openai' : 'available');
    expect(stdout).not.toContain('sk-of-a-preset');
    expect(api).toBe(preset === 'anthropic' ? 'messages' : needsKey && preset !== 'openrouter' ? 'responses' : 'chat');
  };
  // Each is a process.
  test('add --preset vllm', () => addPreset('vllm'));
  nightlyTest.each(keysOf(knownEndpoints))('add --preset %s', addPreset);
});

test('a model server that does not answer is replaced by the local analysis', async () => {
  const added = await operate('POST', '/model-servers', { base_url: 'http://127.0.0.1:8000/v1', model: 'org/mistral' });
  expect(await ask()).toMatchObject({ provider: 'vllm' });
  models.stop(8000);
  expect(await ask()).toMatchObject({ provider: 'local' });
  await operate('DELETE', `/accounts/${added.body.id}`);
});
