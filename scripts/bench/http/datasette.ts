/**
 * Datasette on the file of the service: the same rows and words, without keys, limits, validation and the full form of a tweet. `BENCH_DATASETTE` names its program where
 * it is not in the path (`pip install datasette pysqlite3-binary`).
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startServer, type Server } from '../service.ts';

const program = process.env['BENCH_DATASETTE'] ?? 'datasette';

export const hasDatasette = (): boolean => spawnSync(program, ['--version']).status === 0;

/** What a page shows, with the profile of the author. */
const columns = `t.created_at, t.document, p.document AS author, c.like_count, c.retweet_count, c.reply_count, c.quote_count,
  c.bookmark_count, c.view_count`;
const statements = {
  page: `SELECT ${columns} FROM person p JOIN tweet t ON t.author_id = p.id JOIN tweet_count c ON c.pos = t.pos
    WHERE p.username = lower(:username) ORDER BY t.created_at DESC, t.id DESC LIMIT 21`,
  search: `SELECT ${columns} FROM word w JOIN tweet t ON t.pos = w.rowid JOIN tweet_count c ON c.pos = t.pos
    JOIN person p ON p.id = t.author_id WHERE w.word MATCH :words ORDER BY w.rowid DESC LIMIT 21`,
};

/** The request to Datasette that answers a request to the service; undefined where it has no such page. */
export function datasetteTarget(target: string): string | undefined {
  const { pathname, searchParams } = new URL(target, 'http://service');
  const call = (sql: string, parameters: Readonly<Record<string, string>>): string =>
    `/archive.json?${new URLSearchParams({ _shape: 'array', ...parameters, sql }).toString()}`;
  if (pathname === '/social/user/last_tweets')
    return call(statements.page, { username: searchParams.get('username') ?? '' });
  if (pathname !== '/social/tweet/advanced_search') return undefined;
  const words = (searchParams.get('query') ?? '').toLowerCase().split(' ');
  return call(statements.search, { words: words.map((word) => `"${word}"`).join(' AND ') });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts Datasette on an archive, beside its service. */
export const startDatasette = async (file: string): Promise<Server> =>
  startServer(['serve', file, '--port', String(await freePort())], {}, { program, isBound: true, onOutput: () => {} });
