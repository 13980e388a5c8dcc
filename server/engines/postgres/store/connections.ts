/** The connections of a process to a database: some that statements borrow, and one that short reads share. */
import pg from 'pg';
import type { TargetSession } from '../../../config/database-url.ts';
import { connectMs, requireRole } from './server-choice.ts';
import { limitSession } from './session-limits.ts';
import { ShortReads } from './short-reads.ts';

/** A connection that a statement has borrowed. */
export interface Borrowed {
  readonly client: pg.PoolClient;
  /** `isLost`: it cannot be used again. */
  giveBack(isLost: boolean): void;
}

export class Connections {
  readonly short: ShortReads;
  /** As they were given. */
  readonly options: pg.ClientConfig;
  readonly #options: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #prepare: (client: pg.ClientBase) => Promise<void>;
  /** The borrowed and the idle connections that can be dropped. */
  readonly #clients = new Set<pg.PoolClient>();

  /** `size`: the number of connections to borrow. `target`: a connection to another server is refused. */
  constructor(options: pg.ClientConfig, size: number, target: TargetSession) {
    this.options = options;
    this.#prepare = async (client) => {
      await requireRole(client, target);
      await limitSession(client);
    };
    this.#options = {
      ...options,
      application_name: 'social-data',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    // The pool waits for the promise, which its types leave out.
    const onConnect = this.#prepare as (client: pg.ClientBase) => void;
    this.#pool = new pg.Pool({ ...this.#options, max: size, idleTimeoutMillis: 0, onConnect });
    // The statement that uses the connection fails too.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => void this.#clients.add(client));
    this.#pool.on('remove', (client) => void this.#clients.delete(client));
    this.short = new ShortReads(this.#options, this.#prepare);
  }

  /** Borrows a connection. `isKept`: it stays when all are dropped. Rejects as the client library does. */
  async borrow({ isKept = false } = {}): Promise<Borrowed> {
    const client = await this.#pool.connect();
    const ignore = (): void => {};
    client.on('error', ignore);
    if (isKept) this.#clients.delete(client);
    return {
      client,
      giveBack: (isLost) => {
        client.off('error', ignore);
        client.release(isLost);
        if (isKept && !isLost) this.#clients.add(client);
      },
    };
  }

  /** A connection that nothing else uses. `prepare` gets it before it is connected. Rejects as the client library does. */
  async separate(prepare: (client: pg.Client) => void): Promise<pg.Client> {
    const client = new pg.Client(this.#options);
    client.on('error', () => {});
    prepare(client);
    try {
      await client.connect();
      await this.#prepare(client);
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }

  /** Drops all connections: what waits for an answer fails, and new ones are made. */
  drop(): void {
    for (const client of this.#clients) streamOf(client).destroy();
    this.short.dropAll();
  }

  /** Ends all connections after the statements in progress. */
  async end(): Promise<void> {
    await Promise.all([this.#pool.end(), this.short.end()]);
  }
}

/** The socket of a connection; the types of the library leave it out for one of a pool. */
const streamOf = (client: pg.PoolClient): pg.Client['connection']['stream'] =>
  (client as unknown as pg.Client).connection.stream;
