/**
 * Creates a value at the first call and caches it. If `create` throws, the call throws, and the next call tries again.
 */
export function lazy<T>(create: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: create() }).value;
}
