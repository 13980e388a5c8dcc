/** The process that measures one client: `caller.ts NAME`. */
import { answerCalls, cpuTime } from '../calls.ts';
import { clients, requests } from './callers.ts';

const client = clients[process.argv[2] ?? ''];
if (client === undefined) throw new Error(`there is no client ${process.argv[2]}`);
const startedAt = performance.now();
const module: unknown = await client.load();
const importMs = performance.now() - startedAt;

const handlers = {
  importMs: () => importMs,
  /** Microseconds of CPU time for a call, after a quarter of the calls that warm up. */
  async measure({ url, request, calls, atOnce }: { url: string; request: string; calls: number; atOnce: number }) {
    const compared = requests[request];
    if (compared === undefined) throw new Error(`there is no request ${request}`);
    const call = client.caller(module as never, url, compared);
    const run = async (count: number): Promise<void> => {
      let remaining = count;
      const sequence = async (): Promise<void> => {
        while (remaining-- > 0) await call();
      };
      await Promise.all(Array.from({ length: atOnce }, sequence));
    };
    await run(calls / 4);
    const before = cpuTime();
    await run(calls);
    return (cpuTime() - before) / calls;
  },
};
export type Caller = typeof handlers;
answerCalls(handlers);
