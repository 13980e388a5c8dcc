/** The states of profiles, communities, spaces, places and lists, and the journal records that hold them. */
import { LargeMap } from '../../collections/large-map.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import {
  recordKey,
  type ArchivedCommunity,
  type ArchivedList,
  type ArchivedPlace,
  type ArchivedSpace,
  type ArchivedUser,
  type ArchiveRecord,
} from '../../domain/records.ts';
import type { Change } from './change.ts';
import { byObservation, byWrite } from './entity-table.ts';
import { covers } from './merge.ts';

interface Lookup<Entity> {
  get(id: string): Entity | undefined;
}

interface EntityTables {
  readonly users: Lookup<ArchivedUser>;
  readonly communities: Lookup<ArchivedCommunity>;
  readonly spaces: Lookup<ArchivedSpace>;
  readonly places: Lookup<ArchivedPlace>;
  readonly lists: Lookup<ArchivedList>;
}

export class EntityStates implements SavedTable {
  readonly #tables: EntityTables;
  /** By key, the number of the last journal record that holds the whole state of an entity that was updated. */
  readonly #fullSeqs = new LargeMap<string, number>();

  constructor(tables: EntityTables) {
    this.#tables = tables;
  }

  /** Without the tables. */
  save(): Sections {
    return saveValues(this.#fullSeqs);
  }

  load(reader: SectionReader): void {
    for (const [key, seq] of readValues<[string, number]>(reader)) this.#fullSeqs.set(key, seq);
  }

  /** Whether the journal record with this number is part of the current state of its entity. */
  needs(change: ArchiveRecord, seq: number): boolean {
    return this.#current(change) !== undefined && seq >= (this.#fullSeqs.get(recordKey(change)) ?? 0);
  }

  /** The record with the whole state of its entity after it, so that the earlier records are not needed any more. */
  merged(record: ArchiveRecord): ArchiveRecord {
    const merged = <Entity extends { readonly id: string }>(
      table: Lookup<Entity>,
      entity: Entity,
      merge: (current: Entity, incoming: Entity) => Entity,
    ): Entity => {
      const current = table.get(entity.id);
      return current === undefined ? entity : merge(current, entity);
    };
    switch (record.kind) {
      case 'user':
        return { kind: 'user', user: merged(this.#tables.users, record.user, byObservation) };
      case 'community':
        return { kind: 'community', community: merged(this.#tables.communities, record.community, byWrite) };
      case 'space':
        return { kind: 'space', space: merged(this.#tables.spaces, record.space, byWrite) };
      case 'place':
        return { kind: 'place', place: merged(this.#tables.places, record.place, byObservation) };
      case 'list':
        return { kind: 'list', list: merged(this.#tables.lists, record.list, byObservation) };
      default:
        return record;
    }
  }

  /** The current state of the entity that a record describes; undefined for other records. */
  #current(record: Change): object | undefined {
    switch (record.kind) {
      case 'user':
        return this.#tables.users.get(record.user.id);
      case 'community':
        return this.#tables.communities.get(record.community.id);
      case 'space':
        return this.#tables.spaces.get(record.space.id);
      case 'place':
        return this.#tables.places.get(record.place.id);
      case 'list':
        return this.#tables.lists.get(record.list.id);
      default:
        return undefined;
    }
  }

  /** Forgets the numbers of the records of a user without a profile. */
  forgetUser(id: string): void {
    if (this.#tables.users.get(id) === undefined)
      this.#fullSeqs.delete(recordKey({ kind: 'user', user: { id, username: '' } }));
  }

  /** Remembers the number of a record that holds the whole state of its entity. */
  recordFullSeq(change: Change, seq: number): void {
    const state = this.#current(change);
    if (state === undefined) return;
    const record = entityOf(change);
    if (record !== undefined && covers(record, state)) this.#fullSeqs.set(recordKey(change as ArchiveRecord), seq);
  }
}

/** The entity in a record; undefined for other records. */
function entityOf(record: Change): object | undefined {
  switch (record.kind) {
    case 'user':
      return record.user;
    case 'community':
      return record.community;
    case 'space':
      return record.space;
    case 'place':
      return record.place;
    case 'list':
      return record.list;
    default:
      return undefined;
  }
}
