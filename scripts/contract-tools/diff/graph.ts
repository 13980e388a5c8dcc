/**
 * The graph of differences with one node per pair of positions. A component that several operations share is one node, so
 * a difference in it is one finding with the list of those operations. Recursive schemas are cycles of the graph.
 */
import type { At } from './document.ts';
import { rules, type Effect, type RuleId, type Side } from './rules.ts';

export type Difference = {
  readonly rule: RuleId;
  /** The differing positions; undefined in the revision that has no such position. */
  readonly before: At | undefined;
  readonly after: At | undefined;
  /** The detail that differs, for example the name of a member. */
  readonly subject: string;
  /** The side that cannot observe the difference: for example, no client sends a read-only member. */
  readonly unseenBy?: Side;
};
type Edge = { readonly to: string; readonly side?: Side; readonly except?: Side };
type EdgeOptions = Omit<Edge, 'to'>;
/** The differences and edges of one pair, and the tasks that need the complete graph. */
type Entry = { readonly own: Difference[]; readonly edges: Edge[]; later: (() => void)[] };

/** A node of the graph while its pair is compared. */
export class Node {
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  /** Adds a difference between two positions, of which one may be missing. */
  report(rule: RuleId, before: At | undefined, after: At | undefined, subject = '', unseenBy?: Side): void {
    if (!before && !after) throw new Error('a difference needs a position in one of the revisions');
    this.#entry.own.push({ rule, before, after, subject, ...(unseenBy && { unseenBy }) });
  }

  /** Adds an edge: the differences of the other pair also belong to this one. `side` restricts them to one side. */
  link(to: string, options?: EdgeOptions): void {
    this.#entry.edges.push({ to, ...options });
  }

  /** Runs the task when the graph is complete. */
  later(task: () => void): void {
    this.#entry.later.push(task);
  }
}

/** A start of the search for differences: an operation, or a union of messages with its sender's side. */
export type Root = { readonly key: string; readonly side: Side | null; readonly label: string };
export type Reached = {
  readonly difference: Difference;
  readonly sides: ReadonlyMap<Side | null, ReadonlySet<string>>;
};
/** The labels of the roots that reach an entry, by side. */
type Labels = Map<Side | null, Set<string>>;

export class Graph {
  readonly #entries = new Map<string, Entry>();

  /** Compares a pair once: `compute` runs when the key is new. Returns the key. */
  visit(key: string, compute: (node: Node) => void): string {
    if (this.#entries.has(key)) return key;
    const entry: Entry = { own: [], edges: [], later: [] };
    this.#entries.set(key, entry);
    compute(new Node(entry));
    return key;
  }

  /** Whether a pair was compared. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The changes of the set of valid values of a pair, with those of nested pairs. */
  effects(key: string): ReadonlySet<Effect> {
    const effects = new Set<Effect>();
    const seen = new Set<string>();
    const queue = [key];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const entry = this.#entryOf(next);
      settle(entry);
      for (const { rule } of entry.own) if (rules[rule].effect !== 'none') effects.add(rules[rule].effect);
      queue.push(...entry.edges.map(({ to }) => to));
    }
    return effects;
  }

  /** Every difference that a root reaches, with the labels of those roots by side. */
  reached(roots: readonly Root[]): Reached[] {
    for (const entry of this.#entries.values()) settle(entry);
    const leading = this.#keysToDifferences();
    const labels = new Map<Entry, Labels>();
    for (const root of roots) this.#label(root, leading, labels);
    return [...labels].flatMap(([entry, sides]) => entry.own.map((difference) => ({ difference, sides })));
  }

  /** Adds the label of a root to every entry with differences that it reaches. */
  #label({ key, side: first, label }: Root, leading: ReadonlySet<string>, labels: Map<Entry, Labels>): void {
    const seen = new Set<string>();
    const queue: { key: string; side: Side | null }[] = [{ key, side: first }];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { key: at, side } = next;
      if (!leading.has(at) || seen.has(`${side} ${at}`)) continue;
      seen.add(`${side} ${at}`);
      const entry = this.#entryOf(at);
      if (entry.own.length > 0) {
        const sides: Labels = labels.get(entry) ?? new Map();
        labels.set(entry, sides.set(side, (sides.get(side) ?? new Set()).add(label)));
      }
      for (const edge of entry.edges)
        if (side === null || edge.except !== side) queue.push({ key: edge.to, side: edge.side ?? side });
    }
  }

  /** The keys that reach a difference; most parts of a contract reach none. */
  #keysToDifferences(): Set<string> {
    const sources = new Map<string, string[]>();
    for (const [key, { edges }] of this.#entries) {
      for (const { to } of edges) {
        const known = sources.get(to);
        if (known) known.push(key);
        else sources.set(to, [key]);
      }
    }
    const queue = [...this.#entries].filter(([, { own }]) => own.length > 0).map(([key]) => key);
    const found = new Set(queue);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const key of sources.get(next) ?? []) {
        if (!found.has(key)) queue.push(key);
        found.add(key);
      }
    }
    return found;
  }

  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`the graph has no node ${key}`);
    return entry;
  }
}

/** Runs the delayed tasks of an entry. */
function settle(entry: Entry): void {
  const tasks = entry.later;
  entry.later = [];
  for (const task of tasks) task();
}
