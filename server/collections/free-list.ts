/** Free memory blocks by size. A block is reused only for exactly the same size, so there is no fragmentation. */
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';

export class FreeList implements SavedTable {
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

  *save(): Sections {
    const lists = Array.from(this.#bySize);
    yield bytesOf(Float64Array.from(lists.flatMap(([size, handles]) => [size, handles.length])));
    for (const [, handles] of lists) yield bytesOf(Float64Array.from(handles));
  }

  load(reader: SectionReader): void {
    const sizes = readNumbers(reader, Float64Array);
    for (let index = 0; index < sizes.length; index += 2)
      this.#bySize.set(sizes[index] ?? 0, Array.from(readNumbers(reader, Float64Array)));
  }
}
