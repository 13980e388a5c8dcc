/** A process that opens a database: it starts an archive, or reads what another process appends. */
import { parse } from '../../../server/search/language/parse.ts';
import { openArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openPostgresStore, type PostgresStore } from '../../../server/storage/postgres/postgres-store.ts';
import { answerCalls, clock, cpuTime } from '../stream/calls.ts';
import { benchLog, type SentRecord } from './measure.ts';

const latencies: number[] = [];
let store: PostgresStore | undefined;

const handlers = {
  /** Opens the archive with the local files in a folder; `saves`: saves its tables after it. */
  async start({ url, folder, saves }: { readonly url: string; readonly folder: string; readonly saves: boolean }) {
    const [cpu, began] = [cpuTime(), performance.now()];
    const opened = await openPostgresStore({ url, copies: { folder, logs: ['archive'] } });
    const durable = await openArchive(opened);
    const { archive } = durable;
    // The first search computes what a start leaves for later.
    archive.index.search(parse('settled'), 'Latest', { after: undefined, limit: 1 });
    const started = { cpu: (cpuTime() - cpu) / 1e6, seconds: (performance.now() - began) / 1000 };
    const [cpuBefore, saveBegan] = [cpuTime(), performance.now()];
    if (saves) await durable.saveTables();
    const saved = { cpu: (cpuTime() - cpuBefore) / 1e6, seconds: (performance.now() - saveBegan) / 1000 };
    await opened.close();
    return { started, saved };
  },

  /** Follows the log of the measurement. */
  async read({ url }: { readonly url: string }) {
    store = await openPostgresStore({ url });
    const journal = await store.journal(benchLog);
    await journal.replay(() => {});
    journal.follow({
      apply(records) {
        const now = clock();
        for (const record of records) latencies.push((now - (JSON.parse(record) as SentRecord).sent) / 1000);
      },
    });
  },

  /** Milliseconds from the append of each record to its arrival. */
  report: () => latencies,

  async close() {
    await store?.close();
  },
};
export type Child = typeof handlers;
answerCalls(handlers);
