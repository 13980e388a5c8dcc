/** The records that the archive keeps; their shape is spec/archive.yaml. */
import type { components } from '../../generated/archive.ts';

export type ArchiveSchemas = components['schemas'];
export type ArchiveRecord = ArchiveSchemas['ArchiveRecord'];
export type ArchivedTweet = ArchiveSchemas['ArchivedTweet'];
export type ArchivedUser = ArchiveSchemas['ArchivedUser'];
export type ArchivedCommunity = ArchiveSchemas['ArchivedCommunity'];
export type ArchivedSpace = ArchiveSchemas['ArchivedSpace'];

/** What became of a record: new, changed what was known, or already known. */
export type Outcome = 'added' | 'updated' | 'unchanged';

/** The six counts of a tweet. */
export const counts = ['retweet_count', 'reply_count', 'like_count', 'quote_count', 'bookmark_count', 'view_count'] as const;
