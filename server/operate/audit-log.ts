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
/** Refused sign-ins among the entries: anyone can cause them, and they must not displace the actions. */
const maxRefused = 200;
/** Refused sign-ins within this time are one entry, in milliseconds. */
const refusedMs = 10_000;
const signIn = 'POST /session';
/** Maximum characters of a subject and of a result. */
const maxText = 300;

export class AuditLog {
  readonly #document: Document<AuditFile>;
  readonly #log: (entry: AuditEntry) => void;
  /** When the last refused sign-in was recorded, and how many were not. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  #unrecorded = 0;

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
      const isRefused = (each: AuditEntry): boolean => each.action === signIn && each.result !== 'ok';
      if (isRefused(entry) && data.entries.filter(isRefused).length > maxRefused)
        data.entries.splice(data.entries.findIndex(isRefused), 1);
      if (data.entries.length > maxEntries) data.entries.splice(0, data.entries.length - maxEntries);
    });
  }

  /**
   * Records a refused sign-in: the id of a valid key without the right, or the empty string, and the address of the caller. Several
   * within ten seconds are one entry, with their number. Never rejects.
   */
  async refuseSignIn(key: string, address: string, reason: string): Promise<void> {
    const now = Date.now();
    if (now - this.#refusedAt < refusedMs) return void this.#unrecorded++;
    const others = this.#unrecorded === 0 ? '' : `, and ${this.#unrecorded} others since the entry before`;
    this.#refusedAt = now;
    this.#unrecorded = 0;
    await this.record(key, signIn, `from ${address}${others}`, reason).catch(() => {});
  }

  /** Records a sign-in or a sign-out of an operator. Never rejects: with a full disk, operators must get in. */
  async recordSession(key: string, action: typeof signIn | 'DELETE /session', address: string): Promise<void> {
    await this.record(key, action, `from ${address}`, 'ok').catch(() => {});
  }

  /** The newest entries, newest first. */
  latest(count: number): AuditEntry[] {
    return this.#document.data.entries.slice(-count).toReversed();
  }
}
