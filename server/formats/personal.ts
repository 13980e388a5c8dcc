/** A personal archive of X: v1.1 statuses without a user, because the owner wrote all of them. */
import type { ArchiveRecord } from '../domain/records.ts';
import type { NoteTexts } from './note-tweets.ts';
import {
  fields,
  freeText,
  id,
  isFields,
  withoutUndefined,
  list,
  text,
  timestamp,
  utcTimestamp,
  type Fields,
  type Recognised,
} from './recognised.ts';
import { decoded } from './text.ts';
import { statusRecords } from './v1.ts';

/** The owner of a personal archive. */
export interface Owner {
  readonly id: string;
  readonly username: string;
  readonly name?: string;
  readonly created_at?: string;
  readonly description?: string;
  readonly location?: string;
  readonly profile_image?: string;
  readonly profile_banner?: string;
}

/** The status of an element: `{"tweet": {…}}`, or the status itself in older archives. */
const statusOf = (value: Fields): Fields => (isFields(value.tweet) ? value.tweet : value);

/** Whether a value is a status without a user. */
export function isPersonal(value: Fields): boolean {
  const status = statusOf(value);
  return (
    'id_str' in status &&
    'created_at' in status &&
    ('full_text' in status || 'text' in status) &&
    !isFields(status.user)
  );
}

/** `notes`: the whole texts of long tweets. */
export function personal(value: Fields, owner: Owner, notes?: NoteTexts): Recognised {
  const status = statusOf(value);
  if ('deleted_at' in status) return { reason: 'a tweet that its author deleted' };
  const records = statusRecords(notes?.complete(status) ?? status, owner.id);
  return records === undefined ? { reason: 'a status without a usable id_str or created_at' } : { records };
}

/** Whether a value is a like of the owner, an account that the owner follows, or a follower. */
export const isRelation = ({ like, following, follower }: Fields): boolean =>
  isFields(like) ? 'tweetId' in like : [following, follower].some((account) => 'accountId' in fields(account));

/** `owner`: the owner of the archive, if known; a like needs none. */
export function relation({ like, following, follower }: Fields, owner: Owner | undefined): Recognised {
  if (isFields(like)) {
    const tweetId = id(like.tweetId);
    return tweetId === undefined
      ? { reason: 'a like without a usable tweetId' }
      : { records: [{ kind: 'like', tweet_id: tweetId }] };
  }
  const accountId = id(fields(following ?? follower).accountId);
  if (accountId === undefined) return { reason: 'a followed account or a follower without a usable accountId' };
  if (owner === undefined)
    return {
      reason:
        'a followed account or a follower of an unknown account: account.js of the same archive names it; put it beside this file, and import their folder',
    };
  const [follower_id, following_id] = isFields(following) ? [owner.id, accountId] : [accountId, owner.id];
  return { records: [{ kind: 'follow', follower_id, following_id }] };
}

export const ownerRecord = (owner: Owner): ArchiveRecord => ({ kind: 'user', user: { ...owner } });

/** The owner from account.js. */
export function ownerOfAccount(value: Fields): Owner | undefined {
  const account = fields(value.account);
  const ownerId = id(account.accountId);
  const username = text(account.username);
  if (ownerId === undefined || username === undefined) return undefined;
  return withoutUndefined({
    id: ownerId,
    username,
    name: text(account.accountDisplayName),
    created_at: timestamp(account.createdAt),
  });
}

/** The profile of the owner from profile.js. */
export function profileOf(value: Fields): Partial<Owner> | undefined {
  if (!isFields(value.profile)) return undefined;
  const { description, avatarMediaUrl, headerMediaUrl } = value.profile;
  return withoutUndefined({
    description: decoded(freeText(fields(description).bio)),
    location: decoded(freeText(fields(description).location)),
    profile_image: text(avatarMediaUrl),
    profile_banner: text(headerMediaUrl),
  });
}

/** Whether a value is the profile of the owner in an archive until 2019: user_details.js. */
export const isDetails = (value: Fields): boolean => 'screen_name' in value && 'full_name' in value;

/** The owner from user_details.js of an archive until 2019. */
export function ownerOfDetails(value: Fields): Owner | undefined {
  const ownerId = id(value.id);
  const username = text(value.screen_name);
  if (ownerId === undefined || username === undefined) return undefined;
  return withoutUndefined({
    id: ownerId,
    username,
    name: decoded(text(value.full_name)),
    created_at: utcTimestamp(value.created_at),
    description: decoded(freeText(value.bio)),
    location: decoded(freeText(value.location)),
  });
}

/** Whether a value only describes an archive until 2019: its index of months, or payload_details.js. */
export const isDescription = (value: Fields): boolean =>
  ('var_name' in value && 'tweet_count' in value) || ('tweets' in value && 'lang' in value && 'created_at' in value);

/** The time at which X made an archive until 2019, from payload_details.js. */
export const observedAtOfDetails = (value: Fields): string | undefined => utcTimestamp(value.created_at);

/** The time at which X made the archive, from manifest.js. */
export const observedAtOfManifest = (value: Fields): string | undefined =>
  timestamp(fields(value.archiveInfo).generationDate);

/** The user id in tweet-headers.js: all tweets in it are from the owner. */
export const userOfHeader = (value: Fields): string | undefined => id(fields(value.tweet).user_id);

/**
 * Finds the owner from the statuses alone. The page URLs of the owner's media contain the username; replies and
 * mentions contain pairs of username and id. The majority wins, because single statuses can contain an outdated
 * username.
 */
export class OwnerClues {
  readonly #userId: string | undefined;
  readonly #pages = new Votes();
  /** The ids of each username, and the usernames of each id. */
  readonly #pairs = new Map<string, Votes>();

  /** `userId`: the id of the owner, if known. */
  constructor(userId?: string) {
    this.#userId = userId;
  }

  add(value: Fields): void {
    const status = statusOf(value);
    const page = `/status/${String(status.id_str)}/`;
    for (const media of list(fields(status.extended_entities).media)) {
      const url = text(media.expanded_url);
      if (url?.includes(page)) this.#pages.add(/^https?:\/\/[^/]+\/(\w+)\/status\//.exec(url)?.[1]);
    }
    this.#pair(text(status.in_reply_to_screen_name), id(status.in_reply_to_user_id_str));
    for (const mention of list(fields(status.entities).user_mentions))
      this.#pair(text(mention.screen_name), id(mention.id_str));
  }

  #pair(name: string | undefined, userId: string | undefined): void {
    if (name === undefined || userId === undefined) return;
    this.#votes(`@${name.toLowerCase()}`).add(userId);
    this.#votes(userId).add(name);
  }

  #votes(key: string): Votes {
    const votes = this.#pairs.get(key) ?? new Votes();
    this.#pairs.set(key, votes);
    return votes;
  }

  /** The owner; undefined if the statuses do not identify one. */
  owner(): Owner | undefined {
    const username =
      this.#pages.most() ?? (this.#userId === undefined ? undefined : this.#pairs.get(this.#userId)?.most());
    if (username === undefined) return undefined;
    const ownerId = this.#userId ?? this.#pairs.get(`@${username.toLowerCase()}`)?.most();
    return ownerId === undefined ? undefined : { id: ownerId, username };
  }
}

class Votes {
  readonly #counts = new Map<string, number>();

  add(candidate: string | undefined): void {
    if (candidate !== undefined) this.#counts.set(candidate, (this.#counts.get(candidate) ?? 0) + 1);
  }

  most(): string | undefined {
    return [...this.#counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  }
}
