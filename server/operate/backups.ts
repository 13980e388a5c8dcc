/** Backups that the operator makes over HTTP: in the data directory, in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError, unavailable } from '../contract/service-error.ts';

const program = fileURLToPath(new URL('./backup-process.ts', import.meta.url));
/** The name of a backup: its time. */
const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** A backup in the folder. */
export interface BackupView {
  readonly name: string;
  /** When it was complete. */
  readonly at: string;
}

export class Backups {
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #isInDatabase: boolean;
  #isRunning = false;

  /** `isInDatabase`: the data is in PostgreSQL, which has its own tools for backups. */
  constructor(dataDir: string, isInDatabase: boolean) {
    this.#isInDatabase = isInDatabase;
    this.#dataDir = dataDir;
    this.#folder = join(dataDir, 'backups');
  }

  /**
   * Makes a backup and verifies it; resolves with its name and what it has. Rejects with 409 while another
   * one runs, with 501 if the data is in a database, and with 503 if it fails.
   */
  async create(): Promise<{ readonly name: string; readonly summary: string }> {
    if (this.#isInDatabase)
      throw new ServiceError(
        501,
        'the data is in PostgreSQL: back it up with npm run backup, pg_dump, or the write-ahead log of the database',
      );
    if (this.#isRunning) throw new ServiceError(409, 'a backup is being made');
    this.#isRunning = true;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const name = new Date().toISOString().slice(0, 19).replaceAll(':', '-').concat('Z');
      const summary = await this.#run(join(this.#folder, name));
      return { name, summary: summary.replaceAll(`${join(this.#folder, name)}: `, '') };
    } finally {
      this.#isRunning = false;
    }
  }

  /** The backups, newest first. */
  async list(): Promise<BackupView[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => namePattern.test(name));
    const views = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#folder, name))).mtime.toISOString() })),
    );
    return views.toSorted((a, b) => b.name.localeCompare(a.name));
  }

  /** A separate process, because the verification reads every line of the copy. */
  async #run(folder: string): Promise<string> {
    const child = spawn(process.execPath, [program, this.#dataDir, folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text.slice(0, 1_000)));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw unavailable('the backup has failed: run `npm run backup -- FOLDER` to see the reason', 60);
    return output.trim();
  }
}
