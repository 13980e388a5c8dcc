// Tests server/archive/archive-engine.ts.
import { expect } from '@jest/globals';
import { SqlSink } from '../../server/archive/writes/sql-sink.ts';
import type { SqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import { startControl } from '../../server/admin/control-server.ts';
import { importRoutes, openControlSink } from '../../server/import/control-sink.ts';
import type { LiveSink } from '../../server/ports/live-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { describeImportSink, type SinkStorage } from './import-sink.ts';
import { describeLiveSink } from './live-sink.ts';
import { memorySink } from './reference/import-sink.ts';
import { sqliteStorage } from './sqlite.ts';
import { requireSqliteStore } from '../../server/engines/sqlite/open-engine.ts';

/** The archive in a SQLite file. */
async function archive(): Promise<SinkStorage<LiveSink>> {
  const storage = await sqliteStorage(false);
  let store: SqliteStore;
  return {
    ...storage,
    async open() {
      store = requireSqliteStore(await storage.open());
      return new SqlSink(store.reader.runSql, store.writer, { onUnusable: ({ reason }) => expect(reason).toBe('') });
    },
    close: () => store.close(),
  };
}

/** The archive of a server, over its control socket. */
async function controlled(): Promise<SinkStorage> {
  const local = await archive();
  const folder = await temporaryFolder();
  let server: Awaited<ReturnType<typeof startControl>>;
  let control: Control | undefined;
  return {
    ...local,
    async open() {
      server = await startControl(folder.path, importRoutes(await local.open()));
      control = await connectControl(folder.path);
      if (control === undefined) throw new Error('nothing listens on the control socket');
      return openControlSink(control);
    },
    async close() {
      control?.close();
      await server.close();
      await local.close();
    },
    async dispose() {
      await local.dispose();
      await folder.dispose();
    },
  };
}

async function inMemory(): Promise<SinkStorage<LiveSink>> {
  const sink = memorySink();
  return {
    open: async () => sink,
    close: async () => {},
    failWrites: () => void (sink.isFailing = true),
    repairWrites: () => void (sink.isFailing = false),
    dispose: async () => {},
  };
}

describeImportSink('the archive', archive);
describeImportSink('the archive behind the control socket', controlled);
describeImportSink('the sink in memory', inMemory);
describeLiveSink('the archive', archive);
describeLiveSink('the sink in memory', inMemory);
