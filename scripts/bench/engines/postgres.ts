/**
 * PostgreSQL full text search with the configuration `simple`, in a cluster of its own on a Unix socket: GIN over the words, b-trees over
 * author and time, pages by key. Its words are set apart by blanks, so Japanese is asked by LIKE.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { peer, plainTweets, type Engine, type PlainTweet } from './engine.ts';

interface Client {
  connect(): Promise<void>;
  query<Row>(query: { text: string; values?: unknown[]; name?: string; rowMode?: 'array' }): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

const batchSize = 5000;
const run = promisify(execFile);
/** PostgreSQL does not run as root: there it runs as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

async function startServer(directory: string): Promise<ChildProcess> {
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const options = { ...user, cwd: directory, env: { PATH: process.env.PATH, HOME: directory, LC_ALL: 'C.UTF-8' } };
  await run('initdb', ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: directory,
    shared_buffers: '512MB',
    work_mem: '64MB',
    maintenance_work_mem: '256MB',
    fsync: 'off',
    jit: 'off',
  };
  const server = spawn(
    'postgres',
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...options, stdio: 'ignore' },
  );
  return server;
}

async function connect(directory: string, server: ChildProcess): Promise<Client> {
  const {
    default: { Client },
  } = await peer<{ default: { Client: new (options: object) => Client } }>('pg');
  for (let attempt = 0; ; attempt++) {
    const client = new Client({ host: directory, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 100 || server.exitCode !== null) throw error;
      await wait(100);
    }
  }
}

/** Resident bytes of a process and its children, what they share counted once; Linux only. */
async function residentBytes(pid: number): Promise<number> {
  const share = async (each: string): Promise<number> => {
    const [stat, rollup] = await Promise.all(
      ['stat', 'smaps_rollup'].map((name) => readFile(`/proc/${each}/${name}`, 'utf8').catch(() => '')),
    );
    const isOurs = each === String(pid) || /\) \S (\d+)/.exec(stat!)?.[1] === String(pid);
    return isOurs ? Number(/^Pss:\s+(\d+)/m.exec(rollup!)?.[1] ?? 0) * 1024 : 0;
  };
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(processes.map(share))).reduce((a, b) => a + b, 0);
}

export async function createEngine(): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (server?.pid !== undefined && server.exitCode === null) {
      server.kill('SIGINT');
      await once(server, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  let client: Client;
  try {
    server = await startServer(directory);
    client = await connect(directory, server);
  } catch (error) {
    await stop();
    throw error;
  }
  const pid = server.pid!;
  return {
    async build(file) {
      await client.query({
        text: 'CREATE TABLE tweets (n integer PRIMARY KEY, text text, words tsvector, author text, created_at bigint, likes integer)',
      });
      let batch: PlainTweet[] = [];
      const insert = async (): Promise<void> => {
        await client.query({
          text: `INSERT INTO tweets SELECT n, text, to_tsvector('simple', text), author, created_at, likes
                 FROM unnest($1::integer[], $2::text[], $3::text[], $4::bigint[], $5::integer[]) AS t (n, text, author, created_at, likes)`,
          values: [
            batch.map(({ n }) => n),
            batch.map(({ text }) => text),
            batch.map(({ author }) => author),
            batch.map(({ createdAt }) => createdAt),
            batch.map(({ likes }) => likes),
          ],
        });
        batch = [];
      };
      for await (const tweet of plainTweets(file)) {
        batch.push(tweet);
        if (batch.length === batchSize) await insert();
      }
      if (batch.length > 0) await insert();
      await client.query({ text: 'CREATE INDEX ON tweets USING gin (words) WITH (fastupdate = off)' });
      await client.query({ text: 'CREATE INDEX ON tweets (author, created_at, n)' });
      await client.query({ text: 'CREATE INDEX ON tweets (created_at, n)' });
      await client.query({ text: 'VACUUM ANALYZE tweets' });
    },

    async search({ groups, phrase, without, author, since, until, leastLikes }, { limit, after }) {
      const values: unknown[] = [];
      const value = (each: unknown): string => `$${values.push(each)}`;
      const isJapanese = phrase !== undefined && /\p{Script=Han}/u.test(phrase.join(''));
      const words = [
        ...(phrase === undefined ? groups.map((group) => `(${group.join(' | ')})`) : [phrase.join(' <-> ')]),
        ...without.map((word) => `!${word}`),
      ];
      const conditions = [
        ...(isJapanese
          ? [`text LIKE ${value(`%${phrase.join('')}%`)}`]
          : groups.length === 0
            ? []
            : [`words @@ to_tsquery('simple', ${value(words.join(' & '))})`]),
        ...(author === undefined ? [] : [`author = ${value(author)}`]),
        ...(since === undefined ? [] : [`created_at >= ${value(since)} AND created_at < ${value(until)}`]),
        ...(leastLikes === undefined ? [] : [`likes >= ${value(leastLikes)}`]),
        ...(after === undefined
          ? []
          : [
              `(created_at, n) < ((SELECT created_at FROM tweets WHERE n = ${value(after)}), ${value(after)}::integer)`,
            ]),
      ];
      const { rows } = await client.query<[number]>({
        text: `SELECT n FROM tweets WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, n DESC LIMIT ${limit}`,
        values,
        rowMode: 'array',
      });
      return rows.map(([n]) => n);
    },

    async memory() {
      const { rows } = await client.query<[string]>({
        text: "SELECT pg_indexes_size('tweets') + sum(pg_column_size(words)) FROM tweets",
        rowMode: 'array',
      });
      return { index: Number(rows[0]![0]), resident: await residentBytes(pid) };
    },

    async close() {
      await client.end();
      await stop();
    },
  };
}
