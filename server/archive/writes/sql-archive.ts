/**
 * An archive in tables. A transaction loads what a group of changes touches into an archive in memory, applies
 * the changes there, and writes the difference back, with the domain events. So merges, removals and events have one
 * implementation, and memory holds only what a transaction touches. Only a new tweet that nothing concerns is written at once.
 */
import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../../domain/events.ts';
import type { ArchivedTweet, ChangeOutcome } from '../../domain/records.ts';
import type { ImportProgress } from '../../ports/import-sink.ts';
import type { SourcePosition } from '../../ports/live-sink.ts';
import { sql, type Insertion, type RunSql } from '../sql.ts';
import { StoreError } from '../../ports/storage.ts';
import { Archive } from '../rules/archive.ts';
import { UnusableRecord, type Change } from '../rules/change.ts';
import { commitLog, type CommitRecord } from '../content/commit-log.ts';
import { itemsOf } from '../content/content.ts';
import { lastOf } from '../reads/engagement-at.ts';
import { ContentReader } from '../reads/content-reader.ts';
import type { ArchiveDatabase, ArchiveTransaction } from './archive-database.ts';
import { ContentWriter } from './content-writer.ts';
import { addKeys, statedKeys } from '../content/dependencies.ts';
import { newTweetsOf } from './new-tweets.ts';

const eventsLog = 'events';

export interface SqlArchiveOptions {
  /** An event as a record of the event log. */
  readonly eventRecord: (event: DomainEvent, at: number) => object;
  /** The clock of all processes, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the changes are parts of a snapshot: see `ApplyOptions`. */
  readonly isSnapshot?: boolean;
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
  /** The changes with the outcome `dead letter`. Empty where the answer of the transaction was lost. */
  readonly unusable: readonly UnusableChange[];
  /** The number of the transaction in the commit log; of the one before where nothing changed. */
  readonly commit: number;
  /** The number of its last event; 0 for none. */
  readonly lastEvent: number;
}

/** How a transaction applies changes. */
export interface TransactOptions {
  /**
   * Asked after each step of the changes: whether the transaction ends with it although changes are left. It then has the outcomes of the
   * changes before, and does not write the progress.
   */
  readonly endsEarly?: (() => Promise<boolean>) | undefined;
  /** The number of changes of a step. */
  readonly stepSize?: number | undefined;
}

/** Writes changes to an archive. */
export interface ArchiveWriter {
  /**
   * Applies changes in one transaction, with their events and the progress of their import. Resolves when they are durable. Rejects with
   * StoreError; then nothing is applied, except where the connection was lost again and again: the changes can then be durable. Applied
   * again, they change nothing more.
   */
  apply(changes: readonly Change[], progress?: Progress): Promise<Written>;
  /**
   * As `apply`, with records as the JSON of an array, which the thread of the writer reads; undefined where the writer has no thread.
   * `now`: the time of records without one, as in `withTime`.
   */
  readonly applyJson?: ((json: string, now: string, progress: Progress) => Promise<Written>) | undefined;
}

/** An archive whose calls end when `known` has ended for what they have written: this process then answers from it. */
export function knownHere(archive: ArchiveWriter, known: (written: Written) => Promise<void>): ArchiveWriter {
  const knownOf = async (call: Promise<Written>): Promise<Written> => {
    const written = await call;
    await known(written);
    return written;
  };
  const applyJson = archive.applyJson?.bind(archive);
  return {
    apply: (changes, progress) => knownOf(archive.apply(changes, progress)),
    applyJson: applyJson && ((...call) => knownOf(applyJson(...call))),
  };
}

/** The outcomes as characters of a record of the commit log. */
const codes: Readonly<Record<ChangeOutcome, string>> = {
  added: 'a',
  updated: 'u',
  unchanged: '-',
  'dead letter': 's',
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

export class SqlArchive implements ArchiveWriter {
  readonly #database: ArchiveDatabase;
  readonly #options: SqlArchiveOptions;

  /** The transaction of the last call. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: ArchiveDatabase, options: SqlArchiveOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** As the port says, after the changes of earlier calls. */
  apply(changes: readonly Change[], progress?: Progress): Promise<Written> {
    const written = this.#last.then(() => this.transact(changes, progress));
    this.#last = written.catch(() => {});
    return written;
  }

  /** As `apply`, in the order in which the database begins transactions. */
  async transact(
    changes: readonly Change[],
    progress?: Progress,
    { endsEarly, stepSize }: TransactOptions = {},
  ): Promise<Written> {
    const batch = randomUUID();
    let known: number | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#database.transaction(async (transaction) => {
          const head = await transaction.lock();
          const committed =
            known === undefined || head === known ? undefined : await findCommit(transaction, known, batch);
          known ??= head;
          if (committed !== undefined) return { ...committed, lastEvent: await lastOf(transaction.run, eventsLog) };
          const mustCommit = progress !== undefined && 'source' in progress && progress.isShown;
          const options = { batch, commit: head + 1, mustCommit, endsEarly, stepSize };
          const written = await this.#apply(transaction, changes, options);
          if (progress !== undefined && written.outcomes.length === changes.length)
            await transaction.run(writeProgress(progress));
          return written;
        });
      } catch (error) {
        if (!isUnknown(error) || attempt === maxAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  async #apply(
    transaction: ArchiveTransaction,
    changes: readonly Change[],
    { batch, commit, mustCommit, endsEarly, stepSize = maxGroup }: CommitOptions,
  ): Promise<Written> {
    const outcomes: ChangeOutcome[] = [];
    const effects: Effects = { events: [], unusable: [] };
    const { isSnapshot: snapshot = false } = this.#options;
    const { events, unusable } = effects;
    const keys = new Set<string>();
    let isChanged = mustCommit;
    const writer = new ContentWriter(transaction, commit);
    for (const group of groupsOf(changes, stepSize)) {
      if (endsEarly !== undefined && outcomes.length > 0 && (await endsEarly())) break;
      const added = await newTweetsOf(transaction.run, group);
      const others = group.filter((change) => !added.has(change));
      const { archive, before } = await load(transaction.run, others);
      for (const change of group)
        outcomes.push(added.has(change) ? addOne(change, effects) : applyOne(archive, change, snapshot, effects));
      const changed = await writer.write({
        before,
        after: itemsOf(archive.changes()),
        added: [...added].flatMap(tweetIn),
      });
      isChanged ||= changed !== undefined;
      addKeys(keys, changed ?? []);
    }
    if (!isChanged) return { outcomes, unusable, commit: commit - 1, lastEvent: 0 };
    let lastEvent = 0;
    if (events.length > 0) {
      const at = this.#options.now();
      const records = events.map((event) =>
        JSON.stringify({ ...this.#options.eventRecord(event, at), change: commit }),
      );
      lastEvent = await transaction.append(eventsLog, batch, records);
    }
    const record: CommitRecord = {
      outcomes: outcomes.map((outcome) => codes[outcome]).join(''),
      keys: statedKeys(keys),
    };
    await transaction.append(commitLog, batch, [JSON.stringify(record)]);
    if (commit % trimInterval === 0) await trim(transaction, commit - keptCommits);
    return { outcomes, unusable, commit, lastEvent };
  }
}

/** How a transaction is committed. */
interface CommitOptions extends TransactOptions {
  readonly batch: string;
  readonly commit: number;
  /** Whether it has a number although nothing changed. */
  readonly mustCommit: boolean;
}

/** What a transaction collects. */
interface Effects {
  readonly events: DomainEvent[];
  readonly unusable: UnusableChange[];
}

const tweetIn = (change: Change): ArchivedTweet[] => (change.kind === 'tweet' ? [change.tweet] : []);

/** As the archive adds a new tweet. */
function addOne(change: Change, { events }: Effects): ChangeOutcome {
  for (const { id } of tweetIn(change)) events.push({ event: 'tweet.created', id });
  return 'added';
}

function applyOne(archive: Archive, change: Change, snapshot: boolean, { events, unusable }: Effects): ChangeOutcome {
  try {
    const applied = archive.apply(change, { snapshot });
    events.push(...applied.events);
    return applied.outcome;
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
    unusable.push({ change, reason: error.message });
    return 'dead letter';
  }
}

/** Whether a transaction may have been committed although it has failed. */
const isUnknown = (error: unknown): boolean =>
  error instanceof StoreError && 'isUnknown' in error && error.isUnknown === true;

function writeProgress(reached: Progress): Insertion {
  if ('source' in reached) {
    const { source, position } = reached;
    const row = { source, position: position.position, at: Math.trunc(position.at) };
    return { table: 'source_position', rows: [row], conflict: { keys: ['source'], action: 'replace' } };
  }
  const { fingerprint, progress } = reached;
  const row = { fingerprint, applied: progress.values, done: progress.done };
  return { table: 'import_progress', rows: [row], conflict: { keys: ['fingerprint'], action: 'replace' } };
}

/** What a transaction did whose answer was lost; undefined if it was not committed. */
async function findCommit(
  transaction: ArchiveTransaction,
  known: number,
  batch: string,
): Promise<Omit<Written, 'lastEvent'> | undefined> {
  const row = await transaction.findBatch(commitLog, known, batch);
  if (row === undefined) return undefined;
  const record: Partial<CommitRecord> = JSON.parse(row.record ?? '{}');
  return {
    outcomes: Array.from(record.outcomes ?? '', (code) => outcomeOf.get(code) ?? 'unchanged'),
    unusable: [],
    commit: row.seq,
  };
}

/** Deletes what no reader needs of old transactions. */
async function trim(transaction: ArchiveTransaction, upTo: number): Promise<void> {
  if (upTo <= 0) return;
  await transaction.trim(commitLog, upTo, trimRows);
  await transaction.run(sql`DELETE FROM social_data.engagement_before WHERE "commit" <= ${upTo}`);
}

/** An archive with the content that changes touch. */
async function load(run: RunSql, changes: readonly Change[]) {
  const archive = new Archive();
  if (changes.length > 0) archive.restore(await new ContentReader(run).read(changes));
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
function groupsOf(changes: readonly Change[], most: number): Change[][] {
  const groups: Change[][] = [];
  let previous: Change | undefined;
  for (const change of changes) {
    const group = groups.at(-1);
    const joins =
      previous !== undefined &&
      (reachesFar(change)
        ? change.kind === previous.kind && (change.kind === 'delete' || change.kind === 'restore')
        : !reachesFar(previous));
    if (joins && group !== undefined && group.length < most) group.push(change);
    else groups.push([change]);
    previous = change;
  }
  return groups;
}
