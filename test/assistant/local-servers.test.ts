import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { localServers } from '../../server/assistant/local-servers.ts';

const servers: ReturnType<typeof createServer>[] = [];
async function portOf(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
afterAll(() => {
  for (const server of servers) server.close();
});

test('a model server is found with its models, and gets nothing but a request for their list', async () => {
  const asked: unknown[] = [];
  const port = await portOf(({ method, url, headers }, response) => {
    asked.push([method, url, headers.authorization]);
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'qwen3:8b' }, { id: 'llama3' }, { id: 7 }, {}] }));
  });
  expect(await localServers([['Ollama', port]])).toEqual([
    { name: 'Ollama', base_url: `http://127.0.0.1:${port}/v1`, models: ['qwen3:8b', 'llama3'] },
  ]);
  expect(asked).toEqual([['GET', '/v1/models', undefined]]);
});

test('what is no model server is not found', async () => {
  const ports = await Promise.all(
    [
      (response: Parameters<RequestListener>[1]) => response.end('<html>'),
      (response: Parameters<RequestListener>[1]) =>
        response.writeHead(404).end(JSON.stringify({ data: [{ id: 'x' }] })),
      (response: Parameters<RequestListener>[1]) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(),
      (response: Parameters<RequestListener>[1]) => response.end(JSON.stringify({ data: [] })),
      (response: Parameters<RequestListener>[1]) => response.end(`{"data":[{"id":"${'x'.repeat(600_000)}"}]}`),
      (response: Parameters<RequestListener>[1]) => void response.destroy(),
    ].map((answer) => portOf((_request, response) => void answer(response))),
  );
  expect(await localServers([...ports.map((port) => ['x', port] as const), ['closed', 1]])).toEqual([]);
});
