/**
 * Checks a data directory with a database file, and repairs it: a repair writes what can be read into a new file and moves the damaged one
 * to a folder `damaged-<time>`. It deletes nothing.
 */
import { existsSync } from 'node:fs';
import { chmod, chown, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile, checkSteps } from '../../engines/sqlite/file-check.ts';
import { isNewFile } from '../../engines/sqlite/file-version.ts';
import { salvageFile, type LostRow, type Salvage } from '../../engines/sqlite/file-salvage.ts';
import { DatabaseFileError } from '../../engines/sqlite/sqlite-error.ts';
import { SqliteDatabase } from '../../engines/sqlite/sqlite-database.ts';
import { StoreError } from '../../ports/storage.ts';
import { databaseFile, partialDatabaseFile } from '../../storage/database-file.ts';
import { DurableJSONFile, syncFolder } from '../../storage/lowdb/durable-file.ts';
import { checkDocument, type CheckedDocument } from './document-check.ts';
import { documentRules } from './document-rules.ts';
import { Findings } from './findings.ts';
import { Quarantine } from './quarantine.ts';

/** The state of a data directory. */
export interface DirectoryCheckup {
  readonly findings: Findings;
  readonly documents: readonly CheckedDocument[];
  readonly isFileDamaged: boolean;
  /** The number of tweets; undefined where they cannot be counted. */
  readonly tweets: number | undefined;
}

const eventDocument = 'events/log.json';
const logFile = `${databaseFile}-wal`;
/** Files that hold no data. */
const otherFiles = new Set(['lock', 'control.sock']);
const knownFolders = new Set(['events', 'uploads', 'media', 'backups']);

/**
 * Checks a data directory that this process has locked. `onProgress` gets the number of steps that are done. Changes nothing. Rejects with
 * StoreError for a file that this version cannot check.
 */
export async function checkDataDirectory(
  directory: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<DirectoryCheckup> {
  const findings = new Findings();
  const entries = await readdir(directory, { withFileTypes: true });
  await checkOwners(directory, findings);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name);
  const documents: CheckedDocument[] = [];
  for (const file of new Set([...names, ...Object.keys(documentRules)])) {
    const document = await checkDocument(directory, file, documentRules[file], findings);
    if (document !== undefined) documents.push(document);
  }
  noteOthers(entries, findings);
  if (!documents.some(({ file }) => file === 'keys.json'))
    findings.note('keys.json: there is none, so no key is stored');
  return { findings, documents, ...checkDatabase(directory, findings, onProgress) };
}

function noteOthers(
  entries: readonly { readonly name: string; isFile(): boolean; isDirectory(): boolean }[],
  findings: Findings,
): void {
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith('damaged-'))
      findings.note(`${name} holds what a repair took out, texts included: delete it when you need it no more`);
    else if (name === 'backups')
      findings.note('backups holds backups of the operator interface, erased texts included: delete them in time');
    else if (entry.isDirectory() && !knownFolders.has(name))
      findings.note(`${name} is not a folder of this service: it is not used`);
    else if (!entry.isFile() && !entry.isDirectory() && !otherFiles.has(name))
      findings.note(`${name} is neither a file nor a folder: it is not used`);
  }
}

function checkDatabase(
  directory: string,
  findings: Findings,
  onProgress: (done: number, of: number) => void,
): Pick<DirectoryCheckup, 'isFileDamaged' | 'tweets'> {
  const add = (reason: string, loss: string): void =>
    findings.add({
      file: databaseFile,
      reason,
      remedy: `restore a backup, or --repair writes a new file: ${loss === '' ? 'nothing is lost' : `it lacks ${loss}`}`,
    });
  if (!existsSync(join(directory, databaseFile))) {
    const remedy = 'restore it; without it, the service does not start';
    if (existsSync(join(directory, eventDocument)) || existsSync(join(directory, partialDatabaseFile)))
      findings.add({ file: databaseFile, reason: 'it is missing', remedy });
    else findings.note(`${databaseFile}: there is none, so there is no archive`);
    return { isFileDamaged: false, tweets: undefined };
  }
  let database: SqliteDatabase | undefined;
  try {
    database = new SqliteDatabase(join(directory, databaseFile), { readOnly: true });
    if (isNewFile(database, databaseFile)) return { isFileDamaged: false, tweets: 0 };
    let step = 0;
    for (const { reason, loss } of checkFile(database, () => onProgress(++step, checkSteps))) add(reason, loss);
    return {
      isFileDamaged: findings.damage.some(({ file, reason }) => file === databaseFile && !isOfOwner(reason)),
      tweets: database.first<{ n: number }>('SELECT count(*) AS n FROM tweet_count')?.n,
    };
  } catch (error) {
    if (!(error instanceof DatabaseFileError) || error.fault !== 'damaged') throw error;
    if (findings.damage.every(({ file }) => file !== databaseFile)) add('it cannot be opened', 'what cannot be read');
    return { isFileDamaged: true, tweets: undefined };
  } finally {
    database?.close();
  }
}

const ownerFaults = ['it belongs to user', 'others can read it'];
const isOfOwner = (reason: string): boolean => ownerFaults.some((fault) => reason.startsWith(fault));

/** Checks that all files belong to the owner of the directory, and that nobody else can read them. */
async function checkOwners(directory: string, findings: Findings): Promise<void> {
  const { uid } = await stat(directory);
  for (const file of await dataFiles(directory)) {
    const stats = await stat(join(directory, file));
    if (stats.uid !== uid)
      findings.add({
        file,
        reason: `${ownerFaults[0]} ${stats.uid}, and the folder to user ${uid}`,
        remedy: `chown --reference=${directory} ${join(directory, file)}, or --repair as root`,
      });
    if ((stats.mode & 0o077) !== 0)
      findings.add({
        file,
        reason: ownerFaults[1] ?? '',
        remedy: '--repair takes that right away (chmod 600)',
      });
  }
}

async function repairOwners(directory: string): Promise<void> {
  const { uid, gid } = await stat(directory);
  for (const file of await dataFiles(directory)) {
    const path = join(directory, file);
    const stats = await stat(path);
    // Only root may give files away; the check that follows reports what is left.
    if (stats.uid !== uid) await chown(path, uid, gid).catch(() => {});
    if ((stats.mode & 0o077) !== 0) await chmod(path, 0o600).catch(() => {});
  }
}

/** The files of the service, below the directory. */
async function dataFiles(directory: string): Promise<string[]> {
  const names = async (folder: string): Promise<string[]> =>
    (await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile() && (entry.name.endsWith('.json') || entry.name.startsWith(databaseFile)))
      .map(({ name }) => join(folder, name));
  return [...(await names('')), ...(await names('events'))];
}

/** What a repair did. */
export interface Repair {
  /** The folder with what was taken out; undefined if nothing was. */
  readonly folder: string | undefined;
  readonly salvage: Salvage | undefined;
}

/**
 * Repairs the damage that a check has found; `now` in milliseconds since 1970. `onProgress` gets the number of copied rows. Rejects with
 * StoreError, and with the error of a file that cannot be written; the damaged file is then as it was.
 */
export async function repairDataDirectory(
  directory: string,
  { documents, isFileDamaged }: DirectoryCheckup,
  now: number,
  onProgress: (rows: number) => void = () => {},
): Promise<Repair> {
  const quarantine = new Quarantine(directory, now);
  try {
    await repairOwners(directory);
    for (const document of documents) await repairDocument(directory, document, quarantine);
    const salvage = isFileDamaged ? await repairDatabase(directory, quarantine, onProgress) : undefined;
    await quarantine.close();
    return { folder: quarantine.isUsed ? quarantine.name : undefined, salvage };
  } catch (error) {
    await quarantine.close();
    throw error;
  }
}

/** Writes a damaged document without its damaged entries, or removes it. */
async function repairDocument(
  directory: string,
  { file, value, isDamaged, removed }: CheckedDocument,
  quarantine: Quarantine,
): Promise<void> {
  if (!isDamaged) return;
  for (const { entry, reason } of removed) await quarantine.addRecord({ file, reason, text: JSON.stringify(entry) });
  if (value === undefined || file === eventDocument) return quarantine.move(file);
  await quarantine.keep(file);
  await new DurableJSONFile(join(directory, file)).write(value);
}

/** Writes a new file, keeps the damaged one, and then gives the new one its name. */
async function repairDatabase(
  directory: string,
  quarantine: Quarantine,
  onProgress: (rows: number) => void,
): Promise<Salvage> {
  const [path, repaired] = [join(directory, databaseFile), join(directory, partialDatabaseFile)];
  const lost: LostRow[] = [];
  const salvage = await salvageFile(path, repaired, (row) => lost.push(row), onProgress);
  const database = new SqliteDatabase(repaired, { readOnly: true });
  const [left] = checkFile(database);
  database.close();
  if (left !== undefined) throw new StoreError(`the repaired file is not whole (${left.reason}): restore a backup`);
  for (const { table, reason, text } of lost)
    await quarantine.addRecord({ file: `${databaseFile} ${table}`, reason, text });
  await quarantine.keep(databaseFile);
  if ((await stat(join(directory, logFile)).catch(() => undefined)) !== undefined) await quarantine.keep(logFile);
  // The log of the damaged file must not be applied to the new one.
  for (const end of ['-wal', '-shm']) for (const file of [path, repaired]) await rm(`${file}${end}`, { force: true });
  await chmod(repaired, 0o600);
  await rename(repaired, path);
  await syncFolder(directory);
  return salvage;
}
