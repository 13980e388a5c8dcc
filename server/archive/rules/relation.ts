/** The relations of one owner: its follows, retweeters, highlights, memberships or list members. */

/** One member: its id, and the start of the relation in milliseconds since the epoch (0 if unknown). */
export interface Member {
  readonly id: string;
  readonly at: number;
}

/** A member as it is stored: with the latest start, where several starts are known. */
interface StoredMember extends Member {
  readonly last?: number;
}

const lastOf = ({ at, last = at }: StoredMember): number => last;

export type RelationOutcome = 'added' | 'updated' | 'unchanged';

export class Relation {
  readonly #members = new Map<string, StoredMember>();
  /** The times of removals by member. */
  readonly #removals = new Map<string, number>();
  readonly #isHidden: (id: string) => boolean;

  /** `isHidden`: members that readers do not see. */
  constructor(isHidden: (id: string) => boolean = () => false) {
    this.#isHidden = isHidden;
  }

  /** Whether there is neither a member nor the memory of a removal. */
  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#removals.size === 0;
  }

  /**
   * Adds a member; the earliest known start wins. After a removal, only later starts count, and the latest wins. The order
   * of arrival of starts and removals does not matter. Returns the outcome.
   */
  add(id: string, at: number): RelationOutcome {
    if (!this.#wouldChange(id, at)) return 'unchanged';
    const existing = this.#members.get(id);
    const isEarlier = existing === undefined || existing.at === 0 || at < existing.at;
    const last = existing === undefined ? at : Math.max(lastOf(existing), at);
    const first = this.#removals.has(id) ? last : isEarlier ? at : existing.at;
    this.#members.set(id, first === last ? { id, at: first } : { id, at: first, last });
    return existing === undefined ? 'added' : 'updated';
  }

  #wouldChange(id: string, at: number): boolean {
    const removedAt = this.#removals.get(id);
    if (removedAt !== undefined && at <= removedAt) return false;
    const existing = this.#members.get(id);
    if (existing === undefined || at > lastOf(existing)) return true;
    return removedAt === undefined && at !== 0 && existing.at > at;
  }

  /** Removes the starts of a member's relation up to this time, known and unknown ones. */
  remove(id: string, at: number): RelationOutcome {
    const removedAt = this.#removals.get(id);
    if (removedAt !== undefined && at <= removedAt) return 'unchanged';
    const existing = this.#members.get(id);
    this.#removals.set(id, at);
    if (existing !== undefined && lastOf(existing) <= at) this.#members.delete(id);
    else if (existing?.last !== undefined) this.#members.set(id, { id, at: existing.last });
    return existing === undefined && removedAt === undefined ? 'added' : 'updated';
  }

  /** Removes a member, and the memory of its removal. */
  forget(id: string): void {
    this.#members.delete(id);
    this.#removals.delete(id);
  }

  /** Permits the starts that a removal excluded. */
  forgetRemoval(id: string): void {
    this.#removals.delete(id);
  }

  /** Every known start that matters: the first one of each member, and the last one. */
  *starts(): Generator<Member, void> {
    for (const { id, at, last } of this.members()) {
      yield { id, at };
      if (last !== undefined) yield { id, at: last };
    }
  }

  *members(): Generator<StoredMember, void> {
    for (const member of this.#members.values()) if (!this.#isHidden(member.id)) yield member;
  }

  /** The removals that still exclude earlier starts: `at` is the time of the removal. */
  *removals(): Generator<Member, void> {
    for (const [id, at] of this.#removals) if (!this.#isHidden(id)) yield { id, at };
  }
}

/** Relations by their owners. */
export class Relations extends Map<string, Relation> {
  readonly #isHidden: ((id: string) => boolean) | undefined;

  /** `isHidden`: members that readers do not see. */
  constructor(isHidden?: (id: string) => boolean) {
    super();
    this.#isHidden = isHidden;
  }

  /** The relation of an owner, which is created at its first use. */
  of(owner: string): Relation {
    let relation = this.get(owner);
    if (relation === undefined) this.set(owner, (relation = new Relation(this.#isHidden)));
    return relation;
  }
}
