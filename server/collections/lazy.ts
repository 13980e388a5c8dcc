/**
 * Creates a value at the first call and caches it. If `create` throws, or the promise that it returns rejects, so does the call, and the next
 * call tries again.
 */
export function lazy<T>(create: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    if (cached !== undefined) return cached.value;
    const value = create();
    cached = { value };
    if (value instanceof Promise)
      value.catch(() => {
        cached = undefined;
      });
    return value;
  };
}
