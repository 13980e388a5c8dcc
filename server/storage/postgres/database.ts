/**
 * The connection to PostgreSQL: the only module that imports the client library. It turns every error into a StoreError
 * without the URL, which holds a password.
 */
import postgres from 'postgres';
import { StoreError } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';
import { memberOf } from '../../text/object.ts';

/** A statement with its parameters. In its text, `social_data` stands for the schema. */
export interface Statement {
  readonly text: string;
  readonly params?: readonly Parameter[];
}
type Parameter = string | number | boolean | null | readonly number[] | readonly string[];

/** Runs a statement and returns its rows. Rejects with DatabaseError. */
export type Run = <Row extends object>(statement: Statement) => Promise<readonly Row[]>;

/** The database did not do what a statement requested. */
export class DatabaseError extends StoreError {
  /** Whether the statement may have taken effect: the connection was lost before its answer. */
  readonly isUnknown: boolean;
  /** Whether the connection was not possible or was lost. */
  readonly isDisconnected: boolean;

  constructor(message: string, { isUnknown, isDisconnected }: { isUnknown: boolean; isDisconnected: boolean }) {
    super(message);
    this.isUnknown = isUnknown;
    this.isDisconnected = isDisconnected;
  }
}

export interface DatabaseOptions {
  /** Such as `postgres://user:password@host/database`; `?schema=NAME` selects the schema. */
  readonly url: string;
  /** The schema, a lower-case name, instead of the one in the URL. Several services can use one database. */
  readonly schema?: string;
}

/** Connections for statements. One more connection listens. */
const poolSize = 3;
/** Time limits in milliseconds: of a statement, and in seconds: of a new connection. */
const statementMs = 15_000;
const connectSeconds = 3;

/** Errors of the library and of the socket before anything was sent. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'CONNECT_TIMEOUT']);
/** States in which PostgreSQL ends connections, perhaps after a commit: it stops, or a crash resets it. */
const endedByServer = new Set(['57P01', '57P02', '57P03', '08006', '08003', '08000']);

export class Database {
  readonly #url: string;
  readonly #schema: string;
  #sql: postgres.Sql;
  #listener: postgres.Sql | undefined;
  #contactAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    const url = new URL(options.url);
    this.#schema = options.schema ?? url.searchParams.get('schema') ?? 'social_data';
    url.searchParams.delete('schema');
    this.#url = url.href;
    if (!/^[a-z_][a-z0-9_]{0,50}$/.test(this.#schema)) throw new StoreError('the schema is not a lower-case name');
    this.#sql = this.#connect(poolSize);
  }

  /** When a statement last succeeded, by `performance.now`. */
  get contactAt(): number {
    return this.#contactAt;
  }

  /** A text of SQL for the schema of this database. */
  inSchema(text: string): string {
    return text.replaceAll('social_data', this.#schema);
  }

  readonly run: Run = (statement) => this.#query(this.#sql, statement);

  /** Runs several statements without parameters, such as a migration. */
  async script(text: string): Promise<void> {
    await this.#limited(this.#sql.unsafe(this.inSchema(text)).simple(), 10 * statementMs);
  }

  /**
   * Runs a transaction. An error of `steps` rolls it back and rejects with that error. A DatabaseError that `isUnknown` may
   * be one of the commit.
   */
  async transaction<Result>(steps: (run: Run) => Promise<Result>): Promise<Result> {
    let thrown: { readonly error: unknown } | undefined;
    const begun = this.#sql.begin(async (connection) => {
      try {
        return { result: await steps((statement) => this.#query(connection, statement)) };
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
    try {
      const { result } = (await this.#limited(begun, 2 * statementMs)) as { result: Result };
      return result;
    } catch (error) {
      throw thrown === undefined ? error : thrown.error;
    }
  }

  /**
   * Calls `onNotice` with each notice of the schema, and `onConnect` after each connection. A lost connection is replaced;
   * notices in between are lost.
   */
  async listen(onNotice: (payload: string) => void, onConnect: () => void): Promise<void> {
    this.#listener = this.#connect(1);
    await this.#limited(this.#listener.listen(this.#schema, onNotice, onConnect), statementMs);
  }

  /** Ends all connections. Statements in progress fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#sql.end({ timeout: 1 }), this.#listener?.end({ timeout: 0 })]);
  }

  #connect(max: number): postgres.Sql {
    try {
      return postgres(this.#url, {
        max,
        connect_timeout: connectSeconds,
        idle_timeout: 0,
        max_lifetime: null,
        backoff: (attempt) => Math.min(1, 0.05 * 2 ** attempt),
        onnotice: () => {},
        connection: { application_name: 'social-data' },
      });
    } catch {
      // The message of the library can contain the URL.
      throw new StoreError('DATABASE_URL cannot be used: expected postgres://user:password@host:port/database');
    }
  }

  async #query<Row extends object>(
    sql: Pick<postgres.Sql, 'unsafe'>,
    { text, params = [] }: Statement,
  ): Promise<readonly Row[]> {
    const query = sql.unsafe<Row[]>(this.inSchema(text), params.map(parameterOf), { prepare: true });
    return this.#limited(query, statementMs);
  }

  /** Waits for an answer. After the time limit, all connections are replaced: one of them hangs. */
  async #limited<Result>(answer: Promise<Result>, ms: number): Promise<Result> {
    if (this.#isClosed) throw new StoreError('the store is closed: nothing can be written');
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(
        new DatabaseError(`the database gave no answer in ${ms / 1000} s`, { isUnknown: true, isDisconnected: true }),
      );
      this.#replace();
    }, ms);
    try {
      const result = await Promise.race([answer, promise]);
      this.#contactAt = performance.now();
      return result;
    } catch (error) {
      throw this.#isClosed ? new StoreError('the store is closed: nothing can be written') : databaseError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #replace(): void {
    const old = this.#sql;
    this.#sql = this.#connect(poolSize);
    old.end({ timeout: 0 }).catch(() => {});
  }
}

/** The library writes the lists of numbers and of names as PostgreSQL reads arrays. */
const parameterOf = (value: Parameter): string | number | boolean | null =>
  typeof value === 'object' && value !== null ? `{${value.map((each) => JSON.stringify(each)).join(',')}}` : value;

function databaseError(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const code = String(memberOf(error, 'code') ?? '');
  const isServerError = error instanceof postgres.PostgresError;
  // Another error comes from the steps of a transaction.
  if (!isServerError && code === '') return error;
  const isSent = !neverSent.has(code);
  const isDisconnected = !isServerError || endedByServer.has(code);
  return new DatabaseError(`the database cannot be used: ${messageOf(error)}`, {
    isUnknown: isSent && isDisconnected,
    isDisconnected,
  });
}
