/** Calls to a running server, from the operator's commands. */
import { Agent, request } from 'node:http';
import { controlSocket } from './control-socket.ts';

export interface Control {
  /** Rejects with the server's own words when it refuses. */
  call(name: string, value: unknown): Promise<unknown>;
  close(): void;
}

const nobody = new Set(['ENOENT', 'ECONNREFUSED']);

const goneAway = (cause: unknown): Error =>
  new Error('the server ended before it had answered: start it again and repeat the command, which goes on from what was done', { cause });

/** Reaches the server that owns the data directory; undefined where none is running. */
export async function connectControl(directory: string): Promise<Control | undefined> {
  let socketPath: string;
  try {
    socketPath = controlSocket(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const call = (name: string, value: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath, agent, path: `/${name}`, method: 'POST' }, async (response) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
          const answer = JSON.parse(Buffer.concat(chunks).toString()) as { value?: unknown; error?: string };
          if (answer.error === undefined) resolve(answer.value);
          else reject(new Error(answer.error));
        } catch (error) {
          reject(goneAway(error));
        }
      });
      sent.on('error', (error: NodeJS.ErrnoException) => reject(nobody.has(error.code ?? '') ? error : goneAway(error))).end(JSON.stringify(value));
    });

  try {
    await call('ping', null);
  } catch (error) {
    agent.destroy();
    if (nobody.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  return { call, close: () => agent.destroy() };
}
