/** Compares what the tables derive from the records with what an archive in memory derives. */
import { expect } from '@jest/globals';
import type { Archive } from '../../../server/platforms/archive/archive.ts';
import { vectorOf } from '../../../server/platforms/postgres/rows/lexemes.ts';
import { tweetRows } from '../../../server/platforms/postgres/rows/search-rows.ts';
import { contextFrom } from '../../../server/search/document.ts';
import { users } from './changes.ts';
import type { PostgresTables } from './tables.ts';

/** The users that mentions describe, and the words and terms that searches read. */
export async function expectDerived(tables: PostgresTables, archive: Archive): Promise<void> {
  for (const id of users) expect([id, await tables.person(id)]).toEqual([id, archive.user(id)]);
  const context = contextFrom(archive);
  const expected = new Map<string, unknown>();
  for (const ordinal of archive.ordinals()) {
    const { words } = tweetRows(archive.tweet(ordinal), context);
    expected.set(archive.tweet(ordinal).id, await tables.vector(vectorOf(words)));
  }
  expect(await tables.words()).toEqual(expected);
}
