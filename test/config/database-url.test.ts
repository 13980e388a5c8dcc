/** Addresses of databases, as libpq reads them; on sockets that speak the beginning of the protocol of PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { readDatabaseUrl } from '../../server/config/database-url.ts';
import { temporaryFolder } from '../support/folder.ts';
import { has } from '../support/programs.ts';

const place = (host: string, port?: number) => ({ hosts: [{ host, port }] });
const parts = { user: 'app', password: undefined, ...place('db.example'), database: 'data' };
test.each([
  ['postgres://app@db.example/data', parts],
  ['postgresql://app:se%40cret@db.example:6432/data', { ...parts, password: 'se@cret', ...place('db.example', 6432) }],
  ['postgres://app@[::1]:5433/data', { ...parts, ...place('::1', 5433) }],
  ['postgres://app@/data?host=/var/run/postgresql', { ...parts, ...place('/var/run/postgresql') }],
  ['postgresql:///data?host=/tmp&user=app&port=5433', { ...parts, ...place('/tmp', 5433) }],
  ['postgres://app@%2Fvar%2Frun:5433/data', { ...parts, ...place('/var/run', 5433) }],
  ['postgres://app@localhost/data?host=/run/pg', { ...parts, ...place('/run/pg') }],
  ['postgres://app@db.example?dbname=data', parts],
  ['postgres://db.example/data?user=app&password=word', { ...parts, password: 'word' }],
  [
    'postgres://app@one.example:5433,[::1],two.example/data?target_session_attrs=primary',
    {
      ...parts,
      hosts: [{ host: 'one.example', port: 5433 }, { host: '::1', port: undefined }, { host: 'two.example' }],
      target: 'primary',
    },
  ],
  [
    'postgres://app@/data?host=/run/pg,two.example&port=5433,5434',
    {
      ...parts,
      hosts: [
        { host: '/run/pg', port: 5433 },
        { host: 'two.example', port: 5434 },
      ],
    },
  ],
  ['postgres://app@/data?host=one.example,two.example&port=5433', { hosts: [{ port: 5433 }, { port: 5433 }] }],
])('%s', (url, expected) => {
  expect(readDatabaseUrl(url)).toMatchObject(expected);
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test.each([
  ['postgres://app:hidden@one.example,/data', 'names no host'],
  ['postgres://app:hidden@one.example:5432,two.example:0/data', "'port' must be a number"],
  ['postgres://app:hidden@/data?host=one.example,two.example,three.example&port=1,2', '3 hosts and 2 ports'],
  ['postgres://app:hidden@one.example/data?target_session_attrs=master', "'target_session_attrs' must be one of any"],
  ['postgres://app:hidden@/data', '?host=/var/run/postgresql'],
  ['postgres:///data', '?host=/var/run/postgresql'],
  ['postgres://app:hidden@db.example', 'names no database'],
  ['postgres://app:hidden@db.example:port/data', 'expected a URL'],
  ['postgres://app:hidden@db.example:70000/data', "'port' must be a number from 1 to 65535"],
  ['postgres://app:hid%den@db.example/data', 'percent-encode'],
  ['postgres://app:hid@den@db.example/data', 'percent-encode'],
  ['mysql://app:hidden@db.example/data', 'expected a URL'],
  ['postgres://app:hidden@db.example/data?sslmode=on', "'sslmode' must be one of disable"],
  ['postgres://app:hidden@db.example/data?sslmode=verify-ca', "requires 'sslrootcert'"],
  [
    'postgres://app:hidden@db.example/data?sslmode=require&sslrootcert=/no/such/file',
    "'sslrootcert' cannot be read (ENOENT)",
  ],
  ['postgres://app:hidden@db.example/data?sslmode=require&sslrootcert=system', "requires 'sslmode=verify-full'"],
])('%s is refused: %s, without the password', (url, problem) => {
  const message = ((): string => {
    try {
      readConfig({ DATABASE_URL: url });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message).toMatch(/^DATABASE_URL: /);
  expect(message).toContain(problem);
  expect(message).not.toMatch(/hid|den@/);
});

test.each<[string, unknown]>([
  ['', [undefined]],
  ['sslmode=disable', [false]],
  ['ssl=0', [false]],
  ['ssl=true', [true]],
  ['sslmode=allow', [false, { rejectUnauthorized: false }]],
  ['sslmode=prefer', [{ rejectUnauthorized: false }, false]],
  ['sslmode=require', [{ rejectUnauthorized: false }]],
  ['sslmode=no-verify', [{ rejectUnauthorized: false }]],
  ['sslmode=verify-full', [{}]],
  ['sslmode=verify-full&sslrootcert=system', [{}]],
  ['sslmode=disable&host=/tmp', [false]],
  ['sslmode=require&host=/tmp', [false]],
])('the TLS of %j is %j', (query, expected) => {
  expect(readDatabaseUrl(`postgres://app@db.example/data?${query}`).hosts[0]?.tls).toEqual(expected);
});

/** The refusal of a password, as PostgreSQL sends it: the connection was made. */
function refusedPassword(): Buffer {
  const fields = Buffer.from('SFATAL\0C28P01\0Mpassword refused\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Serves the beginning of a connection: answers the request for TLS, and then refuses the password. */
function serve(socket: Socket, tls: { readonly cert: string; readonly key: string } | undefined): void {
  socket.on('error', () => {});
  socket.once('data', (first: Buffer) => {
    const asksForTls = first.length === 8 && first.readInt32BE(4) === 80_877_103;
    if (!asksForTls) return void socket.end(refusedPassword());
    if (tls === undefined) return void socket.end('N');
    socket.write('S');
    const secure = new TLSSocket(socket, { isServer: true, ...tls });
    secure.on('error', () => {});
    secure.once('data', () => secure.end(refusedPassword()));
  });
}

const connected = async (url: string): Promise<string> => {
  const database = new Database({ url });
  try {
    await database.run({ text: 'SELECT 1' });
    return 'an answer';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await database.close();
  }
};

describe('a connection', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let tls: { cert: string; key: string } | undefined;
  const servers: Server[] = [];
  const listen = async (path?: string, secure: typeof tls | null = tls): Promise<number> => {
    const server = createServer((socket) => serve(socket, secure ?? undefined));
    servers.push(server);
    if (path === undefined) server.listen(0, '127.0.0.1');
    else server.listen(path);
    await once(server, 'listening');
    return path === undefined ? (server.address() as AddressInfo).port : 0;
  };
  const certificate = (name: string): { cert: string; key: string } => {
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const out = execFileSync(
      'openssl',
      [...request, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-keyout', '-'],
      { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
    );
    return {
      key: /-----BEGIN PRIVATE KEY-----[^]*?-----END PRIVATE KEY-----/.exec(out)![0],
      cert: /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/.exec(out)![0],
    };
  };
  beforeAll(async () => {
    folder = await temporaryFolder();
    if (!has('openssl')) return;
    tls = certificate('localhost');
    await writeFile(join(folder.path, 'root.pem'), tls.cert);
    await writeFile(join(folder.path, 'other.pem'), certificate('localhost').cert);
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await folder?.dispose();
  });

  test('to a Unix socket, by the parameter host', async () => {
    await listen(join(folder.path, '.s.PGSQL.5432'));
    const host = encodeURIComponent(folder.path);
    for (const url of [
      `postgres://app@/data?host=${folder.path}`,
      `postgresql:///data?user=app&host=${host}&sslmode=require`,
    ])
      expect(await connected(url)).toContain('does not accept the password');
    expect(await connected(`postgres://app@/data?host=${folder.path}/none`)).toContain('folder of the Unix socket');
  });

  test('without TLS at the server: the message names sslmode=disable', async () => {
    const port = await listen(undefined, null);
    expect(await connected(`postgres://app@127.0.0.1:${port}/data?sslmode=require`)).toContain('sslmode=disable');
    for (const query of ['', '?sslmode=prefer', '?sslmode=allow'])
      expect(await connected(`postgres://app@127.0.0.1:${port}/data${query}`)).toContain(
        'does not accept the password',
      );
  });

  (has('openssl') ? test : test.skip)('with a certificate of a private authority, as sslmode says', async () => {
    const port = await listen();
    const root = `sslrootcert=${folder.path}/root.pem`;
    const at = (query: string, host = 'localhost'): Promise<string> =>
      connected(`postgres://app@${host}:${port}/data?${query}`);
    for (const query of [
      'sslmode=require',
      'sslmode=no-verify',
      `sslmode=verify-full&${root}`,
      `sslmode=verify-ca&${root}`,
    ])
      expect([query, await at(query)]).toEqual([query, expect.stringContaining('does not accept the password')]);
    // By an address that is not in the certificate.
    expect(await at(`sslmode=verify-ca&${root}`, '127.0.0.1')).toContain('does not accept the password');
    expect(await at(`sslmode=verify-full&${root}`, '127.0.0.1')).toContain('sslmode=verify-ca');
    // An authority that did not sign it.
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await at(`sslmode=${mode}&sslrootcert=${folder.path}/other.pem`)).toContain('sslrootcert=FILE');
    expect(await at('sslmode=verify-full')).toContain('sslrootcert=FILE');
  });
});
