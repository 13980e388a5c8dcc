/**
 * One WebSocket connection: its commands, its subscriptions and its socket. The socket buffer is limited, and there
 * is no other queue.
 */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { streamScopes, type Scope } from '../../generated/scopes.ts';
import type { Archive } from '../platforms/archive/archive.ts';
import type { Schemas } from '../contract/operations.ts';
import { createTokenBucket, waitSeconds } from '../keys/token-bucket.ts';
import type { AuthenticatedKey } from '../ports/keys.ts';
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
  /** Shared by all connections. */
  readonly batchWrites: WriteBatcher;
  /** Called once, when the connection has closed, with its close code. */
  readonly onClosed: (code: number) => void;
  /** Reports an internal error. */
  readonly reportFault: (what: string, detail: unknown) => void;
  /** Counts a message in the metrics. */
  readonly countMessage: (direction: 'in' | 'out', type: string) => void;
  /** Records that the key of the connection is in use. */
  readonly recordUse: () => void;
}

export interface Connection {
  readonly keyId: string;
  readonly subscriptions: number;
  /** Bytes in the socket buffer. */
  readonly buffered: number;
  /** Events that the subscription with the greatest lag has not received. */
  readonly behind: number;
  send(message: ServerMessage): void;
  close(reason: CloseReason): void;
  /** Checks heartbeats and time limits. Call about once a second; `now` is `performance.now()`. */
  tick(now: number): void;
}

/** Milliseconds for which a peer may delay its close frame before the socket is terminated. */
const closeTimeoutMs = 1_000;

/** Serves an accepted WebSocket until it closes. `id`: the connection id; `key`: the authenticated API key. */
export function connect(
  ws: WebSocket,
  socket: Socket,
  key: AuthenticatedKey,
  id: string,
  parts: ConnectionParts,
): Connection {
  const { hub, log, archive, asks, limits, batchWrites, reportFault, countMessage, recordUse } = parts;
  const commands = createTokenBucket({ requests: limits.commandsPerMinute, periodMs: 60_000 });
  const subscriptions = new Map<string, Subscription>();
  /** Created on first use: most connections ask no question. */
  let closeController: AbortController | undefined;
  let lastSubscriptionNumber = 0;
  let invalidMessages = 0;
  let rateLimitedCommands = 0;
  let hasReceivedCommand = false;
  let isClosing = false;
  let closeCode: number | undefined;
  const openedAt = performance.now();
  let lastSent = openedAt;
  let lastPing = openedAt;
  let unansweredPings = 0;
  /** When the socket last accepted bytes, and how many it had accepted by then. */
  let drained = { at: openedAt, bytes: 0 };
  let progress: { at: number; cursor: number } | undefined;
  let isLagReported = false;

  const cursor = (seq: number): string => formatCursor(log.epoch, seq);
  // A socket emits 'drain' only after its buffer has reached its own high-water mark.
  const maxBufferedBytes = Math.max(limits.bufferedBytes, socket.writableHighWaterMark);
  const isFull = (): boolean => socket.writableLength > maxBufferedBytes;

  /** Writes a frame directly to the socket, because `ws` would create a new frame for each connection. */
  function write(frame: Buffer): void {
    if (ws.readyState !== ws.OPEN) return;
    batchWrites(socket);
    socket.write(frame);
    lastSent = performance.now();
  }

  function send(message: ServerMessage): void {
    if (ws.readyState !== ws.OPEN) return;
    // Only replies are sent here, one for each command. A client that reads no replies is disconnected.
    if (socket.writableLength > 4 * maxBufferedBytes) return close('slow');
    let frame = frameOf(message);
    if (frame === undefined) {
      reportFault('a message that the contract does not allow', message);
      frame = frameOf({
        type: 'error',
        error: 'internal error',
        status: 500,
        code: 'internal',
        ...('id' in message && message.id !== undefined ? { id: message.id } : {}),
      })!;
    }
    countMessage('out', message.type);
    write(textFrame(frame));
  }

  function close(reason: CloseReason): void {
    if (isClosing) return;
    isClosing = true;
    const [code, text] = closeCodes[reason];
    closeCode = code;
    ws.close(code, text);
    // A peer that has stopped reading never sends its close frame.
    setTimeout(() => ws.terminate(), closeTimeoutMs).unref();
  }

  /** Closes only this connection after an unexpected error. The client can resume by cursor. */
  function fail(error: unknown): void {
    reportFault('a connection that failed', error);
    close('internal');
  }

  /** Sends an event once for all its subscriptions, in the fullest view that one of them has. */
  function deliver(event: StreamEvent, recipients: readonly Subscription[]): void {
    const first = recipients.find(({ target }) => target.view === 'full') ?? recipients[0]!;
    const names =
      recipients.length === 1
        ? [first.name]
        : recipients.toSorted((a, b) => a.number - b.number).map(({ name }) => name);
    const frame = event.frame(
      names,
      first.channel,
      first.target.view,
      recipients.every(({ isReplaying }) => isReplaying),
    );
    if (frame === undefined) return;
    countMessage('out', 'event');
    write(frame);
  }

  const readers = createSubscriptionReaders(hub, log, {
    subscriptions: () => subscriptions.values(),
    isClosed: () => isClosing,
    isFull,
    deliver,
    onGap: (subscription, from, to) => sendGap(subscription, cursor(from), to, 'retention'),
    onCaughtUp(arrived) {
      if (readers.served === hub.position) {
        isLagReported = false;
        progress = undefined;
      }
      for (const { name, isReplaying } of arrived)
        if (isReplaying) send({ type: 'caught_up', sub: name, cursor: cursor(hub.position) });
    },
    onFault: fail,
  });

  function sendGap(subscription: Subscription, from: string, to: number, reason: Schemas['WsGap']['reason']): void {
    send({ type: 'gap', sub: subscription.name, from, to: cursor(to), reason, hint: subscription.target.path });
  }

  function subscribe(command: Schemas['WsSubscribe']): void {
    const { id: commandId, channel, params, tag } = command;
    const target = resolveChannel(channel, params, archive);
    const resumeCursor = target.isState ? undefined : command.cursor;
    const { position, gap }: ResumePoint =
      resumeCursor === undefined
        ? { position: hub.position, gap: undefined }
        : resolveCursor(resumeCursor, command, log);
    const confirmation = {
      type: 'subscribed',
      id: commandId,
      channel,
      params,
      ...(tag === undefined ? {} : { tag }),
    } as const;
    if (command.dry_run)
      return send({ ...confirmation, sub: null, cursor: cursor(hub.position), recovered: null, replay_from: null });
    if (subscriptions.size >= limits.subscriptions) {
      throw new MessageError(
        'too_many_subscriptions',
        429,
        `this connection has ${limits.subscriptions} subscriptions, which is the most: end one, or connect again`,
        commandId,
      );
    }
    const number = ++lastSubscriptionNumber;
    const isReplaying = resumeCursor !== undefined;
    const subscription: Subscription = {
      name: `s${number}`,
      number,
      channel,
      tag,
      target,
      recipient: readers.recipient,
      isReplaying,
      isRegistered: false,
      pendingSeq: undefined,
      reader: undefined,
    };
    subscriptions.set(subscription.name, subscription);
    const startCursor = cursor(position);
    send({
      ...confirmation,
      sub: subscription.name,
      cursor: startCursor,
      recovered: isReplaying ? gap === undefined : null,
      replay_from: isReplaying ? startCursor : null,
    });
    if (gap !== undefined) sendGap(subscription, resumeCursor!, position, gap);
    readers.add(subscription, position);
    if (target.isState) sendCurrentState(subscription);
  }

  /** Sends the current state of a state channel as an event. */
  function sendCurrentState(subscription: Subscription): void {
    const frame = hub
      .snapshotEvent(subscription.target)
      .frame([subscription.name], subscription.channel, subscription.target.view, false);
    if (frame === undefined) return;
    countMessage('out', 'event');
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
    removeSubscription(subscription);
    send({ type: 'unsubscribed', id: commandId, sub: name });
  }

  function removeSubscription(subscription: Subscription): void {
    subscriptions.delete(subscription.name);
    readers.remove(subscription);
  }

  /**
   * Throws MessageError when the key lacks the scope. The code is an existing one, because clients do not know new
   * codes.
   */
  function requireScope(scope: Scope, commandId: string): void {
    if (!key.scopes.has(scope))
      throw new MessageError('bad_message', 403, `this API key lacks the scope '${scope}'`, commandId);
  }

  const askCaller = (): AskCaller => ({
    keyId: key.id,
    connectionId: id,
    send,
    signal: (closeController ??= new AbortController()).signal,
  });

  function execute(command: ClientMessage): void {
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
              cursor: cursor(readers.positionOf(subscription)),
              ...(tag === undefined ? {} : { tag }),
            };
          }),
        });
      case 'ask':
        requireScope(streamScopes.ask, command.id);
        return asks.ask(command, askCaller());
      case 'cancel':
        return asks.cancel(command.id, askCaller());
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
      if (++rateLimitedCommands > limits.commandsPerMinute) return close('rate');
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
      countMessage('in', command.type);
      invalidMessages = rateLimitedCommands = 0;
      hasReceivedCommand = true;
      execute(command);
    } catch (error) {
      if (command === undefined) {
        countMessage('in', 'invalid');
        if (++invalidMessages > limits.invalidMessages) return close('protocol');
      }
      const reply = errorMessage(error, command?.id, badRequestCode(command));
      if (reply.code === 'internal') reportFault('a command that failed', error);
      send(reply);
    }
  }

  ws.on('message', receive);
  ws.on('pong', () => (unansweredPings = 0));
  // For oversized or invalid frames, ws itself closes the connection with the code of RFC 6455 §7.4.
  ws.on('error', () => {});
  ws.on('close', (code) => {
    isClosing = true;
    closeController?.abort();
    for (const subscription of [...subscriptions.values()]) removeSubscription(subscription);
    socket.off('drain', readers.pumpSoon);
    parts.onClosed(closeCode ?? code);
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
        checkHeartbeat(now);
        checkProgress(now);
        readers.pump();
      } catch (error) {
        fail(error);
      }
    },
  };

  function checkHeartbeat(now: number): void {
    // An open connection counts as a use of the key.
    recordUse();
    if (!hasReceivedCommand && now - openedAt > limits.firstCommandMs) return close('idle');
    if (now - lastPing >= limits.heartbeatMs) {
      if (unansweredPings >= 2) return close('pong');
      unansweredPings++;
      lastPing = now;
      ws.ping();
    }
    if (now - lastSent >= limits.heartbeatMs && socket.writableLength === 0) {
      send({ type: 'heartbeat', cursor: cursor(readers.served), timestamp: new Date().toISOString() });
    }
  }

  /** Warns a client that lags, and closes a connection that makes no progress. */
  function checkProgress(now: number): void {
    if (isClosing) return;
    const bytes = socket.bytesWritten - socket.writableLength;
    if (bytes > drained.bytes || socket.writableLength === 0) drained = { at: now, bytes };
    const behind = log.head - readers.served;
    const isStalled = now - drained.at > limits.stalledMs / 2;
    const isFarBehind = behind > Math.min(limits.farBehind, log.retention.events) / 2;
    if ((isStalled || (isFarBehind && isFull())) && !isLagReported) {
      isLagReported = true;
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

/** The error code of an invalid request, by command. */
const badRequestCode = (command: ClientMessage | undefined): ErrorCode =>
  command?.type === 'subscribe' && command.channel === 'search:tweets' ? 'bad_query' : 'bad_params';
