// Not in `npm run test:fast`: it plays the whole sample.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createRandom } from '../../scripts/sample/random.ts';
import type { DomainEvent } from '../../server/domain/events.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { archivePlatform } from '../../server/platforms/archive/archive-platform.ts';
import type { ArchiveRecord, ArchivedTweet } from '../../server/domain/records.ts';
import { Contents } from '../../server/demo/contents.ts';
import { Timeline } from '../../server/demo/timeline.ts';
import { openReplay } from '../../server/demo/replay.ts';
import { validationError } from '../../server/import/formats/native.ts';
import { readSample } from '../../server/demo/seed-sample.ts';
import type { ImportProgress } from '../../server/ports/import-sink.ts';
import { nightlyTest } from '../support/nightly.ts';

let sample: ArchiveRecord[];
/** Samples for what does not depend on their size. */
let part: ArchiveRecord[];
let few: ArchiveRecord[];
beforeAll(async () => {
  sample = await readSample();
  part = sample.slice(0, sample.length / 4);
  few = sample.slice(0, sample.length / 20);
});

/** When the replays of these tests begin; a step a second. */
const start = Date.parse('2030-01-01T00:00:00Z');

/** An archive in memory that takes in as the real one does, and keeps how far an import got. */
function archiveWith(...records: ArchiveRecord[]) {
  const archive = new Archive();
  for (const record of records) archive.apply(record);
  const imports = new Map<string, ImportProgress>();
  const happenings: DomainEvent[] = [];
  const sink = {
    resume: async (fingerprint: string) => imports.get(fingerprint),
    apply: async (fingerprint: string, progress: ImportProgress, taken: ArchiveRecord[]) => {
      imports.set(fingerprint, progress);
      return taken.map((record) => {
        const { outcome, events } = archive.apply(record);
        happenings.push(...events);
        return outcome;
      });
    },
  };
  const source = archivePlatform({ archive, unlike: async () => false });
  return { archive, happenings, sink, source };
}

const tweets = (archive: Archive): ArchivedTweet[] =>
  Array.from({ length: archive.size }, (_, ordinal) => archive.tweet(ordinal));

/** Takes steps of the timeline of a sample, and all that they bring. */
async function play(
  { archive, happenings, source }: ReturnType<typeof archiveWith>,
  records: ArchiveRecord[],
  seed: number,
  steps?: number,
): Promise<ArchiveRecord[][]> {
  const contents = await Contents.read(source);
  const timeline = new Timeline({ sample: records, contents, source, random: createRandom(seed).next });
  const played: ArchiveRecord[][] = [];
  for (let number = 0; number < (steps ?? timeline.steps); number++) {
    const step = await timeline.step(number, start + number * 1000);
    for (const record of step) {
      happenings.push(...archive.apply(record).events);
      contents.add(record);
    }
    played.push(step);
  }
  return played;
}

describe('the replay timeline', () => {
  test('is the same for the same seed and clock', async () => {
    const [one, same, other] = await Promise.all(
      [1, 1, 2].map(async (seed) => JSON.stringify(await play(archiveWith(...part), part, seed, 200))),
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });

  describe('after its last step', () => {
    let archive: Archive;
    let happenings: DomainEvent[];
    let played: ArchiveRecord[][];
    let before: number;
    let copies: ArchivedTweet[];
    beforeAll(async () => {
      const made = archiveWith(...sample);
      ({ archive, happenings } = made);
      before = archive.size;
      played = await play(made, sample, 7);
      copies = tweets(archive).slice(before);
    });

    test('writes every tweet of the sample once except the examples of the contract: the archive doubles', () => {
      const examples = tweets(archive).filter(({ id }) => /^18900000000000000\d\d$/.test(id)).length;
      expect(examples).toBeGreaterThan(2);
      expect(copies.length).toBe(before - examples);
      expect(new Set(copies.map(({ id }) => id)).size).toBe(copies.length);
    });

    test('contains only valid records', () => {
      expect(
        played
          .flat()
          .map(validationError)
          .filter((reason) => reason !== undefined),
      ).toEqual([]);
    });

    test('marks every text and tweet as demo data, with current times and ids', () => {
      const isMarked = ({ text, source, entities }: ArchivedTweet): boolean =>
        text.endsWith(' #demo') && source === 'Demo replay' && entities?.hashtags.at(-1) === 'demo';
      const isCurrent = ({ id, created_at: at }: ArchivedTweet): boolean =>
        Number((BigInt(id) >> 22n) + 1288834974657n) === Date.parse(at) && Date.parse(at) >= start;
      expect(copies.filter((copy) => !isMarked(copy) || !isCurrent(copy))).toEqual([]);
    });

    test('copies reply to, quote and retweet earlier copies, except for the examples', () => {
      const at = new Map(tweets(archive).map((tweet) => [tweet.id, Date.parse(tweet.created_at)]));
      let referring = 0;
      let toExamples = 0;
      const wrong: ArchivedTweet[] = [];
      for (const copy of copies) {
        for (const id of [copy.in_reply_to_id, copy.conversation_id, copy.quoted_tweet_id, copy.retweeted_tweet_id]) {
          if (id === undefined) continue;
          referring++;
          if (/^18900000000000000\d\d$/.test(id)) toExamples++;
          else if (!(at.get(id)! >= start && at.get(id)! < Date.parse(copy.created_at))) wrong.push(copy);
        }
        for (const { expanded_url: address } of copy.media ?? [])
          if (address?.includes('/status/') && !address.includes(copy.id)) wrong.push(copy);
      }
      expect(wrong).toEqual([]);
      expect(referring).toBeGreaterThan(1000);
      expect(toExamples).toBeGreaterThan(20);
    });

    test('produces every kind of event throughout', () => {
      const most = happenings.length;
      for (let part = 0; part < 4; part++) {
        const delivered = new Set(
          happenings.slice((part * most) / 4, ((part + 1) * most) / 4).map(({ event }) => event),
        );
        expect(delivered).toEqual(new Set(['tweet.created', 'tweet.updated', 'tweet.engagement', 'community.joined']));
      }
      const repliesToExample = copies
        .filter((tweet) => tweet.in_reply_to_id === '1890000000000000001')
        .map((tweet) => Date.parse(tweet.created_at));
      expect(Math.max(...repliesToExample) - Math.min(...repliesToExample)).toBeGreaterThan((played.length / 2) * 1000);
      expect(
        happenings.filter((each) => each.event === 'tweet.engagement' && each.id === '1890000000000000001').length,
      ).toBeGreaterThan(50);
    });

    test('counts never decrease, and reply counts belong to the right tweet', () => {
      const first = played[0]!.find((record) => record.kind === 'tweet')!.tweet;
      expect(first).toMatchObject({ like_count: 0, reply_count: 0, view_count: 1 });
      const replies = Map.groupBy(copies, (copy) => copy.in_reply_to_id);
      for (const copy of copies)
        if (replies.has(copy.id)) expect([copy.id, copy.reply_count]).toEqual([copy.id, replies.get(copy.id)?.length]);
      expect(copies.some((copy) => copy.like_count! > 20)).toBe(true);
    });
  });
});

describe('a replay', () => {
  const immediately = async (): Promise<void> => {};
  const options = { perSecond: 2, now: () => start, random: createRandom(3).next };

  nightlyTest('has random delays with the requested average rate', async () => {
    const pauses: number[] = [];
    const durable = archiveWith(...part);
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const replay = await openReplay({ ...durable, sample: part, ...options, pause });
    expect(await replay.play()).toBe('complete');
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(150);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(850);
    expect(pauses.reduce((sum, ms) => sum + ms, 0) / pauses.length).toBeCloseTo(500, -1.5);
    expect(replay.left).toBe(0);
  });

  nightlyTest('resumes after a stop with the same final result; after the end it adds nothing', async () => {
    const durable = archiveWith(...part);
    const whole = archiveWith(...part);
    expect(await (await openReplay({ ...whole, sample: part, ...options, pause: immediately })).play()).toBe(
      'complete',
    );
    let left: number | undefined;
    while (left !== 0) {
      let steps = 0;
      const replay = await openReplay({
        ...durable,
        sample: part,
        ...options,
        pause: async () => void (++steps > 500 && void replay.stop()),
      });
      if (left !== undefined) expect(replay.left).toBe(left);
      const ended = await replay.play();
      left = replay.left;
      expect(ended).toBe(left === 0 ? 'complete' : 'stopped');
    }
    expect(durable.archive.size).toBe(whole.archive.size);
    expect(
      new Set(
        tweets(durable.archive).map(({ text, author_id: author }) => `${author} ${text.replaceAll(' (edited)', '')}`),
      ),
    ).toEqual(
      new Set(
        tweets(whole.archive).map(({ text, author_id: author }) => `${author} ${text.replaceAll(' (edited)', '')}`),
      ),
    );
    const size = durable.archive.size;
    const again = await openReplay({ ...durable, sample: part, ...options, pause: immediately });
    expect([again.left, await again.play(), durable.archive.size]).toEqual([0, 'complete', size]);
  });

  test('stops at once during a wait, or after the current step is durable', async () => {
    const durable = archiveWith(...part);
    const waiting = await openReplay({ ...durable, sample: part, ...options, perSecond: 0.01 });
    const ended = waiting.play();
    await waiting.stop();
    expect(await ended).toBe('stopped');

    const asked = Promise.withResolvers<void>();
    const durably = Promise.withResolvers<void>();
    const slow: typeof durable.sink = {
      ...durable.sink,
      async apply(...call) {
        asked.resolve();
        await durably.promise;
        return durable.sink.apply(...call);
      },
    };
    const replay = await openReplay({ ...durable, sink: slow, sample: part, ...options, pause: immediately });
    void replay.play();
    await asked.promise;
    let stopped = false;
    const stopping = replay.stop().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    durably.resolve();
    await stopping;
  });

  const foreign: [string, ArchiveRecord][] = [
    [
      'tweet 5',
      {
        kind: 'tweet',
        tweet: { id: '5', text: 'mine', created_at: '2026-01-01T00:00:00.000Z', author_id: '4200000001' },
      },
    ],
    ['user 7', { kind: 'user', user: { id: '7', username: 'me' } }],
    ['community 8', { kind: 'community', community: { id: '8', name: 'Us' } }],
    [
      'space 9',
      {
        kind: 'space',
        space: {
          id: '9',
          title: 'Talk',
          state: 'ended',
          host_id: '4200000001',
          created_at: '2026-01-01T00:00:00.000Z',
        },
      },
    ],
  ];
  test.each(foreign)('does not start in an archive with %s', async (name, record) => {
    await expect(openReplay({ ...archiveWith(...few, record), sample: few, ...options })).rejects.toThrow(
      `this archive contains more than the bundled sample (${name})`,
    );
  });
  test('does not start in an empty archive', async () => {
    await expect(openReplay({ ...archiveWith(), sample: few, ...options })).rejects.toThrow('remove DEMO=0');
  });
  test.each(foreign)('ends before its next step after an import of %s', async (_name, record) => {
    const durable = archiveWith(...few);
    let steps = 0;
    const replay = await openReplay({
      ...durable,
      sample: few,
      ...options,
      pause: async () => void (++steps === 10 && void durable.archive.apply(record)),
    });
    expect(await replay.play()).toBe('foreign');
    expect(steps).toBe(10);
  });
});
