/** The media files of an export: stored in the data directory before the tweets that name them are imported. */
import type { ArchivedMedia, ArchiveRecord } from '../domain/records.ts';
import { MediaError, type MediaFiles } from '../storage/media-files.ts';
import { messageOf } from '../text/error-text.ts';
import type { TreeFile } from './archive-tree.ts';
import type { LeftOut, MediaNames } from './input-file.ts';

/** Where a file belongs. */
export interface MediaPlace {
  readonly tweetId: string;
  /** The last part of its address on the platform. */
  readonly key: string;
}

/** `names/TWEET-KEY.ext` in the folders of a personal archive of X; those of deleted tweets have other names. */
const ofX = /^(?:.*\/)?(?:tweets?|community_tweet)_media\/([0-9]{1,19})-([\w.-]+)$/;

/** The place of a media file of a personal archive of X, by its path; undefined for any other file. */
export function placeInPersonal(path: string): MediaPlace | undefined {
  const [, tweetId, key] = ofX.exec(path) ?? [];
  return tweetId === undefined || key === undefined ? undefined : { tweetId, key };
}

/** What the import of the media files of an export has done. */
interface StoredMedia {
  readonly names: MediaNames;
  /** The files that are not stored, by the reason. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Stores the media files of an export. `placeOf`: where a file belongs; undefined for a file that no tweet has. A file that cannot be
 * stored is left out, with the reason.
 */
export async function storeMedia(
  tree: readonly TreeFile[],
  placeOf: (path: string) => MediaPlace | undefined,
  files: MediaFiles,
  signal?: AbortSignal,
): Promise<StoredMedia> {
  const names = new Map<string, string>();
  const reasons = new Map<string, number>();
  for (const file of tree) {
    if (signal?.aborted === true) break;
    const place = placeOf(file.path);
    if (place === undefined) continue;
    try {
      names.set(`${place.tweetId} ${place.key}`, await files.add(place.tweetId, file.bytes()));
    } catch (error) {
      const reason = error instanceof MediaError ? error.message : `it cannot be read or stored: ${firstLine(error)}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  if (names.size > 0) await files.settle(names.values(), Date.now());
  const leftOut = Array.from(reasons, ([reason, count]) => ({
    name: count === 1 ? '1 media file' : `${count} media files`,
    reason,
  }));
  return { names, leftOut };
}

/** Without a path of this machine. */
const firstLine = (error: unknown): string =>
  messageOf(error).split(/[\n,]/, 1)[0]!.replaceAll(/\p{C}/gu, '?').slice(0, 100);

/** The last part of an address. */
const keyOf = (url: string | undefined): string => /([\w.-]+)(?:[?#].*)?$/.exec(url ?? '')?.[1] ?? '';

function withFilesOf(media: ArchivedMedia, tweetId: string, names: MediaNames): ArchivedMedia {
  const isVideo = media.type !== 'photo';
  const file = names.get(`${tweetId} ${keyOf(media.url)}`);
  const videoFile = isVideo ? names.get(`${tweetId} ${keyOf(media.video_url)}`) : undefined;
  return {
    ...media,
    // The preview of a video is a picture.
    ...(file === undefined || (isVideo && /\.(?:mp4|webm)$/.test(file)) ? {} : { file }),
    ...(videoFile === undefined ? {} : { video_file: videoFile }),
  };
}

/** A record with the files of its media. */
export function withFiles(record: ArchiveRecord, names: MediaNames | undefined): ArchiveRecord {
  if (names === undefined || names.size === 0 || record.kind !== 'tweet' || record.tweet.media === undefined)
    return record;
  const { tweet } = record;
  return { kind: 'tweet', tweet: { ...tweet, media: tweet.media!.map((each) => withFilesOf(each, tweet.id, names)) } };
}
