/**
 * A TCP relay with one address for the whole test. A test that restarts its server puts the relay in front of it:
 * each start takes a free port, and clients find the server again at the address of the relay. (Any process may take
 * a port that a server has given up.)
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Relay {
  readonly url: string;
  /** From now on connections go to this server. Connections that are open stay as they are. */
  target(url: string): void;
  /** Resets all connections, and those that come until the next `target`. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a relay. It resets connections while there is no server. */
export async function startRelay(): Promise<Relay> {
  let port: number | undefined;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    if (port === undefined) return void near.resetAndDestroy();
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroySoon();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: (url) => void (port = Number(new URL(url).port)),
    cut() {
      port = undefined;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
