/** Runs one engine in its own process, so that its memory can be measured. */
import type { Query } from '../queries.ts';
import { bytesInUse, type Engine, type PageRequest } from './engine.ts';

export type Request =
  | { readonly type: 'build'; readonly file: string }
  | { readonly type: 'search'; readonly query: Query; readonly page: PageRequest }
  | { readonly type: 'top'; readonly query: Query; readonly limit: number }
  | { readonly type: 'close' };
export interface Built {
  readonly seconds: number;
  readonly hasTop: boolean;
  readonly indexBytes: number;
  readonly residentBytes: number;
}
export interface Searched {
  readonly found: readonly number[];
  readonly ms: number;
}
export type Reply = Built | Searched | { readonly closed: true } | { readonly error: string };

let engine: Engine | undefined;

async function handle(request: Request): Promise<Reply> {
  switch (request.type) {
    case 'build': {
      const { createEngine } = (await import(`./${process.argv[2]}.ts`)) as {
        createEngine(): Engine | Promise<Engine>;
      };
      engine = await createEngine();
      const before = bytesInUse();
      const startedAt = performance.now();
      await engine.build(request.file);
      const seconds = (performance.now() - startedAt) / 1000;
      const index = bytesInUse() - before;
      const resident = process.memoryUsage.rss();
      const own = await engine.memory?.();
      return {
        seconds,
        hasTop: engine.top !== undefined,
        indexBytes: own?.index ?? index,
        residentBytes: own?.resident ?? resident,
      };
    }
    case 'search':
    case 'top': {
      if (engine === undefined) throw new Error('the engine has no data');
      const { query } = request;
      const startedAt = performance.now();
      const found =
        request.type === 'top'
          ? ((await engine.top?.(query, request.limit)) ?? [])
          : await engine.search(query, request.page);
      return { found, ms: performance.now() - startedAt };
    }
    case 'close':
      await engine?.close?.();
      engine = undefined;
      return { closed: true };
  }
}

process.on('message', async (request: Request) => {
  const reply = await handle(request).catch((error: unknown): Reply => ({
    error: error instanceof Error ? error.message : String(error),
  }));
  process.send?.(reply);
  if (request.type === 'close') process.disconnect();
});
// The parent has ended; the engine ends its own processes.
process.on('disconnect', () => void engine?.close?.().catch(() => {}));
