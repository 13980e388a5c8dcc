/**
 * One connection for short statements that only read. They do not wait for each other's answers. What comes in one turn of the event loop is
 * one write to the socket, because a write costs more than all the rest of such a statement.
 */
import pg from 'pg';

interface Connection {
  readonly client: pg.Client;
  readonly connected: Promise<pg.Client>;
}

export class ShortReads {
  readonly #options: pg.ClientConfig;
  /** Undefined before the first statement, and after a loss. */
  #connection: Connection | undefined;
  #isCorked = false;

  readonly #prepare: (client: pg.ClientBase) => Promise<void>;

  /** `prepare` gets each new connection. */
  constructor(options: pg.ClientConfig, prepare: (client: pg.ClientBase) => Promise<void>) {
    this.#options = { ...options, pipeline: true };
    this.#prepare = prepare;
  }

  /** The connection, which is made again after a loss. Rejects with the error of the driver. */
  client(): Promise<pg.Client> {
    return (this.#connection ??= this.#connect()).connected;
  }

  #connect(): Connection {
    const client = new pg.Client(this.#options);
    // The statements that use the connection fail too.
    client.on('error', () => this.#forget(client));
    client.once('end', () => this.#forget(client));
    const connected = client.connect().then(async () => {
      await this.#prepare(client);
      return client;
    });
    connected.catch(() => this.drop(client));
    return { client, connected };
  }

  #forget(client: pg.Client): void {
    if (this.#connection?.client === client) this.#connection = undefined;
  }

  /** Holds back what the statements of this turn write, until its end. */
  cork({ connection: { stream } }: pg.Client): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Ends a connection that was lost, or whose answer is missing. */
  drop(client: pg.Client): void {
    this.#forget(client);
    client.connection.stream.destroy();
  }

  /** As `drop`, for the connection in use. */
  dropAll(): void {
    const client = this.#connection?.client;
    if (client !== undefined) this.drop(client);
  }

  /** Ends the connection after the statements in progress. */
  async end(): Promise<void> {
    await this.#connection?.connected.then((client) => client.end()).catch(() => {});
  }
}
