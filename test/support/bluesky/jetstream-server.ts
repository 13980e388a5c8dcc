/** A Jetstream server (v1 wire) over a list of events, with the faults of a bad day. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Json, World } from './world.ts';

interface Subscriber {
  readonly socket: WebSocket;
  readonly url: URL;
  /** The index of the next event. */
  next: number;
  collections: readonly string[];
  dids: ReadonlySet<string>;
  isReady: boolean;
}

/** The options of a client frame. */
interface OptionsUpdate {
  readonly type: string;
  readonly payload: {
    readonly wantedCollections?: readonly string[];
    readonly wantedDids?: readonly string[];
    readonly maxMessageSizeBytes?: number;
  };
}

export class JetstreamServer {
  readonly #world: World;
  readonly #server: WebSocketServer;
  readonly #subscribers = new Set<Subscriber>();
  /** The requests so far. */
  readonly requests: URL[] = [];
  /** The option frames so far. */
  readonly updates: OptionsUpdate[] = [];
  /** The oldest cursor that the server has events for, in microseconds: an older one is clamped without notice. */
  oldest = 0;
  /** Does not answer pings and sends nothing. */
  isSilent = false;
  /** Replaces the frames of an event, for rubbish, repetition and changed order. */
  framesOf: (event: Json, index: number) => (string | Buffer)[] = (event) => [JSON.stringify(event)];
  /** The status with which connections are refused; 0: none. */
  refuseWith = 0;

  private constructor(world: World, server: WebSocketServer) {
    this.#world = world;
    this.#server = server;
    server.on('connection', (socket, request) => this.#connected(socket, request));
    world.onEvent = this.#chained(world.onEvent);
  }

  static async start(world: World): Promise<JetstreamServer> {
    let server: JetstreamServer | undefined;
    const sockets = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      autoPong: false,
      verifyClient: (_info, done) => {
        const status = server?.refuseWith ?? 0;
        if (status === 0) return done(true);
        done(false, status, 'Refused', status === 302 ? { location: 'ws://127.0.0.1:1/elsewhere' } : {});
      },
    });
    await once(sockets, 'listening');
    server = new JetstreamServer(world, sockets);
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/subscribe`;
  }
  get host(): string {
    return new URL(this.url).host;
  }
  get connections(): number {
    return this.#subscribers.size;
  }

  /** Ends all connections without a closing handshake. */
  cut(): void {
    for (const { socket } of this.#subscribers) socket.terminate();
  }

  /** Sends a frame to everybody. */
  send(frame: string | Buffer): void {
    for (const { socket } of this.#subscribers) socket.send(frame, { binary: false });
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #chained(before: () => void): () => void {
    return () => {
      before();
      for (const subscriber of this.#subscribers) this.#pump(subscriber);
    };
  }

  #connected(socket: WebSocket, request: IncomingMessage): void {
    const url = new URL(request.url ?? '/', 'ws://host');
    this.requests.push(url);
    const cursor = url.searchParams.get('cursor');
    const from = cursor === null ? Number.POSITIVE_INFINITY : Math.max(Number(cursor), this.oldest);
    const index = this.#world.events.findIndex(({ time_us: time }) => Number(time) >= from);
    const subscriber: Subscriber = {
      socket,
      url,
      next: index === -1 ? this.#world.events.length : index,
      collections: url.searchParams.getAll('wantedCollections'),
      dids: new Set(url.searchParams.getAll('wantedDids')),
      isReady: url.searchParams.get('requireHello') !== 'true',
    };
    this.#subscribers.add(subscriber);
    socket.on('ping', () => {
      if (!this.isSilent) socket.pong();
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#subscribers.delete(subscriber));
    socket.on('message', (data: Buffer) => this.#options(subscriber, JSON.parse(data.toString()) as OptionsUpdate));
    this.#pump(subscriber);
  }

  #options(subscriber: Subscriber, update: OptionsUpdate): void {
    const { wantedCollections = [], wantedDids = [] } = update.payload;
    if (update.type !== 'options_update' || wantedDids.length > 10_000 || wantedCollections.length > 100)
      return subscriber.socket.close(1008);
    this.updates.push(update);
    subscriber.collections = wantedCollections;
    subscriber.dids = new Set(wantedDids);
    subscriber.isReady = true;
    this.#pump(subscriber);
  }

  #pump(subscriber: Subscriber): void {
    const { events } = this.#world;
    while (subscriber.isReady && !this.isSilent && subscriber.next < events.length) {
      const index = subscriber.next++;
      const event = events[index]!;
      if (!isWanted(subscriber, event)) continue;
      for (const frame of this.framesOf(event, index)) subscriber.socket.send(frame, { binary: false });
    }
  }
}

/** The collections filter commits only; accounts filter everything. */
function isWanted({ collections, dids }: Subscriber, { did, kind, commit }: Json): boolean {
  if (dids.size > 0 && !dids.has(String(did))) return false;
  const { collection } = (commit ?? {}) as { collection?: string };
  if (kind !== 'commit' || collections.length === 0) return true;
  return collections.some((wanted) =>
    wanted.endsWith('.*') ? collection?.startsWith(wanted.slice(0, -1)) === true : collection === wanted,
  );
}
