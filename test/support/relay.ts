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
  /**
   * From now on no connection passes a byte on or ends, and new ones are accepted: what a frozen proxy or a lost route does. `onlyOpen`: new
   * ones work.
   */
  freeze(options?: { readonly onlyOpen?: boolean }): void;
  /** Passes bytes on again. */
  thaw(): void;
  stop(): Promise<void>;
}

/** Starts a relay. It resets connections while there is no server. */
export async function startRelay(): Promise<Relay> {
  let port: number | undefined;
  let isFrozen = false;
  /** The sockets, each with the one that gets its bytes. */
  const partners = new Map<Socket, Socket>();
  const frozen = new WeakSet<Socket>();
  const waiting = new Set<() => void>();
  const server = createServer({ noDelay: true }, (near) => {
    if (port === undefined) return void near.resetAndDestroy();
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      partners.set(one, other);
      const start = (): void => void one.pipe(other);
      if (isFrozen) waiting.add(start);
      else start();
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => {
        partners.delete(one);
        if (isFrozen || frozen.has(other)) waiting.add(() => void other.destroy());
        else other.destroySoon();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: (url) => void (port = Number(new URL(url).port)),
    cut() {
      port = undefined;
      for (const socket of partners.keys()) socket.resetAndDestroy();
    },
    freeze({ onlyOpen = false } = {}) {
      isFrozen = !onlyOpen;
      for (const [socket, other] of partners) {
        frozen.add(socket);
        socket.unpipe(other);
        socket.pause();
        waiting.add(() => void (socket.destroyed || socket.pipe(other)));
      }
    },
    thaw() {
      isFrozen = false;
      for (const start of waiting) start();
      waiting.clear();
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      for (const socket of partners.keys()) socket.destroy();
      await once(server, 'close');
    },
  };
}
