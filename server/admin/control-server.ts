/** The control server: operator commands over a Unix socket that only the server's user can open. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { rm } from 'node:fs/promises';
import { StoreError } from '../ports/storage.ts';
import { controlSocket } from './control-socket.ts';
import { messageOf } from '../text/error-text.ts';

/** The commands by name. Each takes and returns JSON. */
export type Routes = Readonly<Record<string, (value: unknown) => Promise<unknown>>>;

/** Maximum body of a call. An import batch with one more value of the maximum size fits. */
const maxBodyBytes = 64 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // Read the rest of a body that is too large, or the client would see a broken connection instead of the response.
    if ((size += chunk.length) <= maxBodyBytes) chunks.push(chunk);
  }
  if (size > maxBodyBytes) throw new Error('the call is too large');
  return JSON.parse(Buffer.concat(chunks).toString());
}

/**
 * Starts the control server. The caller must hold the directory lock, so an existing socket file belongs to a process
 * that has ended. Throws StoreError when the socket cannot be created. `close` waits for the calls in progress.
 */
export async function startControl(directory: string, commands: Routes): Promise<{ close(): Promise<void> }> {
  const routes: Routes = { ping: async () => null, ...commands };
  const path = controlSocket(directory);
  const socketError = (error: Error): StoreError =>
    new StoreError(`the control socket ${path} cannot be made: ${error.message}`, { cause: error });
  await rm(path, { force: true }).catch((error: Error) => Promise.reject(socketError(error)));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = (request.url ?? '').slice(1);
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    const runRoute = async (): Promise<[number, unknown]> => {
      if (route === undefined) return [404, { error: `this server knows no command ${name}` }];
      try {
        return [200, { value: (await route(await readBody(request))) ?? null }];
      } catch (error) {
        return [500, { error: messageOf(error) }];
      }
    };
    const [status, body] = await runRoute();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response));
  // A command can pause for any time between two calls; its connection must stay open.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    // listen() creates the socket file synchronously, so the umask protects it from the start.
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
