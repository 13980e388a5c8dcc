import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import type { Page, PageRequest } from '../../server/contract/page.ts';
import type { Platform } from '../../server/ports/platform.ts';
import { recordKey, type ArchiveRecord } from '../../server/domain/records.ts';
import { parse } from '../../server/search/language/parse.ts';
import { archiveOn, describeEngines, platformOn } from '../archive/engines.ts';
import { record, world } from '../archive/rules/arbitrary.ts';
import { options } from '../support/call-options.ts';
import { FillWorld } from '../follow/fill/world.ts';
import { rounds } from '../support/rounds.ts';
import { around, describePlatform } from './platform.ts';
import { MemoryPlatform } from './reference/platform.ts';

/** The reference changes the counts of its records. */
const copyOf = (records: readonly ArchiveRecord[]): ArchiveRecord[] =>
  JSON.parse(JSON.stringify(records)) as ArchiveRecord[];

describePlatform(
  'in memory (reference)',
  async () => {
    const platform = new MemoryPlatform();
    return {
      platform,
      add: async (records) => platform.add(copyOf(records)),
      remove: async (id) => platform.remove(id),
      close: async () => {},
    };
  },
  { canRemove: true },
);

describePlatform(
  'the archive with fills',
  async () => {
    const filled = await FillWorld.start();
    // What is followed is not asked for again.
    filled.followed.add('did:plc:alice');
    return {
      platform: filled.platform,
      add: (records) => filled.add(...records),
      remove: (id) => filled.add({ kind: 'delete', tweet_id: id }),
      close: () => filled.close(),
    };
  },
  { canRemove: true },
);

/** Each entity once: the reference does not merge. */
const unique = (records: readonly ArchiveRecord[]): ArchiveRecord[] => [
  ...new Map(records.map((each) => [recordKey(each), each])).values(),
];

type Ask = (platform: Platform, page: PageRequest) => Promise<Page<object>>;
const users = ['1', '4'];
const tweets = ['1', '7', '30'];
const lists: Ask[] = [
  ...users.flatMap((user_id): Ask[] => [
    (port, page) => port.lastTweets({ user_id }, true, page, options),
    (port, page) => port.lastTweets({ user_id }, false, page, options),
    (port, page) => port.highlights({ user_id }, page, options),
    (port, page) => port.followings({ user_id }, page, options),
    (port, page) => port.followers({ user_id }, page, options),
    (port, page) => port.mentions({ user_id }, { since: 0, until: 1_770_050_000_000 }, page, options),
    (port, page) => port.communitiesOf(`u${user_id}`, page, options),
  ]),
  ...tweets.flatMap((id): Ask[] => [
    (port, page) => port.replies(id, page, options),
    (port, page) => port.quotes(id, page, options),
    (port, page) => port.retweeters(id, page, options),
  ]),
  ...[
    'coffee',
    'from:u2',
    '-coffee min_faves:10',
    '#coffee OR @u2',
    'filter:replies',
    'include:nativeretweets',
  ].flatMap((query): Ask[] => [
    (port, page) => port.search(parse(query), 'Latest', page, options),
    (port, page) => port.search(parse(query), 'Top', page, options),
  ]),
  (port, page) => port.discover('901', page, options),
  (port, page) => port.communityMedia('901', page, options),
];
const contexts = ['901', ...tweets].flatMap((id) => [
  (port: Platform): Promise<unknown> => port.communityInfo(id, options),
  (port: Platform): Promise<unknown> => port.tweet(id, options),
  (port: Platform): Promise<unknown> => port.thread(id, 4, options),
  (port: Platform): Promise<unknown> => port.conversation(id, around(4), options),
  (port: Platform): Promise<unknown> => port.repliesBelow([id], { levels: 2, limit: 4 }, options),
  (port: Platform): Promise<unknown> => port.continuation(id, 4, options),
  (port: Platform): Promise<unknown> => port.backgrounds([id], options),
]);

/** What a call answers: its value, or the status and message of its error. */
const outcomeOf = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch(({ status, message }: { status: number; message: string }) => ({ status, message }));

async function walk(platform: Platform, ask: Ask, limit: number): Promise<object[]> {
  const items: object[] = [];
  for (let after: PageRequest['after']; ;) {
    const page = await ask(platform, { after, limit });
    items.push(...page.items);
    if (page.next === null) return items;
    after = page.next;
  }
}

describeEngines('the archive', (tables) => {
  test('and the reference return the same for random records, by pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 120 }).map(unique),
        fc.integer({ min: 1, max: 9 }),
        async (records, limit) => {
          await tables().clear();
          const archive = archiveOn(tables());
          await archive.apply(copyOf([...world, ...records]));
          const platform = platformOn(tables(), archive);
          const reference = new MemoryPlatform();
          reference.add(copyOf([...world, ...records]));
          for (const ask of lists)
            expect(await outcomeOf(walk(platform, ask, limit))).toEqual(await outcomeOf(walk(reference, ask, 100)));
          for (const ask of contexts) expect(await outcomeOf(ask(platform))).toEqual(await outcomeOf(ask(reference)));
        },
      ),
      { numRuns: rounds(20, 2) },
    );
  });
});
