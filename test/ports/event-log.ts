/** The behaviour of every event log. An adapter passes it as a whole. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import type { EventLog, LogEntry, NewEvent, Retention } from '../../server/ports/event-log.ts';
import { rounds } from '../support/rounds.ts';

export interface OpenedEventLog {
  readonly log: EventLog;
  /** Closes the log and opens it again, as after a restart. */
  reopen(): Promise<EventLog>;
  close(): Promise<void>;
}

/** Opens a new, empty log. `now` is its clock, in milliseconds since the epoch. */
export type OpenEventLog = (retention: Retention, now: () => number) => Promise<OpenedEventLog>;

const day = 86_400_000;
const created = (id: number | string): NewEvent => ({ event: 'tweet.created', id: String(id) });
const many = (count: number, first = 1): NewEvent[] =>
  Array.from({ length: count }, (_, place) => created(first + place));

/** Reads everything after a position, in batches. */
async function readAll(log: EventLog, after = log.floor, limit = 7): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let position = after; ;) {
    const batch = await log.read(position, limit);
    const last = batch.at(-1);
    if (last === undefined) return entries;
    expect(batch.length).toBeLessThanOrEqual(limit);
    expect(last.seq).toBeGreaterThan(position);
    entries.push(...batch);
    position = last.seq;
  }
}
const idsOf = (entries: readonly LogEntry[]): string[] => entries.map((entry) => ('id' in entry ? entry.id : ''));
const seqsOf = (entries: readonly LogEntry[]): number[] => entries.map(({ seq }) => seq);
const consecutive = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);

export function describeEventLog(name: string, openLog: OpenEventLog): void {
  describe(`the event log: ${name}`, () => {
    let clock: number;
    let opened: OpenedEventLog;
    let log: EventLog;
    const open = async (retention: Retention): Promise<void> => {
      opened = await openLog(retention, () => clock);
      ({ log } = opened);
    };
    beforeEach(async () => {
      clock = Date.UTC(2026, 0, 1);
      await open({ ageMs: day, events: 1_000 });
    });
    afterEach(() => opened.close());

    test('is empty initially, and has an epoch', async () => {
      expect([log.head, log.floor, await log.read(0, 10)]).toEqual([0, 0, []]);
      expect(log.epoch).toMatch(/^[\w-]{1,32}$/);
      expect(await log.append([])).toBe(0);
      expect(log.head).toBe(0);
    });

    test('returns every kind of event unchanged, with its number and time, also after a restart', async () => {
      const events: NewEvent[] = [
        created('9223372036854775807'),
        { event: 'tweet.updated', id: '2' },
        { event: 'tweet.engagement', id: '3' },
        { event: 'tweet.unliked', id: '4' },
        { event: 'community.joined', id: '70', userId: '9999999999999999999' },
        { event: 'pool.status' },
        { event: 'tweet.deleted', id: '5' },
      ];
      expect(await log.append(events)).toBe(7);
      clock += 5;
      expect(await log.append([created(8)])).toBe(8);
      expect(await log.read(0, 100)).toEqual([
        ...events.map((event, place) => ({ ...event, seq: place + 1, at: clock - 5 })),
        { ...created(8), seq: 8, at: clock },
      ]);
      const before = await readAll(log);
      log = await opened.reopen();
      expect(await readAll(log)).toEqual(before);
    });

    test('returns batches of any size from any position, without gaps or duplicates', async () => {
      await log.append(many(50));
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 60 }), async (after, limit) => {
          expect(seqsOf(await readAll(log, after, limit))).toEqual(consecutive(after + 1, 50 - after));
        }),
        { numRuns: rounds(20) },
      );
      expect(await log.read(50, 10)).toEqual([]);
    });

    test('numbers the events of concurrent calls in the order of the calls, without gaps', async () => {
      const sizes = [3, 1, 40, 2, 1, 1, 17, 5];
      const calls = sizes.map((size, call) => log.append(many(size, call * 100)));
      const ends = await Promise.all(calls);
      expect(ends).toEqual(sizes.map((_, call) => sizes.slice(0, call + 1).reduce((sum, size) => sum + size, 0)));
      const entries = await readAll(log);
      expect(seqsOf(entries)).toEqual(consecutive(1, 70));
      expect(idsOf(entries)).toEqual(idsOf(sizes.flatMap((size, call) => many(size, call * 100)) as LogEntry[]));
    });

    test('has recorded an event when the call resolves, and calls listeners after the head has changed', async () => {
      const heads: number[] = [];
      const stop = log.onHead(() => void heads.push(log.head));
      const last = await log.append(many(3));
      expect([last, log.head, heads.at(-1)]).toEqual([3, 3, 3]);
      stop();
      await log.append([created(4)]);
      expect([log.head, heads.at(-1)]).toEqual([4, 3]);
    });

    test('a reader that reads after each notification gets every event once and in order, during concurrent appends', async () => {
      const seen: LogEntry[] = [];
      let reading: Promise<void> = Promise.resolve();
      const follow = async (): Promise<void> => {
        for (const entry of await log.read(seen.at(-1)?.seq ?? 0, 3)) seen.push(entry);
        if ((seen.at(-1)?.seq ?? 0) < log.head) await follow();
      };
      log.onHead(() => void (reading = reading.then(follow)));
      for (let round = 0; round < 10; round++)
        await Promise.all([log.append(many(4)), log.append([created(1)]), log.append(many(2))]);
      await reading;
      expect(seqsOf(seen)).toEqual(consecutive(1, 70));
    });

    test('keeps its epoch, numbers and events after a restart, and continues the numbers', async () => {
      await log.append(many(30));
      const { epoch } = log;
      const before = await readAll(log);
      log = await opened.reopen();
      expect([log.epoch, log.head, log.floor]).toEqual([epoch, 30, 0]);
      expect(await readAll(log)).toEqual(before);
      expect(await log.append([created('x'.length)])).toBe(31);
      log = await opened.reopen();
      expect(seqsOf(await readAll(log, 20))).toEqual(consecutive(21, 11));
    });

    test('retains the maximum number of events: the floor increases, and a reader gets the first retained position', async () => {
      await log.append(many(1_500));
      expect([log.floor, log.head]).toEqual([500, 1_500]);
      const [first] = await log.read(0, 1);
      expect(first).toMatchObject({ seq: 501, id: '501' });
      expect(seqsOf(await readAll(log, 0, 400))).toEqual(consecutive(501, 1_000));
      log = await opened.reopen();
      expect([log.floor, log.head]).toEqual([500, 1_500]);
    });

    test('removes events after the maximum age, also without new events', async () => {
      await log.append(many(5));
      clock += day / 2;
      await log.append(many(5));
      clock += day / 2 + 1;
      expect([log.floor, log.head]).toEqual([5, 10]);
      expect(seqsOf(await log.read(2, 100))).toEqual(consecutive(6, 5));
      clock += day;
      expect([log.floor, await log.read(0, 100)]).toEqual([10, []]);
      expect(await log.append([created(11)])).toBe(11);
      expect(seqsOf(await log.read(0, 100))).toEqual([11]);
    });
  });
}
