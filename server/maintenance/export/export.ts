/** Exports an archive in the native format: JSON Lines, one record a line, in memory of bounded size. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SnapshotChange } from '../../platforms/archive/change.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { Selection, type ExportRequest, type ExportSource } from './selection.ts';

/** The number of exported records by kind. */
export type ExportCounts = Readonly<Record<string, number>>;

export interface Export {
  /** The approximate number of records; undefined for a partial export. */
  readonly total: number | undefined;
  /** The lines, many in one chunk. */
  readonly chunks: AsyncIterable<string>;
  /** The counts so far. */
  readonly counts: ExportCounts;
}

/** The length of a chunk in UTF-16 code units. Between two chunks the process can do other work. */
const chunkLength = 64 * 1024;

/**
 * The time of an observation whose time is unknown. An import would otherwise take the time of the file, and the
 * observation would win over later ones.
 */
const unknownTime = new Date(0).toISOString();

/**
 * Prepares an export. A record that changes while the export runs is exported in the state of the moment at which it is
 * written. Rejects with an Error for an unknown user, and with ServiceError for a query that cannot be parsed.
 */
export async function openExport(archive: ExportSource, request: ExportRequest): Promise<Export> {
  const isPartial = Object.values(request).some((value) => value !== undefined);
  const selection = isPartial ? await Selection.create(archive, request, () => nextTurn()) : undefined;
  const counts: Record<string, number> = {};
  return { total: isPartial ? undefined : archive.live, counts, chunks: chunksOf(archive, selection, counts) };
}

async function* chunksOf(
  archive: ExportSource,
  selection: Selection | undefined,
  counts: Record<string, number>,
): AsyncGenerator<string, void> {
  let chunk = '';
  let passed = 0;
  for (const change of archive.changes()) {
    const record = nativeRecord(change);
    if (record !== undefined && (selection === undefined || selection.has(record))) {
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
