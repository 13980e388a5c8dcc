/** Places, by id and by search term. */
import type { ArchivedPlace } from '../domain/records.ts';
import { boxOf, centreOf, type Point } from '../domain/geo.ts';
import { placeTerms } from './place-terms.ts';

export class Places {
  readonly #byId = new Map<string, ArchivedPlace>();

  get(id: string): ArchivedPlace | undefined {
    return this.#byId.get(id);
  }

  /** Adds or replaces a place. */
  set(place: ArchivedPlace): void {
    this.#byId.set(place.id, place);
  }

  /** The centres of the places that have a term and a bounding box. */
  centres(term: string): Point[] {
    return Array.from(this.#byId.values()).flatMap((place) => {
      const box = place.bounding_box && boxOf(place.bounding_box);
      return box !== undefined && new Set(placeTerms(place)).has(term) ? centreOf(box) : [];
    });
  }
}
