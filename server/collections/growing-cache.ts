/** A bound of caches that does not cost memory in advance. */

/**
 * The options of an LRUCache with at most so many entries, for a large number. With its option `max` it takes the memory and the
 * time of a full cache when it is created: 6 ms for 50,000 entries.
 */
export const atMost = (entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
