/** The control server: operator commands over a Unix socket that only the server's user can open. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StoreError } from '../ports/storage.ts';
import { controlSocket } from './control-socket.ts';
import { encodeMember, endTrailer, headHeader } from './control-stream.ts';
import { messageOf } from '../text/error-text.ts';

/** The commands by name. Each takes JSON and returns JSON. */
export type Routes = Readonly<Record<string, (value: unknown) => Promise<unknown>>>;

/** The answer of a command that streams text. */
export interface StreamedAnswer {
  /** JSON that the client gets before the first chunk. */
  readonly head: unknown;
  readonly chunks: AsyncIterable<string>;
  /** JSON that the client gets after the last chunk. */
  end(): unknown;
  /** Called after the last chunk, and where the client has disconnected before it read one. */
  close?(): Promise<void>;
}

/** The commands that stream, by name. A client that disconnects ends the iteration of the chunks. */
export type StreamRoutes = Readonly<Record<string, (value: unknown) => Promise<StreamedAnswer>>>;

/** Maximum body of a call. A batch of an import with one more value of the maximum size fits. */
const maxBodyBytes = 128 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // Read the rest of a body that is too large, or the client would see a broken connection instead of the response.
    if ((size += chunk.length) <= maxBodyBytes) chunks.push(chunk);
  }
  if (size > maxBodyBytes) throw new Error('the request is too large');
  return JSON.parse(Buffer.concat(chunks, size).toString());
}

/** Sends a streamed answer at the rate at which the client reads it. An error after the head is sent in the trailer. */
async function sendStream({ head, chunks, end, close }: StreamedAnswer, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    [headHeader]: encodeMember(head),
    trailer: endTrailer,
  });
  response.flushHeaders();
  async function* withEnd(): AsyncGenerator<string, void> {
    try {
      yield* chunks;
      response.addTrailers({ [endTrailer]: encodeMember({ value: end() ?? null }) });
    } catch (error) {
      response.addTrailers({ [endTrailer]: encodeMember({ error: messageOf(error) }) });
    }
  }
  // Fails if the client disconnected. The error is ignored, because no client can receive it.
  await pipeline(Readable.from(withEnd(), { highWaterMark: 1 }), response).catch(() => {});
  await close?.();
}

/** Handles the calls of the control socket. */
class ControlHandler {
  readonly #routes: Routes;
  readonly #streams: StreamRoutes;
  /** The streamed answers in progress. */
  readonly #streaming = new Set<ServerResponse>();

  constructor(routes: Routes, streams: StreamRoutes) {
    this.#routes = routes;
    this.#streams = streams;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1);
    const stream = Object.hasOwn(this.#streams, name) ? this.#streams[name] : undefined;
    let status = 200;
    let body: unknown;
    try {
      if (stream !== undefined) return await this.#stream(await stream(await readBody(request)), response);
      const route = Object.hasOwn(this.#routes, name) ? this.#routes[name] : undefined;
      if (route === undefined) [status, body] = [404, { error: `this server has no command ${name}` }];
      else body = { value: (await route(await readBody(request))) ?? null };
    } catch (error) {
      [status, body] = [500, { error: messageOf(error) }];
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  async #stream(answer: StreamedAnswer, response: ServerResponse): Promise<void> {
    this.#streaming.add(response);
    try {
      await sendStream(answer, response);
    } finally {
      this.#streaming.delete(response);
    }
  }

  /** Ends the streamed answers: they last as long as the client reads, which would delay the stop of the server. */
  endStreams(): void {
    for (const response of this.#streaming) response.destroy();
  }
}

/**
 * Starts the control server. The caller must hold the directory lock, so an existing socket file belongs to a process
 * that has ended. Throws StoreError when the socket cannot be created. `close` waits for the calls in progress, and ends
 * the streams in progress.
 */
export async function startControl(
  directory: string,
  commands: Routes,
  streams: StreamRoutes = {},
): Promise<{ close(): Promise<void> }> {
  const handler = new ControlHandler({ ping: async () => null, ...commands }, streams);
  const path = controlSocket(directory);
  const socketError = (error: Error): StoreError =>
    new StoreError(`the control socket ${path} cannot be created: ${error.message}`, { cause: error });
  await rm(path, { force: true }).catch((error: Error) => Promise.reject(socketError(error)));
  const server = createServer((request, response) => void handler.handle(request, response));
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
      handler.endStreams();
      server.closeIdleConnections();
      await closed;
    },
  };
}
