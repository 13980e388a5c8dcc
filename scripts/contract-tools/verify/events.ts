/** Checks the event stream at /ws: messages against their schemas, answers to commands, cursors and close codes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Failure } from './check-response.ts';
import type { Session } from './probes.ts';
import { parseBody } from './parse-body.ts';

export interface EventsTarget {
  readonly base: string;
  readonly key: string;
  readonly timeoutMs: number;
}
type Message = Readonly<Record<string, unknown>>;
interface Channel {
  /** A `state` channel has no history, so it ignores cursors. */
  readonly kind: string;
  readonly example: Readonly<Record<string, unknown>>;
}
/** The part of the protocol that the checks use. */
interface Protocol {
  readonly channels: {
    readonly events: {
      readonly 'x-channels': Readonly<Record<string, Channel>>;
      readonly 'x-close-codes': Readonly<Record<string, unknown>>;
    };
  };
}

/** The close code after too many connections or invalid keys, and how long the check then waits, in ms. */
const tooMany = 4129;
const waitsMs = [5_000, 15_000, 40_000];

const union = '/components/schemas/WsServerMessage';
const placeholder = (path: string) => ({ method: 'GET', path, query: [], headers: [], keys: [] });

/** A connection that keeps its messages. */
class Connection {
  readonly messages: Message[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #timeoutMs: number;
  #changed = Promise.withResolvers<void>();

  constructor(url: string, headers: Record<string, string>, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#socket = new WebSocket(url, { headers });
    const { promise, resolve } = Promise.withResolvers<number>();
    this.closed = promise;
    this.#socket.on('message', (data, isBinary) => {
      const parsed = isBinary ? { fault: 'binary' } : parseBody(Buffer.from(data as Buffer));
      this.messages.push('value' in parsed ? (parsed.value as Message) : { invalid: String(data) });
      this.#notify();
    });
    this.#socket.on('close', (code) => {
      resolve(code);
      this.#notify();
    });
    this.#socket.on('error', () => {
      resolve(0);
      this.#notify();
    });
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** The first message that fits; undefined when the connection closes, or the time limit passes before. */
  async first(fits: (message: Message) => boolean): Promise<Message | undefined> {
    const timer = AbortSignal.timeout(this.#timeoutMs);
    const expired = new Promise<void>((resolve) => timer.addEventListener('abort', () => resolve()));
    let isClosed = false;
    void this.closed.then(() => (isClosed = true));
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined || timer.aborted || isClosed) return found;
      await Promise.race([this.#changed.promise, expired]);
    }
  }

  send(message: Message | string | Buffer): void {
    this.#socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** The close code; undefined while the connection is open at the time limit. */
  async closeCode(): Promise<number | undefined> {
    const expired = new Promise<undefined>((resolve) => setTimeout(resolve, this.#timeoutMs, undefined).unref());
    return Promise.race([this.closed, expired]);
  }

  async end(): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }
}

class EventsCheck {
  readonly failures: Failure[] = [];
  readonly #session: Session;
  readonly #target: EventsTarget;
  readonly #protocol: Protocol;

  constructor(session: Session, target: EventsTarget, protocol: Protocol) {
    this.#session = session;
    this.#target = target;
    this.#protocol = protocol;
  }

  #connect(query = '', key: string | undefined = this.#target.key): Connection {
    const url = `${this.#target.base.replace(/^http/, 'ws')}/ws${query}`;
    return new Connection(url, key === undefined ? {} : { 'x-api-key': key }, this.#target.timeoutMs);
  }

  #fail(pointer: string, expected: string, actual: string, kind: string): void {
    this.failures.push({ check: 'events', pointer, expected, actual, kind, calls: [placeholder('/ws')] });
  }

  /** Checks every message of a connection against the schema of the messages of the server. */
  async #checkMessages({ messages }: Connection): Promise<void> {
    const node = { schema: { $ref: `#${union}` }, pointer: union };
    for (const message of messages) {
      const [violation] = await this.#session.findViolations(node, message);
      if (violation === undefined) continue;
      const type = String(message['type']);
      this.#fail(
        union,
        `a message that is valid by ${union}`,
        JSON.stringify(message).slice(0, 300),
        `invalid ${type}`,
      );
    }
  }

  /** Sends a command and checks the type, or the error code, of its answer. */
  async #ask(connection: Connection, command: Message, expected: string): Promise<Message | undefined> {
    connection.send(command);
    const answer = await connection.first(({ id, type }) => id === command['id'] && type !== 'event');
    const actual = answer === undefined ? 'no answer' : String(answer['code'] ?? answer['type']);
    if (actual !== expected) {
      const { type, channel } = command;
      const name = `${String(type)}${channel === undefined ? '' : ` of ${String(channel)}`}`;
      this.#fail('/channels/events', `${expected} in answer to ${name}`, actual, `${name} ${actual}`);
    }
    return answer;
  }

  async #checkCommands(): Promise<void> {
    const connection = this.#connect();
    const connected = await connection.first(({ type }) => type === 'connected');
    if (connected === undefined) {
      const code = await Promise.race([connection.closed, Promise.resolve(0)]);
      this.#fail(
        '/channels/events',
        'the message connected',
        code === 0 ? 'nothing' : `close code ${code}`,
        'connected',
      );
      return connection.end();
    }
    let id = 0;
    const command = (rest: Message): Message => ({ id: String((id += 1)), ...rest });
    await this.#ask(connection, command({ type: 'ping' }), 'pong');
    const subscribe = (rest: Message): Message => command({ type: 'subscribe', ...rest });
    for (const [channel, shape] of Object.entries(this.#protocol.channels.events['x-channels']))
      await this.#checkChannel(connection, subscribe, channel, shape);
    const wrong = subscribe({ channel: 'verify:unknown', params: {} });
    connection.send(wrong);
    const refusal = await connection.first((message) => message['id'] === wrong['id']);
    if (refusal?.['type'] !== 'error')
      this.#fail('/channels/events', 'an error for an unknown channel', String(refusal?.['type']), 'unknown channel');
    await this.#ask(connection, command({ type: 'unsubscribe', sub: 'verify-unknown' }), 'unknown_subscription');
    await this.#checkMessages(connection);
    await connection.end();
  }

  /** Checks a channel: a subscription from the current cursor, one from the future, and the end of the first. */
  async #checkChannel(
    connection: Connection,
    subscribe: (rest: Message) => Message,
    channel: string,
    { kind, example: params }: Channel,
  ): Promise<void> {
    const given = subscribe({ channel, params });
    connection.send(given);
    const answer = await connection.first(({ id, type }) => id === given['id'] && type !== 'event');
    // The example may not exist in the data of the server.
    if (answer?.['type'] === 'error' && ['not_found', 'unknown_channel'].includes(String(answer['code']))) return;
    if (answer?.['type'] !== 'subscribed' || typeof answer['cursor'] !== 'string') {
      const actual = answer === undefined ? 'no answer' : JSON.stringify(answer).slice(0, 200);
      return this.#fail('/channels/events', `subscribed, with a cursor, to ${channel}`, actual, `subscribe ${channel}`);
    }
    if (answer['channel'] !== channel)
      this.#fail('/channels/events', `the channel ${channel}`, String(answer['channel']), 'another channel');
    if (kind !== 'state') {
      const [epoch = ''] = answer['cursor'].split('.');
      const future = subscribe({ channel, params, cursor: `${epoch}.999999999999999` });
      await this.#ask(connection, future, 'cursor_in_future');
      await this.#ask(connection, subscribe({ channel, params, cursor: `verify.1` }), 'epoch_changed');
    }
    const end = { ...subscribe({}), type: 'unsubscribe', sub: answer['sub'] };
    await this.#ask(connection, end, 'unsubscribed');
  }

  /** A connection that the server does not close because there were too many before: those wait, as REST calls do after a 429. */
  async #connected(connect: () => Connection): Promise<Connection> {
    for (const waitMs of waitsMs) {
      const connection = connect();
      const first = connection.first(({ type }) => type === 'connected').then(() => undefined);
      if ((await Promise.race([connection.closed, first])) !== tooMany) return connection;
      await connection.end();
      await sleep(waitMs);
    }
    return connect();
  }

  /** Checks that a fault of the client closes the connection with its code. */
  async #checkCloseCodes(): Promise<void> {
    const cases: readonly (readonly [code: number, why: string, connect: () => Connection, sent?: Buffer])[] = [
      [4001, 'a connection without a key', () => this.#connect('', '')],
      [4001, 'a connection with a wrong key', () => this.#connect('', 'verify-wrong-key')],
      [4004, 'an unknown parameter', () => this.#connect('?verify=1')],
      [1003, 'a binary message', () => this.#connect(), Buffer.from([1])],
    ];
    for (const [code, why, connect, sent] of cases) {
      if (!Object.hasOwn(this.#protocol.channels.events['x-close-codes'], code)) continue;
      const connection = await this.#connected(connect);
      if (sent !== undefined && (await connection.first(({ type }) => type === 'connected'))) connection.send(sent);
      const actual = await connection.closeCode();
      if (actual !== code)
        this.#fail(
          `/channels/events/x-close-codes/${code}`,
          `close code ${code} after ${why}`,
          actual === undefined ? 'no close' : String(actual),
          `${why} ${actual}`,
        );
      await this.#checkMessages(connection);
      await connection.end();
    }
  }

  async run(): Promise<void> {
    await this.#checkCommands();
    await this.#checkCloseCodes();
  }
}

/**
 * The failures of the event stream. A contract without messages of /ws has none; neither has a server without
 * `/asyncapi.json`.
 */
export async function checkEvents(session: Session, target: EventsTarget): Promise<Failure[]> {
  const { document } = session.contract as { document: { components?: { schemas?: Record<string, unknown> } } };
  if (document.components?.schemas?.['WsServerMessage'] === undefined) return [];
  const response = await session.sender.send(placeholder('/asyncapi.json'));
  if (!('status' in response) || response.status !== 200) return [];
  const parsed = parseBody(response.body);
  const protocol = 'value' in parsed ? (parsed.value as Partial<Protocol>) : {};
  if (protocol.channels?.events?.['x-channels'] === undefined) return [];
  const check = new EventsCheck(session, target, protocol as Protocol);
  await check.run();
  return check.failures;
}
