/** The places of an archive, by id and by the terms that search finds them by. */
import { LargeMap } from '../collections/large-map.ts';
import type { ArchivedPlace } from '../platforms/archive/records.ts';
import { placeTerms } from './document.ts';
import { boxOf, centreOf, type Box, type Point } from './geo.ts';

const none: ReadonlySet<string> = new Set();

export class Places {
  readonly #byId = new LargeMap<string, ArchivedPlace>();
  readonly #boxes = new LargeMap<string, Box>();
  /** The ids of the places that have a term. */
  readonly #byTerm = new LargeMap<string, Set<string>>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): ArchivedPlace | undefined {
    return this.#byId.get(id);
  }

  values(): Iterable<ArchivedPlace> {
    return this.#byId.values();
  }

  /** Adds a place, or replaces what is known of it. */
  set(place: ArchivedPlace): void {
    const before = this.#byId.get(place.id);
    const left = new Set(before === undefined ? [] : placeTerms(before));
    const entered = new Set(placeTerms(place));
    for (const term of left.difference(entered)) this.#leave(term, place.id);
    for (const term of entered.difference(left)) this.#enter(term, place.id);
    this.#byId.set(place.id, place);
    const box = place.bounding_box && boxOf(place.bounding_box);
    if (box === undefined) this.#boxes.delete(place.id);
    else this.#boxes.set(place.id, box);
  }

  #enter(term: string, id: string): void {
    const ids = this.#byTerm.get(term);
    if (ids === undefined) this.#byTerm.set(term, new Set([id]));
    else ids.add(id);
  }

  #leave(term: string, id: string): void {
    const ids = this.#byTerm.get(term);
    ids?.delete(id);
    if (ids?.size === 0) this.#byTerm.delete(term);
  }

  /** The ids of the places that have a term, such as `near:cape town` or `place_country:za`. */
  withTerm(term: string): ReadonlySet<string> {
    return this.#byTerm.get(term) ?? none;
  }

  /** The centres of the places that have a term and whose boxes are known. */
  centres(term: string): Point[] {
    return [...this.withTerm(term)].flatMap((id) => {
      const box = this.#boxes.get(id);
      return box === undefined ? [] : centreOf(box);
    });
  }

  /** The boxes that are known, by the ids of their places. */
  boxes(): Iterable<readonly [id: string, box: Box]> {
    return this.#boxes;
  }
}
