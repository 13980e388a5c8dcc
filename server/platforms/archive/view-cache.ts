/**
 * Forms of the contract that are asked for again and again, made once. They are frozen, so that whoever writes one as JSON may keep the
 * text as well, and given out only as long as nothing that they were made of has changed.
 */
import { LRUCache } from 'lru-cache';
import type { Schemas } from '../../contract/operations.ts';
import type { Archive } from './archive.ts';
import { tweetFull, tweetShort, user, userById, type Lookup } from './views.ts';
import type { ArchivedUser } from './records.ts';

export interface ViewCache {
  tweetFull(ordinal: number): Schemas['Tweet'];
  tweetShort(ordinal: number): Schemas['TweetShort'];
  user(known: ArchivedUser): Schemas['User'];
  /** A user by id, also one that is known only by reference. */
  userById(id: string): Schemas['User'];
}

/** A form, and what it was made of: records of people are replaced when they change, those of tweets get another version. */
interface Kept<Form> {
  readonly form: Form;
  readonly version: number;
  readonly author: ArchivedUser | undefined;
  /** The forms of other tweets in it; null where the archive did not have the tweet. */
  readonly others: readonly (readonly [id: string, form: Schemas['Tweet'] | null])[];
  /** The users that the mentions in it were resolved to. */
  readonly mentioned: readonly (readonly [mention: Schemas['Mention'], user: ArchivedUser | undefined])[];
  /** The version of the archive's users for which `mentioned` was last found to hold. */
  usersVersion: number;
}

/** Bytes that forms of a kind take at most, by an estimate that is rather too high; their JSON takes about half as much again. */
const most = { full: 24 * 1024 * 1024, short: 8 * 1024 * 1024, users: 8 * 1024 * 1024 };

const sizeOfShort = ({ text }: Schemas['TweetShort']): number => 800 + 2 * text.length;
const sizeOfFull = ({ text, article, media }: Schemas['Tweet']): number =>
  1600 + 2 * (text.length + (article?.text.length ?? 0)) + 300 * media.length;

export function createViewCache(archive: Archive): ViewCache {
  const limit = <Form>(maxSize: number, sizeOf: (form: Form) => number) => ({
    maxSize,
    sizeCalculation: ({ form }: Kept<Form>): number => sizeOf(form),
  });
  const full = new LRUCache<number, Kept<Schemas['Tweet']>>(limit(most.full, sizeOfFull));
  /** Without the tweets that they quote or retweet, as they stand in other tweets. */
  const alone = new LRUCache<number, Kept<Schemas['Tweet']>>(limit(most.full, sizeOfFull));
  const short = new LRUCache<number, Kept<Schemas['TweetShort']>>(limit(most.short, sizeOfShort));
  const users = new LRUCache<ArchivedUser, Schemas['User']>({
    maxSize: most.users,
    sizeCalculation: ({ description }) => 1200 + 2 * description.length,
  });

  const authorOf = (ordinal: number): ArchivedUser | undefined => archive.user(archive.authorId(ordinal));

  function kept<Form extends object>(
    forms: LRUCache<number, Kept<Form>>,
    ordinal: number,
    make: (lookup: Lookup) => Form,
  ): Form {
    const known = forms.get(ordinal);
    const version = archive.tweets.version(ordinal);
    const author = authorOf(ordinal);
    const isExact =
      known?.version === version &&
      known.author === author &&
      sameMentioned(known) &&
      known.others.every(([id, form]) => other(id) === form);
    if (isExact) return known.form;
    const others: [string, Schemas['Tweet'] | null][] = [];
    const mentioned: [Schemas['Mention'], ArchivedUser | undefined][] = [];
    const form = frozen(
      make({
        tweet(id) {
          const brought = other(id);
          others.push([id, brought]);
          return brought;
        },
        mentioned(mention) {
          const meant = archive.mentioned(mention);
          mentioned.push([mention, meant]);
          return meant;
        },
      }),
    );
    forms.set(ordinal, { form, version, author, others, mentioned, usersVersion: archive.usersVersion });
    return form;
  }

  /** Whether the mentions still mean the same users. Costs one comparison as long as no user of the archive has changed. */
  function sameMentioned(known: Kept<object>): boolean {
    const { usersVersion } = archive;
    if (known.usersVersion === usersVersion) return true;
    if (!known.mentioned.every(([mention, meant]) => archive.mentioned(mention) === meant)) return false;
    known.usersVersion = usersVersion;
    return true;
  }

  function other(id: string): Schemas['Tweet'] | null {
    const ordinal = archive.ordinal(id);
    return ordinal === undefined
      ? null
      : kept(alone, ordinal, ({ mentioned }) => tweetFull(archive, ordinal, { tweet: () => null, mentioned }));
  }

  function keptUser(known: ArchivedUser): Schemas['User'] {
    let form = users.get(known);
    if (form === undefined) users.set(known, (form = frozen(user(known))));
    return form;
  }

  return {
    tweetFull: (ordinal) => kept(full, ordinal, (lookup) => tweetFull(archive, ordinal, lookup)),
    tweetShort: (ordinal) => kept(short, ordinal, () => tweetShort(archive, ordinal)),
    user: keptUser,
    userById(id) {
      const known = archive.user(id);
      return known === undefined ? frozen(userById(archive, id)) : keptUser(known);
    },
  };
}

/** Freezes it with everything in it. */
function frozen<Value extends object>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner as object);
  return Object.freeze(value);
}
