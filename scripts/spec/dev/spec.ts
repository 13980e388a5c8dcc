/** What follows from the spec: faults, generated files, and how the contract differs; worked out in a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ContractChange } from './contract-change.ts';

/** What the lint finds, as text; or what was written, from which text of the contract. */
export type Generated =
  | { readonly faults: number; readonly report: string }
  | {
      /** Files whose content differs from before. */
      readonly written: readonly string[];
      readonly contract: string;
      /** The files of the project by which it was made. */
      readonly modules: readonly string[];
    };
export type Compared = ContractChange;
export type SpecRequest = 'generate' | 'compare';

export interface SpecWork {
  /** Lints spec/, and writes to generated/ what differs; where there is a fault it writes nothing. */
  generate(): Promise<Generated>;
  /** How the contract that was generated from last differs from the one before, and from the last release. */
  compare(): Promise<Compared>;
  /** Whether the work is done by one of these files: then it must be loaded anew. */
  isMadeBy(files: Iterable<string>): boolean;
  /** Loads everything anew; the contract that was generated from last is still the one to compare with. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the thread for the project in `root`. */
export function createSpecWork(root: string): SpecWork {
  let contract: string | undefined;
  let modules: ReadonlySet<string> = new Set();
  let broken = false;
  const start = (): Worker => {
    broken = false;
    const started = new Worker(new URL('spec-thread.ts', import.meta.url), {
      workerData: { root, lastGood: contract },
    });
    // Whoever asks hears of it; the thread itself is lost.
    return started.on('error', () => {
      if (worker === started) broken = true;
    });
  };
  let worker = start();

  /** One request at a time. Throws what the thread fails with: where the work cannot be loaded, that. */
  async function ask<Answer>(request: SpecRequest): Promise<Answer> {
    if (broken) worker = start();
    worker.postMessage(request);
    const [{ value, error }] = (await once(worker, 'message')) as [{ value?: Answer; error?: string }];
    if (error !== undefined) throw new Error(error);
    return value!;
  }

  return {
    async generate() {
      const generated = await ask<Generated>('generate').catch((error: Error): Generated => ({
        faults: 1,
        report: `what generates does not run itself: ${error.message}`,
      }));
      if ('written' in generated) {
        contract = generated.contract;
        modules = new Set(generated.modules);
      }
      return generated;
    },
    compare: () => ask<Compared>('compare'),
    // Where it could not be loaded, nobody knows what it would have been made by.
    isMadeBy: (files) => [...files].some((file) => modules.has(file) || (broken && file.endsWith('.ts'))),
    async reload() {
      await worker.terminate();
      worker = start();
    },
    async close() {
      await worker.terminate();
    },
  };
}
