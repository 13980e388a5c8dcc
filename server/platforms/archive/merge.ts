/**
 * What is known of a thing when it is seen again. What was seen later wins; seen at the same time, the larger count wins (counts
 * mostly grow); what was seen earlier only fills in what was unknown. Applying the same record twice changes nothing.
 */
import { counts } from './records.ts';

type Fields = Record<string, unknown>;

/** -1, 0 or 1: whether the incoming state was seen before, with or after the known one. */
export type ObservationOrder = -1 | 0 | 1;

/** What was seen: members that are undefined say nothing. */
type Incoming<State> = { readonly [Name in keyof State]: State[Name] | undefined };

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/**
 * Merges the members of `incoming` into a copy of `known`; returns `known` itself when nothing changes. To be seen again later is a
 * change too: without it, what was seen in between would win.
 */
export function merge<State extends object>(known: State, incoming: Incoming<State>, seen: ObservationOrder): State {
  const before = known as Fields;
  let after: Fields | undefined;
  for (const [name, value] of Object.entries(incoming)) {
    if (name === 'observed_at' || value === undefined) continue;
    const old = before[name];
    const wins =
      old === undefined ||
      (seen > 0 ? !same(old, value) : seen === 0 && isCount(name) && (value as number) > (old as number));
    if (wins) (after ??= { ...before })[name] = value;
  }
  const observed = (incoming as Fields).observed_at;
  if (seen > 0 && observed !== undefined) (after ??= { ...before }).observed_at = observed;
  return (after as State | undefined) ?? known;
}

const countNames = new Set<string>([
  ...counts,
  'followers_count',
  'following_count',
  'tweet_count',
  'media_count',
  'member_count',
  'moderator_count',
]);
const isCount = (name: string): boolean => countNames.has(name);
