/** The client of the control socket: operator commands call a running server. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { ownership } from '../process/file-fault.ts';
import { StoreError } from '../ports/storage.ts';
import { controlSocket } from './control-socket.ts';
import { codeOf, messageOf } from '../text/error-text.ts';

export interface Control {
  /** Calls a command by name. Rejects with the server's error message when the command fails. */
  call(name: string, value: unknown): Promise<unknown>;
  close(): void;
}

/** Error codes that mean that no server runs. ENOTDIR: the data directory is a file; opening the store reports that. */
const noServerCodes = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED']);

/** The error for a socket that exists but cannot be opened. No command was sent. */
function connectError(socketPath: string, error: NodeJS.ErrnoException): Error {
  const isDenied = error.code === 'EACCES' || error.code === 'EPERM';
  const advice = isDenied ? `; ${ownership(socketPath)}: run the command as the user that the server runs as` : '';
  return new Error(`the control socket ${socketPath} cannot be opened: ${error.message}${advice}`, { cause: error });
}

const connectionLost = (cause: unknown): Error =>
  new Error(
    'the server ended before it had answered: start it again and repeat the command, which goes on from what was done',
    { cause },
  );

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
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const call = (name: string, value: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const readResponse = async (response: IncomingMessage): Promise<void> => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
          const body = JSON.parse(Buffer.concat(chunks).toString()) as { value?: unknown; error?: string };
          if (body.error === undefined) resolve(body.value);
          else reject(new Error(body.error));
        } catch (error) {
          reject(connectionLost(error));
        }
      };
      const options = { socketPath, agent, path: `/${name}`, method: 'POST' };
      const post = request(options, (response) => void readResponse(response));
      post.on('error', (error: NodeJS.ErrnoException) => {
        if (noServerCodes.has(error.code ?? '')) reject(error);
        else reject(error.syscall === 'connect' ? connectError(socketPath, error) : connectionLost(error));
      });
      post.end(JSON.stringify(value));
    });

  try {
    await call('ping', null);
  } catch (error) {
    agent.destroy();
    if (noServerCodes.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
  return { call, close: () => agent.destroy() };
}
