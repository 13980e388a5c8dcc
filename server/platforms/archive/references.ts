/**
 * Users that the archive knows only by reference: another record names them, but no profile of theirs has arrived. A mention may tell
 * their username and display name, a follow, a retweet or a space only their id, and a text only their username.
 */
import type { Schemas } from '../../contract/operations.ts';
import { LargeMap } from '../../collections/large-map.ts';
import type { ArchivedSpace, ArchivedTweet, ArchivedUser } from './records.ts';
import type { Timeline } from './timeline.ts';

type Mention = Schemas['Mention'];

/** The part of the archive that references are resolved with. */
export interface ReferenceSource {
  readonly hasProfile: (id: string) => boolean;
  readonly hasTweets: (id: string) => boolean;
  /** The tweets that mention a username, given in lower case. */
  readonly mentionsOf: (username: string) => Timeline | undefined;
  readonly tweet: (ordinal: number) => ArchivedTweet;
  /** Orders two ordinals by (created_at, id). */
  readonly order: (a: number, b: number) => number;
  /** Called when what is known of an author has changed. */
  readonly userChanged: (after: ArchivedUser, before: ArchivedUser | undefined) => void;
}

/** What the newest mention that has the id of a user tells about the user. */
interface Described {
  readonly user: ArchivedUser;
  /** The tweet with that mention. */
  readonly ordinal: number;
  /** All usernames, in lower case, that mentions with this id had: more than one where the user was renamed. */
  readonly names: readonly string[];
  /** Whether the search index was told. It needs only authors. */
  indexed: boolean;
}

export class References {
  /** A number that changes whenever a description changes. */
  version = 0;
  readonly #source: ReferenceSource;
  readonly #described = new LargeMap<string, Described>();
  /** The ids of the described users, by username in lower case. */
  readonly #idsByName = new LargeMap<string, string[]>();
  /** The users that are followed or that retweeted, by the end of the id: one Set holds at most 2^24 values. */
  readonly #ids = new Map<string, Set<string>>();
  /** How many spaces name a user as host or speaker. */
  readonly #inSpaces = new LargeMap<string, number>();
  /** How many tweets answer a username, in lower case, that their text does not mention. */
  readonly #answered = new LargeMap<string, number>();

  constructor(source: ReferenceSource) {
    this.#source = source;
  }

  /** What mentions tell about a user without a profile; undefined where none has the id. */
  user(id: string): ArchivedUser | undefined {
    return this.#described.get(id)?.user;
  }

  /** The user without a profile that the newest mention of this username means; undefined where no mention has an id. */
  userByName(username: string): ArchivedUser | undefined {
    const candidates = (this.#idsByName.get(username.toLowerCase()) ?? []).flatMap(
      (id) => this.#described.get(id) ?? [],
    );
    if (candidates.length === 0) return undefined;
    return candidates.reduce((best, next) => (this.#source.order(next.ordinal, best.ordinal) > 0 ? next : best)).user;
  }

  /** Whether a follow, a retweet, a space or a mention names this id. */
  hasId(id: string): boolean {
    return this.#described.has(id) || this.#inSpaces.has(id) || this.#ids.get(id.slice(-2))?.has(id) === true;
  }

  /** Whether a tweet mentions or answers this username. */
  hasName(username: string): boolean {
    const name = username.toLowerCase();
    return this.#answered.has(name) || (this.#source.mentionsOf(name)?.length ?? 0) > 0;
  }

  /** Notes a user that a follow or a retweet names. */
  addId(id: string): void {
    if (this.#source.hasProfile(id)) return;
    const end = id.slice(-2);
    const ids = this.#ids.get(end);
    if (ids === undefined) this.#ids.set(end, new Set([id]));
    else ids.add(id);
  }

  /** Notes the host and the speakers of a space, in place of those that it had before. */
  setSpace(after: ArchivedSpace, before: ArchivedSpace | undefined): void {
    for (const id of peopleIn(before)) count(this.#inSpaces, id, -1);
    for (const id of peopleIn(after)) count(this.#inSpaces, id, 1);
  }

  /** Notes whom a tweet mentions and answers, in place of what it named before. The timelines of mentions must be up to date. */
  setTweet(ordinal: number, after: ArchivedTweet, before: ArchivedTweet | undefined): void {
    if (before !== undefined) for (const name of onlyAnswered(before)) count(this.#answered, name, -1);
    for (const name of onlyAnswered(after)) count(this.#answered, name, 1);
    const mentions = mentionsById(after);
    for (const [id, mention] of mentions) this.#describe(id, mention, ordinal);
    if (before === undefined) return;
    for (const id of mentionsById(before).keys()) {
      if (!mentions.has(id) && this.#described.get(id)?.ordinal === ordinal) this.#describeAnew(id);
    }
  }

  /** Tells the search index about the author of a tweet that is about to be indexed. */
  indexAuthor(id: string): void {
    const known = this.#described.get(id);
    if (known === undefined || known.indexed) return;
    known.indexed = true;
    this.#source.userChanged(known.user, undefined);
  }

  /** A profile has arrived: forgets the references to it. Returns the description that the search index has, if any. */
  resolved(id: string): ArchivedUser | undefined {
    this.#ids.get(id.slice(-2))?.delete(id);
    const known = this.#described.get(id);
    if (known === undefined) return undefined;
    this.#described.delete(id);
    this.#unname(id, known.user.username);
    return known.indexed ? known.user : undefined;
  }

  /** Takes the description from a mention, unless a newer mention gave one. */
  #describe(id: string, { username, name }: Mention, ordinal: number): void {
    if (this.#source.hasProfile(id)) return;
    const known = this.#described.get(id);
    const lower = username.toLowerCase();
    const names = known === undefined ? [lower] : known.names.includes(lower) ? known.names : [...known.names, lower];
    if (known !== undefined && known.ordinal !== ordinal && this.#source.order(ordinal, known.ordinal) < 0) {
      if (names !== known.names) this.#described.set(id, { ...known, names });
      return;
    }
    if (known?.user.username === username && known.user.name === name) {
      if (known.ordinal !== ordinal) this.#described.set(id, { ...known, ordinal });
      return;
    }
    this.#replace(id, { id, username, ...(name === undefined ? {} : { name }) }, ordinal, names);
  }

  /** The tweet that described a user does so no longer: looks for the newest one that does. Costs by the mentions of the user; rare. */
  #describeAnew(id: string): void {
    const { order, tweet, mentionsOf } = this.#source;
    const names = this.#described.get(id)?.names ?? [];
    let newest: { ordinal: number; mention: Mention } | undefined;
    for (const name of names) {
      for (const ordinal of mentionsOf(name)?.sorted(order).toReversed() ?? []) {
        if (newest !== undefined && order(ordinal, newest.ordinal) <= 0) break;
        const mention = mentionsById(tweet(ordinal)).get(id);
        if (mention !== undefined) newest = { ordinal, mention };
      }
    }
    if (newest === undefined) return this.#replace(id, undefined, 0, []);
    const { username, name } = newest.mention;
    this.#replace(id, { id, username, ...(name === undefined ? {} : { name }) }, newest.ordinal, names);
  }

  #replace(id: string, user: ArchivedUser | undefined, ordinal: number, names: readonly string[]): void {
    const before = this.#described.get(id);
    const indexed = before?.indexed === true || this.#source.hasTweets(id);
    if (before !== undefined) this.#unname(id, before.user.username);
    this.version++;
    if (user === undefined) {
      this.#described.delete(id);
    } else {
      this.#described.set(id, { user, ordinal, names, indexed });
      const name = user.username.toLowerCase();
      this.#idsByName.set(name, [...(this.#idsByName.get(name) ?? []), id]);
    }
    if (indexed)
      this.#source.userChanged(user ?? { id, username: '' }, before?.indexed === true ? before.user : undefined);
  }

  #unname(id: string, username: string): void {
    const name = username.toLowerCase();
    const others = (this.#idsByName.get(name) ?? []).filter((other) => other !== id);
    if (others.length > 0) this.#idsByName.set(name, others);
    else this.#idsByName.delete(name);
  }
}

/** The host and the speakers of a space, each once. */
const peopleIn = (space: ArchivedSpace | undefined): Set<string> =>
  new Set(space === undefined ? [] : [space.host_id, ...(space.speaker_ids ?? [])]);

/** The mentions that have an id; the first of each id. */
function mentionsById(tweet: ArchivedTweet): Map<string, Mention> {
  const mentions = new Map<string, Mention>();
  for (const mention of tweet.entities?.mentions ?? [])
    if (mention.id !== undefined && !mentions.has(mention.id)) mentions.set(mention.id, mention);
  return mentions;
}

/** The username in lower case that a tweet answers, where its text does not mention it. */
function onlyAnswered({ in_reply_to_username: answered, entities }: ArchivedTweet): string[] {
  const name = answered?.toLowerCase();
  if (name === undefined || entities?.mentions.some(({ username }) => username.toLowerCase() === name)) return [];
  return [name];
}

function count(counts: LargeMap<string, number>, key: string, by: 1 | -1): void {
  const after = (counts.get(key) ?? 0) + by;
  if (after > 0) counts.set(key, after);
  else counts.delete(key);
}
