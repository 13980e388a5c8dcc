/**
 * One listener. Its subscriptions stand at places in the log, by readers: the reader at the head is told by the hub what happens; one
 * that is behind, because it replays or its socket is slow, reads on as the socket drains, and joins the next one when it gets there.
 * What waits for a socket is bounded; nothing else waits for anyone.
 */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { streamScopes, type Scope } from '../../generated/scopes.ts';
import type { Archive } from '../archive/archive.ts';
import type { Schemas } from '../contract.ts';
import { createBucket, waitSeconds } from '../keys/bucket.ts';
import type { KnownKey } from '../keys/keys.ts';
import { matches } from '../search/evaluate.ts';
import type { Asker, Asks } from './asks.ts';
import { listeningTo, type ChannelName, type Listening } from './channels.ts';
import type { EventLog } from './event-log.ts';
import { textFrame, type HoldBack } from './frame.ts';
import type { Audience, Hub, HubSubscription } from './hub.ts';
import { closeCodes, type CloseReason, type Limits } from './limits.ts';
import { errorMessage, frameOf, MessageError, readMessage, type ClientMessage, type ErrorCode, type ServerMessage } from './messages.ts';
import { cursorOf, type StreamEvent } from './stream-event.ts';

interface Subscription extends HubSubscription {
  readonly name: string;
  readonly number: number;
  readonly channel: ChannelName;
  readonly tag: string | undefined;
  /** Undefined for what tells only how things are now. */
  reader: Reader | undefined;
  /** Until the replay that was asked for is over. */
  replays: boolean;
  /** Whether the hub knows it: from when it was at the head for the first time. */
  known: boolean;
  /** The event that it could not take yet; only of what tells how things are now, where the last one is enough. */
  waiting: number | undefined;
}

/** A place in the log. All before it was served to its subscriptions; at the head it moves with the hub. */
interface Reader {
  cursor: number;
  isLive: boolean;
  readonly subscriptions: Set<Subscription>;
}

export interface ConnectionParts {
  readonly hub: Hub;
  readonly log: EventLog;
  readonly archive: Archive;
  readonly asks: Asks;
  readonly limits: Limits;
  /** The same for all connections. */
  readonly holdBack: HoldBack;
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

/** Events that are read at once before others have their turn. */
const readAtOnce = 256;
/** How long a peer may take to answer a close before it is cut off. */
const closeMs = 1_000;

export function connect(ws: WebSocket, socket: Socket, key: KnownKey, id: string, parts: ConnectionParts): Connection {
  const { hub, log, archive, asks, limits, holdBack, broken, count } = parts;
  const commands = createBucket({ requests: limits.commandsPerMinute, periodMs: 60_000 });
  const subscriptions = new Map<string, Subscription>();
  /** By cursor, the furthest behind first. */
  const readers: Reader[] = [];
  /** Made when it is first needed: most listeners ask nothing. */
  let gone: AbortController | undefined;
  let made = 0;
  let invalid = 0;
  let refused = 0;
  let asked = false;
  let pumping = false;
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

  const cursor = (seq: number): string => cursorOf(log.epoch, seq);
  const placeOf = (reader: Reader): number => (reader.isLive ? hub.position : reader.cursor);
  /** Everything up to here was served. */
  const served = (): number => (readers[0] === undefined ? hub.position : placeOf(readers[0]));
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
      frame = frameOf({ type: 'error', error: 'internal error', status: 500, code: 'internal', ...('id' in message && message.id !== undefined ? { id: message.id } : {}) })!;
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
    const first = told.find(({ listening }) => listening.form === 'full') ?? told[0]!;
    const names = told.length === 1 ? [first.name] : told.toSorted((a, b) => a.number - b.number).map(({ name }) => name);
    const frame = event.frame(names, first.channel, first.listening.form, told.every(({ replays }) => replays));
    if (frame === undefined) return;
    count('out', 'event');
    write(frame);
  }

  const audience: Audience = {
    chosen: [],

    deliver(event, chosen) {
      try {
        take(event, chosen as readonly Subscription[]);
      } catch (error) {
        fail(error);
      }
    },
  };

  function take(event: StreamEvent, chosen: readonly Subscription[]): void {
    const told = chosen.filter((subscription) => subscription.reader?.isLive ?? true);
    if (told.length === 0 || isClosing) return;
    if (!isFull()) return tell(event, told);
    for (const subscription of told) {
      if (subscription.reader === undefined) subscription.waiting = event.seq;
      else fallBehind(subscription.reader, event.seq - 1);
    }
  }

  function fallBehind(reader: Reader, at: number): void {
    reader.isLive = false;
    reader.cursor = at;
  }

  /** Reads the log for whoever is behind, until the socket is full or everyone is at the head. */
  function pump(): void {
    if (pumping || isClosing) return;
    for (let budget = readAtOnce; budget > 0 && !isFull(); ) {
      const reader = readers[0];
      if (reader === undefined || reader.isLive) return tellWaiting();
      if (reader.cursor < log.floor) skipToFloor(reader);
      const next = readers[1];
      const end = next === undefined || next.isLive ? hub.position : next.cursor;
      while (reader.cursor < end && budget-- > 0 && !isFull()) read(reader);
      if (reader.cursor >= end) join(reader, next);
    }
    if (!isFull()) pumpSoon();
  }

  /** In the next turn: a socket that drains as fast as it is filled would otherwise never let others have theirs. */
  function pumpSoon(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      try {
        pump();
      } catch (error) {
        fail(error);
      }
    });
  }

  function read(reader: Reader): void {
    const event = hub.event(reader.cursor + 1);
    const told: Subscription[] = [];
    for (const subscription of reader.subscriptions) {
      const { what } = subscription.listening;
      if ('topic' in what) {
        if (event.topics.includes(what.topic)) told.push(subscription);
        continue;
      }
      const document = event.document();
      if (document !== undefined && matches(what.condition, document, Date.now())) told.push(subscription);
    }
    reader.cursor++;
    if (told.length > 0) tell(event, told);
  }

  /** A reader that has come as far as the next one goes on with it; without one, or at the head, it is live. */
  function join(reader: Reader, next: Reader | undefined): void {
    const isLive = next === undefined || next.isLive;
    if (next === undefined) reader.isLive = true;
    else {
      readers.shift();
      for (const subscription of reader.subscriptions) {
        subscription.reader = next;
        next.subscriptions.add(subscription);
      }
    }
    if (!isLive) return;
    saidLagging = false;
    progress = undefined;
    for (const subscription of reader.subscriptions) {
      if (!subscription.known) hub.add(subscription);
      subscription.known = true;
      if (subscription.replays) send({ type: 'caught_up', sub: subscription.name, cursor: cursor(hub.position) });
      subscription.replays = false;
    }
  }

  function skipToFloor(reader: Reader): void {
    const floor = log.floor;
    for (const subscription of reader.subscriptions) sendGap(subscription, cursor(reader.cursor), floor, 'retention');
    reader.cursor = floor;
  }

  function sendGap(subscription: Subscription, from: string, to: number, reason: Schemas['WsGap']['reason']): void {
    send({ type: 'gap', sub: subscription.name, from, to: cursor(to), reason, hint: subscription.listening.path });
  }

  function tellWaiting(): void {
    for (const subscription of subscriptions.values()) {
      if (subscription.waiting === undefined || isFull()) continue;
      const seq = subscription.waiting;
      subscription.waiting = undefined;
      if (seq > log.floor) tell(hub.event(seq), [subscription]);
    }
  }

  /** Puts a reader at a place, or finds the one that is there. */
  function readerAt(place: number): Reader {
    const found = readers.find((reader) => placeOf(reader) === place);
    if (found !== undefined) return found;
    const reader: Reader = { cursor: place, isLive: false, subscriptions: new Set() };
    readers.push(reader);
    readers.sort((a, b) => placeOf(a) - placeOf(b));
    return reader;
  }

  /** Where a subscription begins. Throws MessageError for a cursor that cannot be used. */
  function startOf({ id: command, cursor: given, on_gap: onGap }: Schemas['WsSubscribe']): { place: number; gap: Schemas['WsGap']['reason'] | undefined } {
    if (given === undefined) return { place: hub.position, gap: undefined };
    const [, epoch, seq] = /^([\w-]{1,32})\.(\d{1,15})$/.exec(given) ?? [];
    if (epoch === undefined) throw new MessageError('bad_params', 400, "'cursor' is not a cursor of this stream", command);
    const { floor } = log;
    const oldest = { oldest_cursor: cursor(floor) };
    if (epoch !== log.epoch) {
      if (onGap === 'continue') return { place: floor, gap: 'epoch' };
      const message = "'cursor' belongs to another event log: take what is missing from REST, or subscribe with on_gap 'continue'";
      throw new MessageError('epoch_changed', 410, message, command, oldest);
    }
    const place = Number(seq);
    if (place > log.head) throw new MessageError('cursor_in_future', 400, "'cursor' is ahead of the event log", command);
    if (place >= floor) return { place, gap: undefined };
    if (onGap === 'continue') return { place: floor, gap: 'retention' };
    const message = "'cursor' is older than the event log: take what is missing from REST, or subscribe with on_gap 'continue'";
    throw new MessageError('cursor_too_old', 410, message, command, oldest);
  }

  function subscribe(command: Schemas['WsSubscribe']): void {
    const { id: commandId, channel, params, tag } = command;
    const listening: Listening = listeningTo(channel, params, archive);
    const { place, gap } = listening.isState ? { place: hub.position, gap: undefined } : startOf(command);
    const answer = { type: 'subscribed', id: commandId, channel, params, ...(tag === undefined ? {} : { tag }) } as const;
    if (command.dry_run) return send({ ...answer, sub: null, cursor: cursor(hub.position), recovered: null, replay_from: null });
    if (subscriptions.size >= limits.subscriptions) {
      throw new MessageError('too_many_subscriptions', 429, `this connection has ${limits.subscriptions} subscriptions, which is the most: end one, or connect again`, commandId);
    }
    const number = ++made;
    const replays = command.cursor !== undefined && !listening.isState;
    const subscription: Subscription = {
      name: `s${number}`, number, channel, tag, listening, audience, replays, known: false, waiting: undefined, reader: undefined,
    };
    subscriptions.set(subscription.name, subscription);
    const from = cursor(place);
    send({ ...answer, sub: subscription.name, cursor: from, recovered: replays ? gap === undefined : null, replay_from: replays ? from : null });
    if (gap !== undefined) sendGap(subscription, command.cursor!, place, gap);
    if (listening.isState) {
      subscription.known = true;
      hub.add(subscription);
      sendPresent(subscription);
      return;
    }
    subscription.reader = readerAt(place);
    subscription.reader.subscriptions.add(subscription);
    // At the head already: told by the hub from now on.
    if (subscription.reader.isLive) {
      subscription.known = true;
      hub.add(subscription);
      if (replays) send({ type: 'caught_up', sub: subscription.name, cursor: from });
      subscription.replays = false;
    } else pump();
  }

  /** How things are now, as the event that would have told it. */
  function sendPresent(subscription: Subscription): void {
    const frame = hub.present(subscription.listening).frame([subscription.name], subscription.channel, subscription.listening.form, false);
    if (frame === undefined) return;
    count('out', 'event');
    write(frame);
  }

  function unsubscribe(name: string, commandId: string): void {
    const subscription = subscriptions.get(name);
    if (subscription === undefined) throw new MessageError('unknown_subscription', 404, `there is no subscription '${name.slice(0, 64)}' on this connection`, commandId);
    end(subscription);
    send({ type: 'unsubscribed', id: commandId, sub: name });
  }

  function end(subscription: Subscription): void {
    subscriptions.delete(subscription.name);
    if (subscription.known) hub.remove(subscription);
    const { reader } = subscription;
    reader?.subscriptions.delete(subscription);
    if (reader?.subscriptions.size === 0) readers.splice(readers.indexOf(reader), 1);
  }

  /** Throws MessageError where the key was not made for it. A code of its own would be one that listeners cannot know. */
  function demand(scope: Scope, commandId: string): void {
    if (!key.scopes.has(scope)) throw new MessageError('bad_message', 403, `this API key lacks the scope '${scope}'`, commandId);
  }

  const asker = (): Asker => ({ keyId: key.id, connectionId: id, send, signal: (gone ??= new AbortController()).signal });

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
          items: Array.from(subscriptions.values(), ({ name, channel, tag, reader, listening }) => ({
            sub: name, channel, params: listening.params, cursor: cursor(reader === undefined ? hub.position : placeOf(reader)), ...(tag === undefined ? {} : { tag }),
          })),
        });
      case 'ask':
        demand(streamScopes.ask, command.id);
        return asks.ask(command, asker());
      case 'cancel':
        return asks.cancel(command.id, asker());
      case 'ping':
        return send({ type: 'pong', ...(command.id === undefined ? {} : { id: command.id }), timestamp: new Date().toISOString() });
    }
  }

  function receive(data: RawData, isBinary: boolean): void {
    if (isClosing) return;
    if (isBinary) return close('binary');
    const { allowed, nextInMs } = commands.draw();
    if (!allowed) {
      if (++refused > limits.commandsPerMinute) return close('rate');
      const seconds = waitSeconds(nextInMs);
      return send(errorMessage(new MessageError('too_many_requests', 429, `too many commands: try again in ${seconds} s`, undefined, { retry_after_s: seconds }), undefined, 'bad_params'));
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
    socket.off('drain', pumpSoon);
    parts.closed(closedWith ?? code);
  });
  socket.on('drain', pumpSoon);

  return {
    keyId: key.id,
    get subscriptions() {
      return subscriptions.size;
    },
    get buffered() {
      return socket.writableLength;
    },
    get behind() {
      return log.head - served();
    },
    send,
    close,

    tick(now) {
      if (isClosing) return;
      try {
        beat(now);
        watch(now);
        pump();
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
      send({ type: 'heartbeat', cursor: cursor(served()), timestamp: new Date().toISOString() });
    }
  }

  /** Tells a listener that falls behind, and ends one that does not get on. */
  function watch(now: number): void {
    if (isClosing) return;
    const bytes = socket.bytesWritten - socket.writableLength;
    if (bytes > drained.bytes || socket.writableLength === 0) drained = { at: now, bytes };
    const behind = log.head - served();
    const isStuck = now - drained.at > limits.stalledMs / 2;
    const isFar = behind > Math.min(limits.farBehind, log.retention.events) / 2;
    if ((isStuck || (isFar && isFull())) && !saidLagging) {
      saidLagging = true;
      send({ type: 'lagging', behind, oldest_cursor: cursor(log.floor) });
    }
    if (now - drained.at > limits.stalledMs) return close('slow');
    if (behind <= limits.farBehind) return void (progress = undefined);
    progress ??= { at: now, cursor: served() };
    if (now - progress.at < limits.progressMs) return;
    if (((served() - progress.cursor) / (now - progress.at)) * 1000 < limits.leastPerSecond) close('slow');
    progress = undefined;
  }
}

/** What a bad request is called, by what was asked. */
const badRequestOf = (command: ClientMessage | undefined): ErrorCode =>
  command?.type === 'subscribe' && command.channel === 'search:tweets' ? 'bad_query' : 'bad_params';
