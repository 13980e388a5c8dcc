/** The WebSocket connections of a client: each serves many subscriptions, and opens again when it is lost. */
import type { Schemas } from './contract.ts';
import { DecodeError, type Failed, classify, StreamError } from './failure.ts';
import { withKey } from './attempt.ts';
import type { Lost } from './event-stream.ts';
import type { Socket, SocketClass } from './socket.ts';
import type { Transport } from './transport.ts';

type Message = Schemas['WsServerMessage'];

/** A message with the members that say for whom it is. */
export type Delivered = Message & {
  readonly id?: string;
  readonly sub?: string | null;
  readonly cursor?: string;
  /** The position behind a gap. */
  readonly to?: string;
};

/** A subscription or question on a connection. */
export interface Member {
  readonly options: {
    /** The maximum number of consecutive connection failures. */
    readonly retries?: number | undefined;
    /** The connection counts as lost after this time without a message; default: 2.25 heartbeats of the service. */
    readonly heartbeatTimeoutMs?: number | undefined;
  };
  /** Whether the member waits until its reader has read its messages. */
  readonly isPaused?: boolean | undefined;
  /** The command that starts the member, without its id. */
  command(): object;
  /** The command that ends it; without this method, the connection sends `unsubscribe`. */
  endCommand?(key: string): object;
  receive(message: Delivered): void;
  lost(lost: Lost): void;
  /** The context of its errors. */
  context(): Failed;
  /** Ends it with an error. It leaves the connection. */
  fail(error: unknown): void;
}

const unsubscribe = (sub: unknown): object => ({ type: 'unsubscribe', sub });

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
  context(operation: string, attempts: number): Failed & { readonly url: string } {
    return { operation, attempts, url: `${this.transport.settings.baseUrl}/ws` };
  }

  /** Adds a member to a connection that has room, or to a new one. */
  add(member: Member, Class?: SocketClass): Link {
    const room = this.connected?.limits?.subscriptions ?? 100;
    for (const link of this.links) if (link.Class === Class && link.members.size < room) return link.start(member);
    return new Link(this, Class).start(member);
  }
}

/** One connection with its members. It opens at once, and closes after the last member. */
export class Link {
  readonly Class: SocketClass | undefined;
  /** The members with the id of their command, and later of their subscription; '' before they start. */
  readonly members = new Map<Member, string>();
  readonly #hub: Hub;
  #socket: Socket | undefined;
  /** The number of the next command; 0 before the service has accepted the connection. */
  #nextId = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #key: string | undefined;
  /** The key that the service has refused; undefined once it has accepted one. */
  #refused: string | undefined;

  constructor(hub: Hub, Class: SocketClass | undefined) {
    this.#hub = hub;
    this.Class = Class;
    hub.links.add(this);
    void this.#open();
  }

  /** Ends a member. The connection closes after the last one. */
  leave(member: Member): void {
    this.pause(member);
    this.members.delete(member);
    if (this.members.size) return;
    this.#hub.links.delete(this);
    this.#close();
  }

  /** Sends the command of a member that is not paused. Adds a new member. A subscription starts at its position. */
  start(member: Member): this {
    this.members.set(member, member.isPaused ? '' : this.#send(member.command()));
    return this;
  }

  /** Ends the subscription or question of a member; what still comes for it is ignored. */
  pause(member: Member): void {
    const key = this.members.get(member);
    if (!key) return;
    this.members.set(member, '');
    this.#send(member.endCommand?.(key) ?? unsubscribe(key));
  }

  /** Sends a command, and returns its id; '' while the connection is not open. */
  #send(command: object): string {
    if (!this.#nextId) return '';
    const id = `c${this.#nextId++}`;
    this.#socket?.send(JSON.stringify({ id, ...command }));
    return id;
  }

  async #open(): Promise<void> {
    const { transport } = this.#hub;
    const failed = this.#hub.context('events', this.#failures + 1);
    let key: string | undefined;
    try {
      const { settings, agent } = transport;
      key = await transport.limited(
        { failed, run: () => transport.key(failed, this.#refused) },
        settings.timeoutMs ?? 30_000,
      );
      if (this.#refused !== undefined && key === this.#refused)
        return this.#fail(new StreamError('4001', 'the API key is not valid', failed));
      this.#key = key;
      const url = failed.url.replace('http', 'ws');
      // Browsers and Workers have no headers for a WebSocket, and a class of the caller gets the URL alone.
      const Class = this.Class ?? (!/ (Node|Deno|Bun)/.test(agent as string) && globalThis.WebSocket);
      const node = !Class && (await import('./node-socket.ts'));
      if (!this.members.size) return;
      const keyed = withKey(url, key, settings);
      const socket = (this.#socket = node
        ? node.openSocket(url, keyed, key, settings, failed)
        : new (Class as SocketClass)(keyed));
      socket.onmessage = ({ data }: { data: string }) => {
        try {
          this.#receive(data);
        } catch (error) {
          this.#fail(new DecodeError('invalid message', failed, error));
        }
      };
      socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.#lose(code, reason);
      // A socket that is closed before it is open reports an error.
      socket.onerror = () => {};
      this.#watch();
    } catch (error) {
      this.#fail(classify(error, 'sent', failed, key));
    }
  }

  /** The connection is dead when no message arrives for more than two heartbeat intervals. */
  #watch(): void {
    const defaultMs = 2.25 * (this.#hub.connected?.heartbeat_interval_ms ?? 20_000);
    const limits = Array.from(this.members.keys(), ({ options }) => options.heartbeatTimeoutMs ?? defaultMs);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lose(1006), Math.min(...limits));
  }

  #fail(error: unknown): void {
    for (const [member] of this.members) member.fail(error);
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Delivered;
    const { type, id, sub, cursor } = message;
    if (type === 'going_away') return this.#lose(4200, '', message.reconnect_after_ms);
    if (type === 'connected') {
      this.#hub.connected = message;
      this.#refused = undefined;
      this.#nextId = 1;
      for (const [member] of this.members) this.start(member);
    } else {
      this.#hub.transport.noteCursor(cursor);
      // The connection serves events again.
      if (cursor && !id) this.#failures = 0;
      const keys = type === 'event' ? message.subs : [id, sub];
      // Each member gets a separate copy.
      let copy: Delivered | undefined = message;
      for (const [member, key] of this.members) {
        if (type !== 'heartbeat' && !keys.includes(key)) continue;
        // All other responses to a command are the last ones.
        if (id && type !== 'answer') this.members.set(member, sub ?? '');
        member.receive(copy ?? (JSON.parse(text) as Delivered));
        copy = undefined;
      }
      // Confirmed too late: the member has left or paused.
      if (copy && type === 'subscribed') this.#send(unsubscribe(sub));
    }
    if (this.#socket) this.#watch();
  }

  /**
   * The connection is closed: opens it again after a delay, or ends it when the close code forbids that. The default delay has
   * full jitter; the codes of the service require at least one second.
   */
  #lose(
    code: number,
    reason?: string,
    delayMs = (code >= 4000 ? 1000 : 0) + Math.random() * Math.min(30_000, 250 * 2 ** this.#failures),
  ): void {
    this.#close();
    // Those of the service, and those of RFC 6455 §7.4.1 for a client error, forbid a reconnect. After a connection was lost,
    // the service may count it for a moment.
    const asksAgain =
      code === 4202 ||
      (code === 4001 && this.#refused === undefined && typeof this.#hub.transport.settings.apiKey === 'function');
    if (asksAgain) this.#refused = this.#key;
    const isFinal = !asksAgain && /^(40..|100[237-9]|1010)$/.test(`${code}`) && !(code === 4003 && this.#hub.connected);
    const lost = { closeCode: code, failures: ++this.#failures, delayMs };
    // The last member that leaves clears it.
    this.#timer = setTimeout(() => void this.#open(), delayMs);
    for (const [member] of this.members)
      if (isFinal) member.fail(new StreamError(`${code}`, reason || `code ${code}`, member.context()));
      else member.lost(lost);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#nextId = 0;
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
