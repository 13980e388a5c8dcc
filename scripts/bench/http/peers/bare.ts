/** Bare node:http that sends one prepared answer to all requests of a shape: the same head and the same bytes as this service. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { portOf } from './parts.ts';

/** An answer as it was received from this service. */
export interface Prepared {
  /** Names and values in turn, without what node:http adds by itself. */
  readonly head: readonly string[];
  readonly body: string;
}

/** By the beginning of the target. */
export async function openBare(prepared: Readonly<Record<string, Prepared>>): Promise<number> {
  const answers = Object.entries(prepared).map(([path, { head, body }]) => ({
    path,
    head: [...head],
    body: Buffer.from(body),
  }));
  const server = createServer((request, response) => {
    const { head, body } = answers.find(({ path }) => request.url!.startsWith(path))!;
    response.writeHead(200, head).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}
