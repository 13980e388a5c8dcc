/** The statements of the adapter. `social_data` stands for the schema. */
import type { RateLimit } from '../../../ports/rate-limiter.ts';
import type { Statement } from './statement.ts';

/** A row of the log. `chain`: hex, on the last row of a commit. */
export interface ChangeRow {
  readonly seq: string;
  readonly record: string | null;
  readonly chain: string | null;
  readonly rewritten: boolean;
}

/** What an append did. */
export interface AppendedRow {
  readonly first_seq: string;
  readonly last_seq: string;
  readonly chain_hex: string;
  /** Milliseconds of waiting for the lock. */
  readonly lock_wait_ms: string | null;
}

export type LockRow = Pick<AppendedRow, 'lock_wait_ms'>;

const lockWait = `current_setting('social_data.lock_wait_ms', true) AS lock_wait_ms`;

export interface DocumentRow {
  readonly version: string;
  readonly value: string;
  readonly write_id: string;
}

/** The rows from a number on, at most `limit`. */
export const readChanges = (log: string, from: number, limit: number): Statement => ({
  text: `SELECT seq, record, encode(chain, 'hex') AS chain, rewritten
    FROM social_data.change WHERE log = $1 AND seq >= $2 ORDER BY seq LIMIT $3`,
  params: [log, from, limit],
});

/** The numbers of the first and the last record. */
export const readEnds = (log: string): Statement => ({
  text: `SELECT (SELECT seq FROM social_data.change WHERE log = $1 AND record IS NOT NULL ORDER BY seq LIMIT 1) AS first,
      (SELECT max(seq) FROM social_data.change WHERE log = $1) AS last`,
  params: [log],
});

export const lockLog = (log: string): Statement => ({
  text: `SELECT ${lockWait} FROM social_data.lock_log($1)`,
  params: [log],
});

/** A session that holds the lock of a log. */
export interface HolderRow {
  readonly pid: number;
  /** What it has done so far: another text means that it has done something. */
  readonly progress: string;
  /** Whether it waits for its client. */
  readonly waits: boolean;
}

/** The sessions of this role that hold the locks of logs. */
export const readHolders = (logs: readonly string[]): Statement => ({
  text: `SELECT holder.* FROM unnest($1::text[]) AS log, social_data.lock_holder(log) AS holder`,
  params: [logs],
});

/** Ends a session that still holds a lock and has made no progress, and waits up to two seconds for its end. */
export const endHolder = (logs: readonly string[], pid: number, progress: string): Statement => ({
  text: `SELECT pg_terminate_backend(holder.pid, 2000) FROM unnest($1::text[]) AS log, social_data.lock_holder(log) AS holder
    WHERE holder.waits AND holder.pid = $2 AND holder.progress = $3`,
  params: [logs, pid, progress],
});

/** Appends records once: see `append_records` in the migration. */
export const appendRecords = (
  log: string,
  {
    batch,
    known,
    records,
    asRewrite = false,
  }: {
    readonly batch: string;
    readonly known: number;
    readonly records: readonly string[];
    readonly asRewrite?: boolean;
  },
): Statement => ({
  text: `SELECT *, ${lockWait} FROM social_data.append_records($1, $2, $3, $4, $5)`,
  params: [log, batch, known, records.join('\n'), asRewrite],
});

/** The last number of a batch behind a number, if it was committed. */
export const findBatch = (log: string, known: number, batch: string): Statement => ({
  text: `SELECT seq, record, encode(chain, 'hex') AS chain, rewritten
    FROM social_data.change WHERE log = $1 AND seq > $2 AND batch = $3`,
  params: [log, known, batch],
});

/** The highest of some numbers at which a log has these chains: it is the same up to there, because a chain has all before it. */
export const findEnd = (log: string, ends: readonly (readonly [seq: number, chain: string])[]): Statement => ({
  text: `SELECT max(c.seq) AS seq FROM unnest($2::bigint[], $3::text[]) AS known (seq, chain)
    JOIN social_data.change c ON c.log = $1 AND c.seq = known.seq AND encode(c.chain, 'hex') = known.chain`,
  params: [log, ends.map(([seq]) => seq), ends.map(([, chain]) => chain)],
});

/** The last number of a log, if it has a record. */
export const readHead = (log: string): Statement => ({
  text: 'SELECT seq FROM social_data.change WHERE log = $1 ORDER BY seq DESC LIMIT 1',
  params: [log],
});

export const trimLog = (log: string, upTo: number, most: number, byRewrite: boolean): Statement => ({
  text: 'SELECT social_data.trim_log($1, $2, $3, $4) AS is_left',
  params: [log, upTo, most, byRewrite],
});

/** The size of the logs with their index, in bytes. */
export const readLogSize: Statement = {
  text: `SELECT pg_total_relation_size('social_data.change') AS bytes`,
};

/** The last number of each log, its chain, and the version of each document. */
export const pollHeads = (logs: readonly string[], documents: readonly string[]): Statement => ({
  text: `SELECT 'log' AS kind, name, seq AS version, encode(chain, 'hex') AS chain,
      extract(epoch FROM clock_timestamp()) * 1000 AS now
    FROM unnest($1::text[]) AS given (name) LEFT JOIN LATERAL (
      SELECT seq, chain FROM social_data.change WHERE log = name ORDER BY seq DESC LIMIT 1) AS head ON true
    UNION ALL
    SELECT 'document', name, version, NULL, extract(epoch FROM clock_timestamp()) * 1000
    FROM social_data.document WHERE name = ANY ($2::text[])`,
  params: [logs, documents],
  isShort: true,
});

export interface HeadRow {
  readonly kind: 'log' | 'document';
  readonly name: string;
  readonly version: string | null;
  readonly chain: string | null;
  /** The clock of the database, in milliseconds since the epoch. */
  readonly now: string;
}

export const readDocument = (name: string): Statement => ({
  text: 'SELECT version, value, write_id FROM social_data.document WHERE name = $1',
  params: [name],
});

/** Writes a document that still has a version; see the migration. */
export const writeDocument = (name: string, version: number, value: string, id: string): Statement => ({
  text: 'SELECT social_data.write_document($1, $2, $3, $4) AS written',
  params: [name, version, value, id],
});

export interface TokensRow {
  readonly taken: number;
  readonly tokens_left: number;
}

/** Takes tokens of a bucket after the tokens that were used without it. `at`: milliseconds since the epoch. */
export const takeTokens = (
  key: string,
  { requests, periodMs }: RateLimit,
  { wanted, debt, at }: { readonly wanted: number; readonly debt: number; readonly at: number | undefined },
): Statement => ({
  text: 'SELECT * FROM social_data.take_tokens($1, $2, $3, $4, $5, $6::timestamptz)',
  params: [key, requests, periodMs, wanted, debt, at === undefined ? null : new Date(at).toISOString()],
});

export interface HeartbeatRow {
  readonly is_leader: boolean;
  /** The connections by key of each other instance. */
  readonly others: readonly Readonly<Record<string, number>>[];
}

export const heartbeat = (
  id: string,
  positions: Readonly<Record<string, number>>,
  connections: Readonly<Record<string, number>>,
  { leaseMs, tablesVersion }: { readonly leaseMs: number; readonly tablesVersion: number },
): Statement => ({
  text: 'SELECT * FROM social_data.heartbeat($1, $2::text::jsonb, $3::text::jsonb, $4, $5)',
  params: [id, JSON.stringify(positions), JSON.stringify(connections), leaseMs, tablesVersion],
});

export const leave = (id: string): Statement => ({ text: 'SELECT social_data.leave($1)', params: [id] });

/** The reads of a transaction are those of one moment. The first statement of the transaction. */
export const readSnapshot: Statement = { text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' };

/** All documents. */
export const listDocuments: Statement = { text: 'SELECT name, version, value, write_id FROM social_data.document' };

/** The number of instances that are alive. */
export const countInstances: Statement = {
  text: `SELECT count(*) AS n FROM social_data.instance WHERE seen_at > clock_timestamp() - interval '10 seconds'`,
};

/** The number of documents: a database that a service has used has some. */
export const countDocuments: Statement = { text: 'SELECT count(*) AS n FROM social_data.document' };

export const deleteChanges: Statement = { text: 'DELETE FROM social_data.change' };

/** Inserts records with numbers of their own, for a migration. */
export const importChanges = (log: string, seqs: readonly number[], records: readonly string[]): Statement => ({
  text: `INSERT INTO social_data.change (log, seq, record, chain, batch)
    SELECT $1, seq, record, CASE WHEN n = $4::int THEN sha256(convert_to($3, 'UTF8')) END,
      CASE WHEN n = $4::int THEN gen_random_uuid() END
    FROM ROWS FROM (unnest($2::bigint[]), string_to_table($3, E'\\n')) WITH ORDINALITY AS given (seq, record, n)`,
  params: [log, seqs, records.join('\n'), records.length],
});

/** The last number of a log whose last records were removed. */
export const markEnd = (log: string, seq: number): Statement => ({
  text: `INSERT INTO social_data.change (log, seq, chain, batch) VALUES ($1, $2, sha256(convert_to($1, 'UTF8')), gen_random_uuid())`,
  params: [log, seq],
});

export interface ShownRow {
  /** Null for a log without records. */
  readonly seq: string | null;
  readonly chain: string | null;
  readonly standby: boolean;
}

/** The last number of a log that a server shows, the chain at another one, and whether the server is a standby. */
export const readShown = (log: string, at: number): Statement => ({
  text: `SELECT (SELECT seq FROM social_data.change WHERE log = $1 ORDER BY seq DESC LIMIT 1) AS seq,
      (SELECT encode(chain, 'hex') FROM social_data.change WHERE log = $1 AND seq = $2) AS chain, pg_is_in_recovery() AS standby`,
  params: [log, at],
  isShort: true,
});
