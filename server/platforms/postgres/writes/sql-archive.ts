/**
 * An archive in tables of PostgreSQL. A transaction loads what a group of changes touches into an archive in memory, applies
 * the changes there, and writes the difference back, with the domain events. So merges, removals and events have one
 * implementation, and memory holds only what a transaction touches.
 */
import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../../../domain/events.ts';
import type { ChangeOutcome } from '../../../domain/records.ts';
import type { ImportProgress } from '../../../ports/import-sink.ts';
import type { SourcePosition } from '../../../ports/live-sink.ts';
import { DatabaseError, type Database, type Run, type Statement } from '../../../storage/postgres/database.ts';
import {
  appendRecords,
  findBatch,
  lockLog,
  readHead,
  trimLog,
  type AppendedRow,
} from '../../../storage/postgres/statements.ts';
import { Archive } from '../../archive/archive.ts';
import { UnusableRecord, type Change } from '../../archive/change.ts';
import { commitLog, type CommitRecord } from '../rows/commit-log.ts';
import { itemsOf } from '../rows/content.ts';
import { ContentReader } from '../reads/content-reader.ts';
import { ContentWriter } from './content-writer.ts';
import { statedKeys } from '../rows/dependencies.ts';
import { RetweetIndex } from './retweet-index.ts';

const eventsLog = 'events';

export interface SqlArchiveOptions {
  /** An event as a record of the event log. */
  readonly eventRecord: (event: DomainEvent, at: number) => object;
  /** The clock of all processes, in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Called after a transaction with its number and that of its last event, 0 for none; a call of `apply` ends when it
   * resolves.
   */
  readonly committed?: (commit: number, lastEvent: number) => Promise<void>;
}

/** A change that cannot be applied. */
export interface UnusableChange {
  readonly change: Change;
  readonly reason: string;
}

/** How far an import or a live source has come, which is durable together with the changes. */
export type Progress =
  | { readonly fingerprint: string; readonly progress: ImportProgress }
  | {
      readonly source: string;
      readonly position: SourcePosition;
      /** Whether responses depend on the position: a change of it then changes the revision of the tables. */
      readonly isShown: boolean;
    };

/** What a transaction did. */
export interface Written {
  /** The outcome of each change, in order. */
  readonly outcomes: readonly ChangeOutcome[];
  /** The changes with the outcome `set aside`. Empty where the answer of the transaction was lost. */
  readonly unusable: readonly UnusableChange[];
  /** The number of the transaction in the commit log; of the one before where nothing changed. */
  readonly commit: number;
}

/** The outcomes as characters of a record of the commit log. */
const codes: Readonly<Record<ChangeOutcome, string>> = {
  added: 'a',
  updated: 'u',
  unchanged: '-',
  'set aside': 's',
  rejected: 'r',
};
const outcomeOf = new Map(Object.entries(codes).map(([outcome, code]) => [code, outcome as ChangeOutcome]));

/** The rows of the commit log that stay after a trim, the commits between two trims, and the rows of one step of a trim. */
const keptCommits = 10_000;
const trimInterval = 128;
const trimRows = 1_000;
/** How often a transaction is tried whose outcome is not known. */
const maxAttempts = 4;
const retryMs = 250;
/** A number behind every number of a log: the batch is not looked up. */
const noLookup = Number.MAX_SAFE_INTEGER;

export class SqlArchive {
  readonly #database: Pick<Database, 'transaction'>;
  readonly #options: SqlArchiveOptions;

  /** The transaction of the last call. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Pick<Database, 'transaction'>, options: SqlArchiveOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * Applies changes in one transaction, after those of earlier calls, with their events and the progress of their import. Resolves when they are durable. Rejects with StoreError; then
   * nothing is applied, except where the connection was lost again and again: the changes can then be durable. Applied again,
   * they change nothing more.
   */
  apply(changes: readonly Change[], progress?: Progress): Promise<Written> {
    const written = this.#last.then(() => this.#transact(changes, progress));
    this.#last = written.catch(() => {});
    return written;
  }

  async #transact(changes: readonly Change[], progress: Progress | undefined): Promise<Written> {
    const batch = randomUUID();
    let known: number | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const { written, event } = await this.#database.transaction(async (run) => {
          const head = await lockedHead(run);
          const committed = known === undefined || head === known ? undefined : await findCommit(run, known, batch);
          known ??= head;
          if (committed !== undefined) return { written: committed, event: await lastOf(run, eventsLog) };
          if (progress !== undefined) await run(writeProgress(progress));
          const mustCommit = progress !== undefined && 'source' in progress && progress.isShown;
          return this.#apply(run, changes, { batch, commit: head + 1, mustCommit });
        });
        await this.#options.committed?.(written.commit, event);
        return written;
      } catch (error) {
        if (!(error instanceof DatabaseError) || !error.isUnknown || attempt === maxAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  async #apply(
    run: Run,
    changes: readonly Change[],
    { batch, commit, mustCommit }: { readonly batch: string; readonly commit: number; readonly mustCommit: boolean },
  ): Promise<{ readonly written: Written; readonly event: number }> {
    const outcomes: ChangeOutcome[] = [];
    const effects: Effects = { events: [], unusable: [] };
    const { events, unusable } = effects;
    const keys = new Set<string>();
    let isChanged = mustCommit;
    for (const group of groupsOf(changes)) {
      const { archive, before } = await load(run, group);
      for (const change of group) outcomes.push(applyOne(archive, change, effects));
      const writer = new ContentWriter(run, commit);
      const changed = await writer.write({ before, after: itemsOf(archive.changes()) });
      isChanged ||= changed !== undefined;
      for (const key of changed ?? []) keys.add(key);
    }
    if (!isChanged) return { written: { outcomes, unusable, commit: commit - 1 }, event: 0 };
    let event = 0;
    if (events.length > 0) {
      const at = this.#options.now();
      const records = events.map((event) =>
        JSON.stringify({ ...this.#options.eventRecord(event, at), change: commit }),
      );
      const [row] = await run<AppendedRow>(appendRecords(eventsLog, { batch, known: noLookup, records }));
      event = Number(row?.last_seq ?? 0);
    }
    const record: CommitRecord = {
      outcomes: outcomes.map((outcome) => codes[outcome]).join(''),
      keys: statedKeys(keys),
    };
    await run(appendRecords(commitLog, { batch, known: noLookup, records: [JSON.stringify(record)] }));
    if (commit % trimInterval === 0) await trim(run, commit - keptCommits);
    return { written: { outcomes, unusable, commit }, event };
  }
}

/** What a transaction collects. */
interface Effects {
  readonly events: DomainEvent[];
  readonly unusable: UnusableChange[];
}

function applyOne(archive: Archive, change: Change, { events, unusable }: Effects): ChangeOutcome {
  try {
    const applied = archive.apply(change);
    events.push(...applied.events);
    return applied.outcome;
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
    unusable.push({ change, reason: error.message });
    return 'set aside';
  }
}

/** Takes the lock of all writers, and returns the number of the last transaction. */
async function lockedHead(run: Run): Promise<number> {
  await run(lockLog(commitLog));
  return lastOf(run, commitLog);
}

/** The last number of a log. */
async function lastOf(run: Run, log: string): Promise<number> {
  const [row] = await run<{ seq: string }>(readHead(log));
  return Number(row?.seq ?? 0);
}

function writeProgress(reached: Progress): Statement {
  if ('source' in reached) {
    const { source, position } = reached;
    return {
      text: `INSERT INTO social_data.source_position (source, position, at) VALUES ($1, $2, $3)
        ON CONFLICT (source) DO UPDATE SET position = excluded.position, at = excluded.at`,
      params: [source, position.position, Math.trunc(position.at)],
    };
  }
  const { fingerprint, progress } = reached;
  return {
    text: `INSERT INTO social_data.import_progress (fingerprint, applied, done) VALUES ($1, $2, $3)
      ON CONFLICT (fingerprint) DO UPDATE SET applied = excluded.applied, done = excluded.done`,
    params: [fingerprint, progress.values, progress.done],
  };
}

/** What a transaction did whose answer was lost; undefined if it was not committed. */
async function findCommit(run: Run, known: number, batch: string): Promise<Written | undefined> {
  const [row] = await run<{ seq: string; record: string | null }>(findBatch(commitLog, known, batch));
  if (row === undefined) return undefined;
  const record: Partial<CommitRecord> = JSON.parse(row.record ?? '{}');
  return {
    outcomes: Array.from(record.outcomes ?? '', (code) => outcomeOf.get(code) ?? 'unchanged'),
    unusable: [],
    commit: Number(row.seq),
  };
}

/** Deletes what no reader needs of old transactions. */
async function trim(run: Run, upTo: number): Promise<void> {
  if (upTo <= 0) return;
  await run(trimLog(commitLog, upTo, trimRows, false));
  await run({ text: 'DELETE FROM social_data.engagement_before WHERE commit <= $1', params: [upTo] });
}

/** An archive with the content that changes touch. */
async function load(run: Run, changes: readonly Change[]) {
  const archive = new Archive((source) => new RetweetIndex(source));
  archive.restore(await new ContentReader(run).read(changes));
  return { archive, before: itemsOf(archive.changes()) };
}

/** Changes whose effect reaches rows that other changes of their group do not name. */
const reachesFar = ({ kind }: Change): boolean =>
  kind === 'delete' ||
  kind === 'restore' ||
  kind === 'withdraw' ||
  kind === 'reinstate' ||
  kind === 'unretweet' ||
  kind === 'evict';

/** The number of changes in a group. */
const maxGroup = 2_000;

/** Divides changes into groups: what a far-reaching change touches depends on the changes before it. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let previous: Change | undefined;
  for (const change of changes) {
    const group = groups.at(-1);
    const joins =
      previous !== undefined &&
      (reachesFar(change)
        ? change.kind === previous.kind && (change.kind === 'delete' || change.kind === 'restore')
        : !reachesFar(previous));
    if (joins && group !== undefined && group.length < maxGroup) group.push(change);
    else groups.push([change]);
    previous = change;
  }
  return groups;
}
