/**
 * Checks every file of a data directory, and repairs it: a repair keeps the valid data and moves the damaged data to a
 * folder `damaged-<time>`. It deletes nothing.
 */
import { chmod, chown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountEntry } from '../../assistant/accounts.ts';
import { idOf } from '../../assistant/accounts.ts';
import type { SetAsideRecord } from '../../platforms/archive/set-aside.ts';
import { DurableJSONFile } from '../../storage/lowdb/durable-file.ts';
import { savedFileOf, savedFolder } from '../../storage/lowdb/saved-file.ts';
import { segmentName } from '../../storage/lowdb/segment.ts';
import { checkDocument, type CheckedDocument } from './document-check.ts';
import { documentRules } from './document-rules.ts';
import { Findings } from './findings.ts';
import { JournalCheck, type JournalFacts } from './journal-check.ts';
import { repairJournal } from './journal-repair.ts';
import { EventCheck, journalRules, rulesOf, type DirectoryFacts, type RecordCheck } from './journal-rules.ts';
import { Quarantine } from './quarantine.ts';
import { readChain, type SegmentChain } from './segment-chain.ts';

interface CheckedJournal {
  readonly name: string;
  readonly chain: SegmentChain;
  readonly check: RecordCheck;
  readonly facts: JournalFacts;
  readonly isDamaged: boolean;
}

/** The state of a data directory. */
export interface Checkup {
  readonly findings: Findings;
  readonly documents: readonly CheckedDocument[];
  readonly journals: readonly CheckedJournal[];
  readonly facts: DirectoryFacts;
  /** The number of records in all journals. */
  readonly records: number;
}

/** Files of the directory that hold no data. */
const otherFiles = new Set(['lock', 'control.sock']);
const eventDocument = 'events/log.json';
const tablesFile = join(savedFolder, 'archive');
/** By journal: a document that the first start creates later. Where it exists, the journal must exist. */
const laterDocuments: Readonly<Record<string, string>> = {
  archive: 'secrets.json',
  pool: 'keys.json',
  conversations: 'keys.json',
};

/**
 * Checks a data directory that this process has locked. `now` in milliseconds since 1970. `onProgress` gets the number of
 * journals that are done. Changes nothing. Rejects with the error of a folder that cannot be read.
 */
export async function checkDirectory(
  directory: string,
  now: number,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<Checkup> {
  const findings = new Findings();
  const entries = await readdir(directory, { withFileTypes: true });
  await checkOwners(directory, findings);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name);
  const documents: CheckedDocument[] = [];
  for (const file of new Set([...names, ...Object.keys(documentRules)])) {
    const document = await checkDocument(directory, file, documentRules[file], findings);
    if (document !== undefined) documents.push(document);
  }
  for (const { name } of entries.filter((entry) => !entry.isFile() && !entry.isDirectory()))
    if (!otherFiles.has(name)) findings.note(`${name} is neither a file nor a folder: it is not used`);
  const facts = factsOf(documents, now);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const journals: CheckedJournal[] = [];
  const expected = Object.keys(journalRules).filter(
    (name) => folders.includes(name) || documents.some(({ file }) => file === laterDocuments[name]),
  );
  onProgress(0, expected.length);
  for (const name of expected) {
    journals.push(await checkJournal(directory, name, facts, findings));
    onProgress(journals.length, expected.length);
  }
  if (folders.includes(savedFolder)) await checkTables(directory, findings);
  noteOthers(folders, documents, findings);
  checkEventLog(documents, journals, folders, findings);
  return { findings, documents, journals, facts, records: journals.reduce((sum, each) => sum + each.facts.records, 0) };
}

function noteOthers(folders: readonly string[], documents: readonly CheckedDocument[], findings: Findings): void {
  for (const name of folders) {
    if (name.startsWith('damaged-'))
      findings.note(`${name} holds what a repair took out, texts included: delete it when you need it no more`);
    else if (name === 'backups')
      findings.note('backups holds backups of the operator interface, erased texts included: delete them in time');
    else if (name !== 'uploads' && name !== savedFolder && !Object.hasOwn(journalRules, name))
      findings.note(`${name} is not a folder of this service: it is not used`);
  }
  if (!documents.some(({ file }) => file === 'keys.json'))
    findings.note('keys.json: there is none, so no key is stored');
}

/** Checks the saved tables of the archive. A start removes damaged ones by itself. */
async function checkTables(directory: string, findings: Findings): Promise<void> {
  if ((await savedFileOf(directory, 'archive').verify()) !== 'damaged') return;
  const remedy = '--repair removes it, as the next start does: the start then reads the whole journal and takes longer';
  findings.add({ file: tablesFile, reason: 'it is damaged', remedy });
}

function factsOf(documents: readonly CheckedDocument[], now: number): DirectoryFacts {
  const entriesOf = (file: string): readonly unknown[] => {
    const { entries } = documentRules[file] ?? {};
    const value = documents.find((document) => document.file === file)?.value;
    return entries === undefined || value === undefined ? [] : (value[entries.member] as unknown[]);
  };
  return {
    now,
    setAside: entriesOf('set-aside.json') as SetAsideRecord[],
    accountIds: (entriesOf('accounts.json') as AccountEntry[]).map(idOf),
  };
}

async function checkJournal(
  directory: string,
  name: string,
  facts: DirectoryFacts,
  findings: Findings,
): Promise<CheckedJournal> {
  const before = findings.damage.length + findings.unlisted;
  const rules = rulesOf(name);
  const check = rules.createCheck(facts);
  let chain: SegmentChain;
  try {
    chain = await readChain(directory, name, findings);
  } catch {
    findings.add({
      file: name,
      reason: 'the folder is missing',
      remedy: `put it back, or --repair makes an empty one: ${rules.consequence}`,
    });
    chain = { segments: [], nextSeq: 1, isRebuilt: true };
    const damage = { records: 0, unknown: true };
    return {
      name,
      chain,
      check,
      isDamaged: true,
      facts: { damage, damaged: new Set(), lastSeq: 0, records: 0, hasGaps: false, lengths: new Map() },
    };
  }
  const journal = new JournalCheck(directory, name, chain, check, findings);
  const journalFacts = await journal.run();
  const isDamaged = findings.damage.length + findings.unlisted > before;
  if (isDamaged && journalFacts.damaged.size > 0) findings.note(`${name}: ${rules.consequence}`);
  for (const note of check.notes()) findings.note(`${name}: ${note}`);
  return { name, chain, check, facts: journalFacts, isDamaged };
}

/** Checks that the event log belongs to the archive: it must not refer to changes that the archive does not contain. */
function checkEventLog(
  documents: readonly CheckedDocument[],
  journals: readonly CheckedJournal[],
  folders: readonly string[],
  findings: Findings,
): void {
  const remedy = '--repair takes the event log out: clients that resume get a gap';
  const state = documents.find(({ file }) => file === eventDocument);
  if (folders.includes('events') && state === undefined)
    findings.add({ file: eventDocument, reason: 'it is missing beside the events', remedy });
  const events = journals.find(({ name }) => name === 'events')?.check;
  const lastChange = events instanceof EventCheck ? events.lastChange : 0;
  const toldUpTo = Math.max(lastChange, Number(state?.value?.['told_up_to'] ?? 0));
  const archive = journals.find(({ name }) => name === 'archive');
  if (archive === undefined || toldUpTo <= archive.facts.lastSeq) return;
  const reason = `it knows of change ${toldUpTo}, and the archive ends with change ${archive.facts.lastSeq}`;
  findings.add({ file: eventDocument, reason, remedy });
}

/** Checks that all files belong to the owner of the directory, and that nobody else can read them. */
async function checkOwners(directory: string, findings: Findings): Promise<void> {
  const { uid } = await stat(directory);
  for (const file of await dataFiles(directory)) {
    const stats = await stat(join(directory, file));
    if (stats.uid !== uid) {
      const reason = `it belongs to user ${stats.uid}, and the folder to user ${uid}`;
      findings.add({
        file,
        reason,
        remedy: `chown --reference=${directory} ${join(directory, file)}, or --repair as root`,
      });
    }
    if ((stats.mode & 0o077) !== 0)
      findings.add({ file, reason: 'others can read it', remedy: '--repair takes that right away (chmod 600)' });
  }
}

/** The files of the service, below the directory. */
async function dataFiles(directory: string): Promise<string[]> {
  const files: string[] = [];
  for (const folder of ['', savedFolder, ...Object.keys(journalRules)]) {
    const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isFile() && (folder === savedFolder || entry.name.endsWith('.json') || segmentName.test(entry.name)))
        files.push(join(folder, entry.name));
  }
  return files;
}

/**
 * Repairs the damage that a check has found. Returns the name of the folder with the removed data; undefined if nothing
 * was removed. Rejects with the error of a file that cannot be written.
 */
export async function repairDirectory(directory: string, checkup: Checkup): Promise<string | undefined> {
  const { documents, journals, facts } = checkup;
  const quarantine = new Quarantine(directory, facts.now);
  const isTableDamage = checkup.findings.damage.some(({ file }) => file === tablesFile);
  try {
    await repairOwners(directory);
    // A repair of the journal may take out records that the tables contain.
    if (isTableDamage || journals.some(({ name, isDamaged }) => name === 'archive' && isDamaged))
      await savedFileOf(directory, 'archive').remove();
    const events = journals.find(({ name }) => name === 'events');
    const isEventDamage = checkup.findings.damage.some(({ file }) => file === eventDocument);
    if (events?.isDamaged === true || (isEventDamage && events !== undefined)) await quarantine.move('events');
    for (const document of documents) await repairDocument(directory, document, checkup, quarantine);
    for (const journal of journals) await repairOne(directory, journal, facts, quarantine);
  } finally {
    await quarantine.close();
  }
  return quarantine.isUsed ? quarantine.name : undefined;
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

/** Writes a damaged document without its damaged entries, or removes it. */
async function repairDocument(
  directory: string,
  { file, value, isDamaged, removed }: CheckedDocument,
  { journals }: Checkup,
  quarantine: Quarantine,
): Promise<void> {
  if (file === eventDocument) return;
  const kept = file === 'set-aside.json' ? withoutLaterRecords(value, journals) : value;
  if (!isDamaged && kept === value) return;
  for (const { entry, reason } of removed) await quarantine.addRecord({ file, reason, text: JSON.stringify(entry) });
  if (kept === undefined) return quarantine.move(file);
  await quarantine.keep(file);
  await new DurableJSONFile(join(directory, file)).write(kept);
}

/** The list of set-aside records without those beyond the end of the archive: their numbers will be assigned again. */
function withoutLaterRecords(
  value: CheckedDocument['value'],
  journals: readonly CheckedJournal[],
): CheckedDocument['value'] {
  const lastSeq = journals.find(({ name }) => name === 'archive')?.facts.lastSeq ?? 0;
  const records = (value?.['records'] ?? []) as SetAsideRecord[];
  return records.some(({ seq }) => seq > lastSeq)
    ? { ...value, records: records.filter(({ seq }) => seq <= lastSeq) }
    : value;
}

async function repairOne(
  directory: string,
  { name, chain, check, facts, isDamaged }: CheckedJournal,
  directoryFacts: DirectoryFacts,
  quarantine: Quarantine,
): Promise<void> {
  const { placeholder, createCheck } = rulesOf(name);
  const appendix = isDamaged || chain.isRebuilt ? check.appendix(facts.damage) : [];
  if (placeholder === undefined || (!isDamaged && appendix.length === 0)) return;
  await repairJournal({
    directory,
    name,
    chain,
    facts,
    check: new JournalCheck(directory, name, chain, createCheck(directoryFacts), new Findings()),
    placeholder,
    appendix,
    quarantine,
  });
}
