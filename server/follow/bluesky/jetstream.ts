/** One connection to a Jetstream server, with a bounded queue of frames that are not read yet. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { WebSocket, type RawData } from 'ws';
import { SourceError, type SourceObserver } from '../../ports/live-source.ts';
import { publicLookup, type Resolve } from '../../upstream/public-lookup.ts';
import { schedule, type Clock } from '../clock.ts';
import { maxFrameBytes } from './frames.ts';

/** What the server sends. */
export interface StreamFilter {
  readonly collections: readonly string[];
  /** At most `maxDids`; undefined: all accounts. */
  readonly dids: readonly string[] | undefined;
}

export interface ConnectionOptions {
  readonly url: URL;
  /** Microseconds since the epoch to start at; undefined: now. */
  readonly cursor: number | undefined;
  readonly filter: StreamFilter;
  readonly observer: SourceObserver;
  readonly clock: Clock;
  readonly resolve: Resolve | undefined;
  /** Called when there are frames, when the connection is alive or when it has ended. */
  readonly onChange: () => void;
}

/** Maximum number of accounts in a filter. */
export const maxDids = 10_000;
/** The socket is not read while so many frames or bytes wait, until the number of frames falls to `resumeAt`. */
const pauseAt = { frames: 20_000, bytes: 64 * 1024 * 1024 } as const;
const resumeAt = 5_000;
/** A larger message ends the connection. The server leaves out frames of more than `maxFrameBytes`. */
const maxPayload = 16 * 1024 * 1024;
const pingMs = 20_000;
const silenceMs = 60_000;
const handshakeTimeout = 15_000;

/** How a connection ended. */
export interface ConnectionEnd {
  readonly error: SourceError;
  /** The server sent nothing for a minute, not even pongs. */
  readonly wasSilent: boolean;
}

export class JetstreamConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  #filter: StreamFilter;
  #frames: Buffer[] = [];
  #bytes = 0;
  #aliveAt: number;
  #pingedAt = 0;
  #cancelPing: () => void = () => {};
  #end: ConnectionEnd | undefined;
  #idleSince: number | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#filter = options.filter;
    this.#aliveAt = options.clock.now();
    const { url, resolve } = options;
    const lookup = publicLookup(url.hostname, resolve);
    const agentOptions = lookup === undefined ? {} : { lookup };
    this.#socket = new WebSocket(addressOf(url, options.cursor), {
      agent: url.protocol === 'wss:' ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
      followRedirects: false,
      perMessageDeflate: false,
      handshakeTimeout,
      maxPayload,
      // A frame that is no UTF-8 costs this frame, not the connection.
      skipUTF8Validation: true,
      headers: { 'user-agent': 'social-data' },
    });
    this.#socket.on('open', () => this.#opened());
    this.#socket.on('message', (data: RawData) => this.#received(data));
    this.#socket.on('pong', () => this.#ponged());
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', (code) => this.#fail(`the connection was closed (${code})`));
  }

  /** The number of frames that wait. */
  get size(): number {
    return this.#frames.length;
  }

  /** Why there are no more frames behind those that wait; undefined while the connection is open. */
  get end(): ConnectionEnd | undefined {
    return this.#end;
  }

  /**
   * A time in milliseconds up to which the server has sent everything, where no frame waits: the time of a ping whose pong
   * arrived. Undefined before the first pong.
   */
  get idleSince(): number | undefined {
    return this.#frames.length === 0 ? this.#idleSince : undefined;
  }

  /** Takes the oldest frames. */
  take(max: number): Buffer[] {
    const taken = this.#frames.splice(0, max);
    for (const { length } of taken) this.#bytes -= length;
    if (this.#socket.isPaused && this.#frames.length <= resumeAt) {
      this.#aliveAt = this.#options.clock.now();
      this.#socket.resume();
    }
    return taken;
  }

  /** Changes what the server sends, on the same connection. */
  update(filter: StreamFilter): void {
    this.#filter = filter;
    if (this.#socket.readyState === WebSocket.OPEN) this.#sendFilter();
  }

  close(): void {
    this.#cancelPing();
    this.#socket.terminate();
  }

  #opened(): void {
    const { observer, url } = this.#options;
    this.#sendFilter();
    observer.connected(url.host);
    // Only what the server sends shows that it works.
    this.#aliveAt = this.#options.clock.now();
    this.#schedulePing();
  }

  #sendFilter(): void {
    const { collections, dids = [] } = this.#filter;
    const payload = { wantedCollections: collections, wantedDids: dids, maxMessageSizeBytes: maxFrameBytes };
    this.#socket.send(JSON.stringify({ type: 'options_update', payload }));
  }

  #received(data: RawData): void {
    const frame = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#frames.length >= pauseAt.frames || this.#bytes >= pauseAt.bytes) this.#socket.pause();
    this.#alive();
    this.#options.onChange();
  }

  #ponged(): void {
    this.#alive();
    this.#idleSince = this.#pingedAt;
    this.#options.onChange();
  }

  #alive(): void {
    this.#aliveAt = this.#options.clock.now();
    this.#options.observer.alive();
  }

  #schedulePing(): void {
    this.#cancelPing = schedule(this.#options.clock, pingMs, () => this.#ping());
  }

  #ping(): void {
    const now = this.#options.clock.now();
    // A paused socket receives no pongs.
    if (!this.#socket.isPaused && now - this.#aliveAt >= silenceMs)
      return this.#fail(`no message for ${silenceMs / 1000} s`, true);
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#pingedAt = now;
      this.#socket.ping();
    }
    this.#schedulePing();
  }

  #fail(problem: string, wasSilent = false): void {
    if (this.#end !== undefined) return;
    this.#end = { error: new SourceError(`${this.#options.url.host}: ${problem}`), wasSilent };
    this.close();
    this.#options.onChange();
  }
}

function addressOf(url: URL, cursor: number | undefined): string {
  const address = new URL(url);
  if (address.pathname === '/') address.pathname = '/subscribe';
  address.searchParams.set('requireHello', 'true');
  address.searchParams.set('maxMessageSizeBytes', String(maxFrameBytes));
  if (cursor !== undefined) address.searchParams.set('cursor', String(cursor));
  return address.href;
}
