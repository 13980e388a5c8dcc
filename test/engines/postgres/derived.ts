/** Compares what the tables derive from the records with what follows from the whole content. */
import { expect } from '@jest/globals';
import type { Archive } from '../../../server/archive/rules/archive.ts';
import { vectorOf } from '../../../server/engines/postgres/rows/lexemes.ts';
import { tweetRows } from '../../../server/engines/postgres/rows/search-rows.ts';
import { ContentContext } from '../../support/content-context.ts';
import { users } from './changes.ts';
import type { PostgresTables } from './tables.ts';

/** The users that mentions describe, and the words and terms that searches read. */
export async function expectDerived(tables: PostgresTables, archive: Archive): Promise<void> {
  const context = new ContentContext(archive.changes());
  for (const id of users) expect([id, await tables.person(id)]).toEqual([id, context.user(id)]);
  const expected = new Map<string, unknown>();
  for (const tweet of context.tweets)
    expected.set(tweet.id, await tables.vector(vectorOf(tweetRows(tweet, context).words)));
  expect(await tables.words()).toEqual(expected);
}
