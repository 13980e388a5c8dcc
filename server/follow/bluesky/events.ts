/** Turns the events of the stream into records, and asks for what they refer to. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../collections/growing-cache.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import { relistFollows, reinstate, renewProfile, type Emit } from './accounts.ts';
import { atUri, collections, isDid, postUri, readAtUri } from '../../domain/at-uri.ts';
import type { Delivery, PendingEvent } from './delivery.ts';
import type { EventFilter } from './filter.ts';
import type { AccountEvent, CommitEvent, IdentityEvent, StreamEvent } from './frames.ts';
import { deletion, isHidden, withdrawal } from './history.ts';
import { fields } from '../../formats/recognised.ts';
import type { Hydrated, HydrationKind } from './hydrator.ts';
import { isSignedInOnly, selfLabels } from '../../formats/bluesky/labels.ts';
import type { PartsWithRecords } from './options.ts';
import { userOfRecord } from '../../formats/bluesky/profiles.ts';
import {
  afterEdit,
  detachedId,
  followOf,
  subjectOfRepost,
  tweetOfPost,
  tweetOfRepost,
} from '../../formats/bluesky/records.ts';
import type { PostReferences, RepositoryRecord } from '../../formats/bluesky/records.ts';
import { accountId } from '../../formats/bluesky/ids.ts';

/** Work that an event waits for. */
export interface EventWork {
  /** Fetches a profile or a post. `then` is called with the result; never where the platform had none a moment ago. */
  need(kind: HydrationKind, key: string, event: PendingEvent, then?: (result: Hydrated) => void): void;
  /** Runs a task; its failure is counted under the reason. */
  run(event: PendingEvent, reason: string, task: (emit: Emit, signal: AbortSignal) => Promise<void>): void;
}

/** States of an account in which the platform does not show it. Others concern the hosts, not the account. */
const inactive = new Set<string | undefined>(['deleted', 'takendown', 'suspended', 'deactivated', undefined]);
const maxFollows = 50_000;
const maxDetached = 1000;

const names: Readonly<Record<string, string>> = {
  [collections.post]: 'post',
  [collections.repost]: 'repost',
  [collections.follow]: 'follow',
  [collections.profile]: 'profile',
  [collections.postgate]: 'postgate',
};

/** The kind of an event for the metrics. */
const kindOf = (event: StreamEvent): string =>
  event.kind !== 'commit' ? event.kind : event.operation === 'delete' ? 'delete' : (names[event.collection] ?? 'other');

/** What the readers of one connection share. */
export class ConnectionMemory {
  filter: EventFilter;
  /** The followed account by the at-uri of the follow: a deletion names only the record. */
  readonly follows = new LRUCache<string, string>(atMost(maxFollows));
  /** The accounts whose follows are to be listed again. */
  readonly relisting = new Map<string, PendingEvent[]>();

  constructor(filter: EventFilter) {
    this.filter = filter;
  }
}

/** JSON values with everything that the reading of events looks up. */
export function* namedBy(events: readonly StreamEvent[]): Generator<unknown, void> {
  for (const event of events) {
    yield event.did;
    if (event.kind !== 'commit') continue;
    yield event.record;
    if (event.collection === collections.post || event.collection === collections.repost) yield atUri(event);
  }
}

/** Reads events that came together. */
export class EventReader {
  readonly #parts: PartsWithRecords;
  readonly #delivery: Delivery;
  readonly #work: EventWork;
  readonly #connection: ConnectionMemory;

  /** `parts`: with what is known of everything that the events name (`namedBy`). */
  constructor(parts: PartsWithRecords, delivery: Delivery, work: EventWork, connection: ConnectionMemory) {
    this.#parts = parts;
    this.#delivery = delivery;
    this.#work = work;
    this.#connection = connection;
  }

  get #filter(): EventFilter {
    return this.#connection.filter;
  }

  /** Reads an event. Its records are in the delivery now, or later where they need something else first. */
  read(event: StreamEvent): void {
    const { known, clock, observer } = this.#parts;
    // A time in the future must not become the position.
    const pending = this.#delivery.begin(Math.min(event.time, clock.now() * 1000), kindOf(event));
    const id = accountId(event.did);
    const profile = known.profile(id);
    if (profile?.did !== undefined && profile.did !== event.did) return observer.rejected('id taken');
    if (event.kind === 'commit') return this.#commit(event, id, pending);
    const isKnown = profile !== undefined || known.isWithdrawn(id) || this.#filter.isFollowed(event.did);
    if (!isKnown) return;
    if (event.kind === 'account') this.#account(event, id, pending);
    else this.#identity(event, pending);
  }

  #commit(event: CommitEvent, id: string, pending: PendingEvent): void {
    const { collection, did, operation, rkey } = event;
    const isFollowed = this.#filter.isFollowed(did);
    if (collection === collections.profile) return this.#profile(event, id, pending);
    if (this.#parts.known.isWithdrawn(id)) return;
    const record: RepositoryRecord = {
      uri: atUri({ did, collection, rkey }),
      did,
      record: event.record,
      seenAt: Math.floor(pending.time / 1000),
    };
    if (operation === 'delete') return this.#deleted(record, collection, pending);
    if (collection === collections.post) this.#post(record, operation, pending);
    else if (collection === collections.postgate) this.#postgate(record);
    else if (collection === collections.repost && isFollowed) this.#repost(record, pending);
    else if (collection === collections.follow && isFollowed) this.#follow(record, pending);
  }

  #post(post: RepositoryRecord, operation: 'create' | 'update', pending: PendingEvent): void {
    const { context, known, observer, clock } = this.#parts;
    const mapped = tweetOfPost(post, context);
    if (mapped === undefined) return observer.rejected('invalid record');
    const { references } = mapped;
    if (known.isRemoved(mapped.tweet.id, mapped.tweet.author_id)) return;
    const tweet = operation === 'update' ? afterEdit(mapped.tweet, post.seenAt) : mapped.tweet;
    if (this.#filter.isFollowed(post.did)) {
      this.#emitTweet(tweet);
      this.#needProfile(post.did, pending);
      this.#needReferences(references, pending);
    } else if (known.tweetAt(post.uri) !== undefined) {
      this.#emitTweet(tweet);
    } else if (this.#filter.matches(tweet, known, clock.now())) {
      this.#foundPost(post, tweet, references, pending);
    }
  }

  /** A post of an account that is not followed: whether it may be shown depends on the profile. */
  #foundPost(post: RepositoryRecord, tweet: ArchivedTweet, references: PostReferences, pending: PendingEvent): void {
    const { recent, known } = this.#parts;
    const emit = (): void => {
      if (recent.isDeleted(post.uri)) return;
      this.#emitTweet(tweet);
      // The stream of the whole network brings the other posts by itself.
      if (!this.#filter.followsNetwork) this.#needReferences(references, pending);
    };
    if (known.profile(accountId(post.did)) !== undefined) return emit();
    this.#work.need('profile', post.did, pending, (result) => {
      if (typeof result === 'object' && !isHidden(this.#parts, result)) emit();
    });
  }

  #emitTweet(tweet: ArchivedTweet): void {
    this.#delivery.emit({ kind: 'tweet', tweet });
  }

  #needProfile(did: string, pending: PendingEvent): void {
    const id = accountId(did);
    const { known } = this.#parts;
    if (known.profile(id) === undefined && !known.isWithdrawn(id)) this.#work.need('profile', did, pending);
  }

  /** The post that a post answers, and the one that it quotes. */
  #needReferences({ parent, quoted }: PostReferences, pending: PendingEvent): void {
    for (const uri of new Set([parent, quoted])) if (uri !== undefined) this.#needPost(uri, pending);
  }

  #needPost(uri: string, pending: PendingEvent, then?: () => void): void {
    const { known } = this.#parts;
    const author = readAtUri(uri)?.did ?? '';
    if (!known.knows(uri) && !known.isWithdrawn(accountId(author))) this.#work.need('post', uri, pending, then);
  }

  #repost(repost: RepositoryRecord, pending: PendingEvent): void {
    const { recent, known, context, observer } = this.#parts;
    const subject = subjectOfRepost(repost.record);
    if (subject === undefined || known.isRemoved(context.idOf(repost.uri), accountId(repost.did))) return;
    const emit = (): boolean => {
      const original = known.tweetAt(subject);
      if (original === undefined) return false;
      if (!recent.isDeleted(repost.uri)) this.#emitTweet(tweetOfRepost(repost, original, context));
      return true;
    };
    this.#needProfile(repost.did, pending);
    if (emit()) return;
    this.#needPost(subject, pending, () => {
      if (!emit()) observer.rejected('original missing');
    });
  }

  #follow(follow: RepositoryRecord, pending: PendingEvent): void {
    const record = followOf(follow);
    const { subject } = follow.record;
    if (record === undefined || !isDid(subject)) return this.#parts.observer.rejected('invalid record');
    this.#connection.follows.set(follow.uri, accountId(subject));
    this.#delivery.emit(record);
    this.#needProfile(follow.did, pending);
    this.#needProfile(subject, pending);
  }

  #deleted({ uri, did, seenAt }: RepositoryRecord, collection: string, pending: PendingEvent): void {
    const { recent, known } = this.#parts;
    if (collection === collections.post || collection === collections.repost) {
      const tweet = known.tweetAt(uri);
      recent.noteDeleted(uri);
      if (tweet === undefined) return;
      this.#delivery.emit(deletion(tweet, seenAt));
      // A fill can have brought the retweeter too, with the time of the fill.
      const { retweeted_tweet_id: tweet_id, author_id: user_id } = tweet;
      if (tweet_id !== undefined)
        this.#delivery.emit({ kind: 'unretweet', tweet_id, user_id, at: new Date(seenAt).toISOString() });
    } else if (collection === collections.follow && this.#filter.isFollowed(did)) {
      const following_id = this.#connection.follows.get(uri);
      if (following_id === undefined) return this.#relistFollows(did, pending);
      const at = new Date(seenAt).toISOString();
      this.#delivery.emit({ kind: 'unfollow', follower_id: accountId(did), following_id, at });
    }
  }

  /** Lists the follows of an account again; once for all deletions until the list is read. */
  #relistFollows(did: string, pending: PendingEvent): void {
    const waiting = this.#connection.relisting.get(did);
    if (waiting !== undefined) {
      waiting.push(pending);
      return this.#delivery.hold(pending);
    }
    const others: PendingEvent[] = [];
    this.#connection.relisting.set(did, others);
    this.#work.run(pending, 'follows not listed', async (emit, signal) => {
      try {
        await relistFollows(this.#parts, did, emit, signal);
      } finally {
        this.#connection.relisting.delete(did);
        for (const other of others) this.#delivery.release(other);
      }
    });
  }

  #profile({ did, record }: CommitEvent, id: string, pending: PendingEvent): void {
    const { known, context, includesSignedInOnly } = this.#parts;
    const current = known.profile(id);
    const isWithdrawn = known.isWithdrawn(id);
    if (!this.#filter.isFollowed(did) && current === undefined && !isWithdrawn) return;
    const seenAt = Math.floor(pending.time / 1000);
    if (isSignedInOnly(selfLabels(record)) && !includesSignedInOnly) {
      if (!isWithdrawn) this.#delivery.emit(withdrawal(id, seenAt));
    } else if (isWithdrawn) this.#reinstate(did, pending);
    else if (current?.did === undefined) this.#work.need('profile', did, pending);
    else {
      this.#delivery.emit({ kind: 'user', user: userOfRecord(record, current, seenAt, context) });
      const pinned = postUri(fields(record.pinnedPost).uri);
      if (pinned !== undefined && this.#filter.isFollowed(did)) this.#needPost(pinned, pending);
    }
  }

  /** The author of a post detached quotes of it. */
  #postgate({ record, did, seenAt }: RepositoryRecord): void {
    const { known, context } = this.#parts;
    const quoted = postUri(record.post);
    if (quoted === undefined || readAtUri(quoted)?.did !== did || !Array.isArray(record.detachedEmbeddingUris)) return;
    for (const value of record.detachedEmbeddingUris.slice(0, maxDetached) as unknown[]) {
      const uri = postUri(value);
      const tweet = uri === undefined ? undefined : known.tweetAt(uri);
      if (tweet === undefined || tweet.quoted_tweet_id !== context.idOf(quoted)) continue;
      const observed_at = new Date(seenAt).toISOString();
      this.#emitTweet({ ...tweet, quoted_tweet_id: detachedId(quoted, context), observed_at });
    }
  }

  #account({ did, active, status }: AccountEvent, id: string, pending: PendingEvent): void {
    const isWithdrawn = this.#parts.known.isWithdrawn(id);
    if (active && isWithdrawn) this.#reinstate(did, pending);
    else if (!active && inactive.has(status) && !isWithdrawn)
      this.#delivery.emit(withdrawal(id, Math.floor(pending.time / 1000)));
  }

  #reinstate(did: string, pending: PendingEvent): void {
    this.#work.run(pending, 'account not read', (emit, signal) => reinstate(this.#parts, did, emit, signal));
  }

  #identity({ did, handle }: IdentityEvent, pending: PendingEvent): void {
    if (this.#parts.known.isWithdrawn(accountId(did))) return;
    this.#work.run(pending, 'account not read', (emit, signal) =>
      renewProfile(this.#parts, { did, handle }, emit, signal),
    );
  }
}
