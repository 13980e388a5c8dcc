/** A source of X in a test: the stand-in, a clock, what the archive holds, and what the source reported. */
import { createXSource } from '../../../server/follow/x/source.ts';
import type { Send } from '../../../server/follow/http.ts';
import { ReadBudget } from '../../../server/follow/x/budget.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { validationError } from '../../../server/formats/native.ts';
import type { HeldPart, HeldRecords } from '../../../server/ports/held-records.ts';
import type {
  LiveBatch,
  LiveSource,
  LiveStream,
  ResolvedTarget,
  SourceObserver,
} from '../../../server/ports/live-source.ts';
import { messageOf } from '../../../server/text/error-text.ts';
import { ManualClock, until } from '../manual-clock.ts';
import { strictHeld } from '../strict-held.ts';
import { XStandIn } from './stand-in.ts';

export const startOfTest = Date.parse('2026-11-20T10:00:00Z');

/** What an archive holds of the records of a source. */
export class HeldInTest implements HeldRecords, HeldPart {
  readonly tweets = new Map<string, ArchivedTweet>();
  readonly withdrawn = new Set<string>();
  read(): HeldPart {
    return this;
  }
  tweet(id: string): ArchivedTweet | undefined {
    return this.tweets.get(id);
  }
  isRemoved(): boolean {
    return false;
  }
  addressOf(tweetId: string): string | undefined {
    return this.tweets.has(tweetId) ? '' : undefined;
  }
  profile(): undefined {
    return undefined;
  }
  isWithdrawn(userId: string): boolean {
    return this.withdrawn.has(userId);
  }
  hasTweets(userId: string): boolean {
    return this.tweetsOf(userId).length > 0;
  }
  *followings(): Iterable<string> {}
  tweetsOf(userId: string): readonly ArchivedTweet[] {
    const own = [...this.tweets.values()].filter(({ author_id }) => author_id === userId);
    return own.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  }
}

export class FollowedX {
  readonly held = new HeldInTest();
  readonly reports: string[] = [];
  readonly errors: unknown[] = [];
  readonly clock: ManualClock;
  readonly standIn: XStandIn;
  /** The durable state of the budget. */
  kept: { day: string; reads: number } | undefined;
  token: string | undefined;
  #limit: number;

  private constructor(clock: ManualClock, standIn: XStandIn, limit: number) {
    this.clock = clock;
    this.standIn = standIn;
    this.token = standIn.token;
    this.#limit = limit;
  }

  static async start(limit = 100_000): Promise<FollowedX> {
    const clock = new ManualClock(startOfTest);
    const standIn = await XStandIn.start(clock);
    standIn.user('11', 'alice');
    standIn.user('12', 'bob');
    return new FollowedX(clock, standIn, limit);
  }

  /** Creates a source, as a start of the server does. */
  source(apiUrl = this.standIn.url, send?: Send): LiveSource {
    const observer: SourceObserver = {
      connected: (host) => void this.reports.push(`connected ${host}`),
      alive: () => void this.reports.push('alive'),
      requested: (status) => void this.reports.push(`requested ${status}`),
      rejected: (reason) => void this.reports.push(`rejected ${reason}`),
      gap: (reason) => void this.reports.push(`gap ${reason}`),
    };
    return createXSource({
      ...{
        apiUrl,
        token: () => this.token,
        budget: this.budget(),
        held: strictHeld(this.held),
        observer,
        clock: this.clock,
      },
      ...(send === undefined ? {} : { send }),
    });
  }

  budget(): ReadBudget {
    const store = {
      get: () => this.kept,
      set: async (value: { day: string; reads: number }) => {
        this.kept = value;
      },
    };
    return new ReadBudget(this.#limit, store, this.clock);
  }

  count(report: string): number {
    return this.reports.filter((each) => each === report).length;
  }

  /** Reads a stream in the background. */
  read(source: LiveSource, targets: readonly ResolvedTarget[], position?: string): ReadStream {
    const stop = new AbortController();
    return new ReadStream(source.stream({ targets, position, failures: 0, signal: stop.signal }), stop, this);
  }

  stop(): Promise<void> {
    return this.standIn.stop();
  }
}

/** A stream with what it delivered. */
export class ReadStream {
  readonly batches: LiveBatch[] = [];
  readonly stream: LiveStream;
  /** Resolves with the error that ended the stream. */
  readonly ended: Promise<unknown>;
  error: unknown;
  /** Whether the consumer does not take batches. */
  isHeld = false;
  readonly #stop: AbortController;

  constructor(stream: LiveStream, stop: AbortController, { errors, held }: FollowedX) {
    this.stream = stream;
    this.#stop = stop;
    this.ended = this.#read(held).catch((error: unknown) => {
      this.error = error;
      errors.push(error);
      return error;
    });
  }

  async #read(held: HeldInTest): Promise<undefined> {
    for await (const batch of this.stream) {
      this.batches.push(batch);
      for (const record of batch.records) {
        const reason = validationError(record);
        if (reason !== undefined) throw new Error(`an invalid record: ${reason}`);
        if (record.kind === 'tweet') held.tweets.set(record.tweet.id, record.tweet);
      }
      await until(() => !this.isHeld);
    }
    return undefined;
  }

  get records(): ArchiveRecord[] {
    return this.batches.flatMap(({ records }) => records);
  }

  get tweets(): ArchivedTweet[] {
    return this.records.flatMap((record) => (record.kind === 'tweet' ? [record.tweet] : []));
  }

  get texts(): string[] {
    return this.tweets.map(({ text }) => text);
  }

  /** The last position. */
  get position(): string | undefined {
    return this.batches.findLast(({ position }) => position !== undefined)?.position;
  }

  /** Ends the stream, as the follower does at a stop. */
  async stop(): Promise<string | undefined> {
    this.#stop.abort();
    this.isHeld = false;
    await this.ended;
    return this.position;
  }
}

/** The message of the error that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => messageOf(error),
  );
