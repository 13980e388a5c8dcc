/**
 * The connection to PostgreSQL: the only module that imports the client library. It turns every error into a StoreError
 * without the URL, which holds a password.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import type { Fragment, Insertion } from '../../../archive/sql.ts';
import { StoreError, type StorageFault } from '../../../ports/storage.ts';
import { codeOf, messageOf } from '../../../text/error-text.ts';
import { adviceFor } from './database-advice.ts';
import { partsOf, wordsOf } from './error-words.ts';
import { readDatabaseUrl, type DatabaseSettings, type TargetSession } from '../../../config/database-url.ts';
import { LongReads } from './long-reads.ts';
import { LocatedConnections } from './located-connections.ts';
import { statementOf } from './postgres-dialect.ts';
import type { Connections } from './connections.ts';
import { beginWithoutLimits, hasLimits, shortMs, statementMs, withoutLimits } from './session-limits.ts';
import type { Statement } from './statement.ts';

/** Runs a statement and returns its rows. Rejects with DatabaseError. */
export type Run = <Row extends object>(statement: Statement) => Promise<readonly Row[]>;

/** As `Run`, also for statements of either engine. */
export type RunAny = <Row extends object>(statement: Statement | Fragment | Insertion) => Promise<readonly Row[]>;

/** A transaction that reads the state of one moment. */
export interface Snapshot {
  readonly run: RunAny;
  /** Can be called more than once. */
  end(): Promise<void>;
}

/** The database did not do what a statement requested. */
export class DatabaseError extends StoreError {
  /** Whether the statement may have taken effect: the connection was lost before its answer. */
  readonly isUnknown: boolean;
  /** Whether the connection was not possible or was lost. */
  readonly isDisconnected: boolean;
  /** The code of PostgreSQL (appendix A of its manual), or of the system; undefined for other errors. */
  readonly code: string | undefined;

  constructor(
    message: string,
    { isUnknown, isDisconnected, code }: { isUnknown: boolean; isDisconnected: boolean; code?: string | undefined },
  ) {
    super(message);
    this.code = code;
    this.isUnknown = isUnknown;
    this.isDisconnected = isDisconnected;
  }

  override get storageFault(): StorageFault {
    return faultOf[this.code ?? ''] ?? (this.isDisconnected ? 'connection' : 'other');
  }

  override get isPassing(): boolean {
    return this.isDisconnected ? this.code === undefined || passingFaults.has(this.code) : this.code === readOnly;
  }
}

export interface DatabaseOptions {
  /** Such as `postgres://user:password@host/database`; `?schema=NAME` selects the schema. */
  readonly url: string;
  /** The schema, a lower-case name, instead of the one in the URL. Several services can use one database. */
  readonly schema?: string;
  /** The number of the only host of the address to use. */
  readonly host?: number;
  /** The server that is meant, instead of the one in the URL. */
  readonly target?: TargetSession;
  /** Called after this process has ended a writer that held a lock without progress. */
  readonly onStalled?: (() => void) | undefined;
}

/** Connections for statements. One more has the short ones, and one listens. */
const poolSize = 3;
/** The time between two attempts to listen again, in milliseconds. */
const reconnectMs = 200;
const maxTimerMs = 2 ** 31 - 1;
/** How long a close waits for statements in progress. */
const closeMs = 1_000;

/** The number of texts whose plans a connection keeps. */
const maxPrepared = 200;
interface Prepared {
  readonly name: string;
  readonly text: string;
}
/** A pooler gave the connection another session, which does not have the statement, or has it already. */
const otherSession = new Set(['26000', '42P05']);

/**
 * States in which PostgreSQL ends connections, perhaps after a commit: it stops, a crash resets it, or this process was held up for longer than a session may
 * be idle.
 */
const tooManyClients = '53300';
const endedByServer = new Set(['57P01', '57P02', '57P03', '08006', '08003', '08000', '25P03', '25P04', '57P05']);

/** Codes of the system and of PostgreSQL for what can pass by itself: it starts, is full, cannot be reached, or fails over. */
const passingFaults = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
  ...['ENOENT', 'ENOTFOUND', 'EAI_AGAIN', tooManyClients, ...endedByServer],
]);
/** The server is a standby: it becomes the primary, or the name will soon mean another server. */
const readOnly = '25006';

/** Kinds of errors by their codes: disk_full, lock_not_available, read_only_sql_transaction, query_canceled. */
const faultOf: Readonly<Record<string, StorageFault>> = {
  '53100': 'full',
  '55P03': 'lock',
  [readOnly]: 'read_only',
  '57014': 'timeout',
};

function settingsOf(url: string): DatabaseSettings {
  try {
    return readDatabaseUrl(url);
  } catch (error) {
    throw new StoreError(`DATABASE_URL cannot be used: ${messageOf(error)}`);
  }
}

export class Database {
  readonly #schema: string;
  /** Finds what no message may show. */
  readonly #parts: RegExp;
  readonly #onStalled: (() => void) | undefined;
  readonly #connections: LocatedConnections;
  /** One connection stays for what must not wait: writes, decisions, and reads that end soon. */
  readonly #longReads = new LongReads(poolSize - 1);
  #listener: pg.Client | undefined;
  #contactAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** The prepared statements by their given text; undefined where a pooler does not support them. */
  #prepared: Map<string, Prepared> | undefined = new Map();

  constructor(options: DatabaseOptions) {
    const settings = settingsOf(options.url);
    this.#schema = options.schema ?? settings.schema ?? 'social_data';
    if (!/^[a-z_][a-z0-9_]{0,50}$/.test(this.#schema)) throw new StoreError('the schema is not a lower-case name');
    this.#onStalled = options.onStalled;
    this.#parts = partsOf(settings);
    const { host } = options;
    const hosts = host === undefined ? settings.hosts : settings.hosts.slice(host, host + 1);
    this.#connections = new LocatedConnections(
      { ...settings, hosts, target: options.target ?? settings.target },
      poolSize,
    );
  }

  /** The schema that its statements use. */
  get schema(): string {
    return this.#schema;
  }

  /** When a statement last succeeded, by `performance.now`. */
  get contactAt(): number {
    return this.#contactAt;
  }

  /** This process has ended a writer that held a lock without progress. */
  reportStalled(): void {
    this.#onStalled?.();
  }

  /** A text of SQL for the schema of this database. */
  inSchema(text: string): string {
    return text.replaceAll('social_data', this.#schema);
  }

  readonly run: RunAny = async <Row extends object>(given: Statement | Fragment | Insertion) => {
    const statement = statementOf(given);
    if (statement.isShort === true) return this.#runShort<Row>(statement);
    const ask = (): Promise<readonly Row[]> =>
      this.#withClient((client) =>
        statement.isPrepared === true ? this.#prepare<Row>(client, statement) : this.#query<Row>(client, statement),
      );
    return statement.isLong === true ? this.#longReads.run(ask) : ask();
  };

  /** Runs several statements without parameters, such as a migration. */
  async script(text: string): Promise<void> {
    await this.#withClient((client) =>
      withoutLimits(client, () => this.#answer(client, () => client.query(this.inSchema(text)), 10 * statementMs)),
    );
  }

  /** Runs a statement outside of a transaction and without a time limit, such as VACUUM. Rejects with DatabaseError. */
  async maintain(text: string): Promise<void> {
    await this.#withClient(
      (client) =>
        withoutLimits(client, () => this.#answer(client, () => client.query(this.inSchema(text)), maxTimerMs)),
      { isKept: true },
    );
  }

  /**
   * Runs a transaction. An error of `steps` rolls it back and rejects with that error. A DatabaseError that `isUnknown` may
   * be one of the commit. `isUnlimited`: its statements have no time limit, because
   * they write whole tables, and wait for others that do.
   */
  async transaction<Result>(steps: (run: RunAny) => Promise<Result>, { isUnlimited = false } = {}): Promise<Result> {
    const use = async (client: pg.PoolClient): Promise<Result> => {
      await this.#query(client, { text: isUnlimited ? beginWithoutLimits() : 'BEGIN' });
      let result: Result;
      try {
        result = await steps((given) =>
          this.#query(client, statementOf(given), isUnlimited ? maxTimerMs : statementMs),
        );
      } catch (error) {
        // Without a connection, the database rolls back by itself; a statement would only wait for its time limit.
        if (!isDisconnection(error)) await this.#query(client, { text: 'ROLLBACK' }).catch(() => {});
        throw error;
      }
      await this.#query(client, { text: 'COMMIT' });
      return result;
    };
    return this.#withClient(use, { isKept: isUnlimited });
  }

  /**
   * Begins a transaction whose statements read the state of one moment. They have no time limit. The caller ends it; then
   * nothing of it stays. Rejects with DatabaseError.
   */
  async openSnapshot(): Promise<Snapshot> {
    this.#requireOpen();
    const { client, giveBack } = await this.#connected((connections) => connections.borrow({ isKept: true }));
    let isLost = false;
    const run: RunAny = async (given) => {
      try {
        return await this.#query(client, statementOf(given), maxTimerMs);
      } catch (error) {
        isLost ||= isDisconnection(error);
        throw error;
      }
    };
    let isEnded = false;
    const end = async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      if (!isLost) await run({ text: 'ROLLBACK' }).catch(() => {});
      giveBack(isLost);
    };
    try {
      await run({ text: beginWithoutLimits('ISOLATION LEVEL REPEATABLE READ') });
      return { run, end };
    } catch (error) {
      await end();
      throw error;
    }
  }

  /**
   * Calls `onNotice` with each notice of the schema, and `onConnect` with whether the connection is there, after each change of that. A lost
   * connection is replaced; notices in between are lost.
   */
  async listen(onNotice: (payload: string) => void, onConnect: (isConnected: boolean) => void): Promise<void> {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const client = await this.#connected((connections) =>
      connections.separate((separate) => {
        this.#listener = separate;
        separate.once('end', resolve);
        separate.on('notification', ({ payload = '' }) => onNotice(payload));
      }),
    );
    try {
      await this.#answer(client, () => client.query(`LISTEN "${this.#schema}"`), statementMs);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    onConnect(true);
    void ended.then(() => {
      onConnect(false);
      return this.#listenAgain(onNotice, onConnect);
    });
  }

  async #listenAgain(onNotice: (payload: string) => void, onConnect: (isConnected: boolean) => void): Promise<void> {
    while (!this.#isClosed) {
      try {
        return await this.listen(onNotice, onConnect);
      } catch {
        await sleep(reconnectMs, undefined, { ref: false });
      }
    }
  }

  /** Ends all connections. Statements in progress fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = Promise.all([this.#connections.end(), this.#listener?.end()]);
    await Promise.race([ended, sleep(closeMs, undefined, { ref: false })]);
  }

  /** Lends a connection. A connection that was lost, or whose answer is missing, is not used again. */
  async #withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>, { isKept = false } = {}): Promise<Result> {
    this.#requireOpen();
    const { client, giveBack } = await this.#connected((connections) => connections.borrow({ isKept }));
    let isLost = false;
    try {
      return await use(client);
    } catch (error) {
      isLost = isDisconnection(error);
      throw error;
    } finally {
      giveBack(isLost);
    }
  }

  async #connected<Connected>(connect: (connections: Connections) => Promise<Connected>): Promise<Connected> {
    try {
      return await this.#connections.use(connect);
    } catch (error) {
      throw this.#databaseError(error, { isSent: false });
    }
  }

  async #query<Row extends object>(
    client: pg.ClientBase,
    { text, params = [], copied }: Statement,
    ms = statementMs,
  ): Promise<readonly Row[]> {
    if (copied !== undefined) {
      const copy = (): Promise<void> => this.#copy(client, client.query(copyFrom(this.inSchema(text))), copied, ms);
      await (isInParts(copied) ? withoutLimits(client, copy) : copy());
      return [];
    }
    const { rows } = await this.#answer(client, () => client.query(this.inSchema(text), [...params]), ms);
    return rows as Row[];
  }

  async #copy(client: pg.ClientBase, stream: CopyStreamQuery, rows: Copied, ms: number): Promise<void> {
    if (typeof rows === 'string' || rows instanceof Uint8Array) {
      stream.end(rows);
      return this.#answer(client, () => finished(stream), ms);
    }
    let failure: { readonly error: unknown } | undefined;
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      try {
        yield* rows as AsyncIterable<Uint8Array>;
      } catch (error) {
        failure = { error };
        throw error;
      }
    }
    try {
      await this.#answer(client, () => sendParts(stream, parts()), maxTimerMs);
    } catch (error) {
      throw failure === undefined ? error : failure.error;
    }
  }

  /** Runs a short statement. It only reads: where the connection is lost, it runs again on a new one. */
  async #runShort<Row extends object>(statement: Statement): Promise<readonly Row[]> {
    try {
      return await this.#runShortOnce<Row>(statement);
    } catch (error) {
      if (!isDisconnection(error)) throw error;
      return this.#runShortOnce<Row>(statement);
    }
  }

  async #runShortOnce<Row extends object>(statement: Statement): Promise<readonly Row[]> {
    this.#requireOpen();
    const { short, client } = await this.#connected(async (connections) => ({
      short: connections.short,
      client: await connections.short.client(),
    }));
    short.cork(client);
    try {
      return await this.#prepare<Row>(client, statement, shortMs);
    } catch (error) {
      if (isDisconnection(error)) short.drop(client);
      throw error;
    }
  }

  async #prepare<Row extends object>(
    client: pg.ClientBase,
    statement: Statement,
    ms = statementMs,
  ): Promise<readonly Row[]> {
    const prepared = this.#preparedFor(statement.text);
    if (prepared === undefined) return this.#query(client, statement, ms);
    const { name, text } = prepared;
    const values = [...(statement.params ?? [])];
    const { rows } = await this.#answer(
      client,
      () =>
        client.query({ name, text, values }).catch((error: unknown) => {
          if (!(error instanceof pg.DatabaseError) || !otherSession.has(error.code ?? '')) throw error;
          this.#prepared = undefined;
          return client.query(text, values);
        }),
      ms,
    );
    return rows as Row[];
  }

  /** The name of a prepared statement, and its text in the schema. Equal names have equal texts, also in sessions that clients share. */
  #preparedFor(statement: string): Prepared | undefined {
    const known = this.#prepared?.get(statement);
    if (known !== undefined || this.#prepared === undefined || this.#prepared.size >= maxPrepared) return known;
    const text = this.inSchema(statement);
    const prepared = { name: createHash('sha256').update(text).digest('base64url'), text };
    this.#prepared.set(statement, prepared);
    return prepared;
  }

  /** Sends a statement, and waits for its answer until the time limit. */
  async #answer<Result>(client: pg.ClientBase, ask: () => Promise<Result>, ms: number): Promise<Result> {
    this.#requireOpen();
    const { promise, reject } = Promise.withResolvers<never>();
    let isAnswered = false;
    const giveUp = (): void => {
      if (isAnswered) return;
      reject(new Error(`the database gave no answer in ${ms / 1000} s`));
      // What lost this connection without a word has lost the other ones: their statements would wait as long, one after the other.
      if (ms > shortMs && !hasLimits(client)) return;
      this.#connections.drop();
      this.#listener?.connection.stream.destroy();
    };
    // Where this process was held up, the answer may be in the socket: it is read first.
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    try {
      const result = await Promise.race([ask(), promise]);
      this.#contactAt = performance.now();
      return result;
    } catch (error) {
      throw this.#databaseError(error, { isSent: true });
    } finally {
      isAnswered = true;
      clearTimeout(timer);
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreError('the store is closed: nothing can be written');
  }

  #databaseError(error: unknown, { isSent }: { isSent: boolean }): StoreError {
    if (this.#isClosed) return new StoreError('the store is closed: nothing can be written');
    if (isSent && codeOf(error) === readOnly) this.#connections.suspect();
    // All other errors are those of the connection.
    const isDisconnected =
      !(error instanceof pg.DatabaseError) || endedByServer.has(error.code ?? '') || error.code === tooManyClients;
    return new DatabaseError(`the database cannot be used: ${wordsOf(error, this.#parts)}${adviceFor(error)}`, {
      isUnknown: isSent && isDisconnected,
      isDisconnected,
      code: codeOf(error),
    });
  }
}

type Copied = NonNullable<Statement['copied']>;

const isInParts = (rows: Copied): boolean => typeof rows !== 'string' && !(rows instanceof Uint8Array);

/** Sends rows to `COPY … FROM STDIN` as fast as the database takes them. An error of the parts ends the statement without rows. */
async function sendParts(stream: CopyStreamQuery, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const ended = finished(stream);
  // A part can take longer than the database needs to fail.
  ended.catch(() => {});
  try {
    for await (const part of parts) {
      if (!stream.write(part)) await Promise.race([once(stream, 'drain'), ended]);
      // Reads what the database answers, and sends what other statements wait for.
      await turn();
    }
    stream.end();
  } catch (error) {
    // The message makes the database end the statement.
    if (!stream.errored) stream.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  await ended;
}

const isDisconnection = (error: unknown): boolean => error instanceof DatabaseError && error.isDisconnected;
