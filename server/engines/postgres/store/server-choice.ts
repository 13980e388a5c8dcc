/** Chooses among the servers of an address, and among the ways to connect to each, as libpq does (PostgreSQL manual, 34.1). */
import pg from 'pg';
import type { DatabaseSettings, TargetSession } from '../../../config/database-url.ts';
import { readPassword } from './password-file.ts';

/** The time limit of a new connection, in milliseconds. */
export const connectMs = 3_000;

/** The ways to connect to one server, in the order in which they are tried. */
export type Server = readonly pg.ClientConfig[];

/** The servers of an address. The client library would take a member that is undefined for a value. */
export const serversOf = ({ hosts, database, user, password, passwordFile, others }: DatabaseSettings): Server[] =>
  hosts.map(({ host, port, tls }) =>
    tls.map((ssl) => ({
      ...others,
      ...given({ host, port, database, user, ssl }),
      ...given({ password: passwordFile === undefined ? password : () => readPassword(passwordFile) }),
    })),
  );

const given = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A server is there, but it is not the one that the address means. The code is that of a write to a standby. */
export class OtherRole extends Error {
  readonly code = '25006';

  constructor() {
    super('no server of the address has the role that is needed: it may be a standby that becomes the primary soon');
  }
}

/** A session: whether it is one of a standby, and whether it takes no writes. */
interface Role {
  readonly standby: boolean;
  readonly reads: boolean;
}

const accepts: Readonly<Record<TargetSession, (role: Role) => boolean>> = {
  any: () => true,
  'prefer-standby': () => true,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'read-only': ({ reads }) => reads,
  'read-write': ({ reads }) => !reads,
};

/** Throws OtherRole for a connection to a server that the address does not mean. Rejects as the client library does. */
export async function requireRole(client: pg.ClientBase, target: TargetSession): Promise<void> {
  if (target === 'any' || target === 'prefer-standby') return;
  if (!accepts[target](await roleOf(client))) throw new OtherRole();
}

async function roleOf(client: pg.ClientBase): Promise<Role> {
  const { rows } = await client.query<Role>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS reads`,
  );
  return rows[0] ?? { standby: false, reads: false };
}

/**
 * Finds the way to connect to a server that the address means. It asks all servers at once, because one that is gone gives no answer for
 * three seconds; the first one that answers is chosen. Rejects with the error that says most: one of a server rather than one of the network.
 */
export async function findServer(servers: readonly Server[], target: TargetSession): Promise<pg.ClientConfig> {
  try {
    return await Promise.any(
      servers.map((server) => reached(server, target === 'prefer-standby' ? 'standby' : target)),
    );
  } catch (error) {
    if (target === 'prefer-standby') return findServer(servers, 'any');
    const errors = (error as AggregateError).errors as readonly unknown[];
    const [first] = errors;
    throw (
      errors.find((each) => each instanceof pg.DatabaseError) ??
      errors.find((each) => each instanceof OtherRole) ??
      first
    );
  }
}

/** The first way to connect to a server that works. */
async function reached([options, ...others]: Server, target: TargetSession): Promise<pg.ClientConfig> {
  try {
    const client = new pg.Client({ ...options, connectionTimeoutMillis: connectMs, query_timeout: connectMs });
    client.on('error', () => {});
    try {
      await client.connect();
      await requireRole(client, target);
    } finally {
      // An end without an answer would keep the socket.
      client.connection.stream.destroy();
    }
    return options ?? {};
  } catch (error) {
    if (others.length === 0 || !isOfEncryption(error)) throw error;
    return reached(others, target);
  }
}

/** Whether a connection with or without TLS could work instead: the server refuses this one, or the handshake has failed. */
function isOfEncryption(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '28000';
  const { code = '', message } = error as Error & { readonly code?: string };
  return /does not support SSL|SSL connection/.test(message) || /^(?:ERR_(?:SSL|TLS)|EPROTO)/.test(code);
}
