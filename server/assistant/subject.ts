/** Gathers what the archive knows around a tweet. */
import type { Archive } from '../archive/archive.ts';
import { tweetFull } from '../archive/forms.ts';
import type { Subject } from './provider.ts';

/** The subject of a tweet; undefined where the archive has no such tweet. */
export function subjectOf(archive: Archive, tweetId: string): Subject | undefined {
  const ordinal = archive.ordinal(tweetId);
  return ordinal === undefined ? undefined : { tweet: tweetFull(archive, ordinal), thread: [], replies: [], authored: [] };
}
