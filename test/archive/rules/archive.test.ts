// Tests server/archive/rules/merge.ts, server/archive/rules/snapshot.ts, server/archive/rules/tweet-changes.ts and
// server/archive/rules/tweets.ts.
import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { record, world } from './arbitrary.ts';
import { rounds } from '../../support/rounds.ts';

/** Everything an archive holds, in an order of its own. */
const contents = (archive: Archive): string[] =>
  [...archive.changes()].map((change) => JSON.stringify(sorted(change))).sort();
const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort()
          .map(([name, inner]) => [name, sorted(inner)]),
      );

const archiveOf = (...changes: Parameters<Archive['apply']>[0][]): Archive => {
  const archive = new Archive();
  for (const change of [...world, ...changes]) archive.apply(change);
  return archive;
};
const tweet = (more: Partial<ArchivedTweet> = {}): { kind: 'tweet'; tweet: ArchivedTweet } => ({
  kind: 'tweet',
  tweet: { id: '10', text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
});
const likes = (archive: Archive): number | undefined => archive.tweet('10')?.like_count;
const liked = (archive: Archive): boolean =>
  [...archive.changes()].some((change) => change.kind === 'like' && change.tweet_id === '10');

test('importing records twice has the effect of importing them once', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 100 }), (records) => {
      const once = archiveOf(...records);
      expect(contents(archiveOf(...records, ...records))).toEqual(contents(once));
    }),
  );
});

test('an archive rebuilt from its own changes is equal', () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 100 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 10 }),
      (records, unliked) => {
        const archive = archiveOf(
          ...records,
          ...unliked.map((id) => ({ kind: 'unlike' as const, tweet_id: String(id), at: 1_800_000_000_000 })),
        );
        const anew = new Archive();
        for (const change of archive.changes()) anew.apply(change);
        expect(contents(anew)).toEqual(contents(archive));
      },
    ),
    { numRuns: rounds(80) },
  );
});

describe('of two observations of a tweet', () => {
  test('the later one wins, in any order of arrival', () => {
    const early = tweet({ like_count: 9, observed_at: '2026-02-01T00:00:00Z' });
    const late = tweet({ like_count: 5, observed_at: '2026-03-01T00:00:00Z' });
    expect(likes(archiveOf(early, late))).toBe(5);
    expect(likes(archiveOf(late, early))).toBe(5);
  });

  test('of the same time, the larger count wins', () => {
    expect(likes(archiveOf(tweet({ like_count: 5 }), tweet({ like_count: 9 })))).toBe(9);
    expect(likes(archiveOf(tweet({ like_count: 9 }), tweet({ like_count: 5 })))).toBe(9);
  });

  test('unknown members never overwrite known ones', () => {
    const full = archiveOf(
      tweet({ view_count: 70, lang: 'en' }),
      tweet({ like_count: 1, observed_at: '2026-03-01T00:00:00Z' }),
    ).tweet('10');
    expect(full).toMatchObject({ view_count: 70, like_count: 1 });
  });

  test('the text for a picture stays known when the other observation has the same picture without it', () => {
    const url = 'https://images.example/a.jpg';
    const without = tweet({ media: [{ type: 'photo', url }], observed_at: '2026-03-01T00:00:00Z' });
    const early = tweet({ media: [{ type: 'photo', url, alt_text: 'A cat' }], observed_at: '2026-02-01T00:00:00Z' });
    for (const records of [
      [early, without],
      [without, early],
    ])
      expect(archiveOf(...records).tweet('10')?.media).toEqual([{ type: 'photo', url, alt_text: 'A cat' }]);
    const changed = tweet({ media: [{ type: 'photo', url: `${url}?2` }], observed_at: '2026-03-01T00:00:00Z' });
    expect(archiveOf(early, changed).tweet('10')?.media).toEqual([{ type: 'photo', url: `${url}?2` }]);
  });

  test('neither changes the author or time of the tweet', () => {
    const full = archiveOf(
      tweet(),
      tweet({ author_id: '2', created_at: '2026-01-01T00:00:01Z', observed_at: '2026-03-01T00:00:00Z' }),
    ).tweet('10');
    expect(full).toMatchObject({ author_id: '1', created_at: '2026-01-01T00:00:00Z' });
  });
});

describe('an unlike', () => {
  const like = { kind: 'like' as const, tweet_id: '10' };
  const unlike = { kind: 'unlike' as const, tweet_id: '10', at: Date.parse('2026-05-01T00:00:00Z') };

  test('lowers like_count by one and is not undone by importing the older like again', () => {
    const archive = archiveOf(tweet({ like_count: 4 }), like, unlike);
    expect([liked(archive), likes(archive)]).toEqual([false, 3]);
    archive.apply(like);
    archive.apply(tweet({ like_count: 4, observed_at: '2026-04-01T00:00:00Z' }));
    expect([liked(archive), likes(archive)]).toEqual([false, 3]);
  });

  test('is undone by a like of a later time', () => {
    const archive = archiveOf(tweet(), like, unlike, { ...like, created_at: '2026-06-01T00:00:00Z' });
    expect(liked(archive)).toBe(true);
  });

  test('never lowers a count below 0', () => {
    expect(likes(archiveOf(tweet({ like_count: 0 }), like, unlike))).toBe(0);
  });
});

test('location, poll and card of a tweet are stored and completed', () => {
  const place = {
    place_id: 'p1',
    coordinates: { longitude: 1, latitude: 2 },
    poll: { options: [{ label: 'a', votes: 1 }, { label: 'b' }] },
    card_name: 'poll2choice_text_only',
  };
  const later = {
    observed_at: '2026-03-01T00:00:00.000Z',
    poll: { options: [{ label: 'a', votes: 4 }, { label: 'b' }] },
  };
  const archive = archiveOf(tweet(), tweet(place), tweet(later), tweet({ poll: { id: '1' } }));
  expect(archive.tweet('10')).toMatchObject({ ...place, poll: later.poll });
});

test('the later of two observations of a place or list wins, and absent members stay', () => {
  const early = {
    kind: 'place' as const,
    place: { id: 'p1', name: 'Old', country_code: 'ZA', observed_at: '2026-01-01T00:00:00.000Z' },
  };
  const late = { kind: 'place' as const, place: { id: 'p1', name: 'New', observed_at: '2026-02-01T00:00:00.000Z' } };
  for (const order of [
    [early, late],
    [late, early],
  ]) {
    expect([...archiveOf(...order).changes()]).toContainEqual({
      kind: 'place',
      place: expect.objectContaining({ name: 'New', country_code: 'ZA', observed_at: late.place.observed_at }),
    });
  }
  const list = (slug: string, month: number) => ({
    kind: 'list' as const,
    list: { id: '801', owner_id: '1', slug, observed_at: `2026-0${month}-01T00:00:00.000Z` },
  });
  for (const order of [
    [list('old', 1), list('new', 2)],
    [list('new', 2), list('old', 1)],
  ])
    expect([...archiveOf(...order).changes()]).toContainEqual({
      kind: 'list',
      list: expect.objectContaining({ id: '801', slug: 'new' }),
    });
});

describe('the outcome of a record', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const membership = { kind: 'membership', community_id: '70', user_id: '1', role: 'member' } as const;
  const joined = { event: 'community.joined', id: '70', userId: '1' };
  const user = { kind: 'user', user: { id: '900', username: 'new', did: 'did:plc:a' } } as const;
  test.each<[string, Change[], object]>([
    ['of a new membership has an event', [membership], { outcome: 'added', events: [joined] }],
    ['of another role has none', [membership, { ...membership, role: 'admin' }], { outcome: 'updated', events: [] }],
    ['of the same membership has none', [membership, membership], { outcome: 'unchanged', events: [] }],
    ['of a new profile is added', [user], { outcome: 'added', events: [] }],
    [
      'of a profile with another identifier is rejected',
      [user, { ...user, user: { ...user.user, did: 'did:plc:b' } }],
      { outcome: 'rejected', events: [] },
    ],
    [
      'of a post of another author at an address is rejected',
      [tweet(), tweet({ uri: 'at://b', author_id: '2' })],
      { outcome: 'rejected', events: [] },
    ],
    [
      'about a removed tweet is unchanged',
      [{ kind: 'delete', tweet_id: '10', at }, tweet()],
      { outcome: 'unchanged', events: [] },
    ],
  ])('%s', (_what, changes, expected) => {
    const archive = new Archive();
    for (const change of changes.slice(0, -1)) archive.apply(change);
    expect(archive.apply(changes.at(-1)!)).toEqual(expected);
  });

  test('is none for a record that cannot be used, which changes nothing', () => {
    const archive = new Archive();
    for (const record of [
      { kind: 'user', user: { id: '1' } },
      { kind: 'user', user: { id: '1', username: 'a', name: 5 } },
    ])
      expect(() => archive.apply(record as never)).toThrow(expect.objectContaining({ name: 'UnusableRecord' }));
    expect([...archive.changes()]).toEqual([]);
  });

  test('of a deletion of another post at an address is that it removes nothing', () => {
    const archive = archiveOf(tweet({ uri: 'at://a' }));
    const deletion = { kind: 'delete', tweet_id: '10', at, uri: 'at://b' } as const;
    expect([archive.removedBy(deletion), archive.apply(deletion)]).toEqual([[], { outcome: 'rejected', events: [] }]);
    expect(archive.removedBy({ ...deletion, uri: 'at://a' })).toEqual(['10']);
  });
});
