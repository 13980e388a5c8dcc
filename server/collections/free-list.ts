/** Free memory blocks by size. A block is reused only for exactly the same size, so there is no fragmentation. */
export class FreeList {
  readonly #bySize = new Map<number, number[]>();

  give(size: number, handle: number): void {
    const handles = this.#bySize.get(size);
    if (handles === undefined) this.#bySize.set(size, [handle]);
    else handles.push(handle);
  }

  /** Removes and returns the handle of a free block of this size; undefined if there is none. */
  take(size: number): number | undefined {
    return this.#bySize.get(size)?.pop();
  }
}
