/**
 * The limits of a session in the database, so that it ends what a lost or frozen client has left. PostgreSQL manual, 19.3.2 and
 * 19.11.1. A pooler in transaction mode gives each transaction another session: there, only those of a transaction apply.
 */
import type pg from 'pg';

/** The time limit of a statement, in milliseconds. */
export const statementMs = 15_000;
/** The time limit of a read that takes less than a millisecond on a database that answers, in milliseconds. */
export const shortMs = 3_000;

/**
 * A host that has gone away is noticed after 10 s + 3 × 5 s without data, or 20 s after data that it has not acknowledged. A statement
 * ends before this process gives up waiting for it: without that answer, the connection is lost.
 */
const ofConnection = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
  client_connection_check_interval: '5s',
};
const ofStatements = {
  statement_timeout: String(statementMs - 1_000),
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '60s',
};

/** Sets parameters unless a pooler is in between: the session is then not that of the connection. */
const setAll = (parameters: Readonly<Record<string, string>>): string =>
  `SELECT ${Object.entries(parameters)
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')} WHERE pg_backend_pid() = $1`;

const setLimits = setAll({ ...ofConnection, ...ofStatements });

/** The statement that begins a transaction without time limits. */
export const beginWithoutLimits = (mode = ''): string =>
  ['BEGIN', ...Object.keys(ofStatements).map((name) => `SET LOCAL ${name} = 0`)]
    .join('; ')
    .replace('BEGIN', `BEGIN ${mode}`);

const unlimited = Object.keys(ofStatements)
  .map((name) => `SET ${name} = 0`)
  .join('; ');
const limited = Object.entries(ofStatements)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');

/** The clients whose session has the limits. */
const withLimits = new WeakSet<pg.ClientBase>();

/** Sets the limits of a new connection. Rejects as the client library does. */
export async function limitSession(client: pg.ClientBase & { readonly processID?: number | null }): Promise<void> {
  const { rows } = await client.query(setLimits, [client.processID ?? 0]);
  if (rows.length > 0) withLimits.add(client);
}

/** Whether the database ends a statement of this connection before this process gives up waiting for it. */
export const hasLimits = (client: pg.ClientBase): boolean => withLimits.has(client);

/** Does work without time limits of its statements, in a transaction or outside of one. Rejects as the work does. */
export async function withoutLimits<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  if (!hasLimits(client)) return work();
  await client.query(unlimited);
  const result = await work();
  // Not after an error: a transaction that has failed takes its settings back, and of another error nobody knows the state.
  await client.query(limited);
  return result;
}
