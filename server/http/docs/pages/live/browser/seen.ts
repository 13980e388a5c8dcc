/** Remembers which events were shown, by `event_id`, up to a bound: the oldest are forgotten first. */
export function createDuplicateFilter(most: number): (eventId: string) => boolean {
  const seen = new Set<string>();
  return (eventId) => {
    if (seen.has(eventId)) return true;
    seen.add(eventId);
    if (seen.size > most) seen.delete(seen.values().next().value!);
    return false;
  };
}
