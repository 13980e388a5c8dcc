/**
 * What a whole network publishes, in the order of time: posts of an ever-growing number of accounts, deletions, profiles, and
 * events of accounts. Knows what exists, so that it answers as the AppView of the network.
 */
import { didOf, textOf, tidOf, uriOf } from './workload.ts';

/** The share of each kind of event in a hundred; the rest are posts, of which 40 % are replies and 8 % are quotes. */
const perHundred = { deletions: 6, profiles: 3, identities: 1, newAccounts: 3 } as const;

/** The number of posts that others answer, quote and delete. */
const newestPosts = 1000;

const cid = 'bafyreicl7rzkxdrm4zz2ehbx52kuk3mvfow6p3gzfys72r5grvskxoswy4';

interface Post {
  readonly did: string;
  readonly uri: string;
  readonly record: object;
  readonly at: number;
}

type Json = Record<string, unknown>;

/** Numbers from 0 to 1 that depend only on the ones before (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class NetworkWorkload {
  readonly #draw = random(20_261_122);
  /** The newest posts, oldest first: they are answered, quoted, deleted and read again. */
  readonly #posts = new Map<string, Post>();
  readonly #maxPosts: number;
  readonly #maxActive: number;
  /** The addresses of the newest posts; some are deleted. */
  #newest: string[] = [];
  #accounts = 200;
  #index = 0;
  #lastTime = 0;

  /** `maxPosts`: the number of posts that the network remembers. */
  constructor(maxPosts: number) {
    this.#maxPosts = maxPosts;
    this.#maxActive = Math.ceil(maxPosts / 16);
  }

  /** The number of accounts so far. */
  get accounts(): number {
    return this.#accounts;
  }

  /** The time of the last event in microseconds. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** The frames of `count` events between two times in milliseconds since the epoch. */
  *frames(count: number, from: number, to: number): Generator<string, void> {
    for (let event = 0; event < count; event++) {
      const time = Math.max(this.#lastTime + 1, Math.floor((from + ((to - from) * event) / count) * 1000));
      this.#lastTime = time;
      yield JSON.stringify(this.#event(time));
    }
  }

  /** What the AppView answers to `getProfiles`. */
  profiles(dids: readonly string[]): Json[] {
    return dids.map((did) => ({
      did,
      handle: `${did.slice(-12)}.example.com`,
      displayName: `Account ${did.slice(-5)}`,
    }));
  }

  /** What the AppView answers to `getPosts`. */
  posts(uris: readonly string[]): Json[] {
    return uris.flatMap((uri) => {
      const post = this.#posts.get(uri);
      if (post === undefined) return [];
      const indexedAt = new Date(post.at).toISOString();
      const [author] = this.profiles([post.did]);
      return [{ uri, cid, author, record: post.record, indexedAt, likeCount: 1 + (post.at % 5), repostCount: 1 }];
    });
  }

  #event(time: number): Json {
    const kind = this.#index++ % 100;
    const { deletions, profiles, identities, newAccounts } = perHundred;
    if (kind < deletions) return this.#deletion(time);
    if (kind < deletions + profiles) return this.#profile(time);
    if (kind < deletions + profiles + identities) {
      const did = this.#someAccount();
      return { did, time_us: time, kind: 'identity', identity: { did, handle: `${did.slice(-12)}.example.com` } };
    }
    const isNew = kind >= 100 - newAccounts;
    return this.#post(isNew ? didOf(this.#accounts++) : this.#someAccount(), time);
  }

  /** One of the active accounts; the newer half of them posts three quarters of the posts. Accounts become inactive in time. */
  #someAccount(): string {
    const active = Math.min(this.#accounts, this.#maxActive);
    const isRecent = this.#draw() < 0.75;
    return didOf(this.#accounts - 1 - this.#below(isRecent ? Math.ceil(active / 2) : active));
  }

  #below(count: number): number {
    return Math.floor(this.#draw() * count);
  }

  #post(did: string, time: number): Json {
    const at = Math.floor(time / 1000);
    const collection = 'app.bsky.feed.post';
    const earlier = this.#earlier();
    const subject = earlier && { uri: earlier.uri, cid };
    const reply = subject !== undefined && this.#draw() < 0.4 ? { reply: { root: subject, parent: subject } } : {};
    const isQuote = subject !== undefined && this.#draw() < 0.08;
    const record = {
      ...{ $type: collection, createdAt: new Date(at).toISOString(), langs: ['en'] },
      // One text in ten has a word that no other has.
      ...textOf(this.#index, this.#index % 10 === 0 ? ` word${this.#index.toString(36)}` : ''),
      ...reply,
      ...(isQuote ? { embed: { $type: 'app.bsky.embed.record', record: subject } } : {}),
    };
    const uri = uriOf(did, collection, time);
    this.#remember({ did, uri, record, at });
    return commit(did, time, { operation: 'create', collection, rkey: tidOf(time), record, cid });
  }

  /** One of the newest posts. */
  #earlier(): Post | undefined {
    return this.#posts.get(this.#newest[this.#below(this.#newest.length)] ?? '');
  }

  #remember(post: Post): void {
    this.#posts.set(post.uri, post);
    this.#newest.push(post.uri);
    if (this.#newest.length > 2 * newestPosts) this.#newest = this.#newest.slice(-newestPosts);
    const oldest = this.#posts.size > this.#maxPosts ? this.#posts.keys().next().value : undefined;
    if (oldest !== undefined) this.#posts.delete(oldest);
  }

  #deletion(time: number): Json {
    const post = this.#earlier();
    if (post === undefined) return this.#profile(time);
    this.#posts.delete(post.uri);
    const rkey = post.uri.slice(post.uri.lastIndexOf('/') + 1);
    return commit(post.did, time, { operation: 'delete', collection: 'app.bsky.feed.post', rkey });
  }

  #profile(time: number): Json {
    const collection = 'app.bsky.actor.profile';
    const record = { $type: collection, displayName: `Account ${this.#index}` };
    return commit(this.#someAccount(), time, { operation: 'update', collection, rkey: 'self', record, cid });
  }
}

const commit = (did: string, time: number, body: Json): Json => ({
  did,
  time_us: time,
  kind: 'commit',
  commit: { rev: tidOf(time), ...body },
});
