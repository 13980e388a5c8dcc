/** Lists and their members. The operator `list:` names a list by its id, or by its owner's username and its slug. */
import type { ArchivedList } from '../domain/records.ts';

/** Returns the username of a user id; undefined if the profile is unknown. */
type UsernameOf = (userId: string) => string | undefined;

export class Lists {
  readonly #byId = new Map<string, ArchivedList>();
  /** The ids of the lists of a member. Members can be known before the record of the list. */
  readonly #byMember = new Map<string, Set<string>>();

  values(): Iterable<ArchivedList> {
    return this.#byId.values();
  }

  set(list: ArchivedList): void {
    this.#byId.set(list.id, list);
  }

  addMember(listId: string, userId: string): void {
    this.#byMember.set(userId, (this.#byMember.get(userId) ?? new Set()).add(listId));
  }

  /** The terms of a member's lists: `list:<id>`, and `list:<owner>/<slug>` if both are known. */
  *termsOf(userId: string, usernameOf: UsernameOf): Generator<string, void> {
    for (const id of this.#byMember.get(userId) ?? []) {
      yield `list:${id}`;
      const list = this.#byId.get(id);
      const owner = list === undefined ? undefined : usernameOf(list.owner_id);
      if (list?.slug !== undefined && owner !== undefined) yield `list:${owner}/${list.slug}`.toLowerCase();
    }
  }
}
