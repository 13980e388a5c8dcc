/**
 * Many lists of ordinals in chronological order, numbered from 0, outside the JavaScript heap: most lists have one ordinal or a
 * few. Only a list of more than 32 ordinals is an object.
 */
import { Column } from './column.ts';
import { bytesOf, readNumbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';
import { maxShortLength, ShortPostings } from './short-postings.ts';
import { Timeline, type Order } from './timeline.ts';
import { TimelineSweep } from './timeline-sweep.ts';

const noOrdinals = new Uint32Array(0);

/** What the value of a list is: nothing, its only ordinal, the handle of a short list, or the index of a timeline. */
const empty = 0;
const one = 1;
const short = 2;
const long = 3;

/** An ordinal, below 2^31, and whether it is newer than all that its list has when it is added, in one unsigned number. */
export const entryOf = (ordinal: number, isNewest: boolean): number => ((ordinal << 1) | (isNewest ? 1 : 0)) >>> 0;
const ordinalOf = (entry: number): number => entry >>> 1;
const isNewestIn = (entry: number): boolean => (entry & 1) === 1;

/** Adds the entries in the range from `from` up to `to` to a list. */
export type AddRun = (list: number, entries: Uint32Array, from: number, to: number) => void;

/** The number of ordinals in one section of a save, unless one list has more. */
const ordinalsPerSection = 2 ** 16;

export class OrdinalLists implements SavedTable {
  readonly #order: Order;
  readonly #kinds = new Column(new Uint8Array(0));
  readonly #values = new Column(new Uint32Array(0));
  readonly #short = new ShortPostings();
  readonly #long: (Timeline | undefined)[] = [];
  readonly #freeLong: number[] = [];
  /** The long list that is swept now. */
  #sweep: { readonly list: number; readonly timeline: TimelineSweep } | undefined;

  constructor(order: Order) {
    this.#order = order;
  }

  /** The number of lists, the empty ones included. */
  get size(): number {
    return this.#kinds.length;
  }

  /** Adds empty lists up to this number. */
  ensure(list: number): void {
    while (this.#kinds.length <= list) {
      this.#kinds.push(empty);
      this.#values.push(0);
    }
  }

  isEmpty(list: number): boolean {
    return this.#kinds.get(list) === empty;
  }

  length(list: number): number {
    const kind = this.#kinds.get(list);
    if (kind <= one) return kind;
    return kind === short ? this.#short.length(this.#values.get(list)) : this.#timeline(list).length;
  }

  /** The ordinals of a list, oldest first. The array is valid until the next change. */
  sorted(list: number): Uint32Array {
    const kind = this.#kinds.get(list);
    if (kind === empty) return noOrdinals;
    const value = this.#values.get(list);
    if (kind === one) return Uint32Array.of(value);
    return kind === short ? this.#short.get(value) : this.#timeline(list).sorted(this.#order);
  }

  /** The ordinals for which `before` is true, as `Timeline.upTo`. The result is valid until the next change. */
  upTo(list: number, before: (ordinal: number) => boolean): Uint32Array {
    if (this.#kinds.get(list) === long) return this.#timeline(list).upTo(this.#order, before);
    const ordinals = this.sorted(list);
    let end = 0;
    while (end < ordinals.length && before(ordinals[end]!)) end++;
    return ordinals.subarray(0, end);
  }

  /** Adds an ordinal that the list does not have. `isNewest`: it is newer than all that the list has. */
  add(list: number, ordinal: number, isNewest = false): void {
    const kind = this.#kinds.get(list);
    const value = this.#values.get(list);
    if (kind === long) {
      if (isNewest) this.#long[value]!.push(ordinal);
      else this.#long[value]!.add(ordinal, this.#order);
      if (this.#sweep?.list === list) this.#sweep.timeline.added(ordinal);
    } else if (kind === empty) this.#set(list, one, ordinal);
    else if (kind === one) {
      const isLast = isNewest || this.#order(value, ordinal) < 0;
      this.#set(list, short, this.#short.put(isLast ? [value, ordinal] : [ordinal, value]));
    } else if (this.#short.length(value) < maxShortLength)
      this.#values.set(list, this.#short.add(value, ordinal, isNewest ? undefined : this.#order));
    else this.#toLong(list, value, ordinal);
  }

  /** As `add` for the entries from `from` up to `to` of an array. */
  addRun(list: number, entries: Uint32Array, from: number, to: number): void {
    let at = from;
    for (; at < to && this.#kinds.get(list) !== long; at++) {
      const entry = entries[at]!;
      this.add(list, ordinalOf(entry), isNewestIn(entry));
    }
    if (at === to) return;
    const timeline = this.#timeline(list);
    const sweep = this.#sweep?.list === list ? this.#sweep.timeline : undefined;
    for (; at < to; at++) {
      const entry = entries[at]!;
      const ordinal = ordinalOf(entry);
      if (isNewestIn(entry)) timeline.push(ordinal);
      else timeline.add(ordinal, this.#order);
      sweep?.added(ordinal);
    }
  }

  #toLong(list: number, handle: number, ordinal: number): void {
    const timeline = new Timeline();
    for (const each of this.#short.get(handle)) timeline.add(each, this.#order);
    timeline.add(ordinal, this.#order);
    this.#short.free(handle);
    const index = this.#freeLong.pop() ?? this.#long.length;
    this.#long[index] = timeline;
    this.#set(list, long, index);
  }

  /** Removes ordinals. Cost: linear in the length of the list. */
  remove(list: number, isRemoved: (ordinal: number) => boolean): void {
    const kind = this.#kinds.get(list);
    if (kind === empty) return;
    const value = this.#values.get(list);
    if (kind === long) {
      // A sweep of this list begins again.
      if (this.#sweep?.list === list) this.#sweep = undefined;
      this.#timeline(list).sweep(isRemoved);
      this.#freeIfEmpty(list);
    } else if (kind === one) {
      if (isRemoved(value)) this.#set(list, empty, 0);
    } else this.#removeShort(list, value, isRemoved);
  }

  /**
   * As `remove`, in steps of at most about `max` ordinals. Returns false where the list needs another step: the next sweep is then of
   * this list. Until the last step it has all its ordinals, and may change.
   */
  sweep(list: number, isGone: (ordinal: number) => boolean, max: number): boolean {
    if (this.#kinds.get(list) !== long || (this.length(list) <= max && this.#sweep?.list !== list)) {
      this.remove(list, isGone);
      return true;
    }
    if (this.#sweep?.list !== list)
      this.#sweep = { list, timeline: new TimelineSweep(this.#timeline(list), this.#order) };
    if (!this.#sweep.timeline.step(isGone, max)) return false;
    this.#long[this.#values.get(list)] = this.#sweep.timeline.result();
    this.#sweep = undefined;
    this.#freeIfEmpty(list);
    return true;
  }

  #removeShort(list: number, handle: number, isRemoved: (ordinal: number) => boolean): void {
    const remaining = this.#short.remove(handle, isRemoved);
    const length = this.#short.length(remaining);
    if (length > 1) return this.#values.set(list, remaining);
    const [only = 0] = this.#short.get(remaining);
    this.#short.free(remaining);
    this.#set(list, length === 1 ? one : empty, only);
  }

  /** Removes one ordinal at once: a long list is not read as a whole. */
  removeOne(list: number, ordinal: number): void {
    if (this.#kinds.get(list) !== long) return this.remove(list, (each) => each === ordinal);
    if (this.#timeline(list).removeOne(ordinal, this.#order) && this.#sweep?.list === list)
      this.#sweep.timeline.removed(ordinal);
    this.#freeIfEmpty(list);
  }

  #freeIfEmpty(list: number): void {
    if (this.#timeline(list).length > 0) return;
    if (this.#sweep?.list === list) this.#sweep = undefined;
    const index = this.#values.get(list);
    this.#long[index] = undefined;
    this.#freeLong.push(index);
    this.#set(list, empty, 0);
  }

  #timeline(list: number): Timeline {
    return this.#long[this.#values.get(list)]!;
  }

  #set(list: number, kind: number, value: number): void {
    this.#kinds.set(list, kind);
    this.#values.set(list, value);
  }

  *save(): Sections {
    yield* this.#kinds.save();
    yield* this.#values.save();
    yield* this.#short.save();
    const lengths = new Uint32Array(2 * this.#long.length);
    this.#long.forEach((timeline, index) => {
      lengths[2 * index] = timeline?.length ?? 0;
      lengths[2 * index + 1] = timeline?.sortedLength ?? 0;
    });
    yield bytesOf(lengths);
    // The memory of the largest section, which all sections use in turn.
    const longest = this.#long.reduce((most, timeline) => Math.max(most, lengthOf(timeline)), 0);
    const memory = new Uint32Array(Math.max(ordinalsPerSection, longest));
    for (let from = 0; from < this.#long.length;) {
      const end = endOfSection(this.#long, from);
      // A read may have sorted a list since the step before: its length is the same, but the sorted part is longer.
      yield bytesOf(concatenated(this.#long.slice(from, end), memory));
      from = end;
    }
  }

  load(reader: SectionReader): void {
    this.#kinds.load(reader);
    this.#values.load(reader);
    this.#short.load(reader);
    const lengths = readNumbers(reader, Uint32Array);
    const count = lengths.length / 2;
    while (this.#long.length < count) {
      const ordinals = readNumbers(reader, Uint32Array);
      for (let at = 0; this.#long.length < count;) {
        const index = this.#long.length;
        const length = lengths[2 * index]!;
        if (at === ordinals.length && length > 0) break;
        this.#long.push(
          length === 0 ? undefined : Timeline.copyOf(ordinals.subarray(at, at + length), lengths[2 * index + 1]!),
        );
        if (length === 0) this.#freeLong.push(index);
        at += length;
      }
    }
  }
}

const lengthOf = (timeline: Timeline | undefined): number => timeline?.length ?? 0;

/** The end of the lists from an index on that make one section: at least one list with ordinals. */
function endOfSection(lists: readonly (Timeline | undefined)[], from: number): number {
  let ordinals = 0;
  let end = from;
  while (end < lists.length && (ordinals === 0 || ordinals + lengthOf(lists[end]) <= ordinalsPerSection))
    ordinals += lengthOf(lists[end++]);
  return end;
}

/** The ordinals of all lists one after the other, at the beginning of `memory`. */
function concatenated(lists: readonly (Timeline | undefined)[], memory: Uint32Array): Uint32Array {
  let at = 0;
  for (const list of lists) {
    if (list === undefined) continue;
    memory.set(list.stored.ordinals, at);
    at += list.length;
  }
  return memory.subarray(0, at);
}
