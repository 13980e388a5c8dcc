/**
 * The graph of differences with one node per pair of places. A component that several operations share is one node, so a
 * difference in it is one finding with the list of those operations. Recursive schemas are cycles of the graph.
 */
import type { At } from './document.ts';
import { rules, type Effect, type RuleId, type Side } from './rules.ts';

export type Difference = {
  readonly rule: RuleId;
  /** The places it is about; undefined in the revision that has no such place. */
  readonly before: At | undefined;
  readonly after: At | undefined;
  /** What exactly differs, for example the name of the member. */
  readonly subject: string;
  /** The side that cannot notice it: nobody sends a read-only member. */
  readonly unseenBy?: Side;
};
type Edge = { readonly to: string; readonly side?: Side; readonly except?: Side };
export type Node = {
  /** Notes a difference between two places, of which one may be missing. */
  report(rule: RuleId, before: At | undefined, after: At | undefined, subject?: string, unseenBy?: Side): void;
  /** What holds for the other pair holds for whoever reaches this one; a side is set where the contract says who speaks. */
  link(to: string, options?: Omit<Edge, 'to'>): void;
  /** Runs when the graph is complete. */
  later(task: () => void): void;
};
type Entry = { readonly own: Difference[]; readonly edges: Edge[]; later: (() => void)[] };
/** Where the search for differences begins: an operation, or a union of messages with the side that speaks. */
export type Root = { readonly key: string; readonly side: Side | null; readonly label: string };
export type Reached = {
  readonly difference: Difference;
  readonly sides: ReadonlyMap<Side | null, ReadonlySet<string>>;
};

export type Graph = {
  /** Compares a pair once: `compute` runs when the key is new. Returns the key. */
  visit(key: string, compute: (node: Node) => void): string;
  /** How the set of values of a pair changed, everything beneath it included. */
  effects(key: string): ReadonlySet<Effect>;
  /** Every difference that a root reaches, with the labels of those roots by side. */
  reached(roots: readonly Root[]): Reached[];
  /** Whether a pair was compared. */
  has(key: string): boolean;
};

export function createGraph(): Graph {
  const entries = new Map<string, Entry>();

  const settle = (entry: Entry): void => {
    const tasks = entry.later;
    entry.later = [];
    for (const task of tasks) task();
  };
  const visit = (key: string, compute: (node: Node) => void): string => {
    if (entries.has(key)) return key;
    const entry: Entry = { own: [], edges: [], later: [] };
    entries.set(key, entry);
    compute({
      report: (rule, before, after, subject = '', unseenBy) => {
        if (!before && !after) throw new Error('a difference stands in one of the revisions');
        entry.own.push({ rule, before, after, subject, ...(unseenBy && { unseenBy }) });
      },
      link: (to, options) => entry.edges.push({ to, ...options }),
      later: (task) => entry.later.push(task),
    });
    return key;
  };
  const effects = (key: string): ReadonlySet<Effect> => {
    const found = new Set<Effect>();
    const seen = new Set<string>();
    const queue = [key];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const entry = entries.get(next)!;
      settle(entry);
      for (const { rule } of entry.own) if (rules[rule].effect !== 'none') found.add(rules[rule].effect);
      queue.push(...entry.edges.map(({ to }) => to));
    }
    return found;
  };
  /** The keys from which a difference can be reached: most parts of a contract lead to none. */
  const leadingToDifferences = (): Set<string> => {
    const sources = new Map<string, string[]>();
    for (const [key, { edges }] of entries) {
      for (const { to } of edges) {
        const known = sources.get(to);
        if (known) known.push(key);
        else sources.set(to, [key]);
      }
    }
    const queue = [...entries].filter(([, { own }]) => own.length > 0).map(([key]) => key);
    const found = new Set(queue);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const key of sources.get(next) ?? []) {
        if (!found.has(key)) queue.push(key);
        found.add(key);
      }
    }
    return found;
  };
  const reached: Graph['reached'] = (roots) => {
    for (const entry of entries.values()) settle(entry);
    const leading = leadingToDifferences();
    const labels = new Map<Entry, Map<Side | null, Set<string>>>();
    for (const { key, side: first, label } of roots) {
      const seen = new Set<string>();
      const queue: { key: string; side: Side | null }[] = [{ key, side: first }];
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const { key: at, side } = next;
        if (!leading.has(at) || seen.has(`${side} ${at}`)) continue;
        seen.add(`${side} ${at}`);
        const entry = entries.get(at)!;
        if (entry.own.length > 0) {
          const sides = labels.get(entry) ?? new Map<Side | null, Set<string>>();
          labels.set(entry, sides.set(side, (sides.get(side) ?? new Set()).add(label)));
        }
        for (const edge of entry.edges)
          if (side === null || edge.except !== side) queue.push({ key: edge.to, side: edge.side ?? side });
      }
    }
    return [...labels].flatMap(([entry, sides]) => entry.own.map((difference) => ({ difference, sides })));
  };
  return { visit, effects, reached, has: (key) => entries.has(key) };
}
