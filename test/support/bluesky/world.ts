/** A small Bluesky in memory: accounts, their records and the events that a Jetstream server would send. */
import { hash } from 'node:crypto';
import { tidOfId, userId, postId } from '../../../server/domain/tid.ts';

export type Json = Record<string, unknown>;

export interface WorldRecord {
  readonly uri: string;
  readonly cid: string;
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
  value: Json;
  readonly indexedAt: string;
}

export interface Account {
  readonly did: string;
  handle: string;
  active: boolean;
  readonly createdAt: string;
  readonly records: Map<string, WorldRecord>;
  /** Labels of moderation. */
  labels: string[];
}

export interface PostExtra extends Json {
  /** The at-uri of the post that this one answers. */
  readonly replyTo?: string;
  readonly quotes?: string;
  readonly rkey?: string;
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
/** A text of base32 that depends only on `of`. */
const base32 = (of: string, length: number): string =>
  Array.from(Buffer.from(hash('sha512', of, 'hex')), (byte) => letters[byte % 32])
    .join('')
    .slice(0, length);

const lexicon = { post: 'app.bsky.feed.post', repost: 'app.bsky.feed.repost', follow: 'app.bsky.graph.follow' };

export class World {
  readonly accounts = new Map<string, Account>();
  readonly events: Json[] = [];
  /** Labels of posts by at-uri. */
  readonly labels = new Map<string, string[]>();
  readonly likes = new Map<string, number>();
  /** Quoting posts that are detached from the post they quote. */
  readonly detached = new Set<string>();
  /** Called after each event. */
  onEvent: () => void = () => {};
  readonly #now: () => number;
  #lastUs = 0;

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A time in microseconds that no event has: a second ago, so that several events in a millisecond are in the past. */
  #time(): number {
    this.#lastUs = Math.max(this.#lastUs + 1, (this.#now() - 1000) * 1000);
    return this.#lastUs;
  }

  account(handle: string, name?: string): string {
    const did = `did:plc:${base32(handle, 24)}`;
    const createdAt = new Date(this.#now()).toISOString();
    this.accounts.set(did, { did, handle, active: true, createdAt, records: new Map(), labels: [] });
    if (name !== undefined) this.put(did, 'app.bsky.actor.profile', { displayName: name }, 'self');
    return did;
  }

  get(did: string): Account {
    const account = this.accounts.get(did);
    if (account === undefined) throw new Error(`no account ${did}`);
    return account;
  }

  find(uri: string): WorldRecord | undefined {
    const [, , did = ''] = uri.split('/');
    const account = this.accounts.get(did);
    return account?.active === true ? account.records.get(uri) : undefined;
  }

  get posts(): WorldRecord[] {
    return [...this.accounts.values()].flatMap(({ records }) =>
      [...records.values()].filter(({ collection }) => collection === lexicon.post),
    );
  }

  /** Creates or replaces a record; returns its at-uri. */
  put(did: string, collection: string, value: Json, rkey?: string): string {
    const time = this.#time();
    const key = rkey ?? tidOfId(String(BigInt(time) * 1024n)) ?? '';
    const uri = `at://${did}/${collection}/${key}`;
    const { records } = this.get(did);
    const operation = records.has(uri) ? 'update' : 'create';
    const cid = `bafyrei${base32(`${uri} ${JSON.stringify(value)}`, 52)}`;
    const now = new Date(Math.floor(time / 1000)).toISOString();
    const record: Json = {
      $type: collection,
      ...(collection === 'app.bsky.actor.profile' ? {} : { createdAt: now }),
      ...value,
    };
    records.set(uri, { uri, cid, did, collection, rkey: key, value: record, indexedAt: now });
    this.#commit(did, time, { rev: key, operation, collection, rkey: key, record, cid });
    return uri;
  }

  post(did: string, text: string, { replyTo, quotes, rkey, ...extra }: PostExtra = {}): string {
    const embed = quotes === undefined ? {} : { embed: { $type: 'app.bsky.embed.record', record: this.ref(quotes) } };
    const parent = replyTo === undefined ? undefined : this.ref(replyTo);
    const root = replyTo === undefined ? undefined : (this.find(replyTo)?.value.reply as Json | undefined)?.root;
    const reply = parent === undefined ? {} : { reply: { parent, root: root ?? parent } };
    return this.put(did, lexicon.post, { text, langs: ['en'], ...reply, ...embed, ...extra }, rkey);
  }

  repost(did: string, uri: string): string {
    return this.put(did, lexicon.repost, { subject: this.ref(uri) });
  }

  follow(did: string, subject: string): string {
    return this.put(did, lexicon.follow, { subject });
  }

  /** A strong reference to a record. */
  ref(uri: string): Json {
    return { uri, cid: this.find(uri)?.cid ?? `bafyrei${base32(uri, 52)}` };
  }

  delete(uri: string): void {
    const [, , did = '', collection = '', rkey = ''] = uri.split('/');
    this.get(did).records.delete(uri);
    this.#commit(did, this.#time(), { rev: rkey, operation: 'delete', collection, rkey });
  }

  rename(did: string, handle: string): void {
    this.get(did).handle = handle;
    const time = this.#time();
    this.#event(did, time, { kind: 'identity', identity: { did, handle, seq: time, time: this.#iso() } });
  }

  setActive(did: string, active: boolean, status = 'deactivated'): void {
    this.get(did).active = active;
    const time = this.#time();
    const account = { active, did, seq: time, time: this.#iso(), ...(active ? {} : { status }) };
    this.#event(did, time, { kind: 'account', account });
  }

  /** Asks that an account is not shown to people who are not signed in, or takes this back. */
  setSignedInOnly(did: string, isSet: boolean): void {
    const values = isSet ? [{ val: '!no-unauthenticated' }] : [];
    const labels = { labels: { $type: 'com.atproto.label.defs#selfLabels', values } };
    this.put(did, 'app.bsky.actor.profile', labels, 'self');
  }

  /** Detaches a quote of a post. */
  detach(quoted: string, quoting: string): void {
    const [, , did = '', , rkey] = quoted.split('/');
    this.detached.add(quoting);
    this.put(did, 'app.bsky.feed.postgate', { post: quoted, detachedEmbeddingUris: [quoting] }, rkey);
  }

  /** Changes the world without an event, as what happens while nobody listens. */
  silently<Result>(change: () => Result): Result {
    const { onEvent } = this;
    this.onEvent = () => {};
    const before = this.events.length;
    const result = change();
    this.events.length = before;
    this.onEvent = onEvent;
    return result;
  }

  #iso(): string {
    return new Date(this.#now()).toISOString();
  }

  #commit(did: string, time: number, commit: Json): void {
    this.#event(did, time, { kind: 'commit', commit });
  }

  #event(did: string, time_us: number, rest: Json): void {
    this.events.push({ did, time_us, ...rest });
    this.onEvent();
  }
}

/** The id of a record in an archive that has no other record with its number. */
export const idOf = (uri: string): string => postId(uri, () => undefined);
export { userId };
