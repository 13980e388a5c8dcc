/** The operator's door to a running server: calls by name over a Unix socket that only the server's own user can open. */
import { createServer, type IncomingMessage } from 'node:http';
import { rm } from 'node:fs/promises';
import { StoreError } from '../ports/storage.ts';
import { controlSocket } from './control-socket.ts';

/** What can be called: JSON in, JSON out. */
export type Routes = Readonly<Record<string, (value: unknown) => Promise<unknown>>>;

/** A call larger than this is refused: a batch of an import and one value of the largest size fit in. */
const maxBodyBytes = 64 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // Read to its end all the same, or the caller would see a broken connection instead of the answer.
    if ((size += chunk.length) <= maxBodyBytes) chunks.push(chunk);
  }
  if (size > maxBodyBytes) throw new Error('the call is too large');
  return JSON.parse(Buffer.concat(chunks).toString());
}

/**
 * Opens the door. The caller holds the lock of the directory: a socket file that is there is left from a process that is gone.
 * Throws StoreError where the socket cannot be made. `close` lets the calls under way end.
 */
export async function startControl(directory: string, commands: Routes): Promise<{ close(): Promise<void> }> {
  const routes: Routes = { ping: async () => null, ...commands };
  const path = controlSocket(directory);
  const socketError = (error: Error): StoreError =>
    new StoreError(`the control socket ${path} cannot be made: ${error.message}`, { cause: error });
  await rm(path, { force: true }).catch((error: Error) => Promise.reject(socketError(error)));
  const server = createServer(async (request, response) => {
    const name = request.url!.slice(1);
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    const runRoute = async (): Promise<[number, unknown]> => {
      if (route === undefined) return [404, { error: `this server knows no command ${name}` }];
      try {
        return [200, { value: (await route(await readBody(request))) ?? null }];
      } catch (error) {
        return [500, { error: (error as Error).message }];
      }
    };
    const [status, body] = await runRoute();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  // A command may be busy for any time between two calls, and must not meet a connection that was closed meanwhile.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    // The socket file is made within listen(): nobody else can open it even for a moment.
    const mask = process.umask(0o177);
    try {
      server.once('error', (error) => reject(socketError(error))).listen(path, resolve);
    } finally {
      process.umask(mask);
    }
  });
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
    },
  };
}
