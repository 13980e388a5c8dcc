/** Saves a table to memory and restores another one from it. */
import type { SavedTable, SectionReader } from '../../server/collections/saved-table.ts';

/** Reads copies of sections. Throws where a table reads another section than was written. */
class MemoryReader implements SectionReader {
  readonly #sections: readonly Buffer[];
  #next = 0;

  constructor(table: SavedTable) {
    this.#sections = Array.from(table.save(), (section) => Buffer.from(section));
  }

  get nextBytes(): number {
    return this.#section.length;
  }

  into(target: Uint8Array): void {
    if (target.length !== this.nextBytes) throw new Error('the section has another size');
    target.set(this.#section);
    this.#next++;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#sections.length;
  }

  get #section(): Buffer {
    const section = this.#sections[this.#next];
    if (section === undefined) throw new Error('there is no further section');
    return section;
  }
}

/** Restores an empty table from the sections of another one, all of which it must read. */
export function restored<Table extends SavedTable>(table: SavedTable, empty: Table): Table {
  const reader = new MemoryReader(table);
  empty.load(reader);
  if (!reader.isAtEnd) throw new Error('the table did not read all its sections');
  return empty;
}
