/** Records of the tests of saved tables and of their snapshot, and what a start that reads the log makes of them. */
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { content } from '../platforms/archive/answers.ts';
import type { PostgresStorage } from '../ports/postgres.ts';

const at = '2026-01-01T00:00:00.000Z';

export const tweet = (id: number, text = `text${id}`): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), text, created_at: at, author_id: '1' },
});

export const tweets = (from: number, to: number): ArchiveRecord[] =>
  Array.from({ length: to - from }, (_, index) => tweet(from + index));

export const remove = (id: number): ArchiveRecord => ({ kind: 'delete', tweet_id: String(id), at });

const progress = { values: 1, done: false };

export const apply = (durable: DurableArchive, ...records: ArchiveRecord[]) => durable.apply('file', progress, records);

/** What a start without any local file holds. */
export async function replayed(storage: PostgresStorage): Promise<string[]> {
  const store = await storage.open();
  const { archive } = await openArchive(store);
  await store.close();
  return content(archive);
}
