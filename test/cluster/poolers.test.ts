/** Instances behind the programs of operators: PgBouncer in front of the database, nginx in front of the instances. */
import { describe, expect } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { fixedPort } from '../support/ports.ts';
import { runProgram, testWith } from '../support/programs.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import { listener } from '../support/stream.ts';
import { unprivileged } from '../support/unprivileged.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Instance } from './instances.ts';

const at = '2026-01-01T00:00:00.000Z';

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });

/** Starts a program, and waits until it listens. */
async function startProgram(
  program: string,
  args: readonly string[],
  port: number,
  user: { uid?: number; gid?: number } = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: 'ignore', ...user });
  await until(() => isOpen(port));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

const found = async (instance: Instance): Promise<number> => {
  const response = await instance.request('/social/tweet/advanced_search?query=word');
  return ((await response.json()) as { tweets: unknown[] }).tweets.length;
};

async function write(url: string, id: string): Promise<void> {
  const { sink, close } = await openArchiveAt(url);
  await sink.apply(id, { values: 1, done: true }, [
    { kind: 'tweet', tweet: { id, author_id: '7', text: 'a word', created_at: at } },
    { kind: 'like', tweet_id: id, created_at: at },
  ]);
  await close();
}

const unlike = (instance: Instance, id: string): Promise<Response> =>
  instance.request('/social/tweet/unlike', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tweet_id: id }),
  });

(testDatabaseUrl === undefined ? describe.skip : describe)('instances on one database', () => {
  testWith(['pgbouncer'], 'work behind PgBouncer in transaction mode, without notices', async () => {
    const folder = await temporaryFolder();
    const port = await fixedPort();
    const { username, password, hostname, port: behind, pathname } = new URL(testDatabaseUrl ?? '');
    const database = pathname.slice(1);
    const settings = [
      '[databases]',
      `${database} = host=${hostname} port=${behind} dbname=${database}`,
      '[pgbouncer]',
      ...[`listen_addr = 127.0.0.1`, `listen_port = ${port}`, 'auth_type = plain', 'unix_socket_dir ='],
      ...[`auth_file = ${join(folder.path, 'users.txt')}`, 'pool_mode = transaction', 'default_pool_size = 4'],
    ];
    await writeFile(join(folder.path, 'users.txt'), `"${username}" "${password}"\n`);
    await writeFile(join(folder.path, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
    await chmod(folder.path, 0o755);
    const bouncer = await startProgram('pgbouncer', [join(folder.path, 'pgbouncer.ini')], port, unprivileged);
    const cluster = await openCluster(`postgres://${username}:${password}@127.0.0.1:${port}/${database}`);
    try {
      const all = [await cluster.start(), await cluster.start(), await cluster.start()];
      await Promise.all(['1', '2', '3', '4'].map((id) => write(cluster.databaseUrl, id)));
      for (const each of all) await until(async () => (await found(each)) === 4);
      const answers = await Promise.all(all.map((each) => unlike(each, '1')));
      const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as { success: boolean }));
      expect(bodies.filter(({ success }) => success)).toHaveLength(1);
      const cursors = async (): Promise<(string | null)[]> =>
        Promise.all(
          all.map(async (each) => (await each.request('/social/assistant/status')).headers.get('x-event-cursor')),
        );
      await until(async () => new Set(await cursors()).size === 1 && (await cursors())[0]?.endsWith('.5') === true);
    } finally {
      await cluster.stop();
      await end(bouncer);
      await folder.dispose();
    }
  });

  testWith(['nginx'], 'answer through nginx with the shipped file, also while one of them ends', async () => {
    const folder = await temporaryFolder();
    const cluster = await openCluster();
    await write(cluster.databaseUrl, '1');
    const common = { API_KEYS: key, DEMO: '0', TRUST_PROXY: 'loopback' };
    const env = { ...common, DATABASE_URL: cluster.databaseUrl };
    const servers = await Promise.all(['a', 'b'].map((name) => startServer(join(folder.path, name), env)));
    let nginx: ChildProcess | undefined;
    try {
      const port = await fixedPort();
      const shipped = await readFile(new URL('../../server/deploy/nginx.cluster.conf', import.meta.url), 'utf8');
      // Only the addresses are others.
      const [a = '', b = ''] = servers.map(({ url }) => new URL(url).host);
      const site = shipped
        .replaceAll('server one:3000', `server ${a}`)
        .replaceAll('server two:3000', `server ${b}`)
        .replace('listen 80;', `listen 127.0.0.1:${port};`);
      for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) await mkdir(join(folder.path, name));
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder.path, name.replace('client_', ''))};`,
      );
      const file = join(folder.path, 'nginx.conf');
      await writeFile(
        file,
        `daemon off; pid ${join(folder.path, 'pid')}; error_log ${join(folder.path, 'errors')};
events {} http { ${temporary.join(' ')}\n${site} }`,
      );
      const checked = await runProgram('nginx', ['-t', '-c', file, '-e', join(folder.path, 'errors')]);
      expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('syntax is ok')]);
      nginx = await startProgram('nginx', ['-c', file, '-e', join(folder.path, 'errors')], port);
      const url = `http://127.0.0.1:${port}`;
      const status = async (): Promise<number> =>
        (await fetch(`${url}/social/tweet/advanced_search?query=word`, { headers: { 'x-api-key': key } })).status;
      const requests = async (server: { readonly url: string } | undefined): Promise<number> =>
        (await (await fetch(`${server?.url}/metrics`)).text())
          .split('\n')
          .filter((line) => /^http_requests_total\{.*search/.test(line))
          .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      for (let request = 0; request < 20; request++) expect(await status()).toBe(200);
      expect(await requests(servers[0])).toBeGreaterThan(0);
      expect(await requests(servers[1])).toBeGreaterThan(0);
      // What is for operators only.
      for (const path of ['/metrics', '/readyz', '/healthz']) expect((await fetch(url + path)).status).toBe(404);
      const listening = await listener(url, key);
      const params = { query: 'word' };
      await listening.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params });
      await write(cluster.databaseUrl, '2');
      await listening.first('event', ({ event }) => event === 'tweet.created');
      listening.socket.close();
      await servers[0]?.end('SIGKILL');
      for (let request = 0; request < 20; request++) expect(await status()).toBe(200);
    } finally {
      if (nginx !== undefined) await end(nginx);
      for (const server of servers) await server.end();
      await cluster.stop();
      await folder.dispose();
    }
  });
});
