/** Exports an archive in the native format: JSON Lines, one record a line, in memory of bounded size. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SnapshotChange } from '../../archive/rules/change.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { raw, sql, type Integer } from '../../archive/sql.ts';
import { contentOf } from '../../archive/upkeep/contents.ts';
import type { ArchiveEngine, ExportSource } from '../../archive/archive-engine.ts';
import { selectContent, type ExportRequest } from './selected-content.ts';

/** The number of exported records by kind. */
export type ExportCounts = Readonly<Record<string, number>>;

export interface Export {
  /** The approximate number of records; undefined for a partial export. */
  readonly total: number | undefined;
  /** The lines, many in one chunk. */
  readonly chunks: AsyncIterable<string>;
  /** The counts so far. */
  readonly counts: ExportCounts;
  /** Ends the export, also before its end. */
  close(): Promise<void>;
}

/** The length of a chunk in UTF-16 code units. Between two chunks the process can do other work. */
const chunkLength = 64 * 1024;

/**
 * The time of an observation whose time is unknown. An import would otherwise take the time of the file, and the
 * observation would win over later ones.
 */
const unknownTime = new Date(0).toISOString();

/** What an export contains. */
interface ExportedContent {
  readonly total: number | undefined;
  /** The changes that create the archive. */
  readonly changes: Iterable<SnapshotChange> | AsyncIterable<SnapshotChange>;
  /** Undefined: every record is in the export. */
  readonly isSelected?: ((record: ArchiveRecord) => boolean) | undefined;
  readonly close?: () => Promise<void>;
}

/** Whether a request narrows the export down. */
export const isPartial = ({ table: _, ...criteria }: ExportRequest): boolean =>
  Object.values(criteria).some((value) => value !== undefined);

/** The records of a table: of the kind, in the table of the archive. */
const partOf = { tweets: ['tweet', 'tweet'], users: ['user', 'person'] } as const;

/**
 * Prepares an export from tables, which the caller closes. Rejects with an Error for an unknown user, with ServiceError for a query that
 * cannot be parsed, and with StoreError; then the source is closed.
 */
export async function openTablesExport(source: ExportSource, request: ExportRequest): Promise<Export> {
  const { run, search, total, close } = source;
  try {
    if (!isPartial(request) && request.table !== undefined) {
      const [part, table] = partOf[request.table];
      const [row] = await run<{ n: Integer }>(sql`SELECT count(*) AS n FROM social_data.${raw(table)}`);
      return exportOf({ total: Number(row?.n), changes: changesOf(run, { [part]: [{}] }), close });
    }
    if (!isPartial(request)) return exportOf({ total: await total(), changes: changesOf(run), close });
    const filter = await selectContent({ run, search }, request);
    return exportOf({ total: undefined, changes: changesOf(run, filter), close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** As `openTablesExport`, from the archive of an engine. */
export const openExport = async (
  engine: Pick<ArchiveEngine, 'openExportSource'>,
  request: ExportRequest,
): Promise<Export> => openTablesExport(await engine.openExportSource(), request);

async function* changesOf(...content: Parameters<typeof contentOf>): AsyncGenerator<SnapshotChange, void> {
  for await (const page of contentOf(...content)) {
    yield* page;
    await nextTurn();
  }
}

/** An export of changes. */
export function exportOf(content: ExportedContent): Export {
  const counts: Record<string, number> = {};
  const { total, close = async () => {} } = content;
  return { total, counts, chunks: chunksOf(content, counts), close };
}

async function* chunksOf(
  { changes, isSelected = () => true }: ExportedContent,
  counts: Record<string, number>,
): AsyncGenerator<string, void> {
  let chunk = '';
  let passed = 0;
  for await (const change of changes) {
    const record = nativeRecord(change);
    if (record !== undefined && isSelected(record)) {
      counts[record.kind] = (counts[record.kind] ?? 0) + 1;
      chunk += `${JSON.stringify(record)}\n`;
    } else passed++;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
      await nextTurn();
    } else if (passed === 1000) {
      passed = 0;
      await nextTurn();
    }
  }
  if (chunk !== '') yield chunk;
}

/** A change as a record of the native format; undefined for a change that the format does not have. */
function nativeRecord(change: SnapshotChange): ArchiveRecord | undefined {
  switch (change.kind) {
    case 'tweet':
      return { kind: 'tweet', tweet: { observed_at: unknownTime, ...change.tweet } };
    case 'user':
      return { kind: 'user', user: { observed_at: unknownTime, ...change.user } };
    case 'place':
      return { kind: 'place', place: { observed_at: unknownTime, ...change.place } };
    case 'list':
      return { kind: 'list', list: { observed_at: unknownTime, ...change.list } };
    case 'unlike':
      return { ...change, at: new Date(change.at ?? 0).toISOString() };
    case 'delete':
      return deleteRecord(change);
    default:
      return change;
  }
}

/** A tombstone in the native format: without the mentioned users, whom only events need. */
function deleteRecord(change: Extract<SnapshotChange, { kind: 'delete' }>): ArchiveRecord {
  const { kind, tweet_id, uri, at, reason } = change;
  const { author_id, retweeted_tweet_id } = ('tombstone' in change ? change.tombstone : undefined) ?? change;
  return {
    kind,
    tweet_id,
    ...(uri === undefined ? {} : { uri }),
    ...(author_id === undefined ? {} : { author_id }),
    ...(retweeted_tweet_id === undefined ? {} : { retweeted_tweet_id }),
    ...(at === undefined ? {} : { at }),
    ...(reason === undefined ? {} : { reason }),
  };
}
