/** The relations of one owner, newest first: follows, retweets, highlights or memberships. */
import { compareIds } from '../domain/record-id.ts';
import { LargeMap } from './large-map.ts';

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

const compare = (a: Member, b: Member): number => a.at - b.at || compareIds(a.id, b.id);

/** The number of items for which `isBefore` is true; it is true up to some position and false behind it. */
function countBefore(items: readonly Member[], isBefore: (item: Member) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A part of a relation as it is saved: starts of members, with the last one where it differs, and removals. */
export type SavedRelation = readonly [
  members: readonly (readonly [id: string, at: number, last?: number])[],
  removals: readonly (readonly [id: string, at: number])[],
];

/** The maximum number of members in one part. */
const membersPerPart = 32;

/** Read access to a relation. */
export type RelationReader = Pick<Relation, 'size' | 'has' | 'members' | 'newestFirst'>;

export type RelationOutcome = 'added' | 'updated' | 'unchanged';

export class Relation {
  #members = new LargeMap<string, StoredMember>();
  /** The times of removals by member. Without removals, which is the rule, there is no map. */
  #removals: LargeMap<string, number> | undefined;
  #ordered: Member[] | undefined;
  readonly #isHidden: (id: string) => boolean;

  /** `isHidden`: members that readers do not see. */
  constructor(isHidden: (id: string) => boolean = () => false) {
    this.#isHidden = isHidden;
  }

  /** The number of members, the hidden ones included. */
  get size(): number {
    return this.#members.size;
  }

  /** Whether there is neither a member nor the memory of a removal. */
  get isEmpty(): boolean {
    return this.#members.size === 0 && (this.#removals?.size ?? 0) === 0;
  }

  has(id: string): boolean {
    return this.#members.has(id) && !this.#isHidden(id);
  }

  /** Whether adding a member would change anything. */
  wouldChange(id: string, at: number): boolean {
    const removedAt = this.#removals?.get(id);
    if (removedAt !== undefined && at <= removedAt) return false;
    const existing = this.#members.get(id);
    if (existing === undefined || at > lastOf(existing)) return true;
    return removedAt === undefined && at !== 0 && (existing.at === 0 || existing.at > at);
  }

  /**
   * Adds a member; the earliest known start wins. After a removal, only later starts count, and the latest wins. The order
   * of arrival of starts and removals does not matter. Returns the outcome.
   */
  add(id: string, at: number): RelationOutcome {
    if (!this.wouldChange(id, at)) return 'unchanged';
    const existing = this.#members.get(id);
    const wasRemoved = this.#removals?.has(id) === true;
    const isEarlier = existing === undefined || (at !== 0 && (existing.at === 0 || at < existing.at));
    const last = existing === undefined ? at : Math.max(lastOf(existing), at);
    const first = wasRemoved ? last : isEarlier ? at : existing.at;
    const member = first === last ? { id, at: first } : { id, at: first, last };
    this.#members.set(id, member);
    const ordered = this.#ordered;
    const newest = ordered?.at(-1);
    if (existing === undefined && ordered !== undefined && (newest === undefined || compare(newest, member) < 0))
      ordered.push(member);
    else this.#ordered = undefined;
    return existing === undefined ? 'added' : 'updated';
  }

  /** Whether a removal at this time would change anything. Without `at`: a removal of what is known now. */
  wouldRemove(id: string, at: number | undefined): boolean {
    const removedAt = this.#removals?.get(id);
    return removedAt === undefined || (at === undefined ? this.#members.has(id) : at > removedAt);
  }

  /**
   * Removes the starts of a member's relation up to this time, known and unknown ones. Returns whether
   * the member was there.
   */
  remove(id: string, at: number | undefined): { outcome: RelationOutcome; wasRemoved: boolean } {
    if (!this.wouldRemove(id, at)) return { outcome: 'unchanged', wasRemoved: false };
    const existing = this.#members.get(id);
    const removedAt = at ?? (existing === undefined ? 0 : lastOf(existing));
    const isNew = existing === undefined && this.#removals?.has(id) !== true;
    (this.#removals ??= new LargeMap()).set(id, removedAt);
    const wasRemoved = existing !== undefined && lastOf(existing) <= removedAt;
    if (wasRemoved) {
      this.#delete(existing);
    } else if (existing?.last !== undefined) {
      this.#members.set(id, { id, at: existing.last });
      this.#ordered = undefined;
    }
    return { outcome: isNew ? 'added' : 'updated', wasRemoved };
  }

  /** Removes a member, and the memory of its removal. Returns whether there was one. */
  forget(id: string): boolean {
    const existing = this.#members.get(id);
    if (existing !== undefined) this.#delete(existing);
    const hadRemoval = this.#removals?.delete(id) === true;
    return existing !== undefined || hadRemoval;
  }

  /** Permits the starts that a removal excluded. */
  forgetRemoval(id: string): void {
    this.#removals?.delete(id);
  }

  /** Every known start that matters: the first one of each member, and the last one. */
  *starts(): Generator<Member, void> {
    for (const member of this.#members.values()) {
      const { id, at, last } = member;
      if (this.#isHidden(id)) continue;
      yield { id, at };
      if (last !== undefined) yield { id, at: last };
    }
  }

  *members(): Generator<Member, void> {
    for (const member of this.#members.values()) if (!this.#isHidden(member.id)) yield member;
  }

  /** The removals that still exclude earlier starts: `at` is the time of the removal. */
  *removals(): Generator<Member, void> {
    for (const [id, at] of this.#removals?.entries() ?? []) if (!this.#isHidden(id)) yield { id, at };
  }

  /** The whole content in parts, hidden members included. */
  *parts(): Generator<SavedRelation, void> {
    let members: SavedRelation[0][number][] = [];
    for (const { id, at, last } of this.#members.values()) {
      members.push(last === undefined ? [id, at] : [id, at, last]);
      if (members.length < membersPerPart) continue;
      yield [members, []];
      members = [];
    }
    yield [members, [...(this.#removals ?? [])]];
  }

  /** Adds a part to a new relation. */
  addPart([members, removals]: SavedRelation): void {
    for (const [id, at, last] of members) this.#members.set(id, last === undefined ? { id, at } : { id, at, last });
    for (const [id, at] of removals) (this.#removals ??= new LargeMap()).set(id, at);
  }

  /** Whether a record of a start (or, with `removal`, of a removal) at this time still has an effect. */
  needs(id: string, at: number, removal: boolean): boolean {
    if (this.#isHidden(id)) return false;
    if (removal) return this.#removals?.get(id) === at;
    const member = this.#members.get(id);
    return member !== undefined && (member.at === at || member.last === at);
  }

  /**
   * Newest first; members without a time come last, the higher id first. `after`: starts behind this member of an
   * earlier page.
   */
  *newestFirst(after?: Member): Generator<Member, void> {
    const ordered = (this.#ordered ??= [...this.#members.values()].sort(compare));
    const end = after === undefined ? ordered.length : countBefore(ordered, (each) => compare(each, after) < 0);
    for (let index = end - 1; index >= 0; index--) {
      const member = ordered[index];
      if (member !== undefined && !this.#isHidden(member.id)) yield member;
    }
  }

  #delete(member: Member): void {
    this.#members.delete(member.id);
    this.#ordered?.splice(
      countBefore(this.#ordered, (each) => compare(each, member) < 0),
      1,
    );
  }
}
