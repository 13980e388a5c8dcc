import { expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { faultsOf, randomTweet, users } from './random-archive.ts';
import { AnswerReader } from './reader.ts';

test('every sentence that states a number, a name or an absence is true of the records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(randomTweet, { selector: (each) => each.id, minLength: 1, maxLength: 13 }),
      async (tweets) => {
        const about = tweets.find((each) => each.id === '100') ?? tweets[0]!;
        expect(await faultsOf(tweets, about.id)).toEqual([]);
      },
    ),
    { numRuns: rounds(100, 5) },
  );
});

test('the reader finds untrue answers', () => {
  const post: ArchivedTweet = {
    id: '100',
    author_id: '1',
    text: 'We moved the build.',
    created_at: '2026-03-04T05:06:00.000Z',
    like_count: 3,
  };
  const world = {
    tweets: new Map([['100', post]]),
    users: new Map(users.map((user) => [user.id, user])),
    about: '100',
  };
  const reader = new AnswerReader(world);
  for (const untrue of [
    '@tom wrote on 4 March 2026 at 05:06 UTC: “We moved the build.”',
    '@mira_codes wrote on 4 March 2026 at 05:07 UTC: “We moved the build.”',
    '@mira_codes wrote on 4 March 2026 at 05:06 UTC: “We moved the ship.”',
    'I found nothing about “build” in the post.',
    'It had no replies when the source counted them.',
    'It replies to a post that the archive does not have.',
    'Figures: likes: 4.',
    'The source gave no count of: likes.',
    'Likes: 3, far less than usual for this author (median of 0 other posts in the archive: 0).',
    'The author lives in Tromsø.',
  ])
    expect([untrue, reader.faults(untrue).length]).toEqual([untrue, 1]);
  expect(reader.faults('@mira_codes wrote on 4 March 2026 at 05:06 UTC: “We moved the build.”')).toEqual([]);
});
