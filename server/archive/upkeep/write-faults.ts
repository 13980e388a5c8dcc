/** Whether changes of the archive succeed, and why they fail. */
import type { Counter } from '../../observability/metrics-library.ts';
import { StoreError, type StorageFault } from '../../ports/storage.ts';
import type { ArchiveWriter, Written } from '../writes/sql-archive.ts';

/** All reasons, so that each one has a value from the start. */
export const storageFaults: readonly StorageFault[] = [
  'connection',
  'disk',
  'full',
  'lock',
  'other',
  'read_only',
  'timeout',
];

/** A failed change says nothing of the present after this time, in milliseconds. */
const forgetMs = 60_000;

export class WriteFaults {
  /** The failed changes since the start. */
  readonly counts = new Map<StorageFault, number>();
  readonly #written: (ms: number) => void;
  #last: { readonly fault: StorageFault; readonly at: number } | undefined;

  /** `written`: gets how long each change took that was made durable, in milliseconds. */
  constructor(written: (ms: number) => void = () => {}) {
    this.#written = written;
  }

  /** Why the last change has failed; undefined where it has succeeded, or where that was more than a minute ago. */
  get current(): StorageFault | undefined {
    return this.#last !== undefined && performance.now() - this.#last.at < forgetMs ? this.#last.fault : undefined;
  }

  /** An archive whose changes are observed. It takes them in the same forms. */
  observe(archive: ArchiveWriter): ArchiveWriter {
    const applyJson = archive.applyJson?.bind(archive);
    return {
      apply: (...call) => this.#observed(archive.apply(...call)),
      applyJson: applyJson && ((...call) => this.#observed(applyJson(...call))),
    };
  }

  async #observed(call: Promise<Written>): Promise<Written> {
    const began = performance.now();
    try {
      const written = await call;
      this.#last = undefined;
      this.#written(performance.now() - began);
      return written;
    } catch (error) {
      if (error instanceof StoreError) {
        this.#last = { fault: error.storageFault, at: performance.now() };
        this.counts.set(error.storageFault, (this.counts.get(error.storageFault) ?? 0) + 1);
      }
      throw error;
    }
  }

  /** Writes the counts into a metric. */
  collect(counter: Counter<'reason'>): void {
    counter.reset();
    for (const reason of storageFaults) counter.inc({ reason }, this.counts.get(reason) ?? 0);
  }
}
