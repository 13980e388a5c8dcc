/** Free memory blocks by size. A block is reused only for exactly the same size, so there is no fragmentation. */
import { Column } from './column.ts';
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';

export class FreeList implements SavedTable {
  readonly #bySize = new Map<number, Column<Float64Array>>();

  give(size: number, handle: number): void {
    let handles = this.#bySize.get(size);
    if (handles === undefined) this.#bySize.set(size, (handles = new Column(new Float64Array(0))));
    handles.push(handle);
  }

  /** Removes and returns the handle of a free block of this size; undefined if there is none. */
  take(size: number): number | undefined {
    return this.#bySize.get(size)?.pop();
  }

  *save(): Sections {
    const lists = Array.from(this.#bySize);
    yield bytesOf(Float64Array.from(lists, ([size]) => size));
    for (const [, handles] of lists) yield* handles.save();
  }

  load(reader: SectionReader): void {
    for (const size of readNumbers(reader, Float64Array)) {
      const handles = new Column(new Float64Array(0));
      handles.load(reader);
      this.#bySize.set(size, handles);
    }
  }
}
