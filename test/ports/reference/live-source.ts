/** A platform in memory with a live source, whose connection a test cuts, repeats, reorders, silences and soils. */
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import {
  SourceError,
  type HistoryRequest,
  type LiveBatch,
  type LiveSource,
  type LiveStream,
  type ResolvedTarget,
  type SourceObserver,
  type StreamRequest,
  type Target,
} from '../../../server/ports/live-source.ts';
import { parseTarget } from '../../../server/config/targets.ts';
import type { HeldRecords } from '../../../server/ports/held-records.ts';

interface Post {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly at: number;
  likes: number;
  isRemoved: boolean;
}

/** An event of the platform, or rubbish. */
type PlatformEvent =
  | { readonly kind: 'post' | 'delete'; readonly post: Post; readonly at: number }
  | { readonly kind: 'rubbish' };

/** Settings that a test changes at any time. */
interface Disturbances {
  /** The number of events before the position that a connection sends again. */
  repeat: number;
  /** Whether neighbouring events of different accounts are swapped. */
  reorder: boolean;
  /** The error of each new connection. */
  refuse: SourceError | undefined;
  /** The error of each request. */
  failRequests: SourceError | undefined;
  /** The error of the next request only. */
  failNextRequest: SourceError | undefined;
  /** Whether connections send nothing. */
  silent: boolean;
}

const userIdOf = (account: string): string =>
  String([...account].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 1e9);

export class ReferencePlatform {
  readonly disturbances: Disturbances = {
    repeat: 0,
    reorder: false,
    refuse: undefined,
    failRequests: undefined,
    failNextRequest: undefined,
    silent: false,
  };
  /** The requests of all connections. */
  readonly connections: StreamRequest[] = [];
  /** The number of batches that consumers took. */
  taken = 0;
  /** The calls of `update`. */
  readonly updates: (readonly ResolvedTarget[])[] = [];
  readonly histories: { readonly target: string; readonly request: HistoryRequest }[] = [];
  readonly log: PlatformEvent[] = [];
  /** The number of events that are no longer in the log: a connection with an older position begins there without notice. */
  forgotten = 0;
  batchSize = 3;
  /** The time between two batches of a connection. */
  pause: () => Promise<void> = async () => {};
  historyPage = 2;
  readonly observers = new Set<SourceObserver>();
  readonly #accounts = new Set<string>();
  readonly #posts = new Map<string, Post>();
  readonly #open = new Set<AbortController>();
  readonly #waiting = new Set<() => void>();
  readonly now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.now = now;
  }

  addAccount(account: string): void {
    this.#accounts.add(account);
  }

  hasAccount(account: string): boolean {
    return this.#accounts.has(account);
  }

  publish(author: string, text: string): string {
    const post = { id: String(1000 + this.#posts.size), author, text, at: this.now(), likes: 0, isRemoved: false };
    this.#posts.set(post.id, post);
    this.#append({ kind: 'post', post, at: post.at });
    return post.id;
  }

  remove(id: string): void {
    const post = this.post(id);
    post.isRemoved = true;
    this.#append({ kind: 'delete', post, at: this.now() });
  }

  /** Removes a post without an event, as while nobody listens. */
  removeSilently(id: string): void {
    this.post(id).isRemoved = true;
  }

  setLikes(id: string, likes: number): void {
    this.post(id).likes = likes;
  }

  sendRubbish(): void {
    this.#append({ kind: 'rubbish' });
  }

  /** A heartbeat on each connection. */
  beat(): void {
    for (const observer of this.observers) observer.alive();
  }

  reportGap(): void {
    for (const observer of this.observers) observer.gap('the platform lost events');
  }

  /** Ends all connections with an error. */
  cut(): void {
    for (const connection of this.#open) connection.abort();
    this.#open.clear();
  }

  post(id: string): Post {
    const post = this.#posts.get(id);
    if (post === undefined) throw new Error(`no post ${id}`);
    return post;
  }

  /** The posts of an account that are there, newest first. */
  postsOf(author: string): Post[] {
    return [...this.#posts.values()].filter((post) => post.author === author && !post.isRemoved).reverse();
  }

  #append(event: PlatformEvent): void {
    this.log.push(event);
    this.wake();
  }

  /** Continues connections, as after a silence. */
  wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Resolves when something happens, or when a signal aborts. */
  async change(...signals: readonly AbortSignal[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    for (const signal of signals) signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }

  connect(): AbortController {
    const connection = new AbortController();
    this.#open.add(connection);
    return connection;
  }

  disconnect(connection: AbortController): void {
    this.#open.delete(connection);
  }

  get openConnections(): number {
    return this.#open.size;
  }
}

const tweetOf = (post: Post): ArchivedTweet => ({
  id: post.id,
  text: post.text,
  created_at: new Date(post.at).toISOString(),
  author_id: userIdOf(post.author),
  like_count: post.likes,
  observed_at: new Date(post.at).toISOString(),
});
const userRecord = (account: string): ArchiveRecord => ({
  kind: 'user',
  user: { id: userIdOf(account), username: account, did: didOf(account), name: account },
});
const didOf = (account: string): string => `did:web:${account}`;

class ReferenceStream implements LiveStream {
  readonly #platform: ReferencePlatform;
  readonly #observer: SourceObserver;
  readonly #request: StreamRequest;
  #accounts: ReadonlySet<string>;

  constructor(platform: ReferencePlatform, observer: SourceObserver, request: StreamRequest) {
    this.#platform = platform;
    this.#observer = observer;
    this.#request = request;
    this.#accounts = new Set(request.targets.flatMap(({ accounts = [] }) => accounts));
  }

  update(targets: readonly ResolvedTarget[]): void {
    this.#platform.updates.push(targets);
    this.#accounts = new Set(targets.flatMap(({ accounts = [] }) => accounts));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveBatch, void> {
    const platform = this.#platform;
    const { signal, position } = this.#request;
    platform.connections.push(this.#request);
    const { refuse, repeat } = platform.disturbances;
    if (refuse !== undefined) throw refuse;
    const connection = platform.connect();
    try {
      this.#observer.connected('platform.test');
      let next = position === undefined ? platform.log.length : Number(position) - repeat;
      next = Math.max(next, platform.forgotten, 0);
      while (!signal.aborted) {
        if (connection.signal.aborted) throw new SourceError('the platform closed the connection');
        if (next >= platform.log.length || platform.disturbances.silent) {
          await platform.change(signal, connection.signal);
          continue;
        }
        const end = Math.min(platform.log.length, next + platform.batchSize);
        const batch = this.#batch(platform.log.slice(next, end), end);
        next = end;
        platform.taken++;
        yield batch;
        await platform.pause();
      }
    } finally {
      platform.disconnect(connection);
    }
  }

  #batch(events: readonly PlatformEvent[], end: number): LiveBatch {
    const records: ArchiveRecord[] = [];
    const counts: Record<string, number> = {};
    let at: number | undefined;
    for (const event of this.#platform.disturbances.reorder ? reordered(events) : events) {
      if (event.kind === 'rubbish') {
        this.#observer.rejected('unreadable');
        continue;
      }
      at = event.at;
      if (!this.#accounts.has(didOf(event.post.author))) continue;
      counts[event.kind] = (counts[event.kind] ?? 0) + 1;
      if (event.kind === 'post')
        records.push(userRecord(event.post.author), { kind: 'tweet', tweet: tweetOf(event.post) });
      else records.push({ kind: 'delete', tweet_id: event.post.id, author_id: userIdOf(event.post.author) });
    }
    return { records, position: String(end), ...(at === undefined ? {} : { at }), events: counts };
  }
}

/** Swaps neighbours of different accounts: the order of one account stays. */
function reordered(events: readonly PlatformEvent[]): PlatformEvent[] {
  const swapped = [...events];
  for (let index = 0; index + 1 < swapped.length; index += 2) {
    const [first, second] = [swapped[index], swapped[index + 1]];
    if (first === undefined || second === undefined || first.kind === 'rubbish' || second.kind === 'rubbish') continue;
    if (first.post.author !== second.post.author) [swapped[index], swapped[index + 1]] = [second, first];
  }
  return swapped;
}

export class ReferenceSource implements LiveSource {
  readonly name = 'bluesky';
  readonly title = 'Bluesky';
  readonly maxGapMs = 12 * 3_600_000;
  readonly #platform: ReferencePlatform;
  readonly #held: HeldRecords;
  readonly #observer: SourceObserver;

  constructor(platform: ReferencePlatform, held: HeldRecords, observer: SourceObserver) {
    this.#platform = platform;
    this.#held = held;
    this.#observer = observer;
    platform.observers.add(observer);
  }

  parse(text: string): Target {
    try {
      return parseTarget(`${this.name}:${text}`);
    } catch (error) {
      throw new SourceError((error as Error).message, { isPermanent: true });
    }
  }

  async resolve(target: Target, signal: AbortSignal): Promise<ResolvedTarget> {
    this.#request(signal);
    if (target.kind !== 'account') return { target, title: target.value, accounts: undefined };
    const account = target.value.replace(/^did:web:/, '');
    if (!this.#platform.hasAccount(account)) throw new SourceError(`no account ${account}`, { isPermanent: true });
    return { target, title: `@${account}`, accounts: [didOf(account)] };
  }

  stream(request: StreamRequest): LiveStream {
    return new ReferenceStream(this.#platform, this.#observer, request);
  }

  async *history(target: ResolvedTarget, request: HistoryRequest): AsyncGenerator<LiveBatch, void> {
    this.#platform.histories.push({ target: target.title, request });
    for (const did of target.accounts ?? []) {
      const account = did.replace(/^did:web:/, '');
      // What comes by the stream while the history is read is not gone.
      const before: ArchivedTweet[] = [];
      for await (const tweet of this.#held.tweetsOf(userIdOf(account))) before.push(tweet);
      const posts = this.#platform.postsOf(account).slice(0, request.limit);
      const found = new Set(posts.map(({ id }) => id));
      this.#request(request.signal);
      yield { records: [userRecord(account)] };
      for (let from = 0; from < posts.length; from += this.#platform.historyPage) {
        this.#request(request.signal);
        yield {
          records: posts
            .slice(from, from + this.#platform.historyPage)
            .map((post) => ({ kind: 'tweet', tweet: tweetOf(post) })),
        };
      }
      if (!request.reconcile) continue;
      const oldest = posts.length < request.limit ? 0 : (posts.at(-1)?.at ?? 0);
      const gone = before.filter(({ id, created_at }) => !found.has(id) && Date.parse(created_at) >= oldest);
      yield { records: gone.map(({ id, author_id }) => ({ kind: 'delete', tweet_id: id, author_id })) };
    }
  }

  async refresh(tweets: readonly ArchivedTweet[], signal: AbortSignal): Promise<readonly ArchiveRecord[]> {
    this.#request(signal);
    return tweets.flatMap((tweet): ArchiveRecord[] => {
      const post = this.#platform.post(tweet.id);
      if (post.isRemoved) return [{ kind: 'delete', tweet_id: tweet.id }];
      if (post.likes === tweet.like_count) return [];
      return [
        { kind: 'tweet', tweet: { ...tweetOf(post), observed_at: new Date(this.#platform.now()).toISOString() } },
      ];
    });
  }

  #request(signal: AbortSignal): void {
    signal.throwIfAborted();
    const { disturbances } = this.#platform;
    const error = disturbances.failNextRequest ?? disturbances.failRequests;
    disturbances.failNextRequest = undefined;
    this.#observer.requested(error === undefined ? 200 : 429);
    if (error !== undefined) throw error;
  }
}
