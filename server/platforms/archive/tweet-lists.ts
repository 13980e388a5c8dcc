/** The timelines of the archive: for each author, username, tweet and community the tweets that belong to it. */
import { OrdinalLists } from '../../collections/ordinal-lists.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';
import { StringTable } from '../../collections/string-table.ts';
import type { Order, TimelineReader } from '../../collections/timeline.ts';
import type { Schemas } from '../../contract/operations.ts';
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

  /** The numbers of the timelines that contain a tweet. Creates those that are missing. */
  of(tweet: TweetHead): Set<number> {
    const lists = new Set<number>();
    for (const name of namesOf(tweet)) {
      const list = this.#names.number(name);
      this.#lists.ensure(list);
      lists.add(list);
    }
    return lists;
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
  add(ordinal: number, lists: ReadonlySet<number>, isNewest = false): void {
    for (const list of lists) this.#lists.add(list, ordinal, isNewest);
  }

  /** Moves a tweet from the timelines before a change to those after it. */
  move(ordinal: number, before: ReadonlySet<number>, after: ReadonlySet<number>): void {
    for (const list of before.difference(after)) this.#removeFrom(list, ordinal);
    this.add(ordinal, after.difference(before));
  }

  /** Removes a tweet from its timelines. */
  remove(ordinal: number, tweet: ArchivedTweet): void {
    for (const list of this.of(tweet)) this.#removeFrom(list, ordinal);
  }

  #removeFrom(list: number, ordinal: number): void {
    this.#lists.removeOne(list, ordinal);
    if (this.#lists.isEmpty(list)) this.#names.remove(list);
  }

  *save(): Sections {
    yield* this.#names.save();
    yield* this.#lists.save();
  }

  load(reader: SectionReader): void {
    this.#names.load(reader);
    this.#lists.load(reader);
  }
}

/** The names of the timelines that contain a tweet; some may be there twice. */
function namesOf({ author_id, in_reply_to_id, community_id, media = [], entities }: TweetHead): string[] {
  const names = [
    nameOf('byAuthor', author_id),
    in_reply_to_id === undefined ? nameOf('postsByAuthor', author_id) : nameOf('replies', in_reply_to_id),
  ];
  if (community_id !== undefined) {
    names.push(nameOf('communityTweets', community_id));
    if (media.length > 0) names.push(nameOf('communityMedia', community_id));
  }
  for (const mention of entities?.mentions ?? []) addNamesOfMention(mention, names);
  return names;
}

function addNamesOfMention({ username, id }: Mention, names: string[]): void {
  const name = username.toLowerCase();
  if (id === undefined) names.push(nameOf('mentionsByName', name));
  else names.push(nameOf('mentionsById', id), nameOf('identifiedMentionsByName', name));
}
