/** The relations of one owner, newest first: follows, retweets, highlights or memberships. */
import { LargeMap } from './large-map.ts';

/** One member: its id, and the start of the relation in milliseconds since the epoch (0 if unknown). */
export interface Member {
  readonly id: string;
  readonly at: number;
}

/** Compares two decimal ids numerically. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

const compare = (a: Member, b: Member): number => a.at - b.at || compareIds(a.id, b.id);

/** Read access to a relation. */
export type RelationReader = Pick<Relation, 'size' | 'has' | 'wouldChange' | 'members' | 'newestFirst'>;

export class Relation {
  #members = new LargeMap<string, Member>();
  #ordered: Member[] | undefined;

  get size(): number {
    return this.#members.size;
  }

  has(id: string): boolean {
    return this.#members.has(id);
  }

  /** Whether adding a member would change anything. */
  wouldChange(id: string, at: number): boolean {
    const existing = this.#members.get(id);
    return existing === undefined || (at !== 0 && (existing.at === 0 || existing.at > at));
  }

  /** Adds a member; the earlier of two times wins, regardless of the order of arrival. Returns the outcome. */
  add(id: string, at: number): 'added' | 'updated' | 'unchanged' {
    if (!this.wouldChange(id, at)) return 'unchanged';
    const existing = this.#members.get(id);
    const member = { id, at };
    this.#members.set(id, member);
    const ordered = this.#ordered;
    if (
      existing === undefined &&
      ordered !== undefined &&
      (ordered.length === 0 || compare(ordered.at(-1)!, member) < 0)
    )
      ordered.push(member);
    else this.#ordered = undefined;
    return existing === undefined ? 'added' : 'updated';
  }

  members(): Iterable<Member> {
    return this.#members.values();
  }

  /**
   * Newest first; members without a time come last, the higher id first. `after`: starts behind this member of an
   * earlier page.
   */
  *newestFirst(after?: Member): Generator<Member, void> {
    const ordered = (this.#ordered ??= [...this.#members.values()].sort(compare));
    let low = 0;
    let high = ordered.length;
    while (after !== undefined && low < high) {
      const middle = (low + high) >>> 1;
      if (compare(ordered[middle]!, after) < 0) low = middle + 1;
      else high = middle;
    }
    for (let index = (after === undefined ? ordered.length : low) - 1; index >= 0; index--) yield ordered[index]!;
  }
}
