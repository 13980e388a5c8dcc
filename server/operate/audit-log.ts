/** The audit log: every action of an operator over HTTP, durable before its response. */
import type { Document } from '../ports/storage.ts';

/** One action. */
export interface AuditEntry {
  /** RFC 3339. */
  readonly at: string;
  /** The id of the operator's key. */
  readonly key: string;
  readonly action: string;
  /** What it acted on: ids of keys, counts, names of files; never a text of the archive, or a key. */
  readonly subject: string;
  /** `ok`, or the message of the error. */
  readonly result: string;
}

/** The stored document. */
export interface AuditFile {
  entries: AuditEntry[];
}

/** Older entries are dropped. The log of the service has each action, without subject and reason. */
const maxEntries = 2_000;
/** Maximum characters of a subject and of a result. */
const maxText = 300;

export class AuditLog {
  readonly #document: Document<AuditFile>;
  readonly #log: (entry: AuditEntry) => void;

  /** `log` gets each entry. */
  constructor(document: Document<AuditFile>, log: (entry: AuditEntry) => void) {
    this.#document = document;
    this.#log = log;
  }

  /** Stores an entry. Rejects with StoreError. */
  async record(key: string, action: string, subject: string, result: string): Promise<void> {
    const at = new Date().toISOString();
    const entry = { at, key, action, subject: subject.slice(0, maxText), result: result.slice(0, maxText) };
    this.#log(entry);
    await this.#document.update((data) => {
      data.entries.push(entry);
      if (data.entries.length > maxEntries) data.entries.splice(0, data.entries.length - maxEntries);
    });
  }

  /** The newest entries, newest first. */
  latest(count: number): AuditEntry[] {
    return this.#document.data.entries.slice(-count).toReversed();
  }
}
