/** The memberships of users in communities, with their roles. */
import { LargeMap } from '../../collections/large-map.ts';
import { Relation } from '../../collections/relation.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { ArchiveSchemas, ChangeOutcome } from '../../domain/records.ts';
import { ListsByKey, type ListLookup } from './lists-by-key.ts';
import { loadRelations, saveRelations } from './saved-relations.ts';

export type Role = ArchiveSchemas['MembershipRecord']['role'];

export class Memberships implements SavedTable {
  /** The communities of each user. */
  readonly #byUser = new ListsByKey(() => new Relation());
  readonly #roles = new LargeMap<string, Role>();

  get byUser(): ListLookup<Relation> {
    return this.#byUser;
  }

  role(communityId: string, userId: string): Role | undefined {
    return this.#roles.get(`${communityId} ${userId}`);
  }

  wouldChange(communityId: string, userId: string, role: Role, at: number): boolean {
    return (this.#byUser.get(userId)?.wouldChange(communityId, at) ?? true) || this.role(communityId, userId) !== role;
  }

  add(communityId: string, userId: string, role: Role, at: number): ChangeOutcome {
    const outcome = this.#byUser.getOrCreate(userId).add(communityId, at);
    const before = this.role(communityId, userId);
    this.#roles.set(`${communityId} ${userId}`, role);
    return outcome === 'unchanged' && before !== role ? 'updated' : outcome;
  }

  *save(): Sections {
    yield* saveRelations(this.#byUser);
    yield* saveValues(this.#roles);
  }

  load(reader: SectionReader): void {
    loadRelations(reader, (userId) => this.#byUser.getOrCreate(userId));
    for (const [key, role] of readValues<[string, Role]>(reader)) this.#roles.set(key, role);
  }

  /** Removes all memberships of a user. */
  delete(userId: string): void {
    for (const { id } of this.#byUser.get(userId)?.members() ?? []) this.#roles.delete(`${id} ${userId}`);
    this.#byUser.delete(userId);
  }
}
