/** One WebSocket connection: its commands and its subscriptions. */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { streamScopes, type Scope } from '../../generated/scopes.ts';
import type { Schemas } from '../contract/operations.ts';
import { createTokenBucket, waitSeconds, type Bucket } from '../keys/token-bucket.ts';
import { consumeRequest, requireAllowed } from '../keys/rate-limit.ts';
import type { AuthenticatedKey } from '../ports/keys.ts';
import { headReaches, type EventLog } from '../ports/event-log.ts';
import type { CallOptions } from '../ports/platform.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { AskCaller, Asks } from './asks.ts';
import { notFound } from '../contract/service-error.ts';
import { resolveChannel, type ChannelSource, type ChannelTarget } from './channels.ts';
import { CommandQueue, type CommandRunner } from './command-queue.ts';
import { ConnectionMonitor, type WatchedConnection } from './connection-monitor.ts';
import { cursorAt, positionAhead, resolveCursor, type ResumePoint } from './event-cursor.ts';
import type { Deletions } from './deletions.ts';
import type { EventReader } from './event-reader.ts';
import type { Hub } from './hub.ts';
import type { CloseReason, Limits } from './limits.ts';
import {
  errorMessage,
  MessageError,
  readMessage,
  type ClientMessage,
  type ErrorCode,
  type ServerMessage,
} from './messages.ts';
import type { Outlet } from './outlet.ts';
import type { StreamEvent } from './stream-event.ts';
import { newSubscription, SubscriptionReaders, type EventConsumer, type Subscription } from './subscription-readers.ts';

/** What all connections share. */
export interface ConnectionParts {
  readonly hub: Hub<Subscription>;
  readonly log: EventLog;
  readonly events: EventReader;
  readonly platform: ChannelSource;
  readonly deletions: Deletions;
  readonly asks: Asks;
  readonly limits: Limits;
  /** The rate limit of keys, which a question consumes as its GET does. */
  readonly rateLimiter: RateLimiter;
  /** How long a subscription waits for the position of its cursor, in milliseconds. */
  readonly cursorWaitMs: number;
  /** Called once for a connection, when it has closed, with its close code. */
  readonly onClosed: (connection: Connection, code: number) => void;
  /** Reports an internal error. */
  readonly reportFault: (what: string, detail: unknown) => void;
  /** Counts a message in the metrics. */
  readonly countMessage: (direction: 'in' | 'out', type: string) => void;
  /** Records that the key of a connection is in use. */
  readonly recordUse: (key: AuthenticatedKey) => void;
}

const ignore = (): void => {};

/** Serves an accepted connection until it closes: a WebSocket, or one with server-sent events, which has no commands. */
export class Connection implements EventConsumer, AskCaller, WatchedConnection, CommandRunner<ClientMessage> {
  readonly connectionId: string;
  readonly subscriptions = new Map<string, Subscription>();
  readonly #key: AuthenticatedKey;
  readonly #parts: ConnectionParts;
  readonly #socket: Outlet;
  readonly #readers: SubscriptionReaders;
  readonly #monitor: ConnectionMonitor;
  readonly #rate: Bucket;
  readonly #commands: CommandQueue<ClientMessage>;
  /** Created on first use: most connections ask no question. */
  #closeController: AbortController | undefined;
  #lastSubscriptionNumber = 0;
  #invalidMessages = 0;
  #rateLimitedCommands = 0;

  constructor(socket: Outlet, key: AuthenticatedKey, id: string, parts: ConnectionParts) {
    const { hub, log, events, limits } = parts;
    this.connectionId = id;
    this.#key = key;
    this.#parts = parts;
    this.#socket = socket;
    this.#readers = new SubscriptionReaders(hub, log, events, this);
    this.#monitor = new ConnectionMonitor(socket, this, parts);
    this.#rate = createTokenBucket({ requests: limits.commandsPerMinute, periodMs: 60_000 });
    this.#commands = new CommandQueue<ClientMessage>(this);
  }

  get keyId(): string {
    return this.#key.id;
  }

  /** Whether the token of the connection has ended, though its key is valid. */
  get hasTokenEnded(): boolean {
    const { issuer, expiresAt } = this.#key;
    return issuer !== undefined && expiresAt <= Date.now();
  }

  /** Bytes in the socket buffer. */
  get buffered(): number {
    return this.#socket.buffered;
  }

  /** Events that the subscription with the greatest lag has not received. */
  get behind(): number {
    return this.#parts.log.head - this.#readers.served;
  }

  /** The last event that all its subscriptions have received. */
  get served(): number {
    return this.#readers.served;
  }

  /** Aborts when the connection closes. */
  get signal(): AbortSignal {
    this.#closeController ??= new AbortController();
    if (this.#socket.isClosing) this.#closeController.abort();
    return this.#closeController.signal;
  }

  get isClosed(): boolean {
    return this.#socket.isClosing;
  }

  get isFull(): boolean {
    return this.#socket.isFull;
  }

  send(message: ServerMessage): void {
    this.#socket.send(message);
  }

  close(reason: CloseReason): void {
    this.#socket.close(reason);
  }

  /** Checks heartbeats and time limits. Call about once a second; `now` is `performance.now()`. */
  tick(now: number): void {
    if (this.isClosed) return;
    try {
      // An open connection counts as a use of the key.
      this.#parts.recordUse(this.#key);
      this.#monitor.tick(now);
      this.#readers.pump();
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Sends an event once for all its subscriptions, in the fullest view that one of them has. */
  deliver(event: StreamEvent, recipients: readonly Subscription[]): void {
    const [first] = recipients;
    if (first === undefined) return;
    const frame = recipients.length === 1 ? frameFor(event, first) : frameForSeveral(event, first, recipients);
    if (frame !== undefined) this.#socket.write(frame, 'event', this.cursor(event.seq));
    if (event.isDeletion) this.#endSubscriptions(event, recipients);
  }

  onGap(subscription: Subscription, from: number, to: number): void {
    this.#sendGap(subscription, this.cursor(from), to, 'retention');
  }

  onCaughtUp(arrived: ReadonlySet<Subscription>): void {
    const { position } = this.#parts.hub;
    if (this.#readers.served >= position) this.#monitor.onCaughtUp();
    for (const subscription of arrived) {
      const cursor = this.cursor(Math.max(position, subscription.after));
      if (subscription.isReplaying) this.send({ type: 'caught_up', sub: subscription.name, cursor });
    }
  }

  /** Closes only this connection after an unexpected error. The client can resume by cursor. */
  onFault(error: unknown): void {
    this.#parts.reportFault('a connection failed', error);
    this.close('internal');
  }

  /** Sends events again, after what waited was full. */
  drained(): void {
    this.#readers.pumpSoon();
  }

  /** Starts the only subscription of a connection without commands. Rejects with ServiceError and MessageError. */
  async follow(command: Schemas['WsSubscribe']): Promise<void> {
    this.#monitor.onCommand();
    await this.#subscribe(command);
  }

  /** Ends the subscriptions of a connection that has closed. `code`: the close code, unless this server has closed it. */
  finish(code: number): void {
    this.#socket.markClosed();
    this.#closeController?.abort();
    this.#commands.clear();
    for (const subscription of [...this.subscriptions.values()]) this.#removeSubscription(subscription);
    this.#parts.onClosed(this, this.#socket.closeCode ?? code);
  }

  /** Serves the commands of a WebSocket. */
  listen(ws: WebSocket, socket: Socket): void {
    const pump = (): void => this.drained();
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('pong', () => this.#monitor.onPong());
    // For oversized or invalid frames, ws itself closes the connection with the code of RFC 6455 §7.4.
    ws.on('error', ignore);
    ws.on('close', (code) => {
      socket.off('drain', pump);
      this.finish(code);
    });
    socket.on('drain', pump);
  }

  /** The cursor of a position in the log. */
  cursor(seq: number): string {
    return cursorAt(this.#parts.log, seq);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.isClosed) return;
    if (isBinary) return this.close('binary');
    const { countMessage } = this.#parts;
    if (!this.#consumeCommand()) return;
    let command: ClientMessage;
    try {
      command = readMessage((data as Buffer).toString());
    } catch (error) {
      countMessage('in', 'invalid');
      if (++this.#invalidMessages > this.#parts.limits.invalidMessages) return this.close('protocol');
      return this.rejectCommand(error, undefined);
    }
    countMessage('in', command.type);
    this.#invalidMessages = this.#rateLimitedCommands = 0;
    this.#monitor.onCommand();
    this.#commands.add(command);
  }

  /** Returns false for a command over the rate limit, or while too many commands wait for the platform. */
  #consumeCommand(): boolean {
    const { limits } = this.#parts;
    const { allowed, nextInMs } = this.#rate.consume();
    if (allowed && this.#commands.waiting < limits.commandsPerMinute) return true;
    if (++this.#rateLimitedCommands > limits.commandsPerMinute) {
      this.close('rate');
      return false;
    }
    const seconds = waitSeconds(nextInMs);
    const error = new MessageError('too_many_requests', 429, `too many commands; retry in ${seconds} s`, undefined, {
      retry_after_s: seconds,
    });
    this.send(errorMessage(error, undefined, 'bad_params'));
    return false;
  }

  /** Answers a command that failed. Undefined: a message that cannot be read. */
  rejectCommand(error: unknown, command: ClientMessage | undefined): void {
    if (this.isClosed) return;
    const reply = errorMessage(error, command?.id, badRequestCode(command));
    if (reply.code === 'internal') this.#parts.reportFault('a command failed', error);
    this.send(reply);
  }

  /** Executes a command. Throws, or rejects with, ServiceError and MessageError. */
  execute(command: ClientMessage): void | Promise<void> {
    switch (command.type) {
      case 'subscribe':
        return this.#subscribe(command);
      case 'unsubscribe':
        return this.#unsubscribe(command);
      case 'subscriptions':
        return this.send({ type: 'subscriptions', id: command.id, items: this.#listSubscriptions() });
      case 'ask':
        return this.#ask(command);
      case 'cancel':
        return this.#parts.asks.cancel(command.id, this);
      case 'ping':
        return this.send({
          type: 'pong',
          ...(command.id === undefined ? {} : { id: command.id }),
          timestamp: new Date().toISOString(),
        });
    }
  }

  /**
   * Asks a question, in the order of a GET: the rate limit, then the scope. Returns a promise only where the rate limiter
   * decides asynchronously. Throws, or rejects with, ServiceError and MessageError.
   */
  #ask(command: Schemas['WsAsk']): void | Promise<void> {
    const { asks, rateLimiter } = this.#parts;
    const start = (): void => {
      if (this.isClosed) return;
      this.#requireScope(streamScopes.ask, command.id);
      asks.ask(command, this);
    };
    return consumeRequest(rateLimiter, this.#key, requireAllowed)?.then(start) ?? start();
  }

  async #subscribe(command: Schemas['WsSubscribe']): Promise<void> {
    const { channel, params } = command;
    const { platform, deletions } = this.#parts;
    if (command.cursor !== undefined) await this.#waitFor(command.cursor);
    const watch = deletions.watch();
    try {
      const target = await resolveChannel(channel, params, platform, this.#options);
      if (this.isClosed) return;
      // The subscription would not receive a deletion that was published while the platform answered.
      if (params.tweet_id !== undefined && watch.has(params.tweet_id)) throw notFound(`tweet ${params.tweet_id}`);
      const subscription = this.#startSubscription(command, target);
      if (subscription?.target.isState === true) await this.#sendCurrentState(subscription);
    } finally {
      watch.stop();
    }
  }

  /** Waits for the position of a cursor from an instance that is ahead of this one. Resolves also where it does not come. */
  async #waitFor(cursor: string): Promise<void> {
    const { log, cursorWaitMs } = this.#parts;
    const position = positionAhead(cursor, log);
    if (typeof position === 'number' && cursorWaitMs > 0) await headReaches(log, position, cursorWaitMs);
  }

  /** Confirms a subscription and starts it. Undefined after `dry_run`. Throws MessageError. */
  #startSubscription(command: Schemas['WsSubscribe'], target: ChannelTarget): Subscription | undefined {
    const { id: commandId, channel, params, tag } = command;
    const { hub, log, limits } = this.#parts;
    const resumeCursor = target.isState ? undefined : command.cursor;
    const { position, gap }: ResumePoint =
      resumeCursor === undefined
        ? { position: hub.position, gap: undefined }
        : resolveCursor(resumeCursor, command, log);
    const described = { channel, params, ...(tag === undefined ? {} : { tag }) };
    const confirmation = { type: 'subscribed', id: commandId, ...described } as const;
    if (command.dry_run) {
      const cursor = this.cursor(hub.position);
      this.send({ ...confirmation, sub: null, cursor, recovered: null, replay_from: null });
      return undefined;
    }
    if (this.subscriptions.size >= limits.subscriptions) {
      throw new MessageError(
        'too_many_subscriptions',
        429,
        `this connection has ${limits.subscriptions} subscriptions, the maximum: end one, or open another connection`,
        commandId,
      );
    }
    const isReplaying = resumeCursor !== undefined;
    const subscription = this.#addSubscription(target, tag, isReplaying);
    const cursor = this.cursor(position);
    this.send({
      ...confirmation,
      sub: subscription.name,
      cursor,
      recovered: isReplaying ? gap === undefined : null,
      replay_from: isReplaying ? cursor : null,
    });
    if (gap !== undefined && isReplaying) this.#sendGap(subscription, resumeCursor, position, gap);
    this.#readers.add(subscription, position);
    return subscription;
  }

  #addSubscription(target: Subscription['target'], tag: string | undefined, isReplaying: boolean): Subscription {
    const number = ++this.#lastSubscriptionNumber;
    const recipient = this.#readers;
    const subscription = newSubscription({ name: `s${number}`, number, tag, target, recipient, isReplaying });
    this.subscriptions.set(subscription.name, subscription);
    return subscription;
  }

  /** Options of the calls to the platform. They read the signal only when the platform waits. */
  get #options(): CallOptions {
    return this;
  }

  /** Sends the current state of a state channel as an event, unless a newer event was sent meanwhile. */
  async #sendCurrentState(subscription: Subscription): Promise<void> {
    const { hub, events } = this.#parts;
    const event = await events.currentState(subscription.target, hub.position);
    if (!subscription.hasReceived && this.subscriptions.has(subscription.name)) this.deliver(event, [subscription]);
  }

  #unsubscribe({ sub: name, id: commandId }: Schemas['WsUnsubscribe']): void {
    const subscription = this.subscriptions.get(name);
    if (subscription === undefined)
      throw new MessageError(
        'unknown_subscription',
        404,
        `this connection has no subscription '${name.slice(0, 64)}'`,
        commandId,
      );
    this.#removeSubscription(subscription);
    this.send({ type: 'unsubscribed', id: commandId, sub: name });
  }

  /** Ends the subscriptions whose own tweet was deleted. */
  #endSubscriptions(event: StreamEvent, recipients: readonly Subscription[]): void {
    for (const subscription of recipients) {
      const { tweet_id: tweetId } = subscription.target.params;
      if (tweetId === undefined || !event.endsTweet(tweetId)) continue;
      this.#removeSubscription(subscription);
      this.send({ type: 'unsubscribed', sub: subscription.name, reason: 'the tweet was deleted' });
    }
  }

  #removeSubscription(subscription: Subscription): void {
    this.subscriptions.delete(subscription.name);
    this.#readers.remove(subscription);
  }

  #listSubscriptions(): Extract<ServerMessage, { type: 'subscriptions' }>['items'] {
    return Array.from(this.subscriptions.values(), (subscription) => {
      const { name, tag, target } = subscription;
      return {
        sub: name,
        channel: target.channel,
        params: target.params,
        cursor: this.cursor(this.#readers.positionOf(subscription)),
        ...(tag === undefined ? {} : { tag }),
      };
    });
  }

  #sendGap(subscription: Subscription, from: string, to: number, reason: Schemas['WsGap']['reason']): void {
    const { name, target } = subscription;
    this.send({ type: 'gap', sub: name, from, to: this.cursor(to), reason, hint: target.path });
  }

  /**
   * Throws MessageError when the key lacks the scope. The code is an existing one, because clients cannot handle new
   * codes.
   */
  #requireScope(scope: Scope, commandId: string): void {
    if (!this.#key.scopes.has(scope))
      throw new MessageError('bad_message', 403, `this API key lacks the scope '${scope}'`, commandId);
  }
}

const frameFor = (event: StreamEvent, { name, target, isReplaying }: Subscription): Buffer | undefined =>
  event.frame([name], target.channel, target.view, isReplaying);

/** The frame of an event for several subscriptions of a connection; `first` is one of them. */
function frameForSeveral(
  event: StreamEvent,
  first: Subscription,
  recipients: readonly Subscription[],
): Buffer | undefined {
  const { target } = recipients.find(({ target: { view } }) => view === 'full') ?? first;
  const names = recipients.toSorted((a, b) => a.number - b.number).map(({ name }) => name);
  const isReplayed = recipients.every(({ isReplaying }) => isReplaying);
  return event.frame(names, target.channel, target.view, isReplayed);
}

/** The error code of an invalid request, by command. */
const badRequestCode = (command: ClientMessage | undefined): ErrorCode =>
  command?.type === 'subscribe' && command.channel === 'search:tweets' ? 'bad_query' : 'bad_params';
