/** Bare node:http that sends the same response, with the headers and bytes of this service, to all requests of a shape. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { portOf } from './parts.ts';

/** A response of this service. */
export interface PreparedResponse {
  /** Alternating names and values, without the headers that node:http adds. */
  readonly head: readonly string[];
  readonly body: string;
}

/** Starts the server. The keys of `prepared` are prefixes of request targets. Returns the port. */
export async function openBare(prepared: Readonly<Record<string, PreparedResponse>>): Promise<number> {
  const responses = Object.entries(prepared).map(([path, { head, body }]) => ({
    path,
    head: [...head],
    body: Buffer.from(body),
  }));
  const server = createServer((request, response) => {
    const { head, body } = responses.find(({ path }) => request.url!.startsWith(path))!;
    response.writeHead(200, head).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}
