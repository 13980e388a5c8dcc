/** A real event stream on a real socket, and listeners to it. */
import { pino } from 'pino';
import { Registry } from '@prometheus-io/client';
import { WebSocket, type ClientOptions } from 'ws';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { Assistant } from '../../server/assistant/assistant.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { createAddressOf } from '../../server/http/server/client-address.ts';
import { listen } from '../../server/http/server/listen.ts';
import { createAuthenticator } from '../../server/keys/authenticator.ts';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import type { AuthenticatedKey } from '../../server/ports/keys.ts';
import type { Retention } from '../../server/ports/event-log.ts';
import type { RateLimiter } from '../../server/ports/rate-limiter.ts';
import type { JournalEventLog } from '../../server/archive/events/journal-event-log.ts';
import { Gateway, type GatewayParts } from '../../server/realtime/gateway.ts';
import { expectSchema } from './contract.ts';
import { temporaryFolder } from './folder.ts';
import { startRelay } from './relay.ts';
import { key, otherKey } from './service.ts';
import { openServiceArchive, type ServiceArchive } from './stored-archive.ts';
import { createWindowedServer } from './windowed-socket.ts';

export type ServerMessage = Schemas['WsServerMessage'];
export type ClientMessage = Schemas['WsClientMessage'];
type Of<Type extends ServerMessage['type']> = Extract<ServerMessage, { type: Type }>;

export interface Listener {
  readonly socket: WebSocket;
  /** Every message so far. */
  readonly messages: ServerMessage[];
  send(message: ClientMessage | string | Buffer): void;
  /** Sends a command and waits for the answer that names it. */
  ask(command: ClientMessage & { id: string }): Promise<ServerMessage>;
  /** The first message of a type, of those that have come and will come, that meets a condition. */
  first<Type extends ServerMessage['type']>(type: Type, is?: (message: Of<Type>) => boolean): Promise<Of<Type>>;
  of<Type extends ServerMessage['type']>(type: Type): Of<Type>[];
  /** The close code and reason. */
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Waits until everything up to this event was served to all subscriptions. */
  settled(head?: number): Promise<void>;
}

/** Connects with `ws`; resolves when the connection is open. */
export async function listener(
  url: string,
  apiKey: string | null = key,
  options: ClientOptions = {},
): Promise<Listener> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/ws${apiKey === null ? '' : `?api_key=${apiKey}`}`,
    options,
  );
  const messages: ServerMessage[] = [];
  const waiting = new Set<(message: ServerMessage) => void>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as ServerMessage;
    messages.push(message);
    for (const each of [...waiting]) each(message);
  });
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => {});
  const first: Listener['first'] = (type, is = () => true) => {
    type Wanted = Of<typeof type>;
    const found = messages.find((message) => message.type === type && is(message as Wanted));
    if (found !== undefined) return Promise.resolve(found as Wanted);
    return new Promise((resolve, reject) => {
      const look = (message: ServerMessage): void => {
        if (message.type !== type || !is(message as Wanted)) return;
        waiting.delete(look);
        resolve(message as Wanted);
      };
      waiting.add(look);
      void closed.then(({ code, reason }) => reject(new Error(`closed with ${code} ${reason} before '${type}' came`)));
    });
  };
  const send: Listener['send'] = (message) =>
    socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  const self: Listener = {
    socket,
    messages,
    closed,
    first,
    send,
    ask(command) {
      return new Promise((resolve, reject) => {
        const look = (message: ServerMessage): void => {
          if (!('id' in message) || message.id !== command.id || message.type === 'answer') return;
          waiting.delete(look);
          resolve(message);
        };
        waiting.add(look);
        void closed.then(({ code }) => reject(new Error(`closed with ${code}`)));
        send(command);
      });
    },
    of: <Type extends ServerMessage['type']>(type: Type) =>
      messages.filter((message): message is Of<Type> => message.type === type),
    async settled(head = 0) {
      for (let asked = 1; ; asked++, await new Promise((resolve) => setTimeout(resolve, 10))) {
        const { items } = (await self.ask({
          type: 'subscriptions',
          id: `settled ${messages.length} ${asked}`,
        })) as Of<'subscriptions'>;
        if (items.every(({ cursor }) => Number(cursor.split('.')[1]) >= head)) return;
      }
    },
  };
  return self;
}

export interface Stream {
  readonly url: string;
  readonly folder: string;
  readonly registry: Registry;
  readonly log: JournalEventLog;
  readonly archive: ServiceArchive;
  readonly gateway: Gateway;
  /** The keys that are valid. */
  readonly keys: Set<string>;
  /** Removes a key and gives notice of it, as the port Keys does. */
  revoke(key: string): void;
  /** Takes records into the archive; resolves when they are in the event log. */
  take(...records: ArchiveRecord[]): Promise<void>;
  /** An option of `listener`: a connection that holds at most so many unread bytes, whatever the kernel would hold. */
  windowed(bytes: number): ClientOptions;
  /** Stops and starts again on the same folder. The address stays the same only with the option `relayed`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface StreamOptions {
  readonly limits?: GatewayParts['limits'];
  readonly retention?: Retention;
  readonly assistant?: Partial<Assistant>;
  /** Without it, keys have no rate limit. */
  readonly rateLimiter?: RateLimiter;
  readonly isOverloaded?: () => boolean;
  /** By default, pages of all origins may connect. */
  readonly corsOrigins?: GatewayParts['corsOrigins'];
  /** By default, nothing is logged. */
  readonly logger?: GatewayParts['logger'];
  readonly cursorWaitMs?: number;
  /** Other adapters than the embedded ones; `take` and `restart` do not reach them. */
  readonly adapters?: Pick<GatewayParts, 'log' | 'platform'>;
  /** Whether clients connect through a relay, so that they find the stream at the same address after a restart. */
  readonly relayed?: boolean;
}

const noAssistant: Assistant = {
  explain: () => Promise.reject(new Error('no assistant')),
  status: () => ({
    capable: 0,
    available: 0,
    cooling: 0,
    untested: 0,
    incapable: 0,
    capacity: { capable: 0, usable_now: 0, daily_capacity: 0, remaining_now: 0, used_24h: 0 },
  }),
};

export async function startStream(options: StreamOptions = {}): Promise<Stream> {
  const { limits, assistant, isOverloaded = () => false, corsOrigins = '*', cursorWaitMs = 0 } = options;
  const { rateLimiter = new LocalRateLimiter('off'), retention = { ageMs: 86_400_000, events: 1_000_000 } } = options;
  const folder = await temporaryFolder();
  const keys = new Set([key, otherKey]);
  let notifyOfKeys = (): void => {};
  const byId = new Map<string, AuthenticatedKey>();
  const known = (id: string): AuthenticatedKey => byId.get(id) ?? byId.set(id, unrestrictedKey(id)).get(id)!;
  const relay = options.relayed === true ? await startRelay() : undefined;
  async function open() {
    const archive = await openServiceArchive(folder.path, { retention });
    const { log, platform } = archive;
    const registry = new Registry();
    const gateway = new Gateway({
      ...(options.adapters ?? { log, platform }),
      assistant: { ...noAssistant, ...assistant },
      keys: {
        has: (id) => [...keys].some((each) => each.includes(id)),
        find: (id) => ([...keys].some((each) => each.includes(id)) ? known(id) : undefined),
        onChange: (notify) => ((notifyOfKeys = notify), () => {}),
        recordUse() {},
      },
      authenticate: createAuthenticator({
        keys: {
          verify: (candidate) => (keys.has(candidate) ? known(candidate.slice(3, 11)) : undefined),
          recordUse() {},
        },
        failures: 'off',
      }),
      rateLimiter,
      addressOf: createAddressOf('off'),
      corsOrigins,
      logger: options.logger ?? pino({ level: 'silent' }),
      registry,
      isOverloaded,
      cursorWaitMs,
      limits: { connections: 2_000, connectsPerMinute: 1_000_000, ...limits },
    });
    const upgrade: Gateway['upgrade'] = (...request) => gateway.upgrade(...request);
    const address = { host: '127.0.0.1', port: 0 };
    const http = await listen((_request, response) => response.end(), { ...address, upgrade });
    relay?.target(http.url);
    const windowed = createWindowedServer(upgrade);
    const stop = async (): Promise<void> => {
      await gateway.stop();
      windowed.stop();
      await http.stop(0);
      await archive.close();
    };
    return { log, archive, gateway, registry, url: http.url, windowed, stop };
  }
  let running = await open();
  return {
    folder: folder.path,
    keys,
    revoke(revoked) {
      keys.delete(revoked);
      notifyOfKeys();
    },
    get url() {
      return relay?.url ?? running.url;
    },
    get registry() {
      return running.registry;
    },
    get log() {
      return running.log;
    },
    get archive() {
      return running.archive;
    },
    get gateway() {
      return running.gateway;
    },
    async take(...records) {
      for (let at = 0; at < records.length; at += 1000)
        await running.archive.sink.apply('test', { values: at, done: false }, records.slice(at, at + 1000));
    },
    windowed: (bytes) => running.windowed.connection(bytes),
    async restart() {
      await running.stop();
      running = await open();
    },
    async stop() {
      await running.stop();
      await relay?.stop();
      await folder.dispose();
    },
  };
}

/** Checks messages with a validator that the server does not use. */
export async function expectMessages(messages: readonly ServerMessage[]): Promise<void> {
  for (const message of messages) await expectSchema('WsServerMessage', message);
}
