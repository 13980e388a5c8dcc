/** Lints the spec, generates files and compares contracts in a worker thread. */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SpecFiles } from '../../contract-tools/files/index.ts';
import type { ContractChange } from './contract-change.ts';

/** The lint faults as text, or the written files with the texts of the contract. */
export type Generated = {
  /** The files of the spec, with those that it refers to. */
  readonly sources: readonly string[];
} & (
  | { readonly faults: number; readonly report: string }
  | {
      /** The files with changed content. */
      readonly written: readonly string[];
      readonly contract: SpecFiles;
      /** The project files of the generator that the thread loaded. */
      readonly modules: readonly string[];
    }
);
export type Compared = ContractChange;
export type SpecRequest = 'generate' | 'compare';

export interface SpecWork {
  /** Lints spec/ and updates generated/; writes nothing when the spec has a fault. */
  generate(): Promise<Generated>;
  /** Whether a generated file is as the last run of this loop wrote it. */
  isOwnWrite(file: string): Promise<boolean>;
  /** Compares the last generated contract with the one before and with the last release. */
  compare(): Promise<Compared>;
  /** Whether the thread loaded one of these files and must reload. */
  isMadeBy(files: Iterable<string>): boolean;
  /** Reloads the thread; the base of the comparison stays the last generated contract. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the thread for the project in `root`. */
export function createSpecWork(root: string): SpecWork {
  let contract: SpecFiles | undefined;
  let modules: ReadonlySet<string> = new Set();
  let broken = false;
  /** When this loop wrote the generated files, by path: the modification time in milliseconds. */
  const written = new Map<string, number>();
  const writtenAt = (file: string): Promise<number | undefined> =>
    stat(join(root, file)).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  const start = (): Worker => {
    broken = false;
    const started = new Worker(new URL('spec-thread.ts', import.meta.url), {
      workerData: { root, lastGood: contract },
    });
    // The pending request rejects; the thread is unusable.
    return started.on('error', () => {
      if (worker === started) broken = true;
    });
  };
  let worker = start();

  /** Sends one request at a time. Rejects with the error of the thread, load errors included. */
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
        sources: [],
      }));
      if ('written' in generated) {
        contract = generated.contract;
        modules = new Set(generated.modules);
        for (const file of generated.written) {
          const at = await writtenAt(file);
          if (at !== undefined) written.set(file, at);
        }
      }
      return generated;
    },
    async isOwnWrite(file) {
      const at = await writtenAt(file);
      return at !== undefined && written.get(file) === at;
    },
    compare: () => ask<Compared>('compare'),
    // After a failed load the list of loaded files is unknown.
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
