/** Lists and their members. Members can be known before the record of the list. */
import type { ArchivedList } from '../../domain/records.ts';
import { Relations } from './relation.ts';

export class Lists {
  readonly byId = new Map<string, ArchivedList>();
  /** The members of each list. */
  readonly members: Relations;

  /** `isHidden`: members that readers do not see. */
  constructor(isHidden: (userId: string) => boolean) {
    this.members = new Relations(isHidden);
  }

  /** Removes a list and its members. */
  delete(id: string): void {
    this.byId.delete(id);
    this.members.delete(id);
  }

  /** Removes a user from all lists. */
  deleteMember(userId: string): void {
    for (const members of this.members.values()) members.forget(userId);
  }
}
