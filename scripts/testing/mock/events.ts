/** `/ws` of the mock. It validates commands like the service and sends each subscription the example of its channel. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Schemas } from '../../../server/contract/operations.ts';
import { extractKeys } from '../../../server/http/pipeline/credentials.ts';
import type { Protocol } from '../../../server/http/docs/pages/events/protocol.ts';
import type { Keys } from '../../../server/ports/keys.ts';
import { resolveChannel, type ChannelSource } from '../../../server/realtime/channels.ts';
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

/** The event stream of a mock. */
export interface MockEvents {
  /** Handles the WebSocket upgrade of a request. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** The current event cursor. */
  cursor(): string;
  /** Closes all connections with the code for a restart of the service. */
  stop(): void;
}

const epoch = 'mock';
const now = (): string => new Date().toISOString();

/** An archive stub in which every entity exists, so that only the parameters of a channel are validated. */
const anyArchive: ChannelSource = {
  findUser: (ref) =>
    'username' in ref ? { id: '1', username: ref.username } : { id: ref.user_id, username: ref.user_id },
  ordinal: () => 0,
  communities: { has: () => true },
};

interface Subscription {
  readonly sub: string;
  readonly channel: Schemas['WsChannel'];
  readonly params: Schemas['WsParams'];
  readonly tag?: string;
}

/** Accepts connections like the service. The only events are the examples. */
export function createMockEvents({ protocol, keys, valueOf }: EventParts): MockEvents {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: defaultLimits.messageBytes });
  let seq = 0;
  let connections = 0;
  const cursor = (): string => formatCursor(epoch, seq);

  /** Creates the next event of a channel: its example in the protocol, or the example of its data. */
  function nextEvent({ sub, channel }: Subscription): Schemas['WsEvent'] {
    const { 'x-channels': channels } = protocol.channels.events;
    const examples = protocol.components.messages['event']!.examples.map(
      ({ payload }) => payload as Schemas['WsEvent'],
    );
    const { events, data } = channels[channel];
    const example = examples.find((payload) => payload.channel === channel) ?? {
      event: events[0]!,
      data: valueOf(data) as Schemas['WsEvent']['data'],
    };
    seq += 1;
    return {
      type: 'event',
      subs: [sub],
      channel,
      event: example.event,
      seq,
      cursor: cursor(),
      event_id: `${example.event}:${cursor()}`,
      data: example.data,
      timestamp: now(),
    };
  }

  function serve(socket: WebSocket): void {
    const subscriptions = new Map<string, Subscription>();
    let subs = 0;
    const send = (message: ServerMessage): void => socket.send(JSON.stringify(message));

    function subscribe({
      id,
      channel,
      params,
      cursor: from,
      tag,
      dry_run: isDry,
    }: Extract<ClientMessage, { type: 'subscribe' }>): void {
      const { isState } = resolveChannel(channel, params, anyArchive);
      const replayFrom = from === undefined || isState ? undefined : /^mock\.(\d+)$/.exec(from)?.[1];
      if (from !== undefined && !isState && replayFrom === undefined)
        throw new MessageError('epoch_changed', 410, "'cursor' is of another log", id, {
          oldest_cursor: formatCursor(epoch, 0),
        });
      const sub = isDry ? null : `s${(subs += 1)}`;
      const described = { channel, params, ...(tag !== undefined && { tag }) };
      send({
        type: 'subscribed',
        id,
        sub,
        ...described,
        cursor: from ?? cursor(),
        recovered: replayFrom === undefined ? null : true,
        replay_from: replayFrom === undefined ? null : from!,
      });
      if (sub === null) return;
      const subscription: Subscription = { sub, ...described };
      subscriptions.set(sub, subscription);
      // A subscription that resumes has already received the example.
      send(replayFrom === undefined ? nextEvent(subscription) : { type: 'caught_up', sub, cursor: cursor() });
    }

    function execute(command: ClientMessage): void {
      switch (command.type) {
        case 'subscribe':
          return subscribe(command);
        case 'unsubscribe':
          if (!subscriptions.delete(command.sub))
            throw new MessageError(
              'unknown_subscription',
              404,
              `there is no subscription '${command.sub.slice(0, 64)}' on this connection`,
              command.id,
            );
          return send({ type: 'unsubscribed', id: command.id, sub: command.sub });
        case 'subscriptions':
          return send({
            type: 'subscriptions',
            id: command.id,
            items: Array.from(subscriptions.values(), (subscription) => ({ ...subscription, cursor: cursor() })),
          });
        case 'ask': {
          const result = valueOf('AssistantAnswer') as Schemas['AssistantAnswer'];
          send({ type: 'answer', id: command.id, n: 0, delta: result.summary });
          return send({ type: 'answered', id: command.id, result });
        }
        case 'cancel':
          return send({ type: 'cancelled', id: command.id });
        case 'ping':
          return send({ type: 'pong', timestamp: now(), ...(command.id !== undefined && { id: command.id }) });
      }
    }

    const heartbeat = setInterval(
      () => send({ type: 'heartbeat', cursor: cursor(), timestamp: now() }),
      defaultLimits.heartbeatMs,
    );
    socket.on('close', () => clearInterval(heartbeat)).on('error', () => {});
    socket.on('message', (data, isBinary) => {
      if (isBinary) return socket.close(...closeCodes.binary);
      let command: ClientMessage | undefined;
      try {
        command = readMessage(String(data));
        execute(command);
      } catch (error) {
        const isQuery = command?.type === 'subscribe' && command.channel === 'search:tweets';
        send(errorMessage(error, command?.id, isQuery ? 'bad_query' : 'bad_params'));
      }
    });
    send({
      type: 'connected',
      protocol: 1,
      connection_id: `c_mock_${(connections += 1)}`,
      timestamp: now(),
      cursor: cursor(),
      heartbeat_interval_ms: defaultLimits.heartbeatMs,
      replay_window_s: 86_400,
      limits: publicLimits(defaultLimits),
    });
  }

  const reject = (socket: WebSocket, reason: CloseReason): void => {
    socket.on('error', () => {});
    const [code, text] = closeCodes[reason];
    socket.close(code, text);
  };

  return {
    cursor,
    upgrade(request, socket, head) {
      const presented = extractKeys(request);
      if (request.url?.split('?', 1)[0] !== protocol.channels.events.address) return void socket.destroy();
      sockets.handleUpgrade(request, socket, head, (ws) => {
        const [key, ...more] = presented;
        const isAuthenticated = key !== undefined && key !== '' && more.length === 0 && keys.verify(key) !== undefined;
        if (!isAuthenticated) reject(ws, 'key');
        else if (hasParameters(request.url ?? '')) reject(ws, 'parameter');
        else serve(ws);
      });
    },
    stop() {
      for (const socket of sockets.clients) socket.close(...closeCodes.restart);
    },
  };
}
