/** The conjunction of conditions. A contradiction such as `cat -cat` becomes a condition that no tweet matches, so that a search reads nothing. */
import { nothing, type Condition } from './condition.ts';

/** The tweets that match all parts. */
export function conjunction(parts: readonly Condition[]): Condition {
  const excluded = new Set(parts.flatMap((part) => (part.is === 'not' ? (keyOf(part.part) ?? []) : [])));
  if (excluded.size === 0) return { is: 'all', parts };
  const remaining = parts.map((part) => withoutExcluded(part, excluded));
  return remaining.includes(nothing) ? nothing : { is: 'all', parts: remaining };
}

/** A text that only equal conditions have; undefined for the kinds of conditions that are not compared. */
function keyOf(condition: Condition): string | undefined {
  switch (condition.is) {
    case 'words':
      return `${condition.within} ${condition.tokens.join(' ')}`;
    case 'term':
      return `term ${condition.term}`;
    case 'person':
      return `${condition.role} ${condition.name}`;
    default:
      return undefined;
  }
}

/** What can match of a condition for tweets that match none of the excluded conditions. */
function withoutExcluded(condition: Condition, excluded: ReadonlySet<string>): Condition {
  if (condition.is === 'all' || condition.is === 'any') {
    const all = condition.parts.map((part) => withoutExcluded(part, excluded));
    const parts = condition.is === 'any' ? all.filter((part) => part !== nothing) : all;
    if (condition.is === 'all' ? parts.includes(nothing) : parts.length === 0) return nothing;
    return { is: condition.is, parts };
  }
  const key = keyOf(condition);
  return key !== undefined && excluded.has(key) ? nothing : condition;
}
