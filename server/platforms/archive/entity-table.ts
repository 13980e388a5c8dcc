/** Tables of entities by id, and how a new record of an entity merges with the current one. */
import { LargeMap } from '../../collections/large-map.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { ChangeOutcome } from '../../domain/records.ts';
import { time } from './change.ts';
import { merge, type ObservationOrder } from './merge.ts';

type Identified = { id: string };
type Observed = Identified & { observed_at?: string };

/** Read access to a table. */
export interface EntityReader<Entity> {
  readonly size: number;
  get(id: string): Entity | undefined;
  has(id: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<Entity>;
}

export class EntityTable<Entity extends Identified> implements EntityReader<Entity>, SavedTable {
  readonly #entities = new LargeMap<string, Entity>();

  get size(): number {
    return this.#entities.size;
  }
  get(id: string): Entity | undefined {
    return this.#entities.get(id);
  }
  has(id: string): boolean {
    return this.#entities.has(id);
  }
  keys(): Iterable<string> {
    return this.#entities.keys();
  }
  values(): Iterable<Entity> {
    return this.#entities.values();
  }
  /** Adds or replaces an entity. */
  set(entity: Entity): void {
    this.#entities.set(entity.id, entity);
  }
  delete(id: string): void {
    this.#entities.delete(id);
  }
  save(): Sections {
    return saveValues(this.#entities.values());
  }
  load(reader: SectionReader): void {
    for (const entity of readValues<Entity>(reader)) this.set(entity);
  }
}

/** The part of a table that an update needs. */
interface Table<Entity> {
  get(id: string): Entity | undefined;
  set(entity: Entity): void;
}

/** Merges a new record into the current entity; returns the current entity itself if nothing changes. */
type MergeRule<Entity> = (current: Entity, incoming: Entity) => Entity;

export const observationOrder = (incoming: number, current: number): ObservationOrder =>
  incoming > current ? 1 : incoming < current ? -1 : 0;

/** The later observation wins. */
export const byObservation = <Entity extends Observed>(current: Entity, incoming: Entity): Entity =>
  merge(current, incoming, observationOrder(time(incoming.observed_at), time(current.observed_at)));

/** For entities without observation times: the last write wins, absent members keep their value. */
export const byWrite = <Entity extends Identified>(current: Entity, incoming: Entity): Entity =>
  merge(current, incoming, 1);

export function wouldChange<Entity extends Identified>(
  table: Table<Entity>,
  entity: Entity,
  rule: MergeRule<Entity>,
): boolean {
  const before = table.get(entity.id);
  return before === undefined || rule(before, entity) !== before;
}

/** Inserts or updates an entity. */
export function upsert<Entity extends Identified>(
  table: Table<Entity>,
  entity: Entity,
  rule: MergeRule<Entity>,
): ChangeOutcome {
  const before = table.get(entity.id);
  const after = before === undefined ? entity : rule(before, entity);
  if (after === before) return 'unchanged';
  table.set(after);
  return before === undefined ? 'added' : 'updated';
}
