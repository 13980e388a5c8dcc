/** The WebSocket connections of a client: each serves many subscriptions, and opens again when it is lost. */
import type { Schemas } from './contract.ts';
import { DecodeError, SocialDataError, TimeoutError, UsageError, type Failed } from './errors.ts';
import { connectionError, withoutKey } from './failure.ts';
import type { Socket, SocketClass } from './events.ts';
import type { Transport } from './transport.ts';
import { laterCursor } from './headers.ts';

export type Message = Schemas['WsServerMessage'];

/** A lost connection. */
export interface Lost {
  readonly closeCode: number;
  /** The number of consecutive failures. */
  readonly failures: number;
  readonly delayMs: number;
}

/** A subscription or question on a connection. */
export interface Member {
  readonly heartbeatTimeoutMs?: number | undefined;
  /** Whether the member waits until its reader has read its messages. */
  readonly isPaused?: boolean;
  /** The command that starts the member, without its id. */
  command(): object;
  receive(message: Message): void;
  lost(lost: Lost): void;
  /** The connection ended with a close code that forbids a reconnect. */
  refused(code: number, reason: string): void;
  fail(error: unknown): void;
}

const baseMs = 250;
const capMs = 30_000;
/** The heartbeat interval until the server announces its own. */
const defaultHeartbeatMs = 20_000;
/** The close codes of RFC 6455 §7.4.1 for a client error. Runtimes report other codes for a lost connection. */
const fatal = new Set([1002, 1003, 1007, 1008, 1009, 1010]);
const tooManyConnections = 4003;

/** The member of `node:module` that finds the package `ws`. */
interface NodeModule {
  createRequire(file: string): (name: string) => SocketClass;
}

/** The globals that only some runtimes have. */
const runtime: {
  readonly WebSocket?: SocketClass;
  readonly document?: unknown;
  readonly process?: {
    readonly versions?: { readonly node?: string };
    /** Since Node 20.16. */
    readonly getBuiltinModule?: (name: string) => NodeModule | undefined;
  };
} = globalThis;

/** The class of the runtime, else that of the package `ws`. Throws a UsageError where neither exists. */
function socketClass(failed: Failed): SocketClass {
  if (runtime.WebSocket !== undefined) return runtime.WebSocket;
  // Node 20 has no global WebSocket. Bundlers must not follow this dependency, and Workers refuse `import` with a variable.
  try {
    const { createRequire } = runtime.process?.getBuiltinModule?.('node:module') ?? {};
    const found = createRequire?.(import.meta.url)('ws');
    if (found !== undefined) return found;
    throw new Error('createRequire is missing');
  } catch (error) {
    throw new UsageError(
      'this runtime has no WebSocket: use Node 22, or install ws and pass its class as the option WebSocket',
      failed,
      error,
    );
  }
}

/** All connections of a client. */
export class Hub {
  readonly transport: Transport;
  readonly baseUrl: string;
  /** Whether the service accepted a connection of this client before. */
  wasConnected = false;
  readonly #links = new Set<Link>();

  constructor(transport: Transport) {
    this.transport = transport;
    this.baseUrl = transport.settings.baseUrl;
  }

  /** Adds a member to a connection that has room, or to a new one. */
  join(member: Member, Class: SocketClass | undefined): Link {
    let link = [...this.#links].find((each) => each.Class === Class && each.hasRoom);
    if (link === undefined) {
      const created = new Link(this, Class, () => this.#links.delete(created));
      link = created;
      this.#links.add(link);
    }
    link.join(member);
    return link;
  }

  /** The key. Rejects with a TimeoutError when its function does not answer within the time limit of a call. */
  async key(failed: Failed): Promise<string | undefined> {
    const { timeoutMs = 30_000 } = this.transport.settings;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      if (timeoutMs > 0 && timeoutMs < 2 ** 31)
        timer = setTimeout(() => reject(new TimeoutError('the function apiKey is too slow', failed)), timeoutMs);
    });
    return Promise.race([this.transport.key(failed), late]).finally(() => clearTimeout(timer));
  }
}

/** One connection with its members. It opens with its first member, and closes after the last one. */
export class Link {
  readonly Class: SocketClass | undefined;
  readonly #hub: Hub;
  readonly #ended: () => void;
  readonly #members = new Set<Member>();
  /** The members by the id of their command, and by the id of their subscription. */
  readonly #byId = new Map<string, Member>();
  readonly #bySub = new Map<string, Member>();
  /** The subscriptions that got all events up to now: heartbeats are for them. */
  readonly #live = new Set<Member>();
  #socket: Socket | undefined;
  #isOpen = false;
  #isEnded = false;
  #maxMembers = 100;
  #lastId = 0;
  #failures = 0;
  /** The delay of the reconnect that the server requests, in ms. */
  #delayMs: number | undefined;
  #heartbeatMs = defaultHeartbeatMs;
  #lastMessageAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(hub: Hub, Class: SocketClass | undefined, ended: () => void) {
    this.#hub = hub;
    this.Class = Class;
    this.#ended = ended;
  }

  get hasRoom(): boolean {
    return !this.#isEnded && this.#members.size < this.#maxMembers;
  }

  join(member: Member): void {
    this.#members.add(member);
    if (this.#members.size === 1) void this.#open();
    else if (this.#isOpen) this.start(member);
  }

  /** Ends a member. The connection closes after the last one. */
  leave(member: Member): void {
    if (!this.#members.delete(member)) return;
    if (this.#members.size === 0) this.#end();
    else this.pause(member);
  }

  /** Sends the command of a member. Its subscription starts at its position. */
  start(member: Member): void {
    if (!this.#isOpen || !this.#members.has(member)) return;
    const id = String(++this.#lastId);
    this.#byId.set(id, member);
    this.#send({ id, ...member.command() });
  }

  startLater(member: Member, delayMs: number): void {
    const socket = this.#socket;
    setTimeout(() => socket === this.#socket && this.start(member), delayMs);
  }

  /** Ends the subscription or question of a member; what still comes for it is ignored. */
  pause(member: Member): void {
    this.#live.delete(member);
    for (const [sub, each] of this.#bySub) {
      if (each !== member) continue;
      this.#bySub.delete(sub);
      this.#send({ type: 'unsubscribe', id: String(++this.#lastId), sub });
    }
    for (const [id, each] of this.#byId) {
      if (each !== member) continue;
      this.#byId.delete(id);
      if ('cancel' in member) this.#send({ type: 'cancel', id });
    }
  }

  #send(command: object): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(command));
  }

  async #open(): Promise<void> {
    const failed = { operation: 'events', attempts: this.#failures + 1, url: `${this.#hub.baseUrl}/ws` };
    let key: string | undefined;
    try {
      key = await this.#hub.key(failed);
      const Class = this.Class ?? socketClass(failed);
      if (this.#isEnded) return;
      this.#connect(Class, key);
    } catch (error) {
      const known = error instanceof SocialDataError ? error : connectionError(failed, withoutKey(error, key));
      this.#forEach((member) => member.fail(known));
    }
  }

  #connect(Class: SocketClass, key: string | undefined): void {
    const { baseUrl, keyIn } = this.#hub.transport.settings;
    const address = new URL(`${baseUrl.replace(/^http/, 'ws')}/ws`);
    // Browsers and Workers have no headers for a WebSocket, and a class of the caller gets the URL alone.
    const takesHeaders =
      keyIn !== 'query' &&
      this.Class === undefined &&
      runtime.document === undefined &&
      runtime.process?.versions?.node;
    const headers = keyIn === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
    if (key !== undefined && !takesHeaders) address.searchParams.set('api_key', key);
    const Wide = Class as new (url: string, options?: object) => Socket;
    const socket = key !== undefined && takesHeaders ? new Wide(address.href, { headers }) : new Wide(address.href);
    this.#socket = socket;
    this.#lastMessageAt = Date.now();
    socket.onopen = () => {
      this.#isOpen = true;
      for (const member of this.#members) if (!member.isPaused) this.start(member);
    };
    socket.onmessage = ({ data }: { data: unknown }) => this.#receive(String(data));
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.#lose(code, reason);
    socket.onerror = () => {};
    this.#watch();
  }

  /** The connection is dead when no message arrives for more than two heartbeat intervals. */
  #watch(): void {
    const limits = Array.from(this.#members, ({ heartbeatTimeoutMs }) => heartbeatTimeoutMs ?? Infinity);
    const limitMs = Math.min(...limits, 2.25 * this.#heartbeatMs);
    const restMs = this.#lastMessageAt + limitMs - Date.now();
    if (restMs <= 0) return this.#lose(1006, '');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watch(), Math.min(restMs, 1_000));
  }

  #receive(text: string): void {
    this.#lastMessageAt = Date.now();
    try {
      const message = JSON.parse(text) as Message;
      this.#dispatch(message, text);
    } catch (error) {
      const failed = { operation: 'events', attempts: 1, url: `${this.#hub.baseUrl}/ws` };
      this.#forEach((member) => member.fail(new DecodeError('a message is not of the protocol', failed, error)));
    }
  }

  #dispatch(message: Message, text: string): void {
    if (message.type === 'event') this.#deliver(message, text);
    else if (message.type === 'connected') {
      this.#hub.wasConnected = true;
      this.#heartbeatMs = message.heartbeat_interval_ms;
      this.#maxMembers = message.limits?.subscriptions ?? this.#maxMembers;
      this.#watch();
    } else if (message.type === 'going_away') this.#delayMs = message.reconnect_after_ms;
    else if (message.type === 'heartbeat') {
      this.#failures = 0;
      for (const member of this.#live) member.receive(message);
    } else this.#route(message);
  }

  /** Delivers an event to its subscriptions, each with a copy of its own. */
  #deliver(message: Extract<Message, { type: 'event' }>, text: string): void {
    this.#failures = 0;
    const { transport } = this.#hub;
    transport.cursor = laterCursor(transport.cursor, message.cursor);
    let copy: Message | undefined = message;
    for (const member of new Set(message.subs.map((sub) => this.#bySub.get(sub)))) {
      member?.receive(copy ?? (JSON.parse(text) as Message));
      copy = undefined;
    }
  }

  /** Passes a message to the member that it is for. */
  #route(message: Message): void {
    const id = 'id' in message ? message.id : undefined;
    const sub = 'sub' in message ? message.sub : undefined;
    const member = this.#byId.get(id ?? '') ?? this.#bySub.get(sub ?? '');
    if (member === undefined) {
      // Confirmed too late: the member has left or paused.
      if (message.type === 'subscribed' && message.sub !== null)
        this.#send({ type: 'unsubscribe', id: String(++this.#lastId), sub: message.sub });
      return;
    }
    if (message.type === 'subscribed') {
      this.#byId.delete(message.id);
      if (message.sub !== null) this.#bySub.set(message.sub, member);
      // A replay ends with caught_up.
      if (message.recovered === null) this.#live.add(member);
    } else if (message.type === 'caught_up') {
      this.#failures = 0;
      this.#live.add(member);
    } else if (message.type === 'unsubscribed') this.#bySub.delete(message.sub);
    else if (message.type === 'error' && id !== undefined) this.#byId.delete(id);
    member.receive(message);
  }

  /** The connection is closed: opens it again after a delay, or ends it when the close code forbids that. */
  #lose(code: number, reason: string): void {
    this.#close();
    // After a connection was lost, the service may count it for a moment.
    const isRefused =
      (code >= 4000 && code < 4100 && !(code === tooManyConnections && this.#hub.wasConnected)) || fatal.has(code);
    if (isRefused) return this.#forEach((member) => member.refused(code, reason));
    this.#failures++;
    // Full jitter; codes up to 4199 require at least one second, and codes from 4200 on come with their own delay.
    const minMs = code >= 4000 && code < 4200 ? 1000 : 0;
    const boundMs = Math.min(capMs, baseMs * 2 ** Math.min(this.#failures - 1, 16));
    const delayMs = this.#delayMs ?? minMs + Math.random() * boundMs;
    this.#delayMs = undefined;
    const lost = { closeCode: code, failures: this.#failures, delayMs };
    this.#forEach((member) => member.lost(lost));
    if (this.#members.size > 0) this.#timer = setTimeout(() => void this.#open(), delayMs);
  }

  /** Calls each member; a member may leave. */
  #forEach(call: (member: Member) => void): void {
    for (const member of [...this.#members]) call(member);
  }

  #end(): void {
    this.#isEnded = true;
    this.#close();
    this.#ended();
  }

  #close(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#byId.clear();
    this.#bySub.clear();
    this.#live.clear();
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // A socket that is closed before it is open reports an error; this handler ignores it.
    socket.onerror = () => {};
    socket.close();
  }
}
