/** The WebSocket connections of a client: each serves many subscriptions, and opens again when it is lost. */
import type { Schemas } from './contract.ts';
import { DecodeError, StreamError, type Failed } from './errors.ts';
import { classify } from './failure.ts';
import type { Socket, SocketClass } from './events.ts';
import { withKey } from './attempt.ts';
import type { Transport } from './transport.ts';

type Message = Schemas['WsServerMessage'];

/** A message with the members that say for whom it is. */
export type Delivered = Message & {
  readonly id?: string;
  readonly sub?: string | null;
  cursor?: string;
};

/** A lost connection. */
export interface Lost {
  readonly closeCode: number;
  /** The number of consecutive failures. */
  readonly failures: number;
  readonly delayMs: number;
}

/** A subscription or question on a connection. */
export interface Member {
  readonly options: {
    /** The maximum number of consecutive connection failures. */
    readonly retries?: number | undefined;
    /** The connection counts as lost after this time without a message; default: 2.25 heartbeats of the service. */
    readonly heartbeatTimeoutMs?: number | undefined;
  };
  /** Whether the member waits until its reader has read its messages. */
  readonly isPaused?: boolean;
  /** The command that starts the member, without its id. */
  command(): object;
  /** The command that ends it. */
  endCommand(key: string): object;
  receive(message: Delivered): void;
  lost(lost: Lost): void;
  /** The context of its errors. */
  failed(): Failed;
  /** Ends it with an error. It leaves the connection. */
  fail(error: unknown): void;
}

/** The close codes that forbid a reconnect: those of the service, and those of RFC 6455 §7.4.1 for a client error. */
const final = /^(40..|100[237-9]|1010)$/;

/** All connections of a client. */
export class Hub {
  readonly transport: Transport;
  readonly links = new Set<Link>();
  /** What the service announced on the newest connection that it accepted. */
  connected: Partial<Schemas['WsConnected']> | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The context of an error. */
  failed(operation: string, attempts: number): Failed {
    return { operation, attempts, url: `${this.transport.settings.baseUrl}/ws` };
  }

  /** Adds a member to a connection that has room, or to a new one. */
  join(member: Member, Class?: SocketClass): Link {
    for (const link of this.links) if (link.Class === Class && link.hasRoom) return link.join(member);
    return new Link(this, Class).join(member);
  }
}

/** One connection with its members. It opens with its first member, and closes after the last one. */
export class Link {
  readonly Class: SocketClass | undefined;
  readonly #hub: Hub;
  /** The members with the id of their command, and later of their subscription; '' before they start. */
  readonly #members = new Map<Member, string>();
  #socket: Socket | undefined;
  #isOpen = false;
  #lastId = 0;
  #failures = 0;
  /** The delay of the reconnect that the server requests, in ms. */
  #delayMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(hub: Hub, Class: SocketClass | undefined) {
    this.#hub = hub;
    this.Class = Class;
    hub.links.add(this);
  }

  get hasRoom(): boolean {
    return this.#members.size < (this.#hub.connected?.limits?.subscriptions ?? 100);
  }

  join(member: Member): this {
    this.#members.set(member, '');
    if (this.#members.size === 1) void this.#open();
    else this.start(member);
    return this;
  }

  /** Ends a member. The connection closes after the last one. */
  leave(member: Member): void {
    this.pause(member);
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    this.#hub.links.delete(this);
    this.#close();
  }

  /** Sends the command of a member that is not paused. Its subscription starts at its position. */
  start(member: Member): void {
    if (this.#members.has(member)) this.#members.set(member, member.isPaused ? '' : this.#send(member.command()));
  }

  /** Ends the subscription or question of a member; what still comes for it is ignored. */
  pause(member: Member): void {
    const key = this.#members.get(member);
    this.#members.set(member, '');
    if (key) this.#send(member.endCommand(key));
  }

  /** Sends a command, and returns its id; '' while the connection is not open. */
  #send(command: object): string {
    if (!this.#isOpen) return '';
    const id = `c${++this.#lastId}`;
    this.#socket?.send(JSON.stringify({ id, ...command }));
    return id;
  }

  async #open(): Promise<void> {
    const { transport } = this.#hub;
    const failed = this.#failed();
    let key: string | undefined;
    try {
      const { baseUrl, keyIn, timeoutMs = 30_000 } = transport.settings;
      key = await transport.limited({ failed, run: () => transport.key(failed) }, timeoutMs);
      const url = baseUrl.replace('http', 'ws') + '/ws';
      const keyed = withKey(url, key);
      // Browsers and Workers have no headers for a WebSocket, and a class of the caller gets the URL alone.
      const Class =
        this.Class ?? (/ (Node|Deno|Bun)/.test(transport.agent as string) ? undefined : globalThis.WebSocket);
      const node = Class ? undefined : await import('./node-socket.ts');
      if (this.#members.size > 0)
        this.#use(
          node
            ? node.openSocket(keyIn === 'query' ? keyed : url, key, keyIn, failed)
            : new (Class as SocketClass)(keyed),
        );
    } catch (error) {
      this.#fail(classify(error, 'sent', failed, key));
    }
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    socket.onopen = () => {
      this.#isOpen = true;
      for (const member of this.#members.keys()) this.start(member);
    };
    socket.onmessage = ({ data }: { data: string }) => this.#receive(data);
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.#lose(code, reason);
    // A socket that is closed before it is open reports an error.
    socket.onerror = () => {};
    this.#watch();
  }

  /** The connection is dead when no message arrives for more than two heartbeat intervals. */
  #watch(): void {
    const limits = Array.from(this.#members.keys(), ({ options }) => options.heartbeatTimeoutMs ?? Infinity);
    clearTimeout(this.#timer);
    const limitMs = Math.min(2.25 * (this.#hub.connected?.heartbeat_interval_ms ?? 20_000), ...limits);
    this.#timer = setTimeout(() => this.#lose(1006, ''), limitMs);
  }

  #failed(): Failed {
    return this.#hub.failed('events', this.#failures + 1);
  }

  #fail(error: unknown): void {
    for (const member of this.#members.keys()) member.fail(error);
  }

  #receive(text: string): void {
    try {
      const message = JSON.parse(text) as Delivered;
      if (message.type === 'connected') this.#hub.connected = message;
      else if (message.type === 'going_away') this.#delayMs = message.reconnect_after_ms;
      else this.#deliver(message, text);
      if (this.#socket) this.#watch();
    } catch (error) {
      this.#fail(new DecodeError('invalid message', this.#failed(), error));
    }
  }

  /** Passes a message to the members that it is for, each with a copy of its own. */
  #deliver(message: Delivered, text: string): void {
    const { transport } = this.#hub;
    // The position behind a gap is its end.
    if (message.type === 'gap') message.cursor = message.to;
    const { type, id, sub, cursor } = message;
    const keys = type === 'event' ? message.subs : [id, sub];
    transport.noteCursor(cursor);
    // The connection serves events again.
    if (cursor && !id) this.#failures = 0;
    let copy: Delivered | undefined = message;
    for (const [member, key] of this.#members) {
      if (type !== 'heartbeat' && !keys.includes(key)) continue;
      // All other responses to a command are the last ones.
      if (id && type !== 'answer') this.#members.set(member, sub ?? '');
      member.receive(copy ?? (JSON.parse(text) as Delivered));
      copy = undefined;
    }
    // Confirmed too late: the member has left or paused.
    if (copy && type === 'subscribed') this.#send({ type: 'unsubscribe', sub });
  }

  /** The connection is closed: opens it again after a delay, or ends it when the close code forbids that. */
  #lose(code: number, reason: string): void {
    const text = String(code);
    this.#close();
    // After a connection was lost, the service may count it for a moment.
    const isFinal = final.test(text) && !(code === 4003 && this.#hub.connected);
    // Full jitter; the codes of the service require at least one second, or come with their own delay.
    const delayMs =
      this.#delayMs ?? (code >= 4000 ? 1000 : 0) + Math.random() * Math.min(30_000, 250 * 2 ** this.#failures);
    this.#delayMs = undefined;
    const lost = { closeCode: code, failures: ++this.#failures, delayMs };
    for (const member of this.#members.keys())
      if (isFinal) member.fail(new StreamError(text, reason || `closed with ${text}`, member.failed()));
      else member.lost(lost);
    if (this.#members.size > 0) this.#timer = setTimeout(() => void this.#open(), delayMs);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#isOpen = false;
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
