/** Entities by id, and how a new record of an entity merges with the current one. */
import type { ChangeOutcome } from '../../domain/records.ts';
import { time } from './change.ts';
import { merge, type ObservationOrder } from './merge.ts';

type Identified = { id: string };
type Observed = Identified & { observed_at?: string };

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

/** Inserts or updates an entity. */
export function upsert<Entity extends Identified>(
  entities: Map<string, Entity>,
  entity: Entity,
  rule: MergeRule<Entity>,
): ChangeOutcome {
  const before = entities.get(entity.id);
  const after = before === undefined ? entity : rule(before, entity);
  if (after === before) return 'unchanged';
  entities.set(entity.id, after);
  return before === undefined ? 'added' : 'updated';
}
