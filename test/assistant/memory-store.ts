/** A store in memory that can be killed: what was appended and is not durable yet is then lost, but for as much as is said. */
import { StoreError, type Document, type Journal, type Store } from '../../server/ports/storage.ts';

/** What outlives a kill. */
export interface Disk {
  readonly journals: Map<string, string[]>;
  readonly documents: Map<string, string>;
}
export const emptyDisk = (): Disk => ({ journals: new Map(), documents: new Map() });

export interface MemoryStore extends Store {
  /** Makes everything durable that was appended; done by itself unless `held`. */
  flush(): void;
  /** Ends the store as a kill does; the first `survivors` of the records that are not durable reached the disk all the same. */
  kill(survivors: number): void;
  /** From now on every append fails. */
  fail(): void;
  /** How often a journal was rewritten. */
  rewrites: number;
}

export function memoryStore(disk: Disk, { held = false } = {}): MemoryStore {
  let pending: { lines: string[]; records: readonly string[]; done: PromiseWithResolvers<number> }[] = [];
  let state: 'open' | 'failed' | 'killed' = 'open';

  const store: MemoryStore = {
    rewrites: 0,
    async document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
      const text = disk.documents.get(name);
      const data = text === undefined ? structuredClone(initial) : (JSON.parse(text) as Data);
      return {
        data,
        async update(mutate) {
          mutate(data);
          disk.documents.set(name, JSON.stringify(data));
        },
      };
    },
    async journal(name): Promise<Journal> {
      const lines = disk.journals.get(name) ?? [];
      disk.journals.set(name, lines);
      return {
        firstSeq: 1,
        trim: async () => {},
        get lastSeq() {
          return lines.length;
        },
        get durableSeq() {
          return lines.length;
        },
        bytes: 0,
        pendingBytes: 0,
        recovered: undefined,
        get failed() {
          return state === 'open' ? undefined : new StoreError('the disk is full');
        },
        async replay(apply) {
          lines.forEach((line, index) =>
            apply(Buffer.from(line), index + 1, { segment: 'memory', line: index + 1, offset: 0 }),
          );
        },
        append(records) {
          if (state !== 'open') return Promise.reject(new StoreError('the disk is full'));
          const done = Promise.withResolvers<number>();
          pending.push({ lines, records, done });
          if (!held) queueMicrotask(() => store.flush());
          return done.promise;
        },
        purge: async () => ({ records: 0, files: 0, bytes: 0 }),
        async rewrite(records) {
          if (state !== 'open') throw new StoreError('the disk is full');
          store.rewrites++;
          store.flush();
          lines.splice(0, lines.length, ...(records as Iterable<string>));
        },
      };
    },
    flush() {
      for (const { lines, records, done } of pending.splice(0)) {
        lines.push(...records);
        done.resolve(lines.length);
      }
    },
    kill(survivors) {
      for (const { lines, records } of pending.splice(0).slice(0, survivors)) lines.push(...records);
      state = 'killed';
    },
    fail() {
      state = 'failed';
      for (const { done } of pending.splice(0)) done.reject(new StoreError('the disk is full'));
    },
    async close() {
      store.flush();
    },
  };
  return store;
}
