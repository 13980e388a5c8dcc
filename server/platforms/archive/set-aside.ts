/**
 * The list of journal records that the archive cannot apply, each with its position, the reason and its text. The
 * archive leaves them out, so that one bad record does not prevent the start of the service.
 */
import type { Document, RecordPlace, Store } from '../../ports/storage.ts';

export interface SetAsideRecord {
  /** The record's number in the archive's journal. */
  readonly seq: number;
  /**
   * The file below `archive/`, the line number from 1, and the byte offset of the line. Unknown until the next start
   * reads it.
   */
  readonly segment?: string;
  readonly line?: number;
  readonly offset?: number;
  /** The size of the record in bytes. */
  readonly bytes: number;
  /** Why the archive cannot apply the record. */
  readonly reason: string;
  /** When the archive rejected the record: RFC 3339. */
  readonly found_at: string;
  /** The text of the record in the journal; absent if the sum of all texts would exceed the limit. */
  readonly record?: string;
}

/** The maximum sum of the lengths of the stored texts, in UTF-16 code units. */
const maxTextLength = 32 * 1024 * 1024;

export interface SetAsideLog {
  readonly records: readonly SetAsideRecord[];
  /** Whether the list contains the text of each record, so that a rewrite of the journal may remove the records. */
  readonly hasAllTexts: boolean;
  /**
   * Whether the list contains the record with this number, so that the start skips it. Records its position if it is
   * new.
   */
  has(seq: number, place: RecordPlace): boolean;
  add(seq: number, json: string, reason: string, place?: RecordPlace): SetAsideRecord;
  /** Makes all additions durable. Rejects with StoreError. */
  save(): Promise<void>;
}

/** Opens `set-aside.json` of a store. Throws StoreError if the file is damaged. */
export async function openSetAsideLog(store: Store): Promise<SetAsideLog> {
  const document: Document<{ records: SetAsideRecord[] }> = await store.document('set-aside', { records: [] });
  const bySeq = new Map(document.data.records.map((record) => [record.seq, record]));
  let textLength = document.data.records.reduce((sum, { record = '' }) => sum + record.length, 0);
  let isSaved = true;

  return {
    get records() {
      return [...bySeq.values()];
    },
    get hasAllTexts() {
      return bySeq.values().every(({ record }) => record !== undefined);
    },

    has(seq, { segment, line, offset }) {
      const existing = bySeq.get(seq);
      if (existing === undefined) return false;
      if (existing.segment === undefined) {
        bySeq.set(seq, { ...existing, segment, line, offset });
        isSaved = false;
      }
      return true;
    },

    add(seq, json, reason, location) {
      const fits = textLength + json.length <= maxTextLength;
      const record: SetAsideRecord = {
        seq,
        ...(location === undefined ? {} : { segment: location.segment, line: location.line, offset: location.offset }),
        bytes: Buffer.byteLength(json),
        reason,
        found_at: new Date().toISOString(),
        ...(fits ? { record: json } : {}),
      };
      if (fits) textLength += json.length;
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
