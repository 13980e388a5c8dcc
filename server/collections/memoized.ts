/** A pure function of words that keeps its results. */

/** V8 copies a part of a text up to this length; a longer part refers to the whole text, which would stay in memory with it. */
const maxLength = 12;

/** Keeps the results of `compute` for short texts, at most `max` of them: then it begins anew. */
export function memoized<Result>(max: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const result = known.get(text);
    if (result !== undefined) return result;
    if (known.size >= max) known.clear();
    const computed = compute(text);
    known.set(text, computed);
    return computed;
  };
}
