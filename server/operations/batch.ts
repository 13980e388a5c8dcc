/** The answer to a request for several items. */

/**
 * The items that were found, and the references without one. Both are in the order of the request, each once. `found` has
 * one element for each reference.
 */
export function batchOf<Item extends { readonly id: string }>(
  references: readonly string[],
  found: readonly (Item | undefined)[],
): { items: Item[]; missing: string[] } {
  const items = new Map<string, Item>();
  for (const item of found) if (item !== undefined && !items.has(item.id)) items.set(item.id, item);
  return {
    items: [...items.values()],
    missing: [...new Set(references.filter((_, index) => found[index] === undefined))],
  };
}
