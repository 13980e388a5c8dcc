/**
 * The connections to the server that an address means. Of several servers, or ways to connect, the one in use stays until a connection to it
 * fails or it takes no writes any more: then all servers are asked, and where another one is meant now, it takes its place.
 */
import type pg from 'pg';
import type { DatabaseSettings, TargetSession } from '../../../config/database-url.ts';
import { Connections } from './connections.ts';
import { findServer, serversOf, type Server } from './server-choice.ts';

/** The time between two questions whether another server takes writes, in milliseconds. */
const askMs = 1_000;

export class LocatedConnections {
  readonly #servers: readonly Server[];
  readonly #target: TargetSession;
  readonly #size: number;
  #current: Connections | undefined;
  #finding: Promise<Connections> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isEnded = false;

  /** `size`: the number of connections to borrow. By default, several hosts mean the one that takes writes. */
  constructor(settings: DatabaseSettings, size: number) {
    this.#servers = serversOf(settings);
    this.#target = settings.target ?? (this.#servers.length > 1 ? 'read-write' : 'any');
    this.#size = size;
    const [only = []] = this.#servers;
    if (!this.#hasChoice) this.#current = this.#open(only[0] ?? {});
  }

  get #hasChoice(): boolean {
    return this.#servers.length > 1 || this.#servers.some((ways) => ways.length > 1);
  }

  /** Gets a connection. Where that fails, and another server is meant now, gets it from that one. Rejects as the client library does. */
  async use<Result>(get: (connections: Connections) => Promise<Result>): Promise<Result> {
    const before = this.#current ?? (await this.#find(undefined));
    try {
      return await get(before);
    } catch (error) {
      if (!this.#hasChoice || this.#isEnded) throw error;
      const next = await this.#find(before);
      if (next === before) throw error;
      return get(next);
    }
  }

  /** A statement could not write: perhaps the server has become a standby of another one. */
  suspect(): void {
    const before = this.#current;
    if (!this.#hasChoice || before === undefined || performance.now() - this.#askedAt < askMs) return;
    this.#askedAt = performance.now();
    this.#find(before).catch(() => {});
  }

  /** Drops all connections, which are replaced when they are needed. */
  drop(): void {
    this.#current?.drop();
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#finding?.catch(() => {});
    await this.#current?.end();
  }

  /** The connections to the server that is meant now. `before`: those that have failed. */
  #find(before: Connections | undefined): Promise<Connections> {
    if (this.#current !== undefined && this.#current !== before) return Promise.resolve(this.#current);
    this.#finding ??= this.#replace().finally(() => (this.#finding = undefined));
    return this.#finding;
  }

  async #replace(): Promise<Connections> {
    const options = await findServer(this.#servers, this.#target);
    const before = this.#current;
    if (before?.options === options) return before;
    before?.drop();
    void before?.end();
    this.#current = this.#open(options);
    if (this.#isEnded) void this.#current.end();
    return this.#current;
  }

  #open(options: pg.ClientConfig): Connections {
    return new Connections(options, this.#size, this.#target);
  }
}
