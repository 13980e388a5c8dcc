// Not in `npm run test:fast`: it plays the whole sample.
// Tests server/demo/copies.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRandom } from '../../scripts/sample/random.ts';
import { SqlRecords } from '../../server/archive/reads/sql-records.ts';
import type { SqlSink } from '../../server/archive/writes/sql-sink.ts';
import { sql, type Integer, type RunSql } from '../../server/archive/sql.ts';
import type { ArchiveRecord, ArchivedTweet } from '../../server/domain/records.ts';
import { Contents } from '../../server/demo/contents.ts';
import { Timeline } from '../../server/demo/timeline.ts';
import { openReplay } from '../../server/demo/replay.ts';
import { validationError } from '../../server/formats/native.ts';
import { readSample } from '../../server/demo/seed-sample.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { nightlyTest } from '../support/nightly.ts';
import { inTurn, isFull } from '../support/rounds.ts';
import { startLocalServer } from '../support/local-server.ts';
import { openArchiveIn } from '../support/stored-archive.ts';

let sample: ArchiveRecord[];
/** Samples for what does not depend on their size. */
let part: ArchiveRecord[];
let few: ArchiveRecord[];
beforeAll(async () => {
  sample = await readSample();
  part = sample.slice(0, sample.length / 10);
  few = sample.slice(0, sample.length / 20);
});

/** When the replays of these tests begin; a step a second. */
const start = Date.parse('2030-01-01T00:00:00Z');

/** The archives of these tests, each in a folder of its own. */
const opened: { dispose(): Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((each) => each.dispose())));

interface Replayed {
  readonly sink: SqlSink;
  readonly source: SqlRecords;
  readonly run: RunSql;
}

/** An archive with records. */
async function archiveWith(...records: ArchiveRecord[]): Promise<Replayed> {
  const folder = await temporaryFolder();
  const { sink, engine, close } = await openArchiveIn(folder.path);
  opened.push({ dispose: () => close().then(() => folder.dispose()) });
  for (let from = 0; from < records.length; from += 500)
    await sink.apply('world', { values: from, done: false }, structuredClone(records.slice(from, from + 500)));
  return { sink, source: new SqlRecords(engine.run), run: engine.run };
}

const sizeOf = async ({ source }: Replayed): Promise<number> => (await source.entityCounts()).tweet;

async function tweetsIn({ source }: Replayed): Promise<ArchivedTweet[]> {
  const found: ArchivedTweet[] = [];
  for await (const each of source.records()) if (each.kind === 'tweet') found.push(each.tweet);
  return found;
}

/** The events behind a number of the log. */
async function eventsIn({ run }: Replayed, after: number): Promise<{ seq: number; event: string; id?: string }[]> {
  const rows = await run<{ seq: Integer; record: string }>(
    sql`SELECT seq, record FROM social_data.change WHERE log = 'events' AND seq > ${after} ORDER BY seq`,
  );
  return rows.map(({ seq, record }) => ({ ...(JSON.parse(record) as { event: string }), seq: Number(seq) }));
}

/** Takes steps of the timeline of a sample, and all that they bring. */
async function play(
  { sink, source }: Replayed,
  records: ArchiveRecord[],
  seed: number,
  steps?: number,
): Promise<ArchiveRecord[][]> {
  const contents = await Contents.read(source);
  const timeline = new Timeline({ sample: records, contents, source, random: createRandom(seed).next });
  const played: ArchiveRecord[][] = [];
  for (let number = 0; number < (steps ?? timeline.steps); number++) {
    const step = await timeline.step(number, start + number * 1000);
    await sink.apply('steps', { values: number, done: false }, structuredClone(step));
    for (const record of step) contents.add(record);
    played.push(step);
  }
  return played;
}

describe('the replay timeline', () => {
  test('is the same for the same seed and clock', async () => {
    const [one, same, other] = await Promise.all(
      [1, 1, 2].map(async (seed) => JSON.stringify(await play(await archiveWith(...few), few, seed, 40))),
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });

  describe('after its last step', () => {
    let all: ArchivedTweet[];
    let happenings: Awaited<ReturnType<typeof eventsIn>>;
    let played: ArchiveRecord[][];
    let before: number;
    let copies: ArchivedTweet[];
    beforeAll(async () => {
      const records = isFull ? sample : part;
      const made = await archiveWith(...records);
      before = await sizeOf(made);
      const [last] = (await eventsIn(made, 0)).slice(-1);
      played = await play(made, records, 7);
      happenings = await eventsIn(made, last?.seq ?? 0);
      all = await tweetsIn(made);
      copies = all.filter(({ source }) => source === 'Demo replay');
    }, 120_000);

    test('writes every tweet of the sample once except the examples of the contract: the archive doubles', () => {
      const examples = all.filter(({ id }) => /^18900000000000000\d\d$/.test(id)).length;
      expect(examples).toBeGreaterThan(2);
      expect(copies.length).toBe(before - examples);
      expect(all.length).toBe(before + copies.length);
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
      const at = new Map(all.map((tweet) => [tweet.id, Date.parse(tweet.created_at)]));
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
      expect(referring).toBeGreaterThan(isFull ? 1000 : 500);
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
      ).toBeGreaterThan(isFull ? 50 : 25);
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
    const durable = await archiveWith(...part);
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const replay = await openReplay({ ...durable, sample: part, ...options, pause });
    expect(await replay.play()).toBe('complete');
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(150);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(850);
    expect(pauses.reduce((sum, ms) => sum + ms, 0) / pauses.length).toBeCloseTo(500, -1.5);
    expect(replay.left).toBe(0);
  });

  nightlyTest('resumes after a stop with the same final result; after the end it adds nothing', async () => {
    const durable = await archiveWith(...part);
    const whole = await archiveWith(...part);
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
    expect(await sizeOf(durable)).toBe(await sizeOf(whole));
    expect(
      new Set(
        (await tweetsIn(durable)).map(({ text, author_id: author }) => `${author} ${text.replaceAll(' (edited)', '')}`),
      ),
    ).toEqual(
      new Set(
        (await tweetsIn(whole)).map(({ text, author_id: author }) => `${author} ${text.replaceAll(' (edited)', '')}`),
      ),
    );
    const size = await sizeOf(durable);
    const again = await openReplay({ ...durable, sample: part, ...options, pause: immediately });
    expect([again.left, await again.play(), await sizeOf(durable)]).toEqual([0, 'complete', size]);
  });

  test('stops at once during a wait, or after the current step is durable', async () => {
    const durable = await archiveWith(...few);
    const waiting = await openReplay({ ...durable, sample: few, ...options, perSecond: 0.01 });
    const ended = waiting.play();
    await waiting.stop();
    expect(await ended).toBe('stopped');

    const asked = Promise.withResolvers<void>();
    const durably = Promise.withResolvers<void>();
    const slow: ImportSink = {
      resume: (fingerprint) => durable.sink.resume(fingerprint),
      async apply(...call) {
        asked.resolve();
        await durably.promise;
        return durable.sink.apply(...call);
      },
    };
    const replay = await openReplay({ ...durable, sink: slow, sample: few, ...options, pause: immediately });
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
    await expect(openReplay({ ...(await archiveWith(...few, record)), sample: few, ...options })).rejects.toThrow(
      `this archive contains more than the bundled sample (${name})`,
    );
  });
  test('does not read an archive that is too large for the sample and its replay', async () => {
    const many = Array.from({ length: few.length * 2 }, (_, number): ArchiveRecord => ({
      kind: 'tweet',
      tweet: { id: String(number + 1), text: 'mine', created_at: '2026-01-01T00:00:00.000Z', author_id: '1' },
    }));
    const { sink, source } = await archiveWith(...many);
    const records = (): never => {
      throw new Error('the archive is read');
    };
    const counted = { entityCounts: () => source.entityCounts(), tweetRecord: async () => undefined, records };
    await expect(openReplay({ sink, source: counted, sample: few, ...options })).rejects.toThrow(
      `this archive contains more than the bundled sample (${many.length} tweets)`,
    );
  });
  test('does not start in an empty archive', async () => {
    await expect(openReplay({ ...(await archiveWith()), sample: few, ...options })).rejects.toThrow('remove DEMO=0');
  });
  test.each(inTurn(foreign, 1))('ends before its next step after an import of %s', async (_name, record) => {
    const durable = await archiveWith(...few);
    let steps = 0;
    const replay = await openReplay({
      ...durable,
      sample: few,
      ...options,
      pause: async () => {
        if (++steps === 10) await durable.sink.apply('other', { values: 1, done: true }, [structuredClone(record)]);
      },
    });
    expect(await replay.play()).toBe('foreign');
    expect(steps).toBe(10);
  });
});

test('npm start -- --replay plays it in a SQLite file, and goes on at the next start', async () => {
  const folder = await temporaryFolder();
  const env = { API_KEYS: 'a-key-of-this-test' };
  const copied = async (url: string): Promise<number> => {
    const found = await fetch(`${url}/social/tweet/advanced_search?query=%23demo`, {
      headers: { 'x-api-key': 'a-key-of-this-test' },
    });
    return ((await found.json()) as { tweets: unknown[] }).tweets.length;
  };
  try {
    let before = 0;
    for (let round = 0; round < 2; round++) {
      const server = await startLocalServer(folder.path, env, ['--replay=20']);
      while ((await copied(server.url)) <= before) await sleep(50);
      before = await copied(server.url);
      await server.end();
      expect(server.errors()).toBe('');
    }
  } finally {
    await folder.dispose();
  }
}, 60_000);
