/** Lists and their members. The operator `list:` names a list by its id, or by its owner's username and its slug. */
import { LargeMap } from '../collections/large-map.ts';
import type { ArchivedList } from '../domain/records.ts';
import { Relation, type SavedRelation } from '../collections/relation.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../collections/saved-table.ts';

/** Returns the username of a user id; undefined if the profile is unknown. */
type UsernameOf = (userId: string) => string | undefined;

const noLists: ReadonlySet<string> = new Set();

/** Read access to the lists. */
export type ListReader = Pick<Lists, 'size' | 'get' | 'values' | 'termsOf' | 'withTerm'>;

export class Lists implements SavedTable {
  readonly #byId = new LargeMap<string, ArchivedList>();
  /** The ids of the lists that have a slug, in lower case. */
  readonly #bySlug = new LargeMap<string, Set<string>>();
  readonly #members = new LargeMap<string, Relation>();
  /** The ids of the lists of a member. Members can be known before the record of the list. */
  readonly #byMember = new LargeMap<string, Set<string>>();
  readonly #isHidden: (userId: string) => boolean;

  /** `isHidden`: members that readers do not see. */
  constructor(isHidden: (userId: string) => boolean = () => false) {
    this.#isHidden = isHidden;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): ArchivedList | undefined {
    return this.#byId.get(id);
  }

  values(): Iterable<ArchivedList> {
    return this.#byId.values();
  }

  /** Adds or replaces a list. */
  set(list: ArchivedList): void {
    const before = this.#byId.get(list.id)?.slug?.toLowerCase();
    const after = list.slug?.toLowerCase();
    this.#byId.set(list.id, list);
    if (before === after) return;
    if (before !== undefined) this.#bySlug.get(before)?.delete(list.id);
    if (after !== undefined) this.#bySlug.set(after, (this.#bySlug.get(after) ?? new Set()).add(list.id));
  }

  /** Removes a list and its members. */
  delete(id: string): void {
    const slug = this.#byId.get(id)?.slug?.toLowerCase();
    if (slug !== undefined) this.#bySlug.get(slug)?.delete(id);
    this.#byId.delete(id);
    for (const member of this.#members.get(id)?.members() ?? []) this.#byMember.get(member.id)?.delete(id);
    this.#members.delete(id);
  }

  /** Removes a user from all lists. */
  deleteMember(userId: string): void {
    for (const id of this.#byMember.get(userId) ?? noLists) this.#members.get(id)?.forget(userId);
    this.#byMember.delete(userId);
  }

  /** Whether a record of a membership with this time still has an effect. */
  needsMember(listId: string, userId: string, at: number): boolean {
    return this.#members.get(listId)?.needs(userId, at, false) === true;
  }

  /** The members of each list. */
  members(): Iterable<[string, Relation]> {
    return this.#members;
  }

  /** Adds a member. `at` is the time of joining in milliseconds, 0 if unknown. Returns how the membership changed. */
  addMember(listId: string, userId: string, at: number): 'added' | 'updated' | 'unchanged' {
    this.#addToMember(userId, listId);
    return this.#membersOf(listId).add(userId, at);
  }

  *save(): Sections {
    yield* saveValues(this.values());
    yield* saveValues(this.#memberParts());
  }

  *#memberParts(): Generator<[listId: string, part: SavedRelation], void> {
    for (const [listId, members] of this.#members) for (const part of members.parts()) yield [listId, part];
  }

  load(reader: SectionReader): void {
    for (const list of readValues<ArchivedList>(reader)) this.set(list);
    for (const [listId, part] of readValues<[string, SavedRelation]>(reader)) {
      this.#membersOf(listId).addPart(part);
      for (const [userId] of part[0]) this.#addToMember(userId, listId);
    }
  }

  #membersOf(listId: string): Relation {
    const members = this.#members.get(listId) ?? new Relation(this.#isHidden);
    this.#members.set(listId, members);
    return members;
  }

  #addToMember(userId: string, listId: string): void {
    this.#byMember.set(userId, (this.#byMember.get(userId) ?? new Set()).add(listId));
  }

  wouldChangeMember(listId: string, userId: string, at: number): boolean {
    return this.#members.get(listId)?.wouldChange(userId, at) ?? true;
  }

  /** The terms of a member's lists: `list:<id>`, and `list:<owner>/<slug>` if both are known. */
  *termsOf(userId: string, usernameOf: UsernameOf): Generator<string, void> {
    for (const id of this.#byMember.get(userId) ?? noLists) {
      yield `list:${id}`;
      const list = this.#byId.get(id);
      const owner = list === undefined ? undefined : usernameOf(list.owner_id);
      if (list?.slug !== undefined && owner !== undefined) yield `list:${owner}/${list.slug}`.toLowerCase();
    }
  }

  /** The ids of the members of the lists that have a term of `termsOf`. */
  withTerm(term: string, usernameOf: UsernameOf): Set<string> {
    const [owner, slug] = term.slice('list:'.length).split('/') as [string, string?];
    const lists = slug === undefined ? [owner] : this.#owned(owner, slug, usernameOf);
    return new Set(lists.flatMap((id) => [...(this.#members.get(id)?.members() ?? [])].map((member) => member.id)));
  }

  #owned(owner: string, slug: string, usernameOf: UsernameOf): string[] {
    return [...(this.#bySlug.get(slug) ?? noLists)].filter((id) => {
      const list = this.#byId.get(id);
      return list !== undefined && usernameOf(list.owner_id)?.toLowerCase() === owner;
    });
  }
}
