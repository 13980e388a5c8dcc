/** Checks a document, and finds the usable parts of a damaged one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyChecksum } from '../../storage/lowdb/durable-file.ts';
import type { DocumentRules } from './document-rules.ts';
import type { Findings } from './findings.ts';
import { wholeEntries } from './salvage.ts';
import { codeOf, messageOf } from '../../text/error-text.ts';

export interface CheckedDocument {
  readonly file: string;
  /** The result of a repair: the value without its damaged entries. Undefined if nothing is left of it. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly isDamaged: boolean;
  /** The entries that a repair removes, with the reason. */
  readonly removed: readonly { readonly entry: unknown; readonly reason: string }[];
}

type Value = Readonly<Record<string, unknown>>;

/** Rules for an unknown document: it is checked, but its entries cannot be kept one by one. */
const unknownDocument: DocumentRules = {
  fault: () => undefined,
  consequence: 'this version does not know the file: put back a copy of it where it is needed',
};

/** Checks a document; undefined if it does not exist. */
export async function checkDocument(
  directory: string,
  file: string,
  rules: DocumentRules = unknownDocument,
  findings: Findings,
): Promise<CheckedDocument | undefined> {
  let text: string;
  try {
    text = await readFile(join(directory, file), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    findings.add({
      file,
      reason: `it cannot be read (${messageOf(error)})`,
      remedy: 'correct its permissions, or restore a copy',
    });
    return { file, value: undefined, isDamaged: true, removed: [] };
  }
  const { value, reason } = parse(text, rules);
  if (reason !== undefined) return salvage(file, text, reason, rules, findings);
  return checkEntries(file, value, rules, findings);
}

function parse(
  text: string,
  rules: DocumentRules,
): { value: Value; reason?: undefined } | { value?: Value; reason: string } {
  if (text === '') return { reason: 'it is empty' };
  const json = verifyChecksum(text);
  let value: unknown;
  try {
    value = JSON.parse(json ?? text);
  } catch {
    return { reason: 'it is not a whole JSON object' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: 'it is not a JSON object' };
  const fault = rules.fault(value);
  if (fault !== undefined) return { reason: fault };
  return json === undefined ? { reason: 'its checksum is wrong' } : { value: value as Value };
}

/** Keeps the entries of a broken document that are whole and valid. */
function salvage(
  file: string,
  text: string,
  reason: string,
  { entries, consequence }: DocumentRules,
  findings: Findings,
): CheckedDocument {
  if (entries === undefined) {
    findings.add({ file, reason, remedy: `put back a copy, or --repair takes it out: ${consequence}` });
    return { file, value: undefined, isDamaged: true, removed: [] };
  }
  const whole = wholeEntries(text, (entry) => entries.fault(entry) === undefined);
  findings.add({
    file,
    reason,
    remedy: `put back a copy, or --repair keeps the ${whole.length} whole entries: ${consequence}`,
  });
  return { file, value: { [entries.member]: whole }, isDamaged: true, removed: [] };
}

function checkEntries(
  file: string,
  value: Value,
  { entries, consequence }: DocumentRules,
  findings: Findings,
): CheckedDocument {
  if (entries === undefined) return { file, value, isDamaged: false, removed: [] };
  const kept: unknown[] = [];
  const removed: { entry: unknown; reason: string }[] = [];
  for (const [index, entry] of (value[entries.member] as unknown[]).entries()) {
    const fault = entries.fault(entry);
    if (fault === undefined) kept.push(entry);
    else {
      removed.push({ entry, reason: fault });
      findings.add({
        file,
        reason: `entry ${index + 1}: ${fault}`,
        remedy: `--repair sets it aside: ${consequence}`,
      });
    }
  }
  return { file, value: { ...value, [entries.member]: kept }, isDamaged: removed.length > 0, removed };
}
