/** A personal archive of X: v1.1 statuses without a user, because the owner wrote all of them. */
import { LargeMap } from '../../collections/large-map.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import {
  fields,
  id,
  isFields,
  withoutUndefined,
  list,
  text,
  timestamp,
  type Fields,
  type Recognised,
} from './recognised.ts';
import { statusRecords } from './v1.ts';

/** The owner of a personal archive. */
export interface Owner {
  readonly id: string;
  readonly username: string;
  readonly name?: string;
  readonly created_at?: string;
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

export function personal(value: Fields, owner: Owner): Recognised {
  const records = statusRecords(statusOf(value), owner.id);
  return records === undefined ? { reason: 'a status without a usable id_str or created_at' } : { records };
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
  readonly #pairs = new LargeMap<string, Votes>();

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
