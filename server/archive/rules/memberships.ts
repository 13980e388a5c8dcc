/** The memberships of users in communities, with their roles. */
import type { ArchiveSchemas, ChangeOutcome } from '../../domain/records.ts';
import { Relations, type Relation } from './relation.ts';

export type Role = ArchiveSchemas['MembershipRecord']['role'];

export class Memberships {
  /** The communities of each user. */
  readonly #byUser = new Relations();
  readonly #roles = new Map<string, Role>();

  get byUser(): Iterable<readonly [userId: string, communities: Relation]> {
    return this.#byUser;
  }

  role(communityId: string, userId: string): Role | undefined {
    return this.#roles.get(`${communityId} ${userId}`);
  }

  add(communityId: string, userId: string, role: Role, at: number): ChangeOutcome {
    const outcome = this.#byUser.of(userId).add(communityId, at);
    const before = this.role(communityId, userId);
    this.#roles.set(`${communityId} ${userId}`, role);
    return outcome === 'unchanged' && before !== role ? 'updated' : outcome;
  }

  /** Removes all memberships of a user. */
  delete(userId: string): void {
    for (const { id } of this.#byUser.get(userId)?.members() ?? []) this.#roles.delete(`${id} ${userId}`);
    this.#byUser.delete(userId);
  }
}
