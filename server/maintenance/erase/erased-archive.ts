/** The archive as an erasure reads and changes it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveRecord } from '../../domain/records.ts';
import type { DurableArchive } from '../../platforms/archive/durable-archive.ts';
import type { ImportProgress } from '../../ports/import-sink.ts';
import { countErasure, findErasure, type ArchiveCounts, type Erasure, type EraseRequest } from './erasure.ts';

export interface ErasedArchive {
  /**
   * Finds what an erasure removes, and changes nothing. Rejects with an Error for an unknown user, with ServiceError for a query
   * that cannot be parsed, and with StoreError.
   */
  find(request: EraseRequest): Promise<Erasure>;
  /** Counts what an erasure removes. */
  count(erasure: Erasure): Promise<ArchiveCounts>;
  /** Applies some records of an erasure; durable when the promise resolves. `progress`: with these records. */
  apply(records: ArchiveRecord[], progress: ImportProgress): Promise<unknown>;
  /** Removes the texts of what was erased before from the disk. Rejects with StoreError. */
  purge(): Promise<unknown>;
  /** The places that keep such a text after a purge. */
  remaining(): Promise<readonly string[]>;
}

type ErasableArchive = Pick<DurableArchive, 'apply' | 'archive' | 'purge' | 'setAside'>;

/** The archive in memory. */
export class ErasedDurableArchive implements ErasedArchive {
  readonly #durable: ErasableArchive;
  readonly #damagedFolders: () => Promise<readonly string[]>;

  /** `damagedFolders`: the folders with damaged files that a repair has kept. */
  constructor(durable: ErasableArchive, damagedFolders: () => Promise<readonly string[]>) {
    this.#durable = durable;
    this.#damagedFolders = damagedFolders;
  }

  find(request: EraseRequest): Promise<Erasure> {
    return findErasure(this.#durable.archive, request, () => nextTurn());
  }

  count(erasure: Erasure): Promise<ArchiveCounts> {
    return countErasure(this.#durable.archive, erasure, () => nextTurn());
  }

  apply(records: ArchiveRecord[], progress: ImportProgress): Promise<unknown> {
    return this.#durable.apply('erase', progress, records);
  }

  purge(): Promise<unknown> {
    return this.#durable.purge();
  }

  async remaining(): Promise<readonly string[]> {
    const { length } = this.#durable.setAside;
    const setAside = length === 0 ? [] : [`set-aside.json: ${length} records with their texts`];
    const folders = await this.#damagedFolders();
    return [...setAside, ...folders.map((folder) => `${folder}: damaged files that a repair has kept`)];
  }
}
