/** Opens what serves and removes the media files of a service. */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { HeldRecords } from '../ports/held-records.ts';
import { MediaFiles, mediaFolder } from '../storage/media-files.ts';
import { heldTweets, startMediaPurge } from './media-purge.ts';
import { createMediaRoutes } from './media-routes.ts';

interface OpenMedia {
  readonly routes: RequestHandler;
  /** Ends the removal of files. */
  stop(): Promise<void>;
}

/** Removes the files of removed tweets from now on. */
export function openMedia(
  { dataDir, purgeWithinMs }: { readonly dataDir: string; readonly purgeWithinMs: number },
  records: HeldRecords,
  logger: Logger,
): OpenMedia {
  const folder = mediaFolder(dataDir);
  const held = heldTweets(records);
  return {
    routes: createMediaRoutes(folder, held),
    stop: startMediaPurge({ files: new MediaFiles(folder), held, purgeWithinMs, logger }),
  };
}
