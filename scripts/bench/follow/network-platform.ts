/** The platform of the simulation: a Jetstream server on loopback, and the answers of an AppView without a socket. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { HttpGet } from '../../../server/follow/bluesky/http.ts';
import type { NetworkWorkload } from './network-workload.ts';

const bufferedBytes = 1024 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class NetworkPlatform {
  readonly #workload: NetworkWorkload;
  readonly #sockets: WebSocketServer;
  /** The requests to the AppView so far. */
  requests = 0;

  private constructor(workload: NetworkWorkload, sockets: WebSocketServer) {
    this.#workload = workload;
    this.#sockets = sockets;
    sockets.on('connection', (socket) => socket.on('error', () => {}));
  }

  static async start(workload: NetworkWorkload): Promise<NetworkPlatform> {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await once(sockets, 'listening');
    return new NetworkPlatform(workload, sockets);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#sockets.address() as AddressInfo).port}/subscribe`;
  }

  readonly get: HttpGet = async (url) => {
    this.requests++;
    const { searchParams } = url;
    const answer = {
      profiles: this.#workload.profiles(searchParams.getAll('actors')),
      posts: this.#workload.posts(searchParams.getAll('uris')),
    };
    return { status: 200, header: () => undefined, body: JSON.stringify(answer) };
  };

  /** Resolves when a client is connected. */
  async connected(): Promise<void> {
    while (this.#sockets.clients.size === 0) await turn();
  }

  /** Sends frames as fast as the clients read. */
  async send(frames: Iterable<string>): Promise<void> {
    for (const frame of frames)
      for (const socket of this.#sockets.clients) {
        socket.send(frame, { binary: false });
        while (socket.bufferedAmount > bufferedBytes && socket.readyState === socket.OPEN) await turn();
      }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    await new Promise((resolve) => this.#sockets.close(resolve));
  }
}
