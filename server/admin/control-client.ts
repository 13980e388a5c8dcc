/** The client of the control socket: operator commands call a running server. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { ownership } from '../process/file-fault.ts';
import { StoreError } from '../ports/storage.ts';
import { controlSocket } from './control-socket.ts';
import { decodeMember, endTrailer, headHeader } from './control-stream.ts';
import { codeOf, messageOf } from '../text/error-text.ts';

export interface Control {
  /** Calls a command by name. Rejects with the server's error message when the command fails. */
  call<Result>(name: string, value: unknown): Promise<Result>;
  /** Calls a command that streams. Rejects with the server's error message when the command fails before the stream. */
  stream(name: string, value: unknown): Promise<ControlStream>;
  close(): void;
}

/** A streamed answer. */
export interface ControlStream {
  /** The JSON before the first chunk. */
  readonly head: unknown;
  /** Text in UTF-8. Throws an Error if the command fails or the server ends. Ending the iteration ends the command. */
  readonly chunks: AsyncIterable<Buffer>;
  /** The JSON after the last chunk; undefined before. */
  readonly end: () => unknown;
}

/** Error codes that mean that no server runs. ENOTDIR: the data directory is a file; opening the store reports that. */
const noServerCodes = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED']);

/** The error for a socket that exists but cannot be opened. No command was sent. */
function connectError(socketPath: string, error: NodeJS.ErrnoException): Error {
  const isDenied = error.code === 'EACCES' || error.code === 'EPERM';
  const advice = isDenied ? `; ${ownership(socketPath)}: run the command as the user of the server` : '';
  return new Error(`the control socket ${socketPath} cannot be opened: ${error.message}${advice}`, { cause: error });
}

const connectionLost = (cause: unknown): Error =>
  new Error('the server ended before it responded: start it and repeat the command, which then continues', { cause });

/** The outcome of a command. */
interface Outcome<Result = unknown> {
  readonly value: Result;
  readonly error?: string;
}

/** The answers of the control server, over one connection that stays open. */
class ControlClient implements Control {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async call<Result>(name: string, value: unknown): Promise<Result> {
    const response = await this.#post(name, value);
    let body: Outcome<Result>;
    try {
      body = JSON.parse(await textOf(response));
    } catch (error) {
      throw connectionLost(error);
    }
    if (body.error !== undefined) throw new Error(body.error);
    return body.value;
  }

  async stream(name: string, value: unknown): Promise<ControlStream> {
    const response = await this.#post(name, value);
    if (response.headers[headHeader] === undefined) {
      const { error }: { error?: string } = JSON.parse(await textOf(response));
      throw new Error(error ?? `this server does not stream the command ${name}: restart it with this version`);
    }
    let end: unknown;
    async function* chunks(): AsyncGenerator<Buffer, void> {
      try {
        for await (const chunk of response) yield chunk;
      } catch (error) {
        throw connectionLost(error);
      }
      if (response.trailers[endTrailer] === undefined) throw connectionLost(undefined);
      const outcome = decodeMember<Outcome>(response.trailers[endTrailer]);
      if (outcome.error !== undefined) throw new Error(outcome.error);
      end = outcome.value;
    }
    return { head: decodeMember(response.headers[headHeader]), chunks: chunks(), end: () => end };
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(name: string, value: unknown): Promise<IncomingMessage> {
    const headers = { 'content-type': 'application/json' };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = { socketPath: this.#socketPath, agent: this.#agent, path: `/${name}`, method: 'POST', headers };
    const post = request(options, resolve);
    post.on('error', (error: NodeJS.ErrnoException) => {
      const isDown = error.syscall !== 'connect' || noServerCodes.has(error.code ?? '');
      reject(isDown ? connectionLost(error) : connectError(this.#socketPath, error));
    });
    post.end(JSON.stringify(value));
    return promise;
  }
}

/**
 * Connects to the server that owns the data directory; undefined when no server runs. Rejects when the permissions of
 * the directory or of its socket prevent the check.
 */
export async function connectControl(directory: string): Promise<Control | undefined> {
  let socketPath: string;
  try {
    socketPath = controlSocket(directory);
  } catch (error) {
    if (noServerCodes.has(codeOf(error) ?? '')) return undefined;
    throw new StoreError(`data directory ${directory} cannot be used: ${messageOf(error)}`, { cause: error });
  }
  const client = new ControlClient(socketPath);
  try {
    await client.call('ping', null);
  } catch (error) {
    client.close();
    if (noServerCodes.has(codeOf((error as Error).cause) ?? '')) return undefined;
    throw error;
  }
  return client;
}
