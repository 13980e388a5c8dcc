/** Ports of this machine for tests that cannot let the kernel choose one. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Takes a port and gives it back; false where another process has it. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Below the ports that systems give to connections and to servers that ask for any port. */
const [lowest, highest] = [20_000, 30_000];

/**
 * A port for a program that needs a port number before it starts. It is free, and the kernel does not give it to
 * anybody by itself, so only a program that asks for this very number can take it before.
 */
export async function fixedPort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
}

/** A port at which nobody listens, and nobody can until its release: the client of a connection has it. */
export async function closedPort(): Promise<{ readonly port: number; release(): void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const accepting = once(server, 'connection') as Promise<[Socket]>;
  const [[accepted]] = await Promise.all([accepting, once(client, 'connect')]);
  return {
    port: client.localPort!,
    release() {
      accepted.destroy();
      client.destroy();
      server.close();
    },
  };
}
