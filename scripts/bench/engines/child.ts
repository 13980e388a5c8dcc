/** One engine in a process of its own, so that its memory is its own: is asked and answers by messages. */
import type { Asked } from '../queries.ts';
import { bytesInUse, type Engine, type PageAsked } from './engine.ts';

export type Request =
  | { readonly ask: 'build'; readonly file: string }
  | { readonly ask: 'search'; readonly asked: Asked; readonly page: PageAsked }
  | { readonly ask: 'close' };
export interface Built {
  readonly seconds: number;
  readonly indexBytes: number;
  readonly residentBytes: number;
}
export interface Searched {
  readonly found: readonly number[];
  readonly ms: number;
}
export type Reply = Built | Searched | { readonly closed: true } | { readonly fault: string };

let engine: Engine | undefined;

async function answer(request: Request): Promise<Reply> {
  switch (request.ask) {
    case 'build': {
      const { createEngine } = (await import(`./${process.argv[2]}.ts`)) as {
        createEngine(): Engine | Promise<Engine>;
      };
      engine = await createEngine();
      const before = bytesInUse();
      const began = performance.now();
      await engine.build(request.file);
      const seconds = (performance.now() - began) / 1000;
      const index = bytesInUse() - before;
      const resident = process.memoryUsage.rss();
      const own = await engine.memory?.();
      return { seconds, indexBytes: own?.index ?? index, residentBytes: own?.resident ?? resident };
    }
    case 'search': {
      const began = performance.now();
      const found = await engine!.search(request.asked, request.page);
      return { found, ms: performance.now() - began };
    }
    case 'close':
      await engine?.close?.();
      engine = undefined;
      return { closed: true };
  }
}

process.on('message', async (request: Request) => {
  const reply = await answer(request).catch((error: unknown): Reply => ({
    fault: error instanceof Error ? error.message : String(error),
  }));
  process.send!(reply);
  if (request.ask === 'close') process.disconnect();
});
// Whoever asked is gone: what was started must not stay behind.
process.on('disconnect', () => void engine?.close?.().catch(() => {}));
