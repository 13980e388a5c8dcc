/** A pure function of texts that keeps its results. */

/** Keeps the results of `compute`, at most `max` of them: then it begins anew. */
export function memoized<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text);
    if (result !== undefined || known.has(text)) return result as Result;
    if (known.size >= max) known.clear();
    const computed = compute(text);
    known.set(text, computed);
    return computed;
  };
}
