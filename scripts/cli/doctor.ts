/** `npm run doctor -- [--repair]`: checks every file of the data directory, and repairs what is damaged. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/config/config.ts';
import { requireUpgraded } from '../../server/maintenance/data-directory.ts';
import { describeFinding, type Findings } from '../../server/maintenance/doctor/findings.ts';
import type { Salvage } from '../../server/engines/sqlite/file-salvage.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { lockDirectory } from '../../server/storage/lowdb/directory-lock.ts';
import { fail } from './failure.ts';
import { ProgressBar } from './progress-bar.ts';
import { checkReportFile } from './report-file.ts';

const usage = `Usage: npm run doctor -- [--repair] [--report FILE]

Checks every file of DATA_DIR (./data): the pages and indexes of archive.db, the words of the search, the checksum of each record,
what the tables say of each other, documents, owners and permissions. It names what is damaged and what to do about it. Without
--repair it changes nothing.

  --repair       keeps all that is whole, so that the service starts with it: it copies what can be read of a damaged archive.db into
                 a new file, which needs the space of a second one, and writes the words anew. What is damaged goes into a folder
                 damaged-TIME in DATA_DIR, the files as they were included. A backup is better where there is one.
  --report FILE  writes all findings as JSON
  --help         shows this

Examples:
  npm run doctor
  npm run doctor -- --repair --report findings.json
  DATA_DIR=/backups/social-data-2026-03-04 npm run doctor

With DATABASE_URL it checks in the tables of the database what must hold between them. The servers may run. It repairs nothing there.

The server must be stopped; a backup of it can be checked while it runs.
Exit code: 0 when all is whole (with --repair: afterwards), 1 when something is damaged, 2 for a wrong call or a server that runs.`;

/** The maximum number of printed findings. */
const maxPrinted = 50;

function readArguments(): { repair: boolean; report: string | undefined } {
  try {
    const { values } = parseArgs({
      options: {
        repair: { type: 'boolean', default: false },
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return { repair: values.repair, report: values.report };
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run doctor -- --help shows the options`);
    process.exit(2);
  }
}

/** A checked directory. */
interface Checked {
  readonly findings: Findings;
  /** What was checked. */
  readonly what: string;
  /** Repairs the damage; resolves with the folder of what was taken out, undefined if nothing was. */
  repair(): Promise<string | undefined>;
}

async function check(directory: string): Promise<Checked> {
  const { checkDataDirectory, repairDataDirectory } =
    await import('../../server/maintenance/doctor/directory-doctor.ts');
  let bar: ProgressBar | undefined;
  try {
    const checkup = await checkDataDirectory(directory, (done, of) =>
      (bar ??= new ProgressBar('steps', of)).update(done),
    );
    const { findings, documents, tweets } = checkup;
    const what = `the database with ${tweets?.toLocaleString('en') ?? 'an unknown number of'} tweets, ${documents.length} documents`;
    return { findings, what, repair };

    async function repair(): Promise<string | undefined> {
      const rows = new ProgressBar('rows', undefined);
      const { folder, salvage } = await repairDataDirectory(directory, checkup, Date.now(), (done) =>
        rows.update(done),
      ).finally(() => rows.stop());
      if (salvage !== undefined) console.log(describeSalvage(salvage));
      return folder;
    }
  } finally {
    bar?.stop();
  }
}

const describeSalvage = ({ rows, damaged }: Salvage): string => {
  const copied = `the new file has ${(rows['tweet'] ?? 0).toLocaleString('en')} tweets and ${(rows['person'] ?? 0).toLocaleString('en')} users`;
  return damaged.length === 0 ? copied : `${copied}; not all could be read of: ${damaged.join(', ')}`;
};

function print({ damage, unlisted, notes }: Findings): void {
  for (const finding of damage.slice(0, maxPrinted)) console.log(describeFinding(finding));
  const more = damage.length - maxPrinted + unlisted;
  if (more > 0) console.log(`and ${more.toLocaleString('en')} more places; --report FILE lists them`);
  for (const note of notes) console.log(`note: ${note}`);
}

function summarise(directory: string, { findings, what }: Checked, seconds: number): string {
  const places = findings.damage.length + findings.unlisted;
  const state = findings.isWhole ? 'all is whole' : `${places.toLocaleString('en')} places are damaged`;
  return `${directory}: ${what}, checked in ${seconds.toFixed(1)} s: ${state}`;
}

/** Checks, and repairs if the options request it. Returns whether everything is whole at the end. */
async function run(directory: string, { repair, report }: ReturnType<typeof readArguments>): Promise<boolean> {
  const startedAt = performance.now();
  const checkup = await check(directory);
  const { findings } = checkup;
  print(findings);
  console.log(summarise(directory, checkup, (performance.now() - startedAt) / 1000));
  if (report !== undefined) {
    const { damage, unlisted, notes } = findings;
    await writeFile(report, `${JSON.stringify({ directory, damage, unlisted, notes }, null, 2)}\n`, { mode: 0o600 });
  }
  if (findings.isWhole) return true;
  if (!repair) {
    console.log('put back a backup, or run `npm run doctor -- --repair`');
    return false;
  }
  const folder = await checkup.repair();
  if (folder !== undefined) console.log(`what was damaged is in ${folder}; delete it when you need it no more`);
  const after = await check(directory);
  if (after.findings.isWhole) console.log('repaired: the service starts with all that is whole');
  else print(after.findings);
  return after.findings.isWhole;
}

/** Checks the tables of a database. Returns whether every rule holds. */
async function checkDatabase(url: string, { repair, report }: ReturnType<typeof readArguments>): Promise<boolean> {
  if (repair) throw new StoreError('--repair works on a data directory: restore a backup of the database instead');
  const { openExistingTables } = await import('../../server/engines/postgres/open-tables.ts');
  const { checkTables } = await import('../../server/engines/postgres/maintenance/content-check.ts');
  const startedAt = performance.now();
  const database = await openExistingTables(url);
  const bar = new ProgressBar('rules', undefined);
  try {
    const snapshot = await database.openSnapshot();
    const findings = await checkTables(snapshot.run, (rules) => bar.update(rules));
    await snapshot.end();
    bar.stop();
    for (const { rule, rows, examples } of findings)
      console.log(`${rows.toLocaleString('en')} × broken: ${rule} (${examples.join(', ')})`);
    const state = findings.length === 0 ? 'all rules hold' : `${findings.length} rules are broken`;
    console.log(`the tables: checked in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${state}`);
    if (report !== undefined) await writeFile(report, `${JSON.stringify({ findings }, null, 2)}\n`, { mode: 0o600 });
    return findings.length === 0;
  } finally {
    bar.stop();
    await database.close();
  }
}

async function checkFolder(dataDir: string): Promise<boolean> {
  await requireUpgraded(dataDir);
  const unlock = await lockDirectory(dataDir).catch((error: unknown) => {
    if (!(error instanceof StoreError) || !error.message.includes('in use')) throw error;
    console.error(
      `${error.message}\nor make a backup and check that: npm run backup -- FOLDER, DATA_DIR=FOLDER npm run doctor`,
    );
    process.exit(2);
  });
  try {
    return await run(dataDir, call);
  } finally {
    unlock();
  }
}

const call = readArguments();
try {
  await checkReportFile(call.report);
  const { dataDir, databaseUrl } = readConfig(process.env);
  const isWhole = databaseUrl === undefined ? await checkFolder(dataDir) : await checkDatabase(databaseUrl, call);
  process.exitCode = isWhole ? 0 : 1;
} catch (error) {
  fail(error, 'doctor');
}
