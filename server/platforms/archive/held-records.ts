/** What live sources and their services read of the archive in memory. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import type { HeldArchive, HeldPart, HeldTweets } from '../../ports/held-records.ts';
import type { PageRequest } from '../../contract/page.ts';
import type { KnownUser, UserRef } from '../../ports/platform.ts';
import { parse } from '../../search/language/parse.ts';
import type { Archive } from './archive.ts';

const isId = /^\d{1,19}$/;

/** Everything is at hand: each look-up reads the archive as it is now. */
export class ArchiveHeldRecords implements HeldArchive, HeldPart {
  readonly #archive: Archive;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  read(): HeldPart {
    return this;
  }

  tweet(id: string): ArchivedTweet | undefined {
    const ordinal = this.#archive.ordinal(id);
    return ordinal === undefined ? undefined : this.#archive.tweet(ordinal);
  }

  isRemoved(tweetId: string): boolean {
    return this.#archive.isRemoved(tweetId);
  }

  addressOf(tweetId: string): string | undefined {
    return this.#archive.addressOf(tweetId);
  }

  profile(userId: string): ArchivedUser | undefined {
    return this.#archive.users.get(userId);
  }

  isWithdrawn(userId: string): boolean {
    return this.#archive.isWithdrawn(userId);
  }

  hasTweets(userId: string): boolean {
    for (const ordinal of this.#archive.byAuthor.get(userId)?.sorted(this.#archive.order) ?? [])
      if (!this.#archive.isGone(ordinal)) return true;
    return false;
  }

  identity(ref: UserRef): KnownUser | undefined {
    return this.#archive.findUser(ref);
  }

  replyTo(tweetId: string): ArchivedTweet | undefined {
    for (const ordinal of this.#archive.replies.get(tweetId)?.sorted(this.#archive.order) ?? [])
      if (!this.#archive.isGone(ordinal)) return this.#archive.tweet(ordinal);
    return undefined;
  }

  *followings(userId: string): Generator<string, void> {
    for (const { id } of this.#archive.follows.get(userId)?.members() ?? []) yield id;
  }

  *tweetsOf(userId: string): Generator<ArchivedTweet, void> {
    for (const ordinal of this.#newestFirst(userId)) yield this.#archive.tweet(ordinal);
  }

  async *tweets(): AsyncGenerator<ArchivedTweet, void> {
    let count = 0;
    for (const ordinal of this.#archive.ordinals()) {
      yield this.#archive.tweet(ordinal);
      if (++count % 1000 === 0) await nextTurn();
    }
  }

  /** A copy: the archive may change between two steps of the caller. */
  #newestFirst(userId: string): number[] {
    const ordinals = Array.from(this.#archive.byAuthor.get(userId)?.sorted(this.#archive.order) ?? []);
    return ordinals.filter((ordinal) => !this.#archive.isGone(ordinal)).reverse();
  }

  heldTweets(userIds: readonly string[]): HeldTweets {
    const lists = userIds.map((id) => this.#newestFirst(id)).filter(({ length }) => length > 0);
    const times = (at: 0 | -1): number[] => lists.map((list) => this.#archive.createdAt(list.at(at) ?? 0));
    return {
      tweets: lists.reduce((sum, { length }) => sum + length, 0),
      oldest: lists.length === 0 ? undefined : Math.min(...times(-1)),
      newest: lists.length === 0 ? undefined : Math.max(...times(0)),
    };
  }

  /** The tweets that match a query of the search language. The archive must not change meanwhile. */
  *found(query: string): Generator<ArchivedTweet, void> {
    const parsed = parse(query);
    let after: PageRequest['after'];
    do {
      const { items, next } = this.#archive.index.search(parsed, 'Latest', { after, limit: 100 });
      for (const ordinal of items) yield this.#archive.tweet(ordinal);
      after = next ?? undefined;
    } while (after !== undefined);
  }

  userIdOfName(username: string): string | undefined {
    return this.#archive.findUser({ username })?.id;
  }

  /** Cost: linear in the number of profiles where one is a DID. */
  userIdsOf(accounts: readonly string[]): string[] {
    const dids = new Set(accounts.filter((account) => account.startsWith('did:')));
    const ids = accounts.filter((account) => isId.test(account));
    if (dids.size > 0)
      for (const { id, did } of this.#archive.users.values()) if (did !== undefined && dids.has(did)) ids.push(id);
    return [...new Set(ids)];
  }
}
