/** Where an archive is stored: in the SQLite file of a folder, or in the tables of a PostgreSQL of its own. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { startEngine } from '../../test/postgres/engine.js';

/** The settings of PostgreSQL; the others are those of a new server. */
const settings = { shared_buffers: '512MB', random_page_cost: '1.1', jit: 'off' };

export interface Place {
  readonly folder: string;
  /** The variables of a service or of a command on the archive. */
  readonly variables: Readonly<Record<string, string>>;
  /** Statistics and a tidy state, as after some time of a service. */
  maintain(): Promise<void>;
  /** Bytes of disk. */
  size(): Promise<number>;
  /** Bytes of the write-ahead log; undefined where the database server manages it. */
  logSize(): Promise<number | undefined>;
  remove(): Promise<void>;
}

/** The bytes of the database file with its log, or of the log alone. */
async function fileSize(folder: string, start = 'archive.db'): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(start));
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

async function tablesSize(database: Database): Promise<number> {
  const text = 'SELECT pg_database_size(current_database()) AS bytes';
  const [row] = await database.run<{ bytes: string }>({ text });
  return Number(row?.bytes);
}

/** An empty place. `postgres` starts a server, which `remove` ends. */
export async function createPlace(platform: string): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-archive-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  if (platform !== 'postgres')
    return {
      ...{ folder, variables: { DATA_DIR: folder }, size: () => fileSize(folder), remove: removeFolder },
      logSize: () => fileSize(folder, 'archive.db-wal'),
      maintain: async () => {},
    };
  const server = await startEngine({ fsync: true, settings });
  const database = new Database({ url: server.url });
  return {
    ...{ folder, variables: { DATA_DIR: folder, DATABASE_URL: server.url }, size: () => tablesSize(database) },
    logSize: async () => undefined,
    maintain: () => database.maintain('VACUUM (ANALYZE)'),
    async remove() {
      await database.close();
      await server.stop();
      await removeFolder();
    },
  };
}
