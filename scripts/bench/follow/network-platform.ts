/** A platform on loopback: a Jetstream server, and an AppView, which a simulation also asks without a socket. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { HttpGet } from '../../../server/follow/bluesky/http.ts';
import type { NetworkWorkload } from './network-workload.ts';

const bufferedBytes = 1024 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class NetworkPlatform {
  readonly #workload: NetworkWorkload;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  /** The requests to the AppView so far. */
  requests = 0;

  private constructor(workload: NetworkWorkload) {
    this.#workload = workload;
    this.#http = createServer((request, response) => {
      const body = this.#answer(new URL(request.url ?? '/', 'http://host'));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    this.#sockets = new WebSocketServer({ server: this.#http, perMessageDeflate: false });
    this.#sockets.on('connection', (socket) => socket.on('error', () => {}));
  }

  static async start(workload: NetworkWorkload): Promise<NetworkPlatform> {
    const platform = new NetworkPlatform(workload);
    platform.#http.listen(0, '127.0.0.1');
    await once(platform.#http, 'listening');
    return platform;
  }

  get #host(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `ws://${this.#host}/subscribe`;
  }

  get apiUrl(): string {
    return `http://${this.#host}`;
  }

  readonly get: HttpGet = async (url) => ({ status: 200, header: () => undefined, body: this.#answer(url) });

  #answer({ searchParams }: URL): string {
    this.requests++;
    const profiles = this.#workload.profiles(searchParams.getAll('actors'));
    const posts = this.#workload.posts(searchParams.getAll('uris'));
    return JSON.stringify({ profiles, posts });
  }

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
    this.#sockets.close();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
