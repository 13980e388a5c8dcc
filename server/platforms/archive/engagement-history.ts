/** The engagement of tweets at earlier revisions, so that all pages of a ranking read the engagement at one revision. */
import { Column } from '../../collections/column.ts';
import {
  jsonSection,
  readJson,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';

/** The number of changes that the history keeps. */
const maxChanges = 500_000;

/**
 * A ring buffer of changes outside the JavaScript heap: 24 bytes each. The changes of a tweet form a list, newest first, which
 * ends at the first slot that has a later change by now.
 */
export class EngagementHistory implements SavedTable {
  readonly #max: number;
  /** By ordinal: the slot of the newest change + 1; 0 without a change. */
  readonly #newest = new Column(new Uint32Array(0));
  readonly #ordinal = new Column(new Uint32Array(0));
  readonly #revision = new Column(new Float64Array(0));
  /** The engagement before the change. */
  readonly #engagement = new Column(new Float64Array(0));
  /** The slot of the change of the same tweet before this one + 1; 0 without one. */
  readonly #previous = new Column(new Uint32Array(0));
  #next = 0;

  /** `max`: the number of changes that the history keeps. */
  constructor(max = maxChanges) {
    this.#max = max;
  }

  /** Adds a tweet without a change; its ordinal is at most the number of ordinals. */
  add(ordinal: number): void {
    this.#newest.put(ordinal, 0);
  }

  /** Removes the changes of a tweet. */
  remove(ordinal: number): void {
    this.#newest.set(ordinal, 0);
  }

  /** Adds a change at a revision, which is not lower than the ones before; `engagement`: the value before the change. */
  push(ordinal: number, revision: number, engagement: number): void {
    const slot = this.#next;
    this.#next = (slot + 1) % this.#max;
    this.#previous.put(slot, this.#newest.get(ordinal));
    this.#ordinal.put(slot, ordinal);
    this.#revision.put(slot, revision);
    this.#engagement.put(slot, engagement);
    this.#newest.set(ordinal, slot + 1);
  }

  /** The engagement at a revision, as far back as the history goes; undefined for a tweet without a change since then. */
  at(ordinal: number, revision: number): number | undefined {
    let engagement: number | undefined;
    let age = -1;
    for (let link = this.#newest.get(ordinal); link !== 0; link = this.#previous.get(link - 1)) {
      const slot = link - 1;
      // A slot that is not older than the one before has a newer change: the one of the list is gone.
      if (this.#ordinal.get(slot) !== ordinal || this.#age(slot) <= age || this.#revision.get(slot) <= revision) break;
      engagement = this.#engagement.get(slot);
      age = this.#age(slot);
    }
    return engagement;
  }

  *save(): Sections {
    yield jsonSection(this.#next);
    for (const column of this.#columns()) yield* column.save();
  }

  load(reader: SectionReader): void {
    this.#next = readJson<number>(reader);
    for (const column of this.#columns()) column.load(reader);
  }

  #columns(): SavedTable[] {
    return [this.#newest, this.#ordinal, this.#revision, this.#engagement, this.#previous];
  }

  /** The number of changes since the one of a slot. */
  #age(slot: number): number {
    return (this.#next - 1 - slot + this.#max) % this.#max;
  }
}
