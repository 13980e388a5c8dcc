/** `/ws` of the mock. It validates commands like the service and sends each subscription the example of its channel. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Schemas } from '../../../server/contract/operations.ts';
import { createExtractor } from '../../../server/http/pipeline/credentials.ts';
import { placeOf } from '../../../server/http/security.ts';
import { streamSchemes } from '../../../generated/scopes.ts';
import type { Protocol } from '../../../server/http/docs/pages/events/protocol.ts';
import type { Keys } from '../../../server/ports/keys.ts';
import { readChannel } from '../../../server/realtime/channels.ts';
import { closeCodes, defaultLimits, publicLimits, type CloseReason } from '../../../server/realtime/limits.ts';
import {
  errorMessage,
  MessageError,
  readMessage,
  type ClientMessage,
  type ServerMessage,
} from '../../../server/realtime/messages.ts';
import { formatCursor } from '../../../server/realtime/event-cursor.ts';
import { hasParameters } from '../../../server/realtime/path.ts';

/** The dependencies of the event stream. */
export interface EventParts {
  readonly protocol: Protocol;
  readonly keys: Pick<Keys, 'verify'>;
  /** A value of a component, from the examples or generated. */
  readonly valueOf: (component: string) => unknown;
}

const epoch = 'mock';
const now = (): string => new Date().toISOString();

interface Subscription {
  readonly sub: string;
  readonly channel: Schemas['WsChannel'];
  readonly params: Schemas['WsParams'];
  readonly tag?: string;
}

const extractCredentials = createExtractor(streamSchemes.flatMap((scheme) => placeOf(scheme) ?? []));

/** The event stream of a mock: accepts connections like the service. The only events are the examples. */
export class MockEvents {
  readonly #parts: EventParts;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: defaultLimits.messageBytes });
  /** The examples of the events in the protocol. */
  readonly #examples: readonly Schemas['WsEvent'][];
  #seq = 0;
  #connections = 0;

  constructor(parts: EventParts) {
    this.#parts = parts;
    const examples = parts.protocol.components.messages['event']?.examples ?? [];
    this.#examples = examples.map(({ payload }) => payload as Schemas['WsEvent']);
  }

  /** The current event cursor. */
  cursor(): string {
    return formatCursor(epoch, this.#seq);
  }

  /** Handles the WebSocket upgrade of a request. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { protocol } = this.#parts;
    const presented = extractCredentials(request).map(({ value }) => value);
    if (request.url?.split('?', 1)[0] !== protocol.channels.events.address) return void socket.destroy();
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      if (!this.#isAuthenticated(presented)) reject(ws, 'key');
      else if (hasParameters(request.url ?? '')) reject(ws, 'parameter');
      else new MockConnection(ws, this, `c_mock_${(this.#connections += 1)}`).open();
    });
  }

  /** Closes all connections with the code for a restart of the service. */
  stop(): void {
    for (const socket of this.#sockets.clients) socket.close(...closeCodes.restart);
  }

  /** Creates the next event of a channel: its example in the protocol, or the example of its data. */
  nextEvent({ sub, channel }: Subscription): Schemas['WsEvent'] {
    const { protocol, valueOf } = this.#parts;
    const { events, data } = protocol.channels.events['x-channels'][channel];
    const example = this.#examples.find((payload) => payload.channel === channel);
    const event = example?.event ?? events[0];
    if (event === undefined) throw new Error(`channel ${channel} has no events in the protocol`);
    this.#seq += 1;
    return {
      type: 'event',
      subs: [sub],
      channel,
      event,
      seq: this.#seq,
      cursor: this.cursor(),
      event_id: `${event}:${this.cursor()}`,
      data: example?.data ?? (valueOf(data) as Schemas['WsEvent']['data']),
      timestamp: now(),
    };
  }

  /** The example of an assistant's answer. */
  answer(): Schemas['AssistantAnswer'] {
    return this.#parts.valueOf('AssistantAnswer') as Schemas['AssistantAnswer'];
  }

  #isAuthenticated([key, ...more]: readonly string[]): boolean {
    return key !== undefined && key !== '' && more.length === 0 && this.#parts.keys.verify(key) !== undefined;
  }
}

function reject(socket: WebSocket, reason: CloseReason): void {
  socket.on('error', () => {});
  const [code, text] = closeCodes[reason];
  socket.close(code, text);
}

class MockConnection {
  readonly #socket: WebSocket;
  readonly #events: MockEvents;
  readonly #id: string;
  readonly #subscriptions = new Map<string, Subscription>();
  #lastSubscription = 0;

  constructor(socket: WebSocket, events: MockEvents, id: string) {
    this.#socket = socket;
    this.#events = events;
    this.#id = id;
  }

  open(): void {
    const { heartbeatMs } = defaultLimits;
    const heartbeat = setInterval(
      () => this.#send({ type: 'heartbeat', cursor: this.#events.cursor(), timestamp: now() }),
      heartbeatMs,
    );
    this.#socket.on('close', () => clearInterval(heartbeat)).on('error', () => {});
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#send({
      type: 'connected',
      protocol: 1,
      connection_id: this.#id,
      timestamp: now(),
      cursor: this.#events.cursor(),
      heartbeat_interval_ms: heartbeatMs,
      replay_window_s: 86_400,
      limits: publicLimits(defaultLimits),
    });
  }

  #send(message: ServerMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) return this.#socket.close(...closeCodes.binary);
    let command: ClientMessage | undefined;
    try {
      command = readMessage(String(data));
      this.#execute(command);
    } catch (error) {
      const isQuery = command?.type === 'subscribe' && command.channel === 'search:tweets';
      this.#send(errorMessage(error, command?.id, isQuery ? 'bad_query' : 'bad_params'));
    }
  }

  #execute(command: ClientMessage): void {
    switch (command.type) {
      case 'subscribe':
        return this.#subscribe(command);
      case 'unsubscribe':
        return this.#unsubscribe(command);
      case 'subscriptions': {
        const cursor = this.#events.cursor();
        const items = Array.from(this.#subscriptions.values(), (subscription) => ({ ...subscription, cursor }));
        return this.#send({ type: 'subscriptions', id: command.id, items });
      }
      case 'ask': {
        const result = this.#events.answer();
        this.#send({ type: 'answer', id: command.id, n: 0, delta: result.summary });
        return this.#send({ type: 'answered', id: command.id, result });
      }
      case 'cancel':
        return this.#send({ type: 'cancelled', id: command.id });
      case 'ping':
        return this.#send({ type: 'pong', timestamp: now(), ...(command.id !== undefined && { id: command.id }) });
    }
  }

  #subscribe({ id, channel, params, cursor: from, tag, dry_run: isDry }: Schemas['WsSubscribe']): void {
    const { isState } = readChannel(channel, params);
    const resumeCursor = isState ? undefined : from;
    if (resumeCursor !== undefined && !/^mock\.\d+$/.test(resumeCursor))
      throw new MessageError('epoch_changed', 410, "'cursor' is of another log", id, {
        oldest_cursor: formatCursor(epoch, 0),
      });
    const sub = isDry ? null : `s${(this.#lastSubscription += 1)}`;
    const described = { channel, params, ...(tag !== undefined && { tag }) };
    this.#send({
      type: 'subscribed',
      id,
      sub,
      ...described,
      cursor: from ?? this.#events.cursor(),
      recovered: resumeCursor === undefined ? null : true,
      replay_from: resumeCursor ?? null,
    });
    if (sub === null) return;
    const subscription: Subscription = { sub, ...described };
    this.#subscriptions.set(sub, subscription);
    // A subscription that resumes has already received the example.
    this.#send(
      resumeCursor === undefined
        ? this.#events.nextEvent(subscription)
        : { type: 'caught_up', sub, cursor: this.#events.cursor() },
    );
  }

  #unsubscribe({ id, sub }: Schemas['WsUnsubscribe']): void {
    if (!this.#subscriptions.delete(sub))
      throw new MessageError(
        'unknown_subscription',
        404,
        `there is no subscription '${sub.slice(0, 64)}' on this connection`,
        id,
      );
    this.#send({ type: 'unsubscribed', id, sub });
  }
}
