/** Places in memory that were given back, by their size, for others of the very same size: so nothing is lost at their ends. */
export class FreeList {
  readonly #bySize = new Map<number, number[]>();

  give(size: number, handle: number): void {
    const handles = this.#bySize.get(size);
    if (handles === undefined) this.#bySize.set(size, [handle]);
    else handles.push(handle);
  }

  /** The handle of a place of this size, which is now taken; undefined where there is none. */
  take(size: number): number | undefined {
    return this.#bySize.get(size)?.pop();
  }
}
