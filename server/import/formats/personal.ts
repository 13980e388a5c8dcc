/** A personal archive of X: v1.1 statuses without a user, because all are the owner's. */
import type { ArchiveRecord } from '../../archive/records.ts';
import { fields, id, isFields, known, list, text, timestamp, type Fields, type Recognised } from './recognised.ts';
import { statusRecords } from './v1.ts';

/** Whose archive it is. */
export interface Owner {
  readonly id: string;
  readonly username: string;
  readonly name?: string;
  readonly created_at?: string;
}

/** The status of an element: `{"tweet": {…}}`, or the status itself as older archives have it. */
const statusOf = (value: Fields): Fields => (isFields(value.tweet) ? value.tweet : value);

/** Whether a value is a status of nobody named. */
export function isPersonal(value: Fields): boolean {
  const status = statusOf(value);
  return 'id_str' in status && 'created_at' in status && ('full_text' in status || 'text' in status) && !isFields(status.user);
}

export function personal(value: Fields, owner: Owner): Recognised {
  const records = statusRecords(statusOf(value), owner.id);
  return records === undefined ? { reason: 'a status without a usable id_str or created_at' } : { records };
}

export const ownerRecord = (owner: Owner): ArchiveRecord => ({ kind: 'user', user: { ...owner } });

/** The owner as account.js tells it. */
export function ownerOfAccount(value: Fields): Owner | undefined {
  const account = fields(value.account);
  const ownerId = id(account.accountId);
  const username = text(account.username);
  if (ownerId === undefined || username === undefined) return undefined;
  return known({ id: ownerId, username, name: text(account.accountDisplayName), created_at: timestamp(account.createdAt) });
}

/** Gathers who the owner is from the statuses alone: the pages of own media name the owner, replies to that name give the id. */
export class OwnerClues {
  #names = new Map<string, number>();
  #ids = new Map<string, string>();

  see(value: Fields): void {
    const status = statusOf(value);
    const page = `/status/${String(status.id_str)}/`;
    for (const media of list(fields(status.extended_entities).media)) {
      const name = typeof media.expanded_url === 'string' && media.expanded_url.includes(page) ? /^https?:\/\/[^/]+\/(\w+)\/status\//.exec(media.expanded_url)?.[1] : undefined;
      if (name !== undefined) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
    }
    const repliedName = text(status.in_reply_to_screen_name);
    const repliedId = id(status.in_reply_to_user_id_str);
    if (repliedName !== undefined && repliedId !== undefined) this.#ids.set(repliedName.toLowerCase(), repliedId);
  }

  /** The owner, where the clues name one. */
  owner(): Owner | undefined {
    const [username] = [...this.#names].toSorted((a, b) => b[1] - a[1])[0] ?? [];
    const ownerId = username === undefined ? undefined : this.#ids.get(username.toLowerCase());
    return username === undefined || ownerId === undefined ? undefined : { id: ownerId, username };
  }
}
