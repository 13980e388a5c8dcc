/** Random changes of an archive that include removals, and everything that readers can ask it. */
import type { Archive } from '../../../server/platforms/archive/archive.ts';
import type { EvictChange } from '../../../server/platforms/archive/change.ts';
import { parse } from '../../../server/search/language/parse.ts';
import fc from '../../support/property.ts';
import { record, world } from './arbitrary.ts';

const queries = [
  ...['coffee', '"coffee and code"', '"night run"', 'from:u2', '"user 3"', '#coffee', '@u2', 'to:u1', 'filter:replies'],
  ...['filter:media', 'min_faves:10', 'near:Town', 'list:801', 'coffee OR run', '-coffee', 'quoted_tweet_id:7', 'btc'],
].map((text) => parse(text));
export const page = { after: undefined, limit: 100 };

/** What an archive answers: search results in both orders, lists, counts of terms and users. */
export function answers(archive: Archive) {
  const ids = (ordinals: Iterable<number>): string[] =>
    Array.from(ordinals)
      .filter((ordinal) => !archive.isGone(ordinal))
      .map((ordinal) => String(archive.id(ordinal)));
  const users = ['1', '2', '3', '4', '5', '6'];
  return {
    found: queries.map((query) => ids(archive.index.search(query, 'Latest', page).items)),
    top: queries.map((query) => ids(archive.index.search(query, 'Top', page).items)),
    frequency: ['coffee', 'night', 'user', 'from:2'].map((term) => archive.index.frequency(term)),
    authored: users.map((id) => ids(archive.byAuthor.get(id)?.sorted(archive.order) ?? [])),
    mentions: users.map((id) =>
      archive.mentionsOf({ id, username: `u${id}` }).flatMap((list) => ids(list.sorted(archive.order))),
    ),
    replies: ['7', '8', '9'].map((id) => ids(archive.replies.get(id)?.sorted(archive.order) ?? [])),
    users: users.map((id) => archive.findUser({ user_id: id })),
    named: users.map((id) => archive.findUser({ username: `u${id}` })?.id),
  };
}

export const content = (archive: Archive): string[] =>
  Array.from(archive.changes(), (each) => JSON.stringify(each)).toSorted();

const id = fc.integer({ min: 1, max: 60 }).map(String);
const someUser = fc.integer({ min: 1, max: 6 }).map(String);
const eviction: fc.Arbitrary<EvictChange> = fc.record({
  kind: fc.constant('evict' as const),
  tweet_ids: fc.array(id, { maxLength: 30 }),
  user_ids: fc.array(someUser, { maxLength: 3 }),
  tombstone_ids: fc.array(id, { maxLength: 10 }),
  at: fc.constant('2026-03-01T00:00:00.000Z'),
});
const deletion = id.map((tweet_id) => ({ kind: 'delete' as const, tweet_id, at: '2026-02-20T00:00:00.000Z' }));
export const step = fc.oneof(
  { weight: 12, arbitrary: record },
  { weight: 2, arbitrary: deletion },
  { weight: 2, arbitrary: fc.constantFrom(...world) },
  { weight: 3, arbitrary: eviction },
);
