/** The places of an archive, by id and by search term. */
import { LargeMap } from '../collections/large-map.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../collections/saved-table.ts';
import type { ArchivedPlace } from '../domain/records.ts';
import { boxOf, centreOf, type Box, type Point } from './geo.ts';
import { placeTerms } from './place-terms.ts';

const noIds: ReadonlySet<string> = new Set();

/** Read access to the places. */
export type PlaceReader = Pick<Places, 'size' | 'get' | 'values' | 'withTerm' | 'centres' | 'boxes'>;

export class Places implements SavedTable {
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

  /** Adds or replaces a place. */
  set(place: ArchivedPlace): void {
    const before = this.#byId.get(place.id);
    const oldTerms = new Set(before === undefined ? [] : placeTerms(before));
    const newTerms = new Set(placeTerms(place));
    for (const term of oldTerms.difference(newTerms)) this.#removeTerm(term, place.id);
    for (const term of newTerms.difference(oldTerms)) this.#addTerm(term, place.id);
    this.#byId.set(place.id, place);
    const box = place.bounding_box && boxOf(place.bounding_box);
    if (box === undefined) this.#boxes.delete(place.id);
    else this.#boxes.set(place.id, box);
  }

  save(): Sections {
    return saveValues(this.values());
  }

  load(reader: SectionReader): void {
    for (const place of readValues<ArchivedPlace>(reader)) this.set(place);
  }

  #addTerm(term: string, id: string): void {
    const ids = this.#byTerm.get(term);
    if (ids === undefined) this.#byTerm.set(term, new Set([id]));
    else ids.add(id);
  }

  #removeTerm(term: string, id: string): void {
    const ids = this.#byTerm.get(term);
    ids?.delete(id);
    if (ids?.size === 0) this.#byTerm.delete(term);
  }

  /** The ids of the places that have a term, such as `near:cape town` or `place_country:za`. */
  withTerm(term: string): ReadonlySet<string> {
    return this.#byTerm.get(term) ?? noIds;
  }

  /** The centres of the places that have a term and a bounding box. */
  centres(term: string): Point[] {
    return [...this.withTerm(term)].flatMap((id) => {
      const box = this.#boxes.get(id);
      return box === undefined ? [] : centreOf(box);
    });
  }

  /** The bounding boxes by place id. */
  boxes(): Iterable<readonly [id: string, box: Box]> {
    return this.#boxes;
  }
}
