/**
 * Stub users: other records name them, but the archive has no profile of them. A mention may contain the username and
 * the display name; a follow, a retweet or a space contains only the id; a text contains only the username.
 */
import type { Schemas } from '../../contract/operations.ts';
import { LargeMap } from '../../collections/large-map.ts';
import {
  jsonSection,
  readJson,
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { ArchivedSpace, ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import { compareIds } from '../../domain/record-id.ts';
import type { TimelineReader } from '../../collections/timeline.ts';

type Mention = Schemas['Mention'];

/** The functions of the archive that `References` uses. */
export interface ReferenceSource {
  /** Whether descriptions of the user are not needed: there is a profile, or the account was withdrawn. */
  readonly hasProfile: (id: string) => boolean;
  /** Whether the account was withdrawn. */
  readonly isWithdrawn: (id: string) => boolean;
  readonly hasTweets: (id: string) => boolean;
  /** The tweets that mention a user by this id. */
  readonly mentionsOf: (id: string) => TimelineReader | undefined;
  /** Whether a tweet mentions this username, case-insensitive. */
  readonly isMentioned: (username: string) => boolean;
  readonly tweet: (ordinal: number) => ArchivedTweet;
  /** Orders two ordinals by (created_at, id). */
  readonly order: (a: number, b: number) => number;
  /** Called after the description of an author changed. */
  readonly userChanged: (after: ArchivedUser, before: ArchivedUser | undefined) => void;
}

/** The description of a user from the newest mention that contains the user's id. */
interface Description {
  readonly user: ArchivedUser;
  /** The tweet that contains the mention. */
  readonly ordinal: number;
  /** Whether the search index has the description. It needs only authors. */
  indexed: boolean;
}

export class References implements SavedTable {
  /** A number that changes whenever a description changes. */
  version = 0;
  readonly #source: ReferenceSource;
  readonly #descriptions = new LargeMap<string, Description>();
  /** The ids of the described users, by username in lower case. */
  readonly #idsByName = new LargeMap<string, string[]>();
  /** The number of follows and retweets that name a user. */
  readonly #idCounts = new LargeMap<string, number>();
  /** The number of spaces with a user as host or speaker. */
  readonly #spaceCounts = new LargeMap<string, number>();
  /** The number of tweets that reply to a username without a mention of it, by lower-case username. */
  readonly #replyTargetCounts = new LargeMap<string, number>();

  constructor(source: ReferenceSource) {
    this.#source = source;
  }

  /** The stub user that mentions describe; undefined if no mention contains the id. */
  user(id: string): ArchivedUser | undefined {
    return this.#descriptions.get(id)?.user;
  }

  /** The stub user in the newest mention of this username; undefined if no such mention contains an id. */
  userByName(username: string): ArchivedUser | undefined {
    const candidates = (this.#idsByName.get(username.toLowerCase()) ?? []).flatMap(
      (id) => this.#descriptions.get(id) ?? [],
    );
    if (candidates.length === 0) return undefined;
    // One tweet can give several ids the same username. The id decides then, so that the order of arrival does not.
    const isNewer = (a: Description, b: Description): boolean =>
      (this.#source.order(a.ordinal, b.ordinal) || compareIds(a.user.id, b.user.id)) > 0;
    return candidates.reduce((best, next) => (isNewer(next, best) ? next : best)).user;
  }

  /** Whether a follow, a retweet, a space or a mention names this id. */
  hasId(id: string): boolean {
    return this.#descriptions.has(id) || this.#spaceCounts.has(id) || this.#idCounts.has(id);
  }

  /** Whether a tweet mentions this username or replies to it. */
  hasName(username: string): boolean {
    const name = username.toLowerCase();
    return this.#replyTargetCounts.has(name) || this.#source.isMentioned(name);
  }

  /** Records a user that a follow or a retweet names. */
  addId(id: string): void {
    if (!this.#source.isWithdrawn(id)) adjustCount(this.#idCounts, id, 1);
  }

  /** Removes the record of a follow or a retweet that named a user. */
  removeId(id: string): void {
    if (!this.#source.isWithdrawn(id)) adjustCount(this.#idCounts, id, -1);
  }

  /** Forgets the follows and retweets that name a user. */
  forgetId(id: string): void {
    this.#idCounts.delete(id);
  }

  /** Replaces the recorded host and speakers of a space. */
  setSpace(after: ArchivedSpace | undefined, before: ArchivedSpace | undefined): void {
    for (const id of participantsOf(before)) adjustCount(this.#spaceCounts, id, -1);
    for (const id of participantsOf(after)) adjustCount(this.#spaceCounts, id, 1);
  }

  /** Replaces the recorded mentions and reply target of a tweet. The timelines of mentions must be up to date. */
  setTweet(ordinal: number, after: TweetHead, before: TweetHead | undefined): void {
    if (before !== undefined)
      for (const name of unmentionedReplyTarget(before)) adjustCount(this.#replyTargetCounts, name, -1);
    for (const name of unmentionedReplyTarget(after)) adjustCount(this.#replyTargetCounts, name, 1);
    const mentions = mentionsById(after);
    for (const [id, mention] of mentions) this.#describe(id, mention, ordinal);
    if (before === undefined) return;
    for (const id of mentionsById(before).keys()) {
      if (!mentions.has(id) && this.#descriptions.get(id)?.ordinal === ordinal) this.#refreshDescription(id);
    }
  }

  /** Removes the mentions and the reply target of a removed tweet. The timelines of mentions must be up to date. */
  removeTweet(ordinal: number, tweet: ArchivedTweet): void {
    for (const name of unmentionedReplyTarget(tweet)) adjustCount(this.#replyTargetCounts, name, -1);
    for (const id of mentionsById(tweet).keys())
      if (this.#descriptions.get(id)?.ordinal === ordinal) this.#refreshDescription(id);
  }

  /** Takes the description of a user from the newest mention, where the user has no profile. */
  describe(id: string): void {
    if (!this.#source.hasProfile(id)) this.#refreshDescription(id);
  }

  /** Passes the author's description to the search index, before the index adds a tweet of the author. */
  indexAuthor(id: string): void {
    const existing = this.#descriptions.get(id);
    if (existing === undefined || existing.indexed) return;
    existing.indexed = true;
    this.#source.userChanged(existing.user, undefined);
  }

  /** Removes the description of a user whose profile arrived. Returns the one in the search index, if any. */
  resolved(id: string): ArchivedUser | undefined {
    const existing = this.#descriptions.get(id);
    if (existing === undefined) return undefined;
    this.version++;
    this.#descriptions.delete(id);
    this.#removeName(id, existing.user.username);
    return existing.indexed ? existing.user : undefined;
  }

  *save(): Sections {
    yield jsonSection(this.version);
    yield* saveValues(this.#descriptions.values());
    for (const counts of [this.#idCounts, this.#spaceCounts, this.#replyTargetCounts]) yield* saveValues(counts);
  }

  load(reader: SectionReader): void {
    this.version = readJson<number>(reader);
    for (const description of readValues<Description>(reader)) {
      this.#descriptions.set(description.user.id, description);
      this.#addName(description.user);
    }
    for (const counts of [this.#idCounts, this.#spaceCounts, this.#replyTargetCounts])
      for (const [key, count] of readValues<[string, number]>(reader)) counts.set(key, count);
  }

  #addName({ id, username }: ArchivedUser): void {
    const name = username.toLowerCase();
    this.#idsByName.set(name, [...(this.#idsByName.get(name) ?? []), id]);
  }

  /** Takes the description from a mention, unless the current one comes from a newer mention. */
  #describe(id: string, { username, name }: Mention, ordinal: number): void {
    if (this.#source.hasProfile(id)) return;
    const existing = this.#descriptions.get(id);
    if (existing !== undefined && existing.ordinal !== ordinal && this.#source.order(ordinal, existing.ordinal) < 0)
      return;
    if (existing?.user.username === username && existing.user.name === name) {
      if (existing.ordinal !== ordinal) this.#descriptions.set(id, { ...existing, ordinal });
      return;
    }
    this.#replace(id, { id, username, ...(name === undefined ? {} : { name }) }, ordinal);
  }

  /** Takes the description from the newest remaining mention after the describing tweet changed. */
  #refreshDescription(id: string): void {
    const { order, tweet, mentionsOf } = this.#source;
    const ordinals = mentionsOf(id)?.sorted(order);
    const ordinal = ordinals?.[ordinals.length - 1];
    const mention = ordinal === undefined ? undefined : mentionsById(tweet(ordinal)).get(id);
    if (ordinal === undefined || mention === undefined) return this.#replace(id, undefined, 0);
    const { username, name } = mention;
    this.#replace(id, { id, username, ...(name === undefined ? {} : { name }) }, ordinal);
  }

  #replace(id: string, user: ArchivedUser | undefined, ordinal: number): void {
    const before = this.#descriptions.get(id);
    const indexed = before?.indexed === true || this.#source.hasTweets(id);
    if (before !== undefined) this.#removeName(id, before.user.username);
    this.version++;
    if (user === undefined) {
      this.#descriptions.delete(id);
    } else {
      this.#descriptions.set(id, { user, ordinal, indexed });
      this.#addName(user);
    }
    if (indexed)
      this.#source.userChanged(user ?? { id, username: '' }, before?.indexed === true ? before.user : undefined);
  }

  #removeName(id: string, username: string): void {
    const name = username.toLowerCase();
    const others = (this.#idsByName.get(name) ?? []).filter((existingId) => existingId !== id);
    if (others.length > 0) this.#idsByName.set(name, others);
    else this.#idsByName.delete(name);
  }
}

/** The host and the speakers of a space, each once. */
const participantsOf = (space: ArchivedSpace | undefined): Set<string> =>
  new Set(space === undefined ? [] : [space.host_id, ...(space.speaker_ids ?? [])]);

const noMentions: ReadonlyMap<string, Mention> = new Map();

/** The mentions with an id; the first one for each id. */
function mentionsById(tweet: TweetHead): ReadonlyMap<string, Mention> {
  const all = tweet.entities?.mentions ?? [];
  if (all.length === 0) return noMentions;
  const mentions = new Map<string, Mention>();
  for (const mention of all)
    if (mention.id !== undefined && !mentions.has(mention.id)) mentions.set(mention.id, mention);
  return mentions;
}

/** The lower-case username that a tweet replies to, if its text does not mention it. */
function unmentionedReplyTarget({ in_reply_to_username: replyTarget, entities }: TweetHead): string[] {
  const name = replyTarget?.toLowerCase();
  if (name === undefined || entities?.mentions.some(({ username }) => username.toLowerCase() === name)) return [];
  return [name];
}

function adjustCount(counts: LargeMap<string, number>, key: string, by: 1 | -1): void {
  const after = (counts.get(key) ?? 0) + by;
  if (after > 0) counts.set(key, after);
  else counts.delete(key);
}
