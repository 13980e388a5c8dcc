/**
 * Records of the journal that the archive cannot take in: each is written down with its place, its reason and its text, and left out of the
 * archive, so that one record never keeps the service from starting.
 */
import type { Document, RecordPlace, Store } from '../../ports/storage.ts';

export interface SetAsideRecord {
  /** The record's number in the archive's journal. */
  readonly seq: number;
  /** The file below `archive/` that held it, the line from 1, and the byte offset of that line. Unknown until the next start reads it. */
  readonly segment?: string;
  readonly line?: number;
  readonly offset?: number;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Why it cannot be applied. */
  readonly reason: string;
  /** When that was found out: RFC 3339. */
  readonly found_at: string;
  /** The record as the journal holds it; absent where all of them together would be too large for this file. */
  readonly record?: string;
}

/** Texts of records are kept up to this sum of their lengths, in UTF-16 code units. */
const mostText = 32 * 1024 * 1024;

export interface SetAside {
  readonly records: readonly SetAsideRecord[];
  /** Whether the text of each record is kept, so that the journal may let go of it. */
  readonly isWhole: boolean;
  /** Whether the record of this number was set aside by an earlier start, which need not try it again. Notes its place where that is new. */
  has(seq: number, place: RecordPlace): boolean;
  add(seq: number, json: string, reason: string, place?: RecordPlace): SetAsideRecord;
  /** Makes what was added durable. Rejects with StoreError. */
  save(): Promise<void>;
}

/** Opens the list of a store: `set-aside.json`. Throws StoreError where it is damaged. */
export async function openSetAside(store: Store): Promise<SetAside> {
  const document: Document<{ records: SetAsideRecord[] }> = await store.document('set-aside', { records: [] });
  const bySeq = new Map(document.data.records.map((record) => [record.seq, record]));
  let text = document.data.records.reduce((sum, { record = '' }) => sum + record.length, 0);
  let isSaved = true;

  return {
    get records() {
      return [...bySeq.values()];
    },
    get isWhole() {
      return bySeq.values().every(({ record }) => record !== undefined);
    },

    has(seq, { segment, line, offset }) {
      const known = bySeq.get(seq);
      if (known === undefined) return false;
      if (known.segment === undefined) {
        bySeq.set(seq, { ...known, segment, line, offset });
        isSaved = false;
      }
      return true;
    },

    add(seq, json, reason, place) {
      const fits = text + json.length <= mostText;
      const record: SetAsideRecord = {
        seq,
        ...(place === undefined ? {} : { segment: place.segment, line: place.line, offset: place.offset }),
        bytes: Buffer.byteLength(json),
        reason,
        found_at: new Date().toISOString(),
        ...(fits ? { record: json } : {}),
      };
      if (fits) text += json.length;
      bySeq.set(seq, record);
      isSaved = false;
      return record;
    },

    async save() {
      if (isSaved) return;
      isSaved = true;
      try {
        await document.update((data) => void (data.records = [...bySeq.values()]));
      } catch (error) {
        isSaved = false;
        throw error;
      }
    },
  };
}
