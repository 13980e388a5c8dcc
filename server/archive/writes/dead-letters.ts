/**
 * Dead letters: the records that the archive could not apply, with the reasons, in the document `set-aside`. They have no number in a
 * log, so their numbers are negative.
 */
import type { Document, Store } from '../../ports/storage.ts';
import type { UnusableChange } from './sql-archive.ts';

/** The limits of the document: the number of records, and the sum of the lengths of their texts. */
const defaultLimits = { records: 1_000, textLength: 4 * 1024 * 1024 };

/** A record that could not be applied. */
export interface DeadLetter {
  /** Negative: the number is not that of a commit. */
  readonly seq: number;
  /** The size of the record in bytes. */
  readonly bytes: number;
  /** Why the archive cannot apply the record. */
  readonly reason: string;
  /** When the archive refused the record: RFC 3339. */
  readonly found_at: string;
  /** The text of the record; absent if the sum of all texts would exceed the limit. */
  readonly record?: string;
}

interface DeadLetterDocument {
  records: DeadLetter[];
}

export class DeadLetters {
  readonly #document: Document<DeadLetterDocument>;
  readonly #limits: typeof defaultLimits;
  #adding: Promise<void> = Promise.resolve();

  private constructor(document: Document<DeadLetterDocument>, limits: typeof defaultLimits) {
    this.#document = document;
    this.#limits = limits;
  }

  /** Rejects with StoreError. */
  static async open(store: Pick<Store, 'document'>, limits = defaultLimits): Promise<DeadLetters> {
    return new DeadLetters(await store.document<DeadLetterDocument>('set-aside', { records: [] }), limits);
  }

  /** The number of records in the document. */
  get count(): number {
    return this.#document.data.records.length;
  }

  /** Stores a record. Beyond the limits it is left out, or without its text. Rejects with StoreError. */
  add(unusable: UnusableChange): Promise<void> {
    const added = this.#adding.then(() => this.#add(unusable));
    this.#adding = added.catch(() => {});
    return added;
  }

  /** Resolves when no record is being stored. */
  async settled(): Promise<void> {
    await this.#adding;
  }

  async #add({ change, reason }: UnusableChange): Promise<void> {
    const limits = this.#limits;
    if (this.count >= limits.records) return;
    const json = JSON.stringify(change);
    const found = { bytes: Buffer.byteLength(json), reason, found_at: new Date().toISOString() };
    await this.#document.update(({ records }) => {
      if (records.length >= limits.records) return;
      const stored = records.reduce((sum, { record = '' }) => sum + record.length, 0);
      const text = stored + json.length <= limits.textLength ? { record: json } : {};
      records.push({ seq: Math.min(0, ...records.map(({ seq }) => seq)) - 1, ...found, ...text });
    });
  }
}
