/** The ids of the posts and accounts that JSON of the platform names. */
import { atUri, isDid, readAtUri } from '../../domain/at-uri.ts';
import { possibleIds } from '../../domain/tid.ts';
import type { HeldKeys } from '../../ports/held-records.ts';
import { accountId } from '../../formats/bluesky/ids.ts';

/** Reads the values when the ids are first used. */
export class NamedKeys implements HeldKeys {
  readonly #values: Iterable<unknown>;
  #found: { readonly tweets: Set<string>; readonly users: Set<string> } | undefined;

  /** `values`: JSON values with at-uris and DIDs, and DIDs and at-uris themselves. */
  constructor(values: Iterable<unknown>) {
    this.#values = values;
  }

  get tweets(): ReadonlySet<string> {
    return this.#find().tweets;
  }

  get users(): ReadonlySet<string> {
    return this.#find().users;
  }

  #find() {
    if (this.#found !== undefined) return this.#found;
    const found = { tweets: new Set<string>(), users: new Set<string>() };
    const open = [...this.#values];
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value === 'string') addNamed(value, found);
      else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) open.push(each);
    }
    this.#found = found;
    return found;
  }
}

function addNamed(text: string, { tweets, users }: { tweets: Set<string>; users: Set<string> }): void {
  if (text.startsWith('did:')) {
    if (isDid(text)) users.add(accountId(text));
    return;
  }
  const address = text.startsWith('at:') ? readAtUri(text) : undefined;
  if (address === undefined) return;
  users.add(accountId(address.did));
  for (const id of possibleIds(atUri(address))) tweets.add(id);
}
