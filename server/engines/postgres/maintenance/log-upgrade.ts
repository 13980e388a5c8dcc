/**
 * Upgrades the log of an archive of version 1.2 in PostgreSQL, which each instance held in memory, to the tables. Instances that start at the
 * same moment take turns: each transaction takes a lock and continues where the one before has ended.
 */
import { commitLog } from '../../../archive/content/commit-log.ts';
import { StoreError } from '../../../ports/storage.ts';
import type { EventRecord } from '../../../archive/events/event-record.ts';
import type { Database, RunAny } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import { appendRecords, lockLog, markEnd, readChanges, readHead, type ChangeRow } from '../store/statements.ts';
import type { OldRecord } from '../../upgrade/old-journal.ts';
import { applyRecords, type Reached, type UpgradeTransaction } from '../../upgrade/old-records.ts';
import { PostgresSearchRows } from '../writes/postgres-search-rows.ts';

const oldLog = 'archive';
/** The document with what the upgrade has reached, while it is in progress. */
const marker = 'upgrade';
/** The records of a transaction. */
const pageRows = 2_000;
const neverLookedUp = Number.MAX_SAFE_INTEGER;

/** Whether the database has the log of an archive of version 1.2. */
export async function hasOldLog(database: Pick<Database, 'run'>): Promise<boolean> {
  const rows = await database.run({ text: 'SELECT FROM social_data.change WHERE log = $1 LIMIT 1', params: [oldLog] });
  return rows.length > 0;
}

/** Upgrades the log, and removes it. No instance of version 1.2 may run. Rejects with StoreError; the next call continues. */
export async function upgradeLog(database: Database): Promise<void> {
  let isDone = false;
  while (!isDone) isDone = await database.transaction((run) => upgradePage(run), { isUnlimited: true });
  // The rows had texts.
  await database.maintain('VACUUM social_data.change');
  await database.maintain('VACUUM social_data.snapshot_chunk');
}

/** Applies the next records. Returns whether none was left; then the log is gone. */
async function upgradePage(run: RunAny): Promise<boolean> {
  await run({ text: "SELECT pg_advisory_xact_lock(hashtextextended('social_data.upgrade', 0))" });
  const head = await headOf(run, oldLog);
  if (head === undefined) return true;
  const reached = (await documentOf<Reached>(run, marker)) ?? (await begin(run));
  const rows = await run<ChangeRow>(readChanges(oldLog, reached.seq + 1, pageRows));
  if (rows.length === 0) {
    await finish(run, head);
    return true;
  }
  const events = await documentOf<{ checkpoint?: number; told_up_to?: number }>(run, 'events/log');
  const deadLetters = (await documentOf<DeadLetterDocument>(run, 'set-aside')) ?? { records: [] };
  const known = new Set(deadLetters.records.map(({ seq }) => seq));
  const next = await applyRecords(
    {
      lastSeq: head,
      checkpoint: events === undefined ? undefined : await checkpointOf(run, events),
      isDeadLetter: ({ seq }) => known.has(seq),
      async addDeadLetters(found) {
        for (const { record, reason } of found)
          deadLetters.records.push({
            ...{ seq: record.seq, bytes: Buffer.byteLength(record.json), reason },
            ...{ found_at: new Date().toISOString(), record: record.json },
          });
        await run(writeDocument('set-aside', deadLetters));
      },
    },
    transactionOn(run),
    recordsOf(rows),
    reached,
  );
  await run(writeDocument(marker, { ...next, seq: Number(rows.at(-1)?.seq ?? next.seq) }));
  return false;
}

interface DeadLetterDocument {
  readonly records: { seq: number; bytes: number; reason: string; found_at: string; record: string }[];
}

/** Rejects with StoreError where the tables have other data. */
async function begin(run: RunAny): Promise<Reached> {
  const content = await run({ text: 'SELECT FROM social_data.tweet UNION ALL SELECT FROM social_data.person LIMIT 1' });
  if (content.length > 0)
    throw new StoreError('the database has two archives, tables and the log of version 1.2: select another schema');
  const incomplete: EventRecord[] = [];
  return { seq: 0, isSnapshot: false, read: {}, incomplete };
}

/** The numbers of transactions continue behind those of the records, which events and cursors name. */
async function finish(run: RunAny, head: number): Promise<void> {
  await run(lockLog(oldLog));
  if ((await headOf(run, oldLog)) !== head)
    throw new StoreError('an instance of version 1.2 writes to the database: stop all of them');
  await run({ text: 'DELETE FROM social_data.change WHERE log = $1', params: [oldLog] });
  await run({ text: 'DELETE FROM social_data.snapshot WHERE log = $1', params: [oldLog] });
  await run({ text: 'DELETE FROM social_data.document WHERE name = $1', params: [marker] });
  if ((await headOf(run, commitLog)) === undefined) await run(markEnd(commitLog, head));
}

async function headOf(run: RunAny, log: string): Promise<number | undefined> {
  const [row] = await run<{ seq: string }>(readHead(log));
  return row && Number(row.seq);
}

/** The last change whose events are in the event log. */
async function checkpointOf(
  run: RunAny,
  { checkpoint, told_up_to: earlier }: { readonly checkpoint?: number; readonly told_up_to?: number },
): Promise<number | undefined> {
  // The events of a change are one commit.
  const [row] = await run<{ record: string }>({
    text: `SELECT record FROM social_data.change WHERE log = 'events' AND record LIKE '%"change":%' ORDER BY seq DESC LIMIT 1`,
  });
  const written = row && (JSON.parse(row.record) as EventRecord).change;
  const all = [checkpoint, earlier, written].filter((value) => value !== undefined);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** The records of rows; a row with a chain ends a commit. */
function recordsOf(rows: readonly ChangeRow[]): OldRecord[] {
  let isGroupStart = true;
  return rows.flatMap(({ seq, record, chain }) => {
    const place = { segment: oldLog, line: Number(seq), offset: 0 };
    const found = record === null ? [] : [{ seq: Number(seq), json: record, isGroupStart, ...place }];
    isGroupStart = chain !== null;
    return found;
  });
}

async function documentOf<Value>(run: RunAny, name: string): Promise<Value | undefined> {
  const [row] = await run<{ value: string }>({
    text: 'SELECT value FROM social_data.document WHERE name = $1',
    params: [name],
  });
  return row && (JSON.parse(row.value) as Value);
}

const writeDocument = (name: string, value: object): Statement => ({
  text: `INSERT INTO social_data.document (name, version, value, write_id) VALUES ($1, 1, $2, gen_random_uuid())
    ON CONFLICT (name) DO UPDATE SET version = social_data.document.version + 1, value = excluded.value, write_id = excluded.write_id`,
  params: [name, JSON.stringify(value)],
});

const transactionOn = (run: RunAny): UpgradeTransaction => ({
  run,
  searchRows: (commit) => new PostgresSearchRows(run, commit),
  async appendEvents(batch, records) {
    if (records.length > 0) await run(appendRecords('events', { batch, known: neverLookedUp, records }));
  },
  async correctArrivals(arrivals) {
    await run({
      text: `UPDATE social_data.tweet t SET arrived_in = given.seq
        FROM unnest($1::bigint[], $2::bigint[]) AS given (id, seq) WHERE t.id = given.id AND t.arrived_in <> given.seq`,
      params: [arrivals.map(([id]) => id), arrivals.map(([, seq]) => seq)],
    });
  },
});
