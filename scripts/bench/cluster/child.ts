/** A process that opens a database: it starts an archive, or reads what another process appends. */
import { parse } from '../../../server/search/language/parse.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import { openPostgresStore, type PostgresStore } from '../../../server/storage/postgres/postgres-store.ts';
import { answerCalls, clock, cpuTime } from '../stream/calls.ts';
import { benchLog, type SentRecord } from './sent-record.ts';

const latencies: number[] = [];
let store: PostgresStore | undefined;

/** Returns a function that measures the time since the call. */
function stopwatch(): () => { readonly cpu: number; readonly seconds: number } {
  const [cpu, began] = [cpuTime(), performance.now()];
  return () => ({ cpu: (cpuTime() - cpu) / 1e6, seconds: (performance.now() - began) / 1000 });
}

const handlers = {
  /** Opens the archive with the local files in a folder; `saves`: saves its tables after it, and writes them to the database. */
  async start({ url, folder, saves }: { readonly url: string; readonly folder: string; readonly saves: boolean }) {
    const start = stopwatch();
    const opened = await openPostgresStore({ url, copies: { folder, logs: ['archive'] } });
    const durable = await openArchive(opened);
    const { archive } = durable;
    // The first search computes what a start leaves for later.
    archive.index.search(parse('settled'), 'Latest', { after: undefined, limit: 1 });
    const started = start();
    const save = stopwatch();
    if (saves) await durable.saveTables();
    const saved = save();
    const write = stopwatch();
    const bytes = saves ? await opened.saved?.('archive').openBytes() : undefined;
    if (bytes !== undefined) await opened.snapshotOf('archive').write(bytes, async () => true);
    await bytes?.handle.close();
    const written = write();
    await opened.close();
    return { started, saved, written };
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
