/** The behaviour of every adapter of the port to live platforms. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { normaliseRecord } from '../../server/import/formats/native.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { ArchiveHeldRecords } from '../../server/platforms/archive/held-records.ts';
import {
  SourceError,
  type HeldRecords,
  type LiveBatch,
  type LiveSource,
  type LiveStream,
  type ResolvedTarget,
  type SourceObserver,
} from '../../server/ports/live-source.ts';

/** A platform that a test controls, with the adapter that reads it. */
export interface LivePlatform {
  /** Creates the adapter, as a new process does. */
  open(held: HeldRecords, observer: SourceObserver): Promise<LiveSource>;
  /** Two accounts as targets, and one that the platform does not have; each is the part behind the name of the source. */
  readonly accounts: readonly [string, string];
  readonly unknownAccount: string;
  /** Parts of targets with an invalid form. */
  readonly invalidTargets: readonly string[];
  /** Publishes a post of an account, after those that it published before. Resolves with the id of its tweet in the archive. */
  publish(account: 0 | 1, text: string): Promise<string>;
  /** Removes a post. `isReported`: the stream says so. Undefined where the stream of the platform never does. */
  readonly remove: ((tweetId: string, isReported: boolean) => Promise<void>) | undefined;
  /** Sets the number of likes of a post, without an event. */
  setLikes(tweetId: string, likes: number): Promise<void>;
  /** Ends the connections of streams from the side of the platform. */
  cut(): Promise<void>;
  /** Sends something that is no event of the platform. Undefined where the connection cannot carry it. */
  readonly sendRubbish: (() => Promise<void>) | undefined;
  /** The number of connections of streams since the start. */
  connections(): number;
  /** The next request over HTTP gets the status 429 with this delay. Undefined where the adapter has no requests. */
  readonly limitNextRequest: ((retryAfterMs: number) => Promise<void>) | undefined;
  dispose(): Promise<void>;
}

/** An observer that counts. */
class Observed implements SourceObserver {
  readonly hosts: string[] = [];
  readonly rejections: string[] = [];
  readonly gaps: string[] = [];
  readonly statuses: number[] = [];
  connected(host: string): void {
    this.hosts.push(host);
  }
  alive(): void {}
  requested(status: number): void {
    this.statuses.push(status);
  }
  rejected(reason: string): void {
    this.rejections.push(reason);
  }
  gap(reason: string): void {
    this.gaps.push(reason);
  }
}

/** The suite for one adapter. */
export function describeLiveSource(name: string, create: () => Promise<LivePlatform>): void {
  describe(`${name}: a live source`, () => {
    let platform: LivePlatform;
    let archive: Archive;
    let observed: Observed;
    let source: LiveSource;
    let position: string | undefined;
    let aborted: AbortController;
    beforeEach(async () => {
      platform = await create();
      archive = new Archive();
      observed = new Observed();
      source = await platform.open(new ArchiveHeldRecords(archive), observed);
      position = undefined;
      aborted = new AbortController();
    });
    afterEach(async () => {
      aborted.abort();
      await platform.dispose();
    });

    const apply = (records: readonly ArchiveRecord[]): void => {
      for (const record of records) {
        expect([record, normaliseRecord(record)]).toEqual([record, undefined]);
        for (const change of archive.changesFor(record)) archive.apply(change);
      }
    };
    const has = (id: string): boolean => archive.ordinal(id) !== undefined;
    const tweet = (id: string): ArchivedTweet => archive.tweet(archive.ordinal(id)!);
    const resolve = (text: string): Promise<ResolvedTarget> => source.resolve(source.parse(text), aborted.signal);
    const connect = (targets: readonly ResolvedTarget[], signal = aborted.signal): LiveStream =>
      source.stream({ targets, position, failures: 0, signal });

    /** Applies batches until a condition holds. */
    async function readUntil(batches: AsyncIterator<LiveBatch>, holds: () => boolean): Promise<void> {
      while (!holds()) {
        const { done, value } = await batches.next();
        if (done === true) throw new Error('the stream ended');
        expect(value.records.length).toBeLessThanOrEqual(1000);
        apply(value.records);
        position = value.position ?? position;
      }
    }

    /** A stream that is known to be connected: its first event has come. */
    async function connected(targets: readonly ResolvedTarget[]) {
      const stream = connect(targets);
      const batches = stream[Symbol.asyncIterator]();
      const first = batches.next();
      // A connection without a position begins at an unknown moment: the first events may come before it.
      let sent = '';
      const sending = setInterval(() => void platform.publish(0, 'a first post').then((id) => (sent = id)), 20);
      const { value } = await first;
      clearInterval(sending);
      apply(value?.records ?? []);
      position = value?.position ?? position;
      await readUntil(batches, () => sent !== '' && has(sent));
      return { stream, batches };
    }

    test('parses targets, and says the expected form of an invalid one', () => {
      for (const account of platform.accounts)
        expect(source.parse(account)).toMatchObject({ source: source.name, kind: 'account' });
      for (const invalid of platform.invalidTargets) {
        expect(() => source.parse(invalid)).toThrow(SourceError);
        expect(() => source.parse(invalid)).toThrow(/expected/);
      }
    });

    test('resolves an account, and rejects an unknown one for good', async () => {
      const { title, accounts } = await resolve(platform.accounts[0]);
      expect(title).toContain(platform.accounts[0].replace('@', ''));
      expect(accounts).toHaveLength(1);
      const error: unknown = await resolve(platform.unknownAccount).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ isPermanent: true });
    });

    test('streams the posts of the followed accounts as valid records, with a position and a time', async () => {
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      expect(observed.hosts).toHaveLength(1);
      const other = await platform.publish(1, 'not followed');
      const id = await platform.publish(0, 'a followed post');
      await readUntil(batches, () => has(id));
      expect(tweet(id)).toMatchObject({ text: 'a followed post', created_at: expect.any(String) });
      expect(has(other)).toBe(false);
      expect(position).toEqual(expect.any(String));
    });

    test('continues at a position: all that came meanwhile, and nothing from before it changes anything', async () => {
      const targets = [await resolve(platform.accounts[0])];
      const { batches } = await connected(targets);
      const seen = await platform.publish(0, 'seen');
      await readUntil(batches, () => has(seen));
      await batches.return?.();
      const missed: string[] = [];
      for (let n = 0; n < 30; n++) missed.push(await platform.publish(0, `missed ${n}`));
      source = await platform.open(new ArchiveHeldRecords(archive), observed);
      const size = archive.size;
      const again = connect(targets)[Symbol.asyncIterator]();
      await readUntil(again, () => missed.every(has));
      expect(archive.size).toBe(size + missed.length);
      await again.return?.();
    });

    test('ends without an error when the signal aborts', async () => {
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      const next = batches.next();
      aborted.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    });

    test('throws an error that is worth a new attempt when the platform ends the connection', async () => {
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      const next = readUntil(batches, () => false).catch((reason: unknown) => reason);
      await platform.cut();
      const error = await next;
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ isPermanent: false });
    });

    test('reads on after what is no event, and counts it', async () => {
      if (platform.sendRubbish === undefined) return;
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      await platform.sendRubbish();
      const id = await platform.publish(0, 'after it');
      await readUntil(batches, () => has(id));
      expect(observed.rejections.length).toBeGreaterThan(0);
    });

    test('removes what the platform removes', async () => {
      if (platform.remove === undefined) return;
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      const id = await platform.publish(0, 'soon gone');
      await readUntil(batches, () => has(id));
      await platform.remove(id, true);
      await readUntil(batches, () => !has(id));
      expect(archive.isRemoved(id)).toBe(true);
    });

    test('changes its targets without a new connection', async () => {
      const [first, second] = [await resolve(platform.accounts[0]), await resolve(platform.accounts[1])];
      const { stream, batches } = await connected([first]);
      stream.update([second]);
      let added = '';
      const sending = setInterval(() => void platform.publish(1, 'an added account').then((id) => (added = id)), 20);
      await readUntil(batches, () => added !== '' && has(added));
      clearInterval(sending);
      const removed = await platform.publish(0, 'no longer followed');
      const last = await platform.publish(1, 'still followed');
      await readUntil(batches, () => has(last));
      expect(has(removed)).toBe(false);
      expect(platform.connections()).toBe(1);
    });

    test('delivers everything in order to a consumer that is slow', async () => {
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      const sent: string[] = [];
      for (let n = 0; n < 500; n++) sent.push(await platform.publish(0, `number ${n}`));
      const seen: string[] = [];
      while (seen.length < sent.length) {
        const { value } = await batches.next();
        for (const record of value?.records ?? [])
          if (record.kind === 'tweet' && record.tweet.text.startsWith('number')) seen.push(record.tweet.id);
        await new Promise((done) => setImmediate(done));
      }
      expect(seen).toEqual(sent);
    });

    test('reads the history, newest first, up to its limit', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.push(await platform.publish(0, `old ${n}`));
      const target = await resolve(platform.accounts[0]);
      const read: string[] = [];
      for await (const { records } of source.history(target, { limit: 3, reconcile: false, signal: aborted.signal })) {
        apply(records);
        for (const record of records) if (record.kind === 'tweet') read.push(record.tweet.id);
      }
      expect(read).toEqual(ids.slice(-3).reverse());
      expect(archive.user(tweet(read[0]!).author_id)?.username).toBeDefined();
    });

    test('a history that reconciles adds what is missing and removes what is gone', async () => {
      const target = await resolve(platform.accounts[0]);
      const [kept, gone] = [await platform.publish(0, 'kept'), await platform.publish(0, 'gone')];
      const request = { limit: 100, reconcile: true, signal: aborted.signal };
      for await (const { records } of source.history(target, request)) apply(records);
      expect([has(kept), has(gone)]).toEqual([true, true]);
      await platform.remove?.(gone, false);
      const added = await platform.publish(0, 'added');
      for await (const { records } of source.history(target, request)) apply(records);
      expect([has(kept), has(added)]).toEqual([true, true]);
      if (platform.remove !== undefined) expect(has(gone)).toBe(false);
    });

    test('a history that reconciles does not remove what the stream brings meanwhile', async () => {
      const target = await resolve(platform.accounts[0]);
      const { batches } = await connected([target]);
      for (let n = 0; n < 5; n++) await platform.publish(0, `old ${n}`);
      const request = { limit: 100, reconcile: true, signal: aborted.signal };
      let during = '';
      for await (const { records } of source.history(target, request)) {
        apply(records);
        if (during !== '') continue;
        during = await platform.publish(0, 'meanwhile');
        await readUntil(batches, () => has(during));
      }
      expect(has(during)).toBe(true);
    });

    test('refreshes counts, and returns nothing where nothing differs', async () => {
      const ids = [await platform.publish(0, 'liked'), await platform.publish(0, 'unchanged')];
      const target = await resolve(platform.accounts[0]);
      for await (const { records } of source.history(target, { limit: 9, reconcile: false, signal: aborted.signal }))
        apply(records);
      expect(await source.refresh(ids.map(tweet), aborted.signal)).toEqual([]);
      await platform.setLikes(ids[0]!, 12);
      const records = await source.refresh(ids.map(tweet), aborted.signal);
      expect(records.map((record) => record.kind === 'tweet' && record.tweet.id)).toEqual([ids[0]]);
      apply(records);
      expect(tweet(ids[0]!).like_count).toBe(12);
    });

    test('passes on how long the platform asks to wait', async () => {
      if (platform.limitNextRequest === undefined) return;
      await platform.limitNextRequest(7000);
      const error: unknown = await resolve(platform.accounts[0]).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'SourceError', retryAfterMs: 7000, isPermanent: false });
      expect(observed.statuses).toContain(429);
      expect(await resolve(platform.accounts[0])).toMatchObject({ accounts: [expect.any(String)] });
    });

    test('ends a request when the signal aborts', async () => {
      const target = await resolve(platform.accounts[0]);
      aborted.abort();
      await expect(resolve(platform.accounts[0])).rejects.toThrow();
      await expect(source.refresh([], aborted.signal).then(() => Promise.reject(new Error('x')))).rejects.toThrow();
      const history = source.history(target, { limit: 1, reconcile: false, signal: aborted.signal });
      const read = await history[Symbol.asyncIterator]()
        .next()
        .catch(() => ({ done: true }));
      expect(read.done).toBe(true);
    });
  });
}
