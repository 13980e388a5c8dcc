/** Answers and stream lines of X as records of the archive: the mapping is that of the imports. */
import type { ArchiveRecord } from '../../domain/records.ts';
import { isFields, list, type Fields } from '../../formats/recognised.ts';
import { v2Response } from '../../formats/v2.ts';
import type { LiveBatch } from '../../ports/live-source.ts';
import { isId, later } from './ids.ts';
import type { SourceParts } from './options.ts';

/** The posts of an answer. */
export interface Posts {
  readonly records: readonly ArchiveRecord[];
  /** The ids of the posts in `data`, in their order: what X bills. */
  readonly ids: readonly string[];
}

type RecordParts = Pick<SourceParts, 'api' | 'held' | 'observer'>;

/**
 * Maps an answer with posts. Rejects with StoreError. `followed`: the ids of the followed accounts. A post of one of them ends its withdrawal: X shows
 * only accounts that are public again.
 */
export async function postsOf(parts: RecordParts, response: Fields, followed: ReadonlySet<string>): Promise<Posts> {
  const { api, held, observer } = parts;
  const data = Array.isArray(response.data) ? list(response.data) : isFields(response.data) ? [response.data] : [];
  const ids = data.flatMap(({ id }) => (isId(id) ? [id] : []));
  if (data.length === 0) return { records: [], ids };
  const records: ArchiveRecord[] = [];
  const authors = new Set(data.map(({ author_id }) => author_id).filter(isId));
  const chosen = [...authors].filter((author) => followed.has(author));
  const part = chosen.length === 0 ? undefined : await held.read({ tweets: [], users: chosen });
  for (const author of chosen)
    if (part?.isWithdrawn(author) === true) records.push({ kind: 'reinstate', user_id: author });
  for (const result of v2Response(response, new Date(api.now()).toISOString())) {
    if ('records' in result) records.push(...result.records);
    else observer.rejected('not a post');
  }
  return { records, ids };
}

/** A batch of posts with the time of the newest one. */
export function postBatch(records: readonly ArchiveRecord[], position?: string): LiveBatch {
  const times = records.flatMap((record) => (record.kind === 'tweet' ? [Date.parse(record.tweet.created_at)] : []));
  const at = times.length === 0 ? undefined : Math.max(...times);
  return {
    records,
    ...(position === undefined ? {} : { position }),
    ...(at === undefined ? {} : { at }),
    events: { post: times.length },
  };
}

/** The newest of some ids; undefined where there are none. */
export const newestOf = (ids: readonly string[]): string | undefined =>
  ids.reduce<string | undefined>((newest, id) => (newest === undefined ? id : later(newest, id)), undefined);
