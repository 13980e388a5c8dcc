/** An archive that was saved and restored must answer as the one that was not, then and after any further changes. */
import { expect, test } from '@jest/globals';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { ArchiveState, type AppliedLine } from '../../../server/platforms/archive/archive-journal.ts';
import type { Change } from '../../../server/platforms/archive/change.ts';
import { tweetFull } from '../../../server/platforms/archive/views.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { restored } from '../../support/saved-sections.ts';
import { answers, content, step } from './answers.ts';
import { world } from './arbitrary.ts';

const userId = fc.integer({ min: 1, max: 6 }).map(String);
const tweetId = fc.integer({ min: 1, max: 60 }).map(String);
const moment = fc.integer({ min: 0, max: 20 }).map((hours) => new Date(1_770_000_000_000 + hours * 3_600_000));
const at = moment.map((date) => date.toISOString());
type Mention = { username: string; id: string; name?: string };
const rare: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('withdraw' as const), user_id: userId, at }),
  fc.record({ kind: fc.constant('reinstate' as const), user_id: userId }),
  fc.record({ kind: fc.constant('restore' as const), tweet_id: tweetId }),
  fc.record({ kind: fc.constant('unfollow' as const), follower_id: userId, following_id: userId, at }),
  fc.record({ kind: fc.constant('unretweet' as const), tweet_id: tweetId, user_id: userId, at }),
  fc.record({ kind: fc.constant('unlike' as const), tweet_id: tweetId, at: moment.map(Number) }),
  fc.record({
    kind: fc.constant('space' as const),
    space: fc.record({
      ...{
        id: fc.constantFrom('s1', 's2'),
        title: fc.constant('A space'),
        state: fc.constant('ended' as const),
        created_at: at,
        host_id: userId,
      },
      speaker_ids: fc.array(userId, { maxLength: 3 }),
    }),
  }),
  fc.record({
    kind: fc.constant('tweet' as const),
    tweet: fc.record({
      ...{ id: tweetId, text: fc.constant('hello @u7 and @u8'), created_at: at, author_id: userId },
      observed_at: at,
      like_count: fc.constantFrom(1, 5, 2 ** 33),
      entities: fc.record({
        mentions: fc.constantFrom<Mention[]>(
          [{ username: 'u7', id: '7' }],
          [{ username: 'U8', id: '7', name: 'Eight' }],
        ),
        ...{ hashtags: fc.constant<string[]>([]), cashtags: fc.constant<string[]>([]), urls: fc.constant<never[]>([]) },
      }),
    }),
  }),
);
const change: fc.Arbitrary<Change> = fc.oneof({ weight: 20, arbitrary: step }, { weight: 8, arbitrary: rare });
/** Changes, and places where the second archive is saved and restored. */
const history = fc.array(fc.oneof({ weight: 15, arbitrary: change }, fc.constant('restart' as const)), {
  minLength: 20,
  maxLength: 120,
});

/** What readers of the tables see besides `answers`. */
function details(archive: Archive, changes: readonly Change[]) {
  // A save ends no sweep, and a restored archive begins it again: other ordinals are free then.
  const ordinals = [...archive.ordinals()].toSorted((a, b) => Number(archive.id(a) - archive.id(b)));
  return {
    counts: [archive.size, archive.revision, archive.live, archive.timelineCount, archive.index.authorCount],
    removals: archive.removals,
    tweets: ordinals.map((ordinal) => tweetFull(archive, ordinal)),
    engagement: ordinals.map((ordinal) =>
      [1, 40, 80, undefined].map((revision) => archive.engagement(ordinal, revision)),
    ),
    needed: changes.map((each, index) => archive.needs(each, index + 1)),
    described: ['u7', 'u8'].map((username) => archive.userByName(username)),
    ranking: ['901', '902'].map((id) => archive.maxEngagement(id)),
    follows: Array.from(archive.follows, ([id, follows]) => [id, ...follows.newestFirst()]),
  };
}

test('a restored archive answers as the one that was never saved, also after further changes', () => {
  const property = fc.property(history, (steps) => {
    const whole = new Archive();
    let archive = new Archive();
    const changes: Change[] = [];
    for (const each of [...world, ...steps]) {
      if (each === 'restart') {
        archive = restored(archive, new Archive());
        expect(answers(archive)).toEqual(answers(whole));
        continue;
      }
      changes.push(each);
      const number = { seq: changes.length };
      const expected = whole.apply(structuredClone(each), number);
      expect(archive.apply(structuredClone(each), number)).toEqual(expected);
    }
    archive = restored(archive, new Archive());
    expect(content(archive)).toEqual(content(whole));
    expect(answers(archive)).toEqual(answers(whole));
    expect(details(archive, changes)).toEqual(details(whole, changes));
  });
  fc.assert(property, { numRuns: rounds(150, 40) });
});

test('the state of the journal is restored with the archive', () => {
  const state = new ArchiveState();
  const lines: AppliedLine[] = [
    ...world,
    { kind: 'import', fingerprint: 'file', progress: { values: 5, done: false } },
    { kind: 'position', source: 'jetstream', position: '17', at: 1_770_000_000_000 },
    { kind: 'tweet', tweet: { id: '7', text: 'x', created_at: '2026-01-01T00:00:00Z', author_id: '1' } },
    { kind: 'delete', tweet_id: '7', at: '2026-01-02T00:00:00Z' },
    { kind: 'import', fingerprint: 'file', progress: { values: 9, done: true } },
  ];
  lines.forEach((line, index) => state.apply(line, { seq: index + 1, bytes: 100, publish: false }));
  const copy = restored(state, new ArchiveState());
  expect([...copy.imports]).toEqual([['file', { values: 9, done: true }]]);
  expect([...copy.positions]).toEqual([['jetstream', { position: '17', at: 1_770_000_000_000 }]]);
  expect(copy.purgeableSince).toBe(Date.parse('2026-01-02T00:00:00Z'));
  expect(copy.supersededBytes).toBe(state.supersededBytes);
  expect(copy.archive.revision).toBe(lines.length);
  lines.forEach((line, index) => {
    const json = Buffer.from(JSON.stringify(line));
    expect(copy.needs(json, index + 1)).toBe(state.needs(json, index + 1));
  });
});

test('a purge keeps a line by its start if it keeps it by the whole line', () => {
  const property = fc.property(history, (steps) => {
    const state = new ArchiveState();
    const changes = [...world, ...steps].filter((each) => each !== 'restart');
    for (const [index, each] of changes.entries())
      state.apply(structuredClone(each), { seq: index + 1, bytes: 100, publish: false });
    for (const [index, each] of changes.entries()) {
      const isNeeded = state.archive.needs(each, index + 1);
      expect([each, state.needs(Buffer.from(JSON.stringify(each)), index + 1)]).toEqual([each, isNeeded]);
    }
  });
  fc.assert(property, { numRuns: rounds(100, 20) });
});

test('a purge does not take a line for that of the tweet whose id it repeats', () => {
  const state = new ArchiveState();
  const line = (id: string): AppliedLine => ({
    kind: 'tweet',
    tweet: { id, text: 'x', created_at: '2026-01-01T00:00:00Z', author_id: '1' },
  });
  state.apply(line('2'), { seq: 1, bytes: 100, publish: false });
  for (const seq of [2, 3]) state.apply(line('1'), { seq, bytes: 100, publish: false });
  // The last member counts, so this is the line of tweet 2.
  const json = Buffer.from(JSON.stringify(line('2')).replace('"id":"2"', '"id":"1","id":"2"'));
  expect(state.needs(json, 1)).toBe(true);
});

/** An archive whose lists are not sorted: the newest tweet came first, and nothing was read. */
function unread(): Archive {
  const archive = new Archive();
  for (let index = 60; index > 0; index--) {
    const created_at = new Date(1_770_000_000_000 + index * 1000).toISOString();
    const tweet = { id: String(index), text: `coffee ${index % 7}`, created_at, author_id: String(index % 3) };
    archive.apply({ kind: 'tweet', tweet });
  }
  return archive;
}

test('the first search during a save changes no bytes that are still to be written', () => {
  const sections = Array.from(unread().save()).length;
  for (let number = 0; number < sections; number++) {
    const archive = unread();
    const steps = archive.save()[Symbol.iterator]();
    for (let before = 0; before < number; before++) steps.next();
    const section: Uint8Array = steps.next().value;
    const bytes = Buffer.from(section);
    answers(archive);
    expect([number, bytes.equals(Buffer.from(section))]).toEqual([number, true]);
  }
});

test('a large archive is restored whole: long lists, several chunks of memory and many entities', () => {
  const archive = new Archive();
  const texts = Array.from({ length: 1500 }, (_, index) => `common word${index} ${'filler '.repeat(index % 90)}`);
  texts.forEach((text, index) => {
    const id = String(1_000_000 + index);
    const user = { id: String(index + 1), username: `user${index}` };
    archive.apply({ kind: 'user', user });
    archive.apply({ kind: 'follow', follower_id: '1', following_id: user.id, created_at: '2026-01-01T00:00:00Z' });
    archive.apply({ kind: 'tweet', tweet: { id, text, created_at: '2026-01-01T00:00:00Z', author_id: user.id } });
    if (index % 10 === 0) archive.apply({ kind: 'delete', tweet_id: id, at: '2026-01-02T00:00:00Z' });
  });
  const copy = restored(archive, new Archive());
  expect(copy.index.frequency('common')).toBe(1350);
  expect(content(copy)).toEqual(content(archive));
  expect(copy.follows.get('1')!.size).toBe(1500);
});
