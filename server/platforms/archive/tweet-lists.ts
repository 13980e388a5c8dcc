/** The timelines of the archive: for each author, username, tweet and community the tweets that belong to it. */
import { OrdinalLists } from '../../collections/ordinal-lists.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';
import { StringTable } from '../../collections/string-table.ts';
import type { Order, TimelineReader } from '../../collections/timeline.ts';
import type { Schemas } from '../../contract/operations.ts';
import type { AuthorMemo } from '../../domain/author-memo.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import type { UserIdentity } from './user-directory.ts';

type Mention = Schemas['Mention'];

/** The timelines of one kind, by key. */
export interface TimelineLookup {
  /** The timeline of a key, valid until the next change; undefined without a tweet. */
  get(key: string): TimelineReader | undefined;
}

/** The first character of the name of a timeline; its key follows. */
const kinds = {
  byAuthor: 'a',
  postsByAuthor: 'p',
  mentionsById: 'i',
  mentionsByName: 'n',
  identifiedMentionsByName: 'd',
  replies: 'r',
  communityTweets: 'c',
  communityMedia: 'm',
} as const;

/** The name of a timeline. The string table takes no lone surrogates, which a username from elsewhere can have. */
const nameOf = (kind: keyof typeof kinds, key: string): string => kinds[kind] + key.toWellFormed();

export class TweetLists implements SavedTable {
  /** All tweets of an author; `postsByAuthor` leaves out the replies. */
  readonly byAuthor = this.#lookup('byAuthor');
  readonly postsByAuthor = this.#lookup('postsByAuthor');
  /** The mentions with the id of the user, by this id: they follow the user to a new username. */
  readonly mentionsById = this.#lookup('mentionsById');
  /** The mentions without an id, by the lower-case username: whoever has the username now is the user. */
  readonly mentionsByName = this.#lookup('mentionsByName');
  /** The mentions with an id, by the lower-case username that the text names: for a username that nobody has now. */
  readonly identifiedMentionsByName = this.#lookup('identifiedMentionsByName');
  readonly replies = this.#lookup('replies');
  readonly communityTweets = this.#lookup('communityTweets');
  readonly communityMedia = this.#lookup('communityMedia');
  /** The numbers of the timelines by name. A timeline without a tweet loses its number. */
  readonly #names = new StringTable();
  readonly #lists: OrdinalLists;
  /** Increases whenever a timeline loses its number. */
  #version = 0;

  constructor(order: Order) {
    this.#lists = new OrdinalLists(order);
  }

  /** The number of timelines. */
  get size(): number {
    return this.#names.size;
  }

  #lookup(kind: keyof typeof kinds): TimelineLookup {
    return {
      get: (key) => {
        const list = this.#names.find(nameOf(kind, key));
        return list === undefined || this.#lists.isEmpty(list) ? undefined : this.#reader(list);
      },
    };
  }

  #reader(list: number): TimelineReader {
    return {
      length: this.#lists.length(list),
      sorted: () => this.#lists.sorted(list),
      upTo: (_order, before) => this.#lists.upTo(list, before),
    };
  }

  /** The numbers of the timelines that contain a tweet, each once. Creates those that are missing. */
  of(tweet: TweetHead): readonly number[] {
    const { author_id, in_reply_to_id } = tweet;
    const lists = [this.#number(nameOf('byAuthor', author_id))];
    if (in_reply_to_id === undefined) lists.push(this.#number(nameOf('postsByAuthor', author_id)));
    this.#addOthers(tweet, lists);
    return lists;
  }

  /** As `of`, for a tweet whose author has a memo. */
  ofKnown(tweet: TweetHead, author: AuthorMemo): readonly number[] {
    if (author.byAuthorVersion !== this.#version)
      [author.byAuthor, author.byAuthorVersion] = [this.#number(nameOf('byAuthor', author.id)), this.#version];
    const lists = [author.byAuthor];
    if (tweet.in_reply_to_id === undefined) {
      if (author.postsVersion !== this.#version)
        [author.posts, author.postsVersion] = [this.#number(nameOf('postsByAuthor', author.id)), this.#version];
      lists.push(author.posts);
    }
    this.#addOthers(tweet, lists);
    return lists;
  }

  /** Adds the timelines of a tweet that do not depend on its author. */
  #addOthers(tweet: TweetHead, lists: number[]): void {
    for (const name of otherNamesOf(tweet)) {
      const list = this.#number(name);
      if (!lists.includes(list)) lists.push(list);
    }
  }

  #number(name: string): number {
    const list = this.#names.number(name);
    this.#lists.ensure(list);
    return list;
  }

  /** The timelines that together contain the mentions of a user. A tweet can be in several of them. */
  mentionsOf({ id, username }: UserIdentity): TimelineReader[] {
    const name = username?.toLowerCase();
    const lists = [
      ...(id === undefined ? [] : [this.mentionsById.get(id)]),
      ...(name === undefined ? [] : [this.mentionsByName.get(name)]),
      ...(name === undefined || id !== undefined ? [] : [this.identifiedMentionsByName.get(name)]),
    ];
    return lists.filter((list) => list !== undefined);
  }

  /** Adds a tweet to timelines that do not contain it. `isNewest`: it is newer than every tweet before it. */
  add(ordinal: number, lists: Iterable<number>, isNewest = false): void {
    for (const list of lists) this.#lists.add(list, ordinal, isNewest);
  }

  /** Moves a tweet from the timelines before a change to those after it. */
  move(ordinal: number, before: readonly number[], after: readonly number[]): void {
    for (const list of before) if (!after.includes(list)) this.#removeFrom(list, ordinal);
    this.add(
      ordinal,
      after.filter((list) => !before.includes(list)),
    );
  }

  /** Removes a tweet from its timelines. */
  remove(ordinal: number, tweet: ArchivedTweet): void {
    for (const list of this.of(tweet)) this.#removeFrom(list, ordinal);
  }

  #removeFrom(list: number, ordinal: number): void {
    this.#lists.removeOne(list, ordinal);
    if (!this.#lists.isEmpty(list)) return;
    this.#names.remove(list);
    this.#version++;
  }

  *save(): Sections {
    yield* this.#names.save();
    yield* this.#lists.save();
  }

  load(reader: SectionReader): void {
    this.#version++;
    this.#names.load(reader);
    this.#lists.load(reader);
  }
}

const noNames: readonly string[] = [];

/** The names of the timelines that contain a tweet, without those of its author; some may be there twice. */
function otherNamesOf({ in_reply_to_id, community_id, media, entities }: TweetHead): readonly string[] {
  const mentions = entities?.mentions ?? [];
  if (in_reply_to_id === undefined && community_id === undefined && mentions.length === 0) return noNames;
  const names = in_reply_to_id === undefined ? [] : [nameOf('replies', in_reply_to_id)];
  if (community_id !== undefined) {
    names.push(nameOf('communityTweets', community_id));
    if (media !== undefined && media.length > 0) names.push(nameOf('communityMedia', community_id));
  }
  for (const mention of mentions) addNamesOfMention(mention, names);
  return names;
}

function addNamesOfMention({ username, id }: Mention, names: string[]): void {
  const name = username.toLowerCase();
  if (id === undefined) names.push(nameOf('mentionsByName', name));
  else names.push(nameOf('mentionsById', id), nameOf('identifiedMentionsByName', name));
}
