/** The removal of media files whose tweets were erased, deleted or evicted. */
import type { Logger } from 'pino';
import type { HeldRecords } from '../ports/held-records.ts';
import { RepeatedTask } from '../process/repeated-task.ts';
import type { MediaFiles } from '../storage/media-files.ts';

/** Which of some tweets the archive has. */
export const heldTweets =
  (records: Pick<HeldRecords, 'read'>) =>
  async (tweetIds: readonly string[]): Promise<ReadonlySet<string>> => {
    if (tweetIds.length === 0) return new Set();
    const part = await records.read({ tweets: tweetIds, users: [] });
    return new Set(tweetIds.filter((id) => part.tweet(id) !== undefined));
  };

/** The shortest and the longest time between two passes, in milliseconds. */
const [minPassMs, maxPassMs] = [60_000, 3_600_000];
/** A file stays so long after its import, because its tweet may be on its way, in milliseconds. */
const [minNewMs, maxNewMs] = [3_600_000, 86_400_000];

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

export interface MediaPurgeParts {
  readonly files: MediaFiles;
  readonly held: ReturnType<typeof heldTweets>;
  readonly purgeWithinMs: number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** Removes such files now and then. Returns a function that ends it after the pass in progress. */
export function startMediaPurge({ files, held, purgeWithinMs, logger }: MediaPurgeParts): () => Promise<void> {
  const keptMs = between(purgeWithinMs, minNewMs, maxNewMs);
  const pass = async (): Promise<void> => {
    try {
      const removed = await files.purge(held, Date.now() - keptMs);
      if (removed > 0) logger.info({ files: removed }, 'removed the media files of tweets that are gone');
    } catch (error) {
      logger.error({ err: error }, 'media files of removed tweets can still be on the disk; it is tried again');
    }
  };
  const passes = new RepeatedTask(between(purgeWithinMs / 4, minPassMs, maxPassMs), pass);
  passes.start();
  return () => passes.stop();
}
