/** A process that reads from a database what another process appends. */
import { openPostgresStore, type PostgresStore } from '../../../server/storage/postgres/postgres-store.ts';
import { answerCalls, clock } from '../stream/calls.ts';
import { benchLog, type SentRecord } from './sent-record.ts';

const latencies: number[] = [];
let store: PostgresStore | undefined;

const handlers = {
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
