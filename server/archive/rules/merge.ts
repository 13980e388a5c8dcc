/**
 * Merges a new observation into the current state of an entity. A later observation wins. At the same time the larger
 * count wins, because counts mostly grow. An earlier observation only fills in absent members. Applying the same record
 * twice changes nothing.
 */
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import { keysOf, memberOf } from '../../text/object.ts';

/** -1, 0 or 1: the incoming observation is earlier than, as old as, or later than the current one. */
export type ObservationOrder = -1 | 0 | 1;

/** The observed members; undefined members carry no information. */
type Incoming<State> = { readonly [Name in keyof State]: State[Name] | undefined };

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/**
 * Merges the members of `incoming` into a copy of `current`; returns `current` itself if nothing changes. A later
 * observation time alone is no change: otherwise each import of a copy of a file would write all its records again. So an
 * observation that arrives late can win over a later one that was equal to the state before it.
 */
export function merge<State extends object>(current: State, incoming: Incoming<State>, order: ObservationOrder): State {
  const wins = (name: string, value: unknown, previous: unknown): boolean =>
    previous === undefined ||
    (order > 0 || name === 'media'
      ? !same(previous, value)
      : order === 0 && isCount(name) && Number(value) > Number(previous));
  let after: State | undefined;
  for (const name of keysOf(incoming)) {
    const observed = incoming[name];
    const value = name === 'media' ? mediaAfter(current[name], observed, order) : observed;
    if (name === 'observed_at' || value === undefined || !wins(name, value, current[name])) continue;
    after ??= { ...current };
    after[name] = value;
  }
  const observedAt = memberOf(incoming, 'observed_at');
  return after !== undefined && order > 0 && observedAt !== undefined
    ? { ...after, observed_at: observedAt }
    : (after ?? current);
}

type Media = NonNullable<ArchivedTweet['media']>;

/** The media of the later observation, with the members that only the other one has of them, such as the text for a picture. */
function mediaAfter<Value>(current: Value, observed: Value | undefined, order: ObservationOrder): Value | undefined;
function mediaAfter(current: Media | undefined, observed: Media | undefined, order: ObservationOrder) {
  if (current === undefined || observed === undefined) return observed;
  return order > 0 ? filled(observed, current) : filled(current, observed);
}

/** The same object where the other list has no further members. */
function filled(media: Media, others: Media): Media {
  const byUrl = new Map(others.map((other) => [other.url, other]));
  let isChanged = false;
  const items = media.map((item) => {
    const missing = Object.entries(byUrl.get(item.url) ?? {}).filter(([name]) => !Object.hasOwn(item, name));
    if (missing.length === 0) return item;
    isChanged = true;
    return { ...item, ...Object.fromEntries(missing) };
  });
  return isChanged ? items : media;
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
