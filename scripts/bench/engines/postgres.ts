/**
 * PostgreSQL full text search with the configuration `simple`, in a temporary cluster on a Unix socket: a GIN index of the
 * words, b-trees over author and time, keyset pagination. The parser splits words at blanks, so Japanese queries use LIKE.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { Query } from '../queries.ts';
import { importPeer, plainTweets, type Engine, type PageRequest, type PlainTweet } from './engine.ts';

interface Client {
  connect(): Promise<void>;
  query<Row>(query: { text: string; values?: unknown[]; name?: string; rowMode?: 'array' }): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

const batchSize = 5000;
const run = promisify(execFile);
/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
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
  } = await importPeer<{ default: { Client: new (options: object) => Client } }>('pg');
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

/** Resident bytes of a process and its children; shared pages count once. Linux only. */
async function residentBytes(pid: number): Promise<number> {
  const share = async (each: string): Promise<number> => {
    const read = (name: string): Promise<string> => readFile(`/proc/${each}/${name}`, 'utf8').catch(() => '');
    const [stat, rollup] = await Promise.all([read('stat'), read('smaps_rollup')]);
    const isOurs = each === String(pid) || /\) \S (\d+)/.exec(stat)?.[1] === String(pid);
    return isOurs ? Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024 : 0;
  };
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(processes.map(share))).reduce((a, b) => a + b, 0);
}

/** A PostgreSQL server in a temporary directory. */
class Cluster {
  readonly client: Client;
  readonly #directory: string;
  readonly #server: ChildProcess;

  private constructor(directory: string, server: ChildProcess, client: Client) {
    this.#directory = directory;
    this.#server = server;
    this.client = client;
  }

  static async start(): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
    let server: ChildProcess | undefined;
    try {
      server = await startServer(directory);
      return new Cluster(directory, server, await connect(directory, server));
    } catch (error) {
      await stopServer(directory, server);
      throw error;
    }
  }

  residentBytes(): Promise<number> {
    return this.#server.pid === undefined ? Promise.resolve(Number.NaN) : residentBytes(this.#server.pid);
  }

  async stop(): Promise<void> {
    await this.client.end();
    await stopServer(this.#directory, this.#server);
  }
}

async function stopServer(directory: string, server: ChildProcess | undefined): Promise<void> {
  if (server?.pid !== undefined && server.exitCode === null) {
    server.kill('SIGINT');
    await once(server, 'exit');
  }
  await rm(directory, { recursive: true, force: true });
}

/** The WHERE clause of a query, with its parameters. */
function whereOf(query: Query, after: number | undefined): { readonly where: string; readonly values: unknown[] } {
  const { groups, phrase, without, author, since, until, minLikes } = query;
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const isJapanese = phrase !== undefined && /\p{Script=Han}/u.test(phrase.join(''));
  const words = [
    ...(phrase === undefined ? groups.map((group) => `(${group.join(' | ')})`) : [phrase.join(' <-> ')]),
    ...without.map((word) => `!${word}`),
  ];
  const conditions: string[] = [];
  if (isJapanese) conditions.push(`text LIKE ${parameter(`%${phrase.join('')}%`)}`);
  else if (groups.length > 0) conditions.push(`words @@ to_tsquery('simple', ${parameter(words.join(' & '))})`);
  if (author !== undefined) conditions.push(`author = ${parameter(author)}`);
  if (since !== undefined) conditions.push(`created_at >= ${parameter(since)} AND created_at < ${parameter(until)}`);
  if (minLikes !== undefined) conditions.push(`likes >= ${parameter(minLikes)}`);
  if (after !== undefined) {
    const position = `(SELECT created_at FROM tweets WHERE n = ${parameter(after)}), ${parameter(after)}::integer`;
    conditions.push(`(created_at, n) < (${position})`);
  }
  return { where: conditions.join(' AND '), values };
}

class PostgresEngine implements Engine {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async build(file: string): Promise<void> {
    await this.#run(
      'CREATE TABLE tweets (n integer PRIMARY KEY, text text, words tsvector, author text, created_at bigint, likes integer)',
    );
    let batch: PlainTweet[] = [];
    for await (const tweet of plainTweets(file)) {
      batch.push(tweet);
      if (batch.length < batchSize) continue;
      await this.#insert(batch);
      batch = [];
    }
    if (batch.length > 0) await this.#insert(batch);
    await this.#run('CREATE INDEX ON tweets USING gin (words) WITH (fastupdate = off)');
    await this.#run('CREATE INDEX ON tweets (author, created_at, n)');
    await this.#run('CREATE INDEX ON tweets (created_at, n)');
    await this.#run('VACUUM ANALYZE tweets');
  }

  async search(query: Query, { limit, after }: PageRequest): Promise<number[]> {
    const { where, values } = whereOf(query, after);
    const { rows } = await this.#cluster.client.query<[number]>({
      text: `SELECT n FROM tweets WHERE ${where} ORDER BY created_at DESC, n DESC LIMIT ${limit}`,
      values,
      rowMode: 'array',
    });
    return rows.map(([n]) => n);
  }

  async memory(): Promise<{ index: number; resident: number }> {
    const { rows } = await this.#cluster.client.query<[string]>({
      text: "SELECT pg_indexes_size('tweets') + sum(pg_column_size(words)) FROM tweets",
      rowMode: 'array',
    });
    return { index: Number(rows[0]?.[0]), resident: await this.#cluster.residentBytes() };
  }

  close(): Promise<void> {
    return this.#cluster.stop();
  }

  async #run(text: string): Promise<void> {
    await this.#cluster.client.query({ text });
  }

  async #insert(batch: readonly PlainTweet[]): Promise<void> {
    await this.#cluster.client.query({
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
  }
}

export const createEngine = async (): Promise<Engine> => new PostgresEngine(await Cluster.start());
