/** The behaviour of every adapter of the port to live platforms. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { normaliseRecord } from '../../server/formats/native.ts';
import {
  SourceError,
  type LiveBatch,
  type LiveSource,
  type LiveStream,
  type ResolvedTarget,
  type SourceObserver,
} from '../../server/ports/live-source.ts';
import type { HeldRecords } from '../../server/ports/held-records.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openArchiveIn, type FileArchive } from '../support/stored-archive.ts';
import { strictHeld } from '../support/strict-held.ts';

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
  /** Removes a post. `isReported`: the stream says so. */
  remove(tweetId: string, isReported: boolean): Promise<void>;
  /** Sets the number of likes of a post, without an event. */
  setLikes(tweetId: string, likes: number): Promise<void>;
  /** Ends the connections of streams from the side of the platform. */
  cut(): Promise<void>;
  /** Sends something that is no event of the platform. */
  sendRubbish(): Promise<void>;
  /** Time passes: what was published is old enough for every answer of the platform, and no request has to wait. */
  settle(): Promise<void>;
  /** The number of connections of streams since the start. */
  connections(): number;
  /** The next request of `resolve` gets the status 429 with this delay. */
  limitNextRequest(retryAfterMs: number): Promise<void>;
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

/** The suite for one adapter. `removals`: whether the platform reports removals in the stream, and its histories reconcile. */
export function describeLiveSource(
  name: string,
  create: () => Promise<LivePlatform>,
  { removals = true }: { readonly removals?: boolean } = {},
): void {
  const testRemovals = removals ? test : test.skip;
  describe(`${name}: a live source`, () => {
    let platform: LivePlatform;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let archive: FileArchive;
    let observed: Observed;
    let source: LiveSource;
    let position: string | undefined;
    let aborted: AbortController;
    beforeEach(async () => {
      platform = await create();
      folder = await temporaryFolder();
      archive = await openArchiveIn(folder.path);
      observed = new Observed();
      source = await platform.open(strictHeld(archive.held), observed);
      position = undefined;
      aborted = new AbortController();
    });
    afterEach(async () => {
      aborted.abort();
      await platform.dispose();
      await archive.close();
      await folder.dispose();
    });

    const apply = async (records: readonly ArchiveRecord[]): Promise<void> => {
      for (const record of records) expect([record, normaliseRecord(record)]).toEqual([record, undefined]);
      await archive.sink.follow(source.name, undefined, records);
    };
    const has = (id: string): boolean => archive.content.has(id);
    const tweet = (id: string): ArchivedTweet => archive.content.tweet(id)!;
    const resolve = (text: string): Promise<ResolvedTarget> => source.resolve(source.parse(text), aborted.signal);
    const connect = (targets: readonly ResolvedTarget[], signal = aborted.signal): LiveStream =>
      source.stream({ targets, position, failures: 0, signal });

    /** Applies batches until a condition holds. */
    async function readUntil(batches: AsyncIterator<LiveBatch>, holds: () => boolean): Promise<void> {
      while (!holds()) {
        const { done, value } = await batches.next();
        if (done === true) throw new Error('the stream ended');
        expect(value.records.length).toBeLessThanOrEqual(1000);
        await apply(value.records);
        position = value.position ?? position;
      }
    }

    /** Publishes posts of an account until one of them has come: the moment from which a stream delivers is not known. */
    async function readOneOf(account: 0 | 1, batches: AsyncIterator<LiveBatch>): Promise<void> {
      const sent: string[] = [];
      const sending = setInterval(() => void platform.publish(account, 'a post').then((id) => sent.push(id)), 20);
      try {
        await readUntil(batches, () => sent.some(has));
      } finally {
        clearInterval(sending);
      }
      // What was sent after it comes too.
      await new Promise((done) => setImmediate(done));
      await readUntil(batches, () => sent.slice(sent.findIndex(has)).every(has));
    }

    /** A stream that is known to be connected. */
    async function connected(targets: readonly ResolvedTarget[]) {
      const stream = connect(targets);
      const batches = stream[Symbol.asyncIterator]();
      await readOneOf(0, batches);
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
      // A source may give its position later, when nothing before it can be missing.
      await readUntil(batches, () => position !== undefined);
    });

    test('continues at a position with all that came meanwhile', async () => {
      const targets = [await resolve(platform.accounts[0])];
      const { batches } = await connected(targets);
      const seen = await platform.publish(0, 'seen');
      await readUntil(batches, () => has(seen));
      await batches.return?.();
      const missed: string[] = [];
      for (let n = 0; n < 30; n++) missed.push(await platform.publish(0, `missed ${n}`));
      source = await platform.open(strictHeld(archive.held), observed);
      const again = connect(targets)[Symbol.asyncIterator]();
      await readUntil(again, () => missed.every(has));
      await again.return?.();
    });

    test('ends without an error when the signal aborts', async () => {
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      const next = batches.next();
      aborted.abort();
      // A batch that was on its way may still come.
      let last = await next;
      while (last.done !== true) last = await batches.next();
      expect(last).toEqual({ done: true, value: undefined });
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
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      await platform.sendRubbish();
      const id = await platform.publish(0, 'after it');
      await readUntil(batches, () => has(id));
      expect(observed.rejections.length).toBeGreaterThan(0);
    });

    testRemovals('removes what the platform removes', async () => {
      const { batches } = await connected([await resolve(platform.accounts[0])]);
      const id = await platform.publish(0, 'soon gone');
      await readUntil(batches, () => has(id));
      await platform.remove(id, true);
      await readUntil(batches, () => !has(id));
      expect(archive.content.isRemoved(id)).toBe(true);
    });

    test('changes its targets without a new connection', async () => {
      const [first, second] = [await resolve(platform.accounts[0]), await resolve(platform.accounts[1])];
      const { stream, batches } = await connected([first]);
      stream.update([second]);
      await readOneOf(1, batches);
      // The platform may deliver posts of the other account until it has the whole change.
      let removed = '';
      for (let attempt = 0; attempt < 100 && (removed === '' || has(removed)); attempt++) {
        removed = await platform.publish(0, 'no longer followed');
        const last = await platform.publish(1, 'still followed');
        await readUntil(batches, () => has(last));
      }
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
      for (let n = 0; n < 9; n++) ids.push(await platform.publish(0, `old ${n}`));
      await platform.settle();
      const target = await resolve(platform.accounts[0]);
      const read: string[] = [];
      for await (const { records } of source.history(target, { limit: 6, reconcile: false, signal: aborted.signal })) {
        await apply(records);
        for (const record of records) if (record.kind === 'tweet') read.push(record.tweet.id);
      }
      expect(read).toEqual(ids.slice(-6).reverse());
      expect(archive.content.profile(tweet(read[0]!).author_id)?.username).toBeDefined();
    });

    testRemovals('a history that reconciles adds what is missing and removes what is gone', async () => {
      const target = await resolve(platform.accounts[0]);
      const [kept, gone] = [await platform.publish(0, 'kept'), await platform.publish(0, 'gone')];
      await platform.settle();
      const request = { limit: 100, reconcile: true, signal: aborted.signal };
      for await (const { records } of source.history(target, request)) await apply(records);
      expect([has(kept), has(gone)]).toEqual([true, true]);
      await platform.remove(gone, false);
      const added = await platform.publish(0, 'added');
      await platform.settle();
      for await (const { records } of source.history(target, request)) await apply(records);
      expect([has(kept), has(added), has(gone)]).toEqual([true, true, false]);
    });

    test('a history that reconciles does not remove what the stream brings meanwhile', async () => {
      const target = await resolve(platform.accounts[0]);
      const { batches } = await connected([target]);
      for (let n = 0; n < 5; n++) await platform.publish(0, `old ${n}`);
      const request = { limit: 100, reconcile: true, signal: aborted.signal };
      let during = '';
      for await (const { records } of source.history(target, request)) {
        await apply(records);
        if (during !== '') continue;
        during = await platform.publish(0, 'meanwhile');
        await readUntil(batches, () => has(during));
      }
      expect(has(during)).toBe(true);
    });

    test('refreshes counts, and returns nothing where nothing differs', async () => {
      const ids = [await platform.publish(0, 'liked'), await platform.publish(0, 'unchanged')];
      await platform.settle();
      const target = await resolve(platform.accounts[0]);
      for await (const { records } of source.history(target, { limit: 9, reconcile: false, signal: aborted.signal }))
        await apply(records);
      expect(await source.refresh(ids.map(tweet), aborted.signal)).toEqual([]);
      await platform.setLikes(ids[0]!, 12);
      const records = await source.refresh(ids.map(tweet), aborted.signal);
      expect(records.map((record) => record.kind === 'tweet' && record.tweet.id)).toEqual([ids[0]]);
      await apply(records);
      expect(tweet(ids[0]!).like_count).toBe(12);
    });

    test('passes on how long the platform asks to wait', async () => {
      await platform.limitNextRequest(60_000);
      const error: unknown = await resolve(platform.accounts[0]).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SourceError);
      expect(error).toMatchObject({ isPermanent: false });
      expect((error as SourceError).retryAfterMs).toBeGreaterThan(50_000);
      expect((error as SourceError).retryAfterMs).toBeLessThanOrEqual(60_000);
      expect(observed.statuses).toContain(429);
      await platform.settle();
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
