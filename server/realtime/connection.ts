/** One listener: its commands, its subscriptions and its socket. What waits for the socket is bounded; nothing else waits for anyone. */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { streamScopes, type Scope } from '../../generated/scopes.ts';
import type { Archive } from '../platforms/archive/archive.ts';
import type { Schemas } from '../contract/operations.ts';
import { createTokenBucket, waitSeconds } from '../keys/token-bucket.ts';
import type { AuthenticatedKey } from '../keys/keys.ts';
import type { AskCaller, Asks } from './asks.ts';
import { resolveChannel } from './channels.ts';
import { formatCursor, resolveCursor, type ResumePoint } from './event-cursor.ts';
import type { EventLog } from './event-log.ts';
import { textFrame, type WriteBatcher } from './frame.ts';
import type { Hub } from './hub.ts';
import { closeCodes, type CloseReason, type Limits } from './limits.ts';
import {
  errorMessage,
  frameOf,
  MessageError,
  readMessage,
  type ClientMessage,
  type ErrorCode,
  type ServerMessage,
} from './messages.ts';
import { createSubscriptionReaders, type Subscription } from './subscription-readers.ts';
import type { StreamEvent } from './stream-event.ts';

export interface ConnectionParts {
  readonly hub: Hub;
  readonly log: EventLog;
  readonly archive: Archive;
  readonly asks: Asks;
  readonly limits: Limits;
  /** The same for all connections. */
  readonly holdBack: WriteBatcher;
  /** Called once, when the connection is over, with the code that it was closed with. */
  readonly closed: (code: number) => void;
  /** Told what must not happen. */
  readonly broken: (what: string, detail: unknown) => void;
  /** Counts messages. */
  readonly count: (direction: 'in' | 'out', type: string) => void;
}

export interface Connection {
  readonly keyId: string;
  readonly subscriptions: number;
  /** Bytes that wait for the socket. */
  readonly buffered: number;
  /** Events that its furthest subscription has still to be told. */
  readonly behind: number;
  send(message: ServerMessage): void;
  close(reason: CloseReason): void;
  /** To be called about every second: heartbeats, and what is overdue. `now` as `performance.now()`. */
  tick(now: number): void;
}

/** How long a peer may take to answer a close before it is cut off. */
const closeMs = 1_000;

export function connect(
  ws: WebSocket,
  socket: Socket,
  key: AuthenticatedKey,
  id: string,
  parts: ConnectionParts,
): Connection {
  const { hub, log, archive, asks, limits, holdBack, broken, count } = parts;
  const commands = createTokenBucket({ requests: limits.commandsPerMinute, periodMs: 60_000 });
  const subscriptions = new Map<string, Subscription>();
  /** Made when it is first needed: most listeners ask nothing. */
  let gone: AbortController | undefined;
  let made = 0;
  let invalid = 0;
  let refused = 0;
  let asked = false;
  let isClosing = false;
  let closedWith: number | undefined;
  const openedAt = performance.now();
  let lastSent = openedAt;
  let lastPing = openedAt;
  let unanswered = 0;
  /** When, and how far, the socket last took something. */
  let drained = { at: openedAt, bytes: 0 };
  let progress: { at: number; cursor: number } | undefined;
  let saidLagging = false;

  const cursor = (seq: number): string => formatCursor(log.epoch, seq);
  // Below its own mark a socket does not tell when it has drained.
  const bound = Math.max(limits.bufferedBytes, socket.writableHighWaterMark);
  const isFull = (): boolean => socket.writableLength > bound;

  /** Straight to the socket, past `ws`, which would make a frame of its own for each listener. Its own frames go the same way. */
  function write(frame: Buffer): void {
    if (ws.readyState !== ws.OPEN) return;
    holdBack(socket);
    socket.write(frame);
    lastSent = performance.now();
  }

  function send(message: ServerMessage): void {
    if (ws.readyState !== ws.OPEN) return;
    // Only answers come here, one for each command; who takes none of them is not a listener.
    if (socket.writableLength > 4 * bound) return close('slow');
    let frame = frameOf(message);
    if (frame === undefined) {
      broken('a message that the contract does not allow', message);
      frame = frameOf({
        type: 'error',
        error: 'internal error',
        status: 500,
        code: 'internal',
        ...('id' in message && message.id !== undefined ? { id: message.id } : {}),
      })!;
    }
    count('out', message.type);
    write(textFrame(frame));
  }

  function close(reason: CloseReason): void {
    if (isClosing) return;
    isClosing = true;
    const [code, text] = closeCodes[reason];
    closedWith = code;
    ws.close(code, text);
    // A peer that has stopped reading never answers.
    setTimeout(() => ws.terminate(), closeMs).unref();
  }

  /** What must not happen ends this connection, and touches no other: it resumes by cursor. */
  function fail(error: unknown): void {
    broken('a connection that failed', error);
    close('internal');
  }

  /** Sends an event in the fullest form that one of the subscriptions has. */
  function tell(event: StreamEvent, told: readonly Subscription[]): void {
    const first = told.find(({ target: listening }) => listening.form === 'full') ?? told[0]!;
    const names =
      told.length === 1 ? [first.name] : told.toSorted((a, b) => a.number - b.number).map(({ name }) => name);
    const frame = event.frame(
      names,
      first.channel,
      first.target.form,
      told.every(({ replays }) => replays),
    );
    if (frame === undefined) return;
    count('out', 'event');
    write(frame);
  }

  const readers = createSubscriptionReaders(hub, log, {
    subscriptions: () => subscriptions.values(),
    isOver: () => isClosing,
    isFull,
    deliver: tell,
    gap: (subscription, from, to) => sendGap(subscription, cursor(from), to, 'retention'),
    caughtUp(arrived) {
      if (readers.served === hub.position) {
        saidLagging = false;
        progress = undefined;
      }
      for (const { name, replays } of arrived)
        if (replays) send({ type: 'caught_up', sub: name, cursor: cursor(hub.position) });
    },
    fail,
  });

  function sendGap(subscription: Subscription, from: string, to: number, reason: Schemas['WsGap']['reason']): void {
    send({ type: 'gap', sub: subscription.name, from, to: cursor(to), reason, hint: subscription.target.path });
  }

  function subscribe(command: Schemas['WsSubscribe']): void {
    const { id: commandId, channel, params, tag } = command;
    const listening = resolveChannel(channel, params, archive);
    const given = listening.isState ? undefined : command.cursor;
    const { place, gap }: ResumePoint =
      given === undefined ? { place: hub.position, gap: undefined } : resolveCursor(given, command, log);
    const answer = {
      type: 'subscribed',
      id: commandId,
      channel,
      params,
      ...(tag === undefined ? {} : { tag }),
    } as const;
    if (command.dry_run)
      return send({ ...answer, sub: null, cursor: cursor(hub.position), recovered: null, replay_from: null });
    if (subscriptions.size >= limits.subscriptions) {
      throw new MessageError(
        'too_many_subscriptions',
        429,
        `this connection has ${limits.subscriptions} subscriptions, which is the most: end one, or connect again`,
        commandId,
      );
    }
    const number = ++made;
    const replays = given !== undefined;
    const subscription: Subscription = {
      name: `s${number}`,
      number,
      channel,
      tag,
      target: listening,
      recipient: readers.audience,
      replays,
      known: false,
      waiting: undefined,
      reader: undefined,
    };
    subscriptions.set(subscription.name, subscription);
    const from = cursor(place);
    send({
      ...answer,
      sub: subscription.name,
      cursor: from,
      recovered: replays ? gap === undefined : null,
      replay_from: replays ? from : null,
    });
    if (gap !== undefined) sendGap(subscription, given!, place, gap);
    readers.begin(subscription, place);
    if (listening.isState) sendPresent(subscription);
  }

  /** How things are now, as the event that would have told it. */
  function sendPresent(subscription: Subscription): void {
    const frame = hub
      .snapshotEvent(subscription.target)
      .frame([subscription.name], subscription.channel, subscription.target.form, false);
    if (frame === undefined) return;
    count('out', 'event');
    write(frame);
  }

  function unsubscribe(name: string, commandId: string): void {
    const subscription = subscriptions.get(name);
    if (subscription === undefined)
      throw new MessageError(
        'unknown_subscription',
        404,
        `there is no subscription '${name.slice(0, 64)}' on this connection`,
        commandId,
      );
    end(subscription);
    send({ type: 'unsubscribed', id: commandId, sub: name });
  }

  function end(subscription: Subscription): void {
    subscriptions.delete(subscription.name);
    readers.end(subscription);
  }

  /** Throws MessageError where the key was not made for it. A code of its own would be one that listeners cannot know. */
  function demand(scope: Scope, commandId: string): void {
    if (!key.scopes.has(scope))
      throw new MessageError('bad_message', 403, `this API key lacks the scope '${scope}'`, commandId);
  }

  const asker = (): AskCaller => ({
    keyId: key.id,
    connectionId: id,
    send,
    signal: (gone ??= new AbortController()).signal,
  });

  function carryOut(command: ClientMessage): void {
    switch (command.type) {
      case 'subscribe':
        return subscribe(command);
      case 'unsubscribe':
        return unsubscribe(command.sub, command.id);
      case 'subscriptions':
        return send({
          type: 'subscriptions',
          id: command.id,
          items: Array.from(subscriptions.values(), (subscription) => {
            const {
              name,
              channel,
              tag,
              target: { params },
            } = subscription;
            return {
              sub: name,
              channel,
              params,
              cursor: cursor(readers.placeOf(subscription)),
              ...(tag === undefined ? {} : { tag }),
            };
          }),
        });
      case 'ask':
        demand(streamScopes.ask, command.id);
        return asks.ask(command, asker());
      case 'cancel':
        return asks.cancel(command.id, asker());
      case 'ping':
        return send({
          type: 'pong',
          ...(command.id === undefined ? {} : { id: command.id }),
          timestamp: new Date().toISOString(),
        });
    }
  }

  function receive(data: RawData, isBinary: boolean): void {
    if (isClosing) return;
    if (isBinary) return close('binary');
    const { allowed, nextInMs } = commands.consume();
    if (!allowed) {
      if (++refused > limits.commandsPerMinute) return close('rate');
      const seconds = waitSeconds(nextInMs);
      return send(
        errorMessage(
          new MessageError('too_many_requests', 429, `too many commands: try again in ${seconds} s`, undefined, {
            retry_after_s: seconds,
          }),
          undefined,
          'bad_params',
        ),
      );
    }
    let command: ClientMessage | undefined;
    try {
      command = readMessage((data as Buffer).toString());
      count('in', command.type);
      invalid = refused = 0;
      asked = true;
      carryOut(command);
    } catch (error) {
      if (command === undefined) {
        count('in', 'invalid');
        if (++invalid > limits.invalidMessages) return close('protocol');
      }
      const told = errorMessage(error, command?.id, badRequestOf(command));
      if (told.code === 'internal') broken('a command that failed', error);
      send(told);
    }
  }

  ws.on('message', receive);
  ws.on('pong', () => (unanswered = 0));
  // Oversized or broken frames are answered by ws itself with the code that RFC 6455 §7.4 gives them.
  ws.on('error', () => {});
  ws.on('close', (code) => {
    isClosing = true;
    gone?.abort();
    for (const subscription of [...subscriptions.values()]) end(subscription);
    socket.off('drain', readers.pumpSoon);
    parts.closed(closedWith ?? code);
  });
  socket.on('drain', readers.pumpSoon);

  return {
    keyId: key.id,
    get subscriptions() {
      return subscriptions.size;
    },
    get buffered() {
      return socket.writableLength;
    },
    get behind() {
      return log.head - readers.served;
    },
    send,
    close,

    tick(now) {
      if (isClosing) return;
      try {
        beat(now);
        watch(now);
        readers.pump();
      } catch (error) {
        fail(error);
      }
    },
  };

  function beat(now: number): void {
    // A stream that is open is a use.
    key.lastUse.at = Date.now();
    if (!asked && now - openedAt > limits.firstCommandMs) return close('idle');
    if (now - lastPing >= limits.heartbeatMs) {
      if (unanswered >= 2) return close('pong');
      unanswered++;
      lastPing = now;
      ws.ping();
    }
    if (now - lastSent >= limits.heartbeatMs && socket.writableLength === 0) {
      send({ type: 'heartbeat', cursor: cursor(readers.served), timestamp: new Date().toISOString() });
    }
  }

  /** Tells a listener that falls behind, and ends one that does not get on. */
  function watch(now: number): void {
    if (isClosing) return;
    const bytes = socket.bytesWritten - socket.writableLength;
    if (bytes > drained.bytes || socket.writableLength === 0) drained = { at: now, bytes };
    const behind = log.head - readers.served;
    const isStuck = now - drained.at > limits.stalledMs / 2;
    const isFar = behind > Math.min(limits.farBehind, log.retention.events) / 2;
    if ((isStuck || (isFar && isFull())) && !saidLagging) {
      saidLagging = true;
      send({ type: 'lagging', behind, oldest_cursor: cursor(log.floor) });
    }
    if (now - drained.at > limits.stalledMs) return close('slow');
    if (behind <= limits.farBehind) return void (progress = undefined);
    progress ??= { at: now, cursor: readers.served };
    if (now - progress.at < limits.progressMs) return;
    if (((readers.served - progress.cursor) / (now - progress.at)) * 1000 < limits.minPerSecond) close('slow');
    progress = undefined;
  }
}

/** What a bad request is called, by what was asked. */
const badRequestOf = (command: ClientMessage | undefined): ErrorCode =>
  command?.type === 'subscribe' && command.channel === 'search:tweets' ? 'bad_query' : 'bad_params';
