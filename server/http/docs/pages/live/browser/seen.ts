/**
 * Returns a function that reports whether an event was shown already, by `event_id`, and records it. It remembers at
 * most `max` ids and forgets the oldest first.
 */
export function createDuplicateFilter(max: number): (eventId: string) => boolean {
  const seen = new Set<string>();
  return (eventId) => {
    if (seen.has(eventId)) return true;
    seen.add(eventId);
    if (seen.size > max) seen.delete(seen.values().next().value!);
    return false;
  };
}
