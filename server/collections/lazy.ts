/** A value that is made when it is asked for first, and then kept. What the maker throws is thrown to each caller, who may ask again. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
