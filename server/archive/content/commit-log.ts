/** The log with one record for each transaction: its numbers order the transactions, and are the revision of the tables. */
export const commitLog = 'tables';

export interface CommitRecord {
  /** A character for the outcome of each change. */
  readonly outcomes: string;
  /** The keys of what the transaction changed: see dependencies.ts. Absent where these are too many. */
  readonly keys?: readonly string[] | undefined;
}

/** The keys that the transaction of a record changed; undefined: any key. */
export function changedKeys(record: string): readonly string[] | undefined {
  const { keys }: Partial<CommitRecord> = JSON.parse(record);
  return keys;
}
