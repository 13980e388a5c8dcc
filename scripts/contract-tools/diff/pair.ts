/** A pair of schemas and the context of their comparison. */
import type { At, Json, Revision } from './document.ts';
import type { Graph, Node } from './graph.ts';
import type { Effect } from './rules.ts';

/** Compares two places that hold a schema (or none: then any value is accepted) and returns the key of their node. */
export type CompareSchemas = (before: At, after: At) => string;
export type Comparison = {
  readonly before: Revision;
  readonly after: Revision;
  readonly graph: Graph;
  readonly compare: CompareSchemas;
};

/** The places of two schemas, how each is read, and where to note their differences. */
export type Pair = { readonly x: At; readonly y: At; readonly a: Json; readonly b: Json; readonly node: Node };

/** How the accepted values changed: only fewer, only more, not at all, or otherwise. */
export function verdict(effects: ReadonlySet<Effect>): 'same' | 'narrower' | 'wider' | 'other' {
  if (effects.size === 0) return 'same';
  const [only] = effects;
  return effects.size === 1 && (only === 'narrower' || only === 'wider') ? only : 'other';
}
