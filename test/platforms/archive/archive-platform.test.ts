import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { archivePlatform } from '../../../server/platforms/archive/archive-platform.ts';
import type { Page, PageRequest } from '../../../server/contract/page.ts';
import type { Platform } from '../../../server/ports/platform.ts';
import { record, world } from './arbitrary.ts';
import { options } from '../../support/call-options.ts';
import { rounds } from '../../support/rounds.ts';

/** A platform over an archive in memory: what is durable is tested with the archive itself. */
function platformOf(records: ArchiveRecord[]): { archive: Archive; platform: Platform } {
  const archive = new Archive();
  for (const each of [...world, ...records]) archive.apply(each);
  return { archive, platform: archivePlatform({ archive } as DurableArchive) };
}

type Item = { id: string };
type Walk = (platform: Platform, page: PageRequest) => Promise<Page<Item>>;
type Brute = (archive: Archive) => string[];

const ordinals = (archive: Archive): number[] => Array.from({ length: archive.size }, (_, ordinal) => ordinal);
/** The ids of the tweets that pass, newest first: by looking at each. */
const newest = (archive: Archive, passes: (tweet: ReturnType<Archive['tweet']>) => boolean): string[] =>
  ordinals(archive)
    .filter((ordinal) => passes(archive.tweet(ordinal)))
    .sort((a, b) => archive.createdAt(b) - archive.createdAt(a) || Number(archive.id(b) - archive.id(a)))
    .map((ordinal) => String(archive.id(ordinal)));

const lists: Record<string, { walk: Walk; brute: Brute }> = {
  'last tweets leave replies out': {
    walk: (platform, page) => platform.lastTweets({ user_id: '1' }, false, page, options),
    brute: (archive) => newest(archive, (tweet) => tweet.author_id === '1' && tweet.in_reply_to_id === undefined),
  },
  'last tweets with replies': {
    walk: (platform, page) => platform.lastTweets({ username: '@U1' }, true, page, options),
    brute: (archive) => newest(archive, (tweet) => tweet.author_id === '1'),
  },
  mentions: {
    walk: (platform, page) =>
      platform.mentions({ username: 'u2' }, { since: 1_770_000_000_000, until: 1_770_050_000_000 }, page, options),
    brute: (archive) =>
      newest(archive, (tweet) => {
        const at = Date.parse(tweet.created_at);
        return (
          at >= 1_770_000_000_000 &&
          at < 1_770_050_000_000 &&
          tweet.entities!.mentions.some(({ username }) => username === 'U2')
        );
      }),
  },
  'community media': {
    walk: (platform, page) => platform.communityMedia('901', page, options),
    brute: (archive) => newest(archive, (tweet) => tweet.community_id === '901' && tweet.media !== undefined),
  },
  discover: {
    walk: (platform, page) => platform.discover('901', page, options),
    brute: (archive) => {
      const rank = (ordinal: number): number =>
        Math.log2(archive.engagement(ordinal) + 1) + archive.createdAt(ordinal) / 86_400_000;
      return ordinals(archive)
        .filter((ordinal) => archive.tweet(ordinal).community_id === '901')
        .sort((a, b) => rank(b) - rank(a) || archive.tweets.order(b, a))
        .map((ordinal) => String(archive.id(ordinal)));
    },
  },
  followings: {
    walk: (platform, page) => platform.followings({ user_id: '1' }, page, options),
    brute: (archive) => members(archive.follows.get('1')),
  },
  highlights: {
    walk: (platform, page) => platform.highlights({ user_id: '1' }, page, options),
    brute: (archive) => members(archive.highlights.get('1')).filter((id) => archive.ordinal(id) !== undefined),
  },
  memberships: {
    walk: (platform, page) => platform.communitiesOf('u1', page, options),
    brute: (archive) => members(archive.memberships.get('1')),
  },
};

const members = (relation: { members(): Iterable<{ id: string; at: number }> } | undefined): string[] =>
  [...(relation?.members() ?? [])].sort((a, b) => b.at - a.at || Number(b.id) - Number(a.id)).map(({ id }) => id);

async function walkAll(
  platform: Platform,
  walk: Walk,
  limit: number,
  between: () => void = () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let after: PageRequest['after']; ;) {
    const page = await walk(platform, { after, limit });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ id }) => id));
    if (page.next === null) return ids;
    expect(page.items.length).toBeGreaterThan(0);
    // A position must survive the trip through a cursor.
    after = JSON.parse(JSON.stringify(page.next)) as PageRequest['after'];
    between();
  }
}

describe.each(Object.entries(lists))('%s', (_name, { walk, brute }) => {
  test('pages of any size equal a scan of all records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 150 }), fc.integer({ min: 1, max: 7 }), async (records, limit) => {
        const { archive, platform } = platformOf(records);
        expect(await walkAll(platform, walk, limit)).toEqual(brute(archive));
      }),
      { numRuns: rounds(40) },
    );
  });

  test('pages have no duplicates and no gaps while data is added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 100 }),
        fc.array(record, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (records, late, limit) => {
          const { archive, platform } = platformOf(records);
          const promised = new Set(brute(archive));
          const additions = [...late];
          const seen = await walkAll(platform, walk, limit, () => {
            // Only what is new: a change to what was there may rightly move it.
            for (const each of additions.splice(0, 5)) if (!isKnown(archive, each)) archive.apply(each);
          });
          expect(new Set(seen).size).toBe(seen.length);
          for (const id of promised) expect(seen).toContain(id);
        },
      ),
      { numRuns: rounds(30) },
    );
  });
});

function isKnown(archive: Archive, each: ArchiveRecord): boolean {
  switch (each.kind) {
    case 'tweet':
      return archive.ordinal(each.tweet.id) !== undefined;
    case 'follow':
      return archive.follows.get(each.follower_id)?.has(each.following_id) ?? false;
    case 'highlight':
      return archive.highlights.get(each.user_id)?.has(each.tweet_id) ?? false;
    case 'membership':
      return archive.memberships.get(each.user_id)?.has(each.community_id) ?? false;
    case 'retweet':
      return archive.retweeters.get(each.tweet_id)?.has(each.user_id) ?? false;
    default:
      return false;
  }
}

test('discover has no duplicates and no gaps while likes change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 20, maxLength: 120 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat(59)),
      async (records, limit, picks) => {
        const { archive, platform } = platformOf(records);
        const promised = lists.discover!.brute(archive);
        const seen = await walkAll(platform, lists.discover!.walk, limit, () => {
          const ordinal = archive.ordinal(String(picks.next().value! + 1));
          if (ordinal === undefined) return;
          const tweet = archive.tweet(ordinal);
          archive.apply({
            kind: 'tweet',
            tweet: { ...tweet, like_count: (tweet.like_count ?? 0) + 40, observed_at: '2027-01-01T00:00:00Z' },
          });
        });
        expect(seen).toEqual(promised);
      },
    ),
    { numRuns: rounds(30) },
  );
});

test('a changed retweet target does not create a retweeter', async () => {
  const tweet = (id: string, more: object = {}): ArchiveRecord => ({
    kind: 'tweet',
    tweet: { id, text: 'coffee', created_at: '2026-02-02T02:40:00Z', author_id: '1', ...more },
  });
  const { platform } = platformOf([
    tweet('301'),
    tweet('302'),
    tweet('303', { retweeted_tweet_id: '301', observed_at: '2026-03-01T00:00:00Z' }),
    tweet('303', { retweeted_tweet_id: '302', observed_at: '2026-03-02T00:00:00Z' }),
  ]);
  const counts = await Promise.all(
    ['301', '302'].map(
      async (id) => (await walkAll(platform, (port, page) => port.retweeters(id, page, options), 2)).length,
    ),
  );
  expect(counts).toEqual([1, 0]);
});

test('replies and retweeters of each tweet equal a scan of all records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 150 }), async (records) => {
      const { archive, platform } = platformOf(records);
      for (const ordinal of ordinals(archive)) {
        const { id } = archive.tweet(ordinal);
        expect(await walkAll(platform, (port, page) => port.replies(id, page, options), 2)).toEqual(
          newest(archive, (tweet) => tweet.in_reply_to_id === id),
        );
        const retweeters = new Set([
          ...records.flatMap((each) => (each.kind === 'retweet' && each.tweet_id === id ? [each.user_id] : [])),
          ...ordinals(archive)
            .map((each) => archive.tweet(each))
            .filter((tweet) => tweet.retweeted_tweet_id === id)
            .map((tweet) => tweet.author_id),
        ]);
        expect(new Set(await walkAll(platform, (port, page) => port.retweeters(id, page, options), 2))).toEqual(
          retweeters,
        );
      }
    }),
    { numRuns: rounds(30) },
  );
});

test.each<[string, (platform: Platform) => Promise<unknown>]>([
  ['user', (platform) => platform.lastTweets({ username: 'nobody' }, false, { after: undefined, limit: 1 }, options)],
  ['user with id 77', (platform) => platform.followings({ user_id: '77' }, { after: undefined, limit: 1 }, options)],
  ['tweet 999', (platform) => platform.replies('999', { after: undefined, limit: 1 }, options)],
  ['community 999', (platform) => platform.discover('999', { after: undefined, limit: 1 }, options)],
  ['space nowhere', (platform) => platform.space('nowhere', options)],
  ['tweet 999', (platform) => platform.unlike('999', options)],
])('returns 404 with the name for an unknown %s', async (thing, ask) => {
  const { platform } = platformOf([]);
  await expect(ask(platform)).rejects.toMatchObject({ status: 404, message: expect.stringContaining(thing) });
});

test('the revision changes with every change, and only then', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 30 }), (records) => {
      const { archive, platform } = platformOf([]);
      const seen = new Set([platform.revision()]);
      for (const each of records) {
        const before = platform.revision();
        const isChanged = archive.apply(each, { seq: 3 }).outcome !== 'unchanged';
        expect(platform.revision() !== before).toBe(isChanged);
        if (isChanged) expect(seen.has(platform.revision())).toBe(false);
        seen.add(platform.revision());
      }
    }),
    { numRuns: rounds(15) },
  );
});

describe('the communities of a user of Bluesky', () => {
  const user = { id: '77', username: 'alice.example.com', did: 'did:plc:alice', name: 'Alice' };

  test('are not supported, which is not the same as an empty list', async () => {
    const { platform } = platformOf([{ kind: 'user', user }]);
    await expect(platform.communitiesOf(user.username, { after: undefined, limit: 20 }, options)).rejects.toMatchObject(
      {
        status: 501,
        message: 'Bluesky has no communities',
      },
    );
  });

  test('are listed where the archive has memberships', async () => {
    const { platform } = platformOf([
      { kind: 'user', user },
      { kind: 'membership', community_id: '901', user_id: user.id, role: 'member' },
    ]);
    const { items } = await platform.communitiesOf(user.username, { after: undefined, limit: 20 }, options);
    expect(items.map(({ id }) => id)).toEqual(['901']);
  });

  test('are an empty list for a user of another platform', async () => {
    const { platform } = platformOf([{ kind: 'user', user: { id: '78', username: 'bob', name: 'Bob' } }]);
    const { items } = await platform.communitiesOf('bob', { after: undefined, limit: 20 }, options);
    expect(items).toEqual([]);
  });
});
