/** Runs one engine in its own process, so that its memory can be measured: `child.ts NAME`. */
import type { Query } from '../../sample/mixed-queries.ts';
import { answerCalls } from '../calls.ts';
import { bytesInUse, type Engine, type PageRequest } from './engine.ts';

const { createEngine } = (await import(`./${process.argv[2]}.ts`)) as { createEngine(): Engine | Promise<Engine> };
let engine: Engine | undefined;

export interface Searched {
  readonly found: readonly number[];
  readonly ms: number;
}

/** Measures a search. Throws an Error where the engine has no data. */
async function timed(search: (engine: Engine) => readonly number[] | Promise<readonly number[]>): Promise<Searched> {
  if (engine === undefined) throw new Error('the engine has no data');
  const startedAt = performance.now();
  const found = await search(engine);
  return { found, ms: performance.now() - startedAt };
}

const handlers = {
  /** Indexes a file. `size`: bytes in memory, or on disk. */
  async build(file: string): Promise<{ seconds: number; size: number; hasTop: boolean }> {
    engine = await createEngine();
    const before = bytesInUse();
    const startedAt = performance.now();
    await engine.build(file);
    const seconds = (performance.now() - startedAt) / 1000;
    const size = (await engine.size?.()) ?? bytesInUse() - before;
    return { seconds, size, hasTop: engine.top !== undefined };
  },
  search: ({ query, page }: { query: Query; page: PageRequest }) => timed((each) => each.search(query, page)),
  top: ({ query, limit }: { query: Query; limit: number }) => timed((each) => each.top?.(query, limit) ?? []),
};
export type EngineProcess = typeof handlers;
// An engine ends its own processes.
answerCalls(handlers, () => engine?.close?.());
