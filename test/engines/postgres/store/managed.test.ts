/** A database as providers offer it: a role without privileges, passwords that are replaced, TLS; and what errors say of its address. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startService } from '../../../../server/compose.ts';
import { readConfig } from '../../../../server/config/config.ts';
import { readStartOptions } from '../../../../server/config/start-options.ts';
import { withPasswordFile } from '../../../../server/config/database-url.ts';
import { Database } from '../../../../server/engines/postgres/store/database.ts';
import { startEngine, type Engine } from '../../../postgres/engine.js';
import { testDatabaseUrl } from '../../../ports/postgres.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { has } from '../../../support/programs.ts';
import { until } from '../../../support/until.ts';

const access = [
  'local all all trust',
  'host all postgres,tests 127.0.0.1/32 trust',
  'host all canary_role 127.0.0.1/32 scram-sha-256',
  'hostssl all tls_only 127.0.0.1/32 trust',
  'hostssl all with_certificate 127.0.0.1/32 cert',
  'hostnossl all without_tls 127.0.0.1/32 trust',
];

/** Makes a certificate and its key, signed by an authority in the folder, or an authority. */
function certify(folder: string, file: string, name: string, authority?: string): void {
  const path = (end: string): string => join(folder, `${file}.${end}`);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`];
  const signer = authority === undefined ? [] : ['-CA', join(folder, `${authority}.pem`)];
  const signerKey = authority === undefined ? [] : ['-CAkey', join(folder, `${authority}.key`)];
  const names = authority === undefined ? [] : ['-addext', `subjectAltName=DNS:${name}`];
  const out = ['-days', '2', '-keyout', path('key'), '-out', path('pem')];
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...signer, ...signerKey, ...out], { stdio: 'ignore' });
}

(testDatabaseUrl === undefined ? describe.skip : describe)('a database of a provider', () => {
  let engine: Engine;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** Runs a statement on a new connection: its first row, or what the error says. */
  const asked = async (url: string, text = 'SELECT 1 AS one'): Promise<unknown> => {
    const database = new Database({ url });
    try {
      return (await database.run({ text }))[0];
    } catch (error) {
      return (error as Error).message;
    } finally {
      await database.close();
    }
  };
  beforeAll(async () => {
    engine = await startEngine();
    folder = await temporaryFolder();
    await writeFile(join(engine.folder, 'data/pg_hba.conf'), `${access.join('\n')}\n`);
    await engine.administrate(
      `CREATE ROLE canary_role LOGIN PASSWORD 'first word'`,
      'CREATE DATABASE canary_base OWNER canary_role',
      ...['tls_only', 'without_tls', 'with_certificate'].map((role) => `CREATE ROLE ${role} LOGIN`),
      'SELECT pg_reload_conf()',
    );
  }, 120_000);
  afterAll(async () => {
    await engine?.stop();
    await folder?.dispose();
  });

  test('with a role that owns its database only, whose password is replaced while the service runs', async () => {
    const file = join(folder.path, 'password');
    await writeFile(file, 'first word\n');
    const config = readConfig({
      ...{ DATABASE_URL: `postgres://canary_role@127.0.0.1:${engine.port}/canary_base`, DATABASE_PASSWORD_FILE: file },
      ...{ DATA_DIR: join(folder.path, 'data'), PORT: '0', API_KEYS: 'managed-test-key-0001', DEMO: '0' },
    });
    const service = await startService(config, readStartOptions([]), pino({ level: 'silent' }));
    const statuses = async (): Promise<unknown> => {
      const headers = { 'x-api-key': 'managed-test-key-0001' };
      const found = await fetch(`${service.url}/social/tweet/advanced_search?query=the`, { headers });
      const write = await fetch(`${service.url}/readyz?write`);
      return [found.status, write.status];
    };
    await until(async () => String(await statuses()) === '200,200');
    await engine.administrate(
      `ALTER ROLE canary_role PASSWORD 'second word'`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'canary_role'`,
    );
    await until(async () => String(await statuses()) === '503,503');
    await writeFile(file, 'second word');
    await until(async () => String(await statuses()) === '200,200');
    await service.stop();
    const [role] = await engine.query<{ rolsuper: boolean; extensions: number }>(
      `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication AS rolsuper, (SELECT count(*)::int FROM pg_extension
        WHERE extname <> 'plpgsql') AS extensions FROM pg_roles WHERE rolname = 'canary_role'`,
    );
    expect(role).toEqual({ rolsuper: false, extensions: 0 });
  });

  (has('openssl') ? test : test.skip)('with TLS, as each mode of libpq says', async () => {
    const { path } = folder;
    certify(path, 'root', 'authority');
    certify(path, 'other', 'authority');
    certify(path, 'server', 'localhost', 'root');
    certify(path, 'client', 'with_certificate', 'root');
    const { uid, gid } = statSync(join(engine.folder, 'data'));
    chmodSync(path, 0o755);
    for (const file of ['server.key', 'server.pem', 'root.pem']) {
      chownSync(join(path, file), uid, gid);
      chmodSync(join(path, file), 0o600);
    }
    await engine.administrate(
      `ALTER SYSTEM SET ssl_cert_file = '${path}/server.pem'`,
      `ALTER SYSTEM SET ssl_key_file = '${path}/server.key'`,
      `ALTER SYSTEM SET ssl_ca_file = '${path}/root.pem'`,
      'ALTER SYSTEM SET ssl = on',
      'SELECT pg_reload_conf()',
    );
    const isTls = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const at = (user: string, query: string, host = 'localhost'): Promise<unknown> =>
      asked(`postgres://${user}@${host}:${engine.port}/tests?${query}`, isTls);
    await until(async () => typeof (await at('tls_only', 'sslmode=require')) === 'object');
    const root = `sslrootcert=${path}/root.pem`;
    const [tls, plain] = [{ ssl: true }, { ssl: false }];
    expect(await at('tests', 'sslmode=disable')).toEqual(plain);
    expect(await at('tests', 'sslmode=allow')).toEqual(plain);
    expect(await at('tls_only', 'sslmode=allow')).toEqual(tls);
    expect(await at('tests', 'sslmode=prefer')).toEqual(tls);
    expect(await at('without_tls', 'sslmode=prefer')).toEqual(plain);
    expect(await at('without_tls', 'sslmode=require')).toContain('does not accept this user');
    expect(await at('tls_only', 'sslmode=disable')).toContain('sslmode=require');
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect([mode, await at('tls_only', `sslmode=${mode}&${root}`)]).toEqual([mode, tls]);
    expect(await at('tls_only', `sslmode=verify-ca&${root}`, '127.0.0.1')).toEqual(tls);
    expect(await at('tls_only', `sslmode=verify-full&${root}`, '127.0.0.1')).toContain('for another name');
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await at('tls_only', `sslmode=${mode}&sslrootcert=${path}/other.pem`)).toContain('sslrootcert=FILE');
    const own = `sslcert=${path}/client.pem&sslkey=${path}/client.key`;
    expect(await at('with_certificate', `sslmode=verify-full&${root}&${own}`)).toEqual(tls);
    expect(await at('with_certificate', `sslmode=verify-full&${root}`)).toContain('the database cannot be used');
  });

  test('of whose address no error shows a part', async () => {
    const { port } = engine;
    const user = 'canary_role';
    const addresses = [
      `postgres://${user}:canary_word@127.0.0.1:${port}/canary_base`,
      `postgres://${user}:canary_word@127.0.0.1:${port}/canary_other`,
      `postgres://canary_nobody:canary_word@127.0.0.1:${port}/canary_base`,
      `postgres://tests:canary_word@127.0.0.1:${port}/canary_other`,
      `postgres://tests:canary_word@127.0.0.1:1/canary_base`,
      `postgres://tests:canary_word@127.0.0.1:1,127.0.0.1:2/canary_base`,
      `postgres://tests:canary_word@canary.invalid/canary_base`,
      `postgres://tests:canary_word@/canary_base?host=${folder.path}/canary_folder`,
      `postgres://tests:canary_word@127.0.0.1:${port}/tests?sslmode=verify-full&sslrootcert=system`,
      `postgres://tests:canary_word@127.0.0.1:${port}/tests?target_session_attrs=standby`,
      `postgres://tests:canary_word@127.0.0.1:${port}/tests?options=-c%20canary_option%3D1%20-z`,
      withPasswordFile(`postgres://${user}@127.0.0.1:${port}/canary_base`, `${folder.path}/canary_file`),
    ];
    for (const address of addresses) {
      const message = await asked(address);
      expect([address, message]).toEqual([address, expect.stringMatching(/^the database cannot be used: \w/)]);
      expect(message).not.toMatch(/canary|127\.0\.0\.1|localhost|5432|\b(?:tests|invalid)\b/);
      expect(message).not.toContain(String(port));
      expect(message).not.toContain(folder.path);
    }
    // A statement, by the name of its schema and role.
    const url = `postgres://tests@127.0.0.1:${port}/tests?schema=canary_schema`;
    for (const text of ['SELECT * FROM social_data.none', 'SET ROLE canary_role', 'GRANT tests TO canary_role'])
      expect(await asked(url, text)).not.toMatch(/canary_schema|\btests\b/);
  });
});
