/** What the source delivered a moment ago: the archive applies a batch later than the source makes it. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../collections/growing-cache.ts';
import type { ArchivedTweet, ArchivedUser, ArchiveRecord } from '../../domain/records.ts';
import type { Clock } from '../clock.ts';
import { KnownRecords, removed } from './known-records.ts';
import type { HeldKeys, HeldRecords } from '../../ports/held-records.ts';

/**
 * The AppView can be behind the stream. What changed in so many milliseconds is not compared with what it answers.
 */
const settleMs = 600_000;

/** Maximum number of remembered records of a kind: more than a consumer leaves behind. */
const maxRecords = 20_000;

/**
 * The time after which the archive has a delivered record, has ignored it, or has evicted it again. Shorter than the time for
 * which retention keeps the profile of an account without posts: an evicted profile is read again when the account posts.
 */
const maxAgeMs = 1_800_000;
/**
 * A record stays at least so long, also when the archive has it: a read of the archive that began before may still be in use.
 */
const appliedMs = 15_000;
/** Records between two purges of what has expired or is in the archive. */
const notesPerPurge = 1000;

export class RecentRecords {
  readonly #held: HeldRecords;
  readonly #tweets: LRUCache<string, ArchivedTweet | typeof removed>;
  readonly #profiles: LRUCache<string, ArchivedUser>;
  readonly #withdrawn: LRUCache<string, boolean>;
  /** The at-uris of deleted records that the archive did not have: what is fetched later may still have them. */
  readonly #deleted: LRUCache<string, true>;

  /** The time of the last delivered start or end of a follow, by both ids. */
  readonly #follows: LRUCache<string, number>;
  readonly #clock: Clock;
  #noted = 0;
  #isForgetting = false;

  /** `max`: the maximum number of remembered records of a kind. */
  constructor(held: HeldRecords, clock: Clock, max = maxRecords) {
    const options = { ...atMost(max), ttl: maxAgeMs, ttlResolution: 0, perf: { now: () => clock.now() } };
    this.#tweets = new LRUCache(options);
    this.#profiles = new LRUCache(options);
    this.#withdrawn = new LRUCache(options);
    this.#deleted = new LRUCache(options);
    this.#follows = new LRUCache(options);
    this.#held = held;
    this.#clock = clock;
  }

  /** Reads what the archive holds of some tweets and accounts. Rejects with StoreError. */
  async read(keys: HeldKeys): Promise<KnownRecords> {
    return new KnownRecords(await this.#held.read(keys), this);
  }

  /** A delivered tweet; `removed` for a delivered removal. */
  tweet(id: string): ArchivedTweet | typeof removed | undefined {
    return this.#tweets.get(id);
  }

  profile(id: string): ArchivedUser | undefined {
    return this.#profiles.get(id);
  }

  /** Whether an account was withdrawn (true) or reinstated (false); undefined where neither was delivered. */
  withdrawal(id: string): boolean | undefined {
    return this.#withdrawn.get(id);
  }

  /** The ids of the accounts that an account follows. Rejects with StoreError. */
  async followings(userId: string): Promise<Iterable<string>> {
    return this.#held.followings(userId);
  }

  /** The tweets of an account that the archive has, newest first. The iteration rejects with StoreError. */
  tweetsOf(userId: string): Iterable<ArchivedTweet> | AsyncIterable<ArchivedTweet> {
    return this.#held.tweetsOf(userId);
  }

  /** Remembers that the record at an at-uri does not exist any more. */
  noteDeleted(uri: string): void {
    this.#deleted.set(uri, true);
  }

  isDeleted(uri: string): boolean {
    return this.#deleted.has(uri);
  }

  /** Whether a tweet is old enough that its absence in an answer of the AppView means something. */
  isSettled({ created_at, observed_at = created_at }: ArchivedTweet): boolean {
    return Math.max(Date.parse(created_at), Date.parse(observed_at)) < this.#clock.now() - settleMs;
  }

  /** Whether a follow did not start or end a moment ago. */
  isFollowSettled(followerId: string, followingId: string): boolean {
    return (this.#follows.get(`${followerId} ${followingId}`) ?? 0) < this.#clock.now() - settleMs;
  }

  /** Remembers a delivered record. */
  note(record: ArchiveRecord): void {
    if (++this.#noted % notesPerPurge === 0) this.#purge();
    if (record.kind === 'tweet') this.#tweets.set(record.tweet.id, record.tweet);
    else if (record.kind === 'delete') this.#tweets.set(record.tweet_id, removed);
    else if (record.kind === 'user') this.#profiles.set(record.user.id, record.user);
    else if (record.kind === 'withdraw') this.#forgetAccount(record.user_id);
    else if (record.kind === 'reinstate') this.#withdrawn.set(record.user_id, false);
    else if (record.kind === 'follow' || record.kind === 'unfollow')
      this.#follows.set(`${record.follower_id} ${record.following_id}`, this.#clock.now());
  }

  /** Frees the memory of what has expired, and then of what the archive has. */
  #purge(): void {
    for (const cache of [this.#tweets, this.#profiles, this.#withdrawn, this.#deleted, this.#follows])
      cache.purgeStale();
    if (this.#isForgetting) return;
    this.#isForgetting = true;
    // Where the archive cannot be read, the next purge tries again.
    void this.#forgetApplied()
      .catch(() => {})
      .finally(() => (this.#isForgetting = false));
  }

  /** Forgets the records that the archive has: who looks something up reads the archive as well. */
  async #forgetApplied(): Promise<void> {
    const isOld = (cache: Pick<LRUCache<string, object>, 'getRemainingTTL'>, id: string): boolean =>
      cache.getRemainingTTL(id) <= maxAgeMs - appliedMs;
    const tweets = [...this.#tweets.entries()].filter(([id, tweet]) => tweet !== removed && isOld(this.#tweets, id));
    const users = [...this.#profiles.entries()].filter(([id]) => isOld(this.#profiles, id));
    if (tweets.length + users.length === 0) return;
    const held = await this.#held.read({ tweets: tweets.map(([id]) => id), users: users.map(([id]) => id) });
    // A newer record may have come meanwhile.
    for (const [id, tweet] of tweets)
      if (held.addressOf(id) !== undefined && !held.isRemoved(id) && this.#tweets.peek(id) === tweet)
        this.#tweets.delete(id);
    for (const [id, user] of users)
      if (held.profile(id) !== undefined && this.#profiles.peek(id) === user) this.#profiles.delete(id);
  }

  /** Takes back a record that was not delivered. */
  forget(record: ArchiveRecord): void {
    if (record.kind === 'tweet') this.#tweets.delete(record.tweet.id);
    else if (record.kind === 'delete') this.#tweets.delete(record.tweet_id);
    else if (record.kind === 'user') this.#profiles.delete(record.user.id);
    else if (record.kind === 'withdraw' || record.kind === 'reinstate') this.#withdrawn.delete(record.user_id);
  }

  /** Forgets what a withdrawal removes. */
  #forgetAccount(id: string): void {
    this.#withdrawn.set(id, true);
    this.#profiles.delete(id);
    for (const [tweetId, tweet] of [...this.#tweets.entries()])
      if (tweet !== removed && tweet.author_id === id) this.#tweets.delete(tweetId);
  }
}
