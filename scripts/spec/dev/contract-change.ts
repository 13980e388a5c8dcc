/** What a save has changed in the contract, in lines short enough to read between two saves. */
import { compareContracts } from '../diff/contract.ts';
import { child, type Revision } from '../diff/document.ts';
import { levels, nobody, type Finding, type Reach } from '../diff/finding.ts';
import { operationsOf } from '../diff/operations.ts';
import type { Level } from '../diff/rules.ts';
import { checkVersion } from '../diff/version.ts';
import { releasedRevision } from '../release/released.ts';

/** Added, removed, or different. */
export type Sign = '+' | '-' | '~';

/** One difference: what it is about, and what it means for callers. */
export interface Difference {
  readonly sign: Sign;
  readonly what: string;
  readonly level: Level;
}

/** All that differs in one operation or schema. */
export interface Subject {
  readonly sign: Sign;
  /** An operationId, or the name of a schema or another part. */
  readonly name: string;
  /** Where an operation is, or who meets a schema. */
  readonly of: string;
  /** What a new or removed subject means as a whole. */
  readonly level: Level;
  /** None where the subject itself is new or gone. */
  readonly differences: readonly Difference[];
}

export interface ContractChange {
  /** Against the last save that was generated from; the first time against the last release. */
  readonly subjects: readonly Subject[];
  /** What the version of the contract must become for all that was changed since the last release; undefined where it is right. */
  readonly version: string | undefined;
}

/**
 * What `after` changes. Without `before`, as when the session begins, it is compared with the last released contract.
 * Where there is none, nothing is said of the release.
 */
export async function changeOf(before: Revision | undefined, after: Revision): Promise<ContractChange> {
  const base = await releasedRevision().catch(() => undefined);
  const released = base && compareContracts(base, after);
  const findings = before === undefined ? (released ?? []) : compareContracts(before, after);
  return {
    subjects: subjectsOf(findings, before ?? base ?? after, after),
    version: released && demand(base, after, released),
  };
}

/** What the differences from the last release demand of the version, where it has not moved as far. */
function demand(base: Revision, after: Revision, findings: readonly Finding[]): string | undefined {
  try {
    const { ok, says } = checkVersion(base, after, findings);
    return ok ? undefined : `since the last release: ${says}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The differences by what they are about: the worst first, then as in the file. */
export function subjectsOf(findings: readonly Finding[], before: Revision, after: Revision): Subject[] {
  const ids = new Map(
    [before, after].flatMap((revision) =>
      [...operationsOf(revision)].map(
        ([label, { at }]) => [label, String(child(at, 'operationId').value ?? label)] as const,
      ),
    ),
  );
  const subjects = new Map<string, { subject: Omit<Subject, 'differences'>; differences: Difference[] }>();
  const subject = (sign: Sign, name: string, of: string, level: Level): Difference[] => {
    const found = subjects.get(`${sign}${name}`) ?? { subject: { sign, name, of, level }, differences: [] };
    subjects.set(`${sign}${name}`, found);
    return found.differences;
  };
  for (const finding of findings) {
    const { level, where, rule } = finding;
    const [head = '', ...path] = where.split(' › ');
    const [, section, part] =
      /^(parameters|responses|headers|requestBodies|securitySchemes|examples) (.+)$/.exec(head) ?? [];
    if (rule === 'operation-added' || rule === 'operation-removed') {
      subject(rule === 'operation-added' ? '+' : '-', ids.get(head) ?? head, head, level);
    } else if (ids.has(head)) {
      subject('~', ids.get(head)!, head, level).push(difference(finding, path));
    } else if (section !== undefined) {
      // A shared parameter or answer is known by the operations that have it.
      const callers = callersOf(finding.reach);
      const [only] = callers;
      const name = callers.length === 1 ? (ids.get(only!) ?? only!) : callers.length === 0 ? section : counted(callers);
      subject('~', name, callers.length === 1 ? only! : '', level).push(difference(finding, [part!, ...path], section));
    } else {
      const callers = callersOf(finding.reach);
      subject('~', head, counted(callers) && `in ${counted(callers)}`, level).push(difference(finding, path));
    }
  }
  return [...subjects.values()].map(({ subject, differences }) => ({ ...subject, differences: merged(differences) }));
}

const callersOf = (reach: readonly Reach[]): string[] =>
  [...new Set(reach.flatMap(({ callers }) => callers))].filter((caller) => caller !== nobody);

/** How many operations meet it, and whether listeners do. */
function counted(callers: readonly string[]): string {
  const operations = callers.filter((caller) => /^[A-Z]+ \//.test(caller)).length;
  return [
    ...(operations > 0 ? [operations === 1 ? '1 operation' : `${operations} operations`] : []),
    ...(callers.some((caller) => caller.startsWith('/ws')) ? ['/ws'] : []),
  ].join(' and ');
}

/** Rules that say that a field or a parameter as a whole came or went. */
const whole: Readonly<Record<string, readonly [sign: Sign, kind: string]>> = {
  'property-added': ['+', 'field'],
  'required-property-added': ['+', 'required field'],
  'property-removed': ['-', 'field'],
  'property-declared': ['+', 'field'],
  'property-undeclared': ['-', 'field'],
  'parameter-added-required': ['+', 'required parameter'],
  'parameter-added-optional': ['+', 'parameter'],
  'parameter-removed': ['-', 'parameter'],
};

function difference({ rule, subject, level }: Finding, path: readonly string[], section?: string): Difference {
  const [sign, kind] = whole[rule] ?? ['~'];
  if (kind !== undefined) {
    const name = kind.endsWith('parameter') || path.at(-1) !== subject ? subject : path.join('.');
    return { sign, what: `${kind} ${name}`, level };
  }
  if (rule === 'documentation-changed') return { sign, what: 'wording', level };
  const place = [...(section === 'parameters' ? ['parameter'] : []), path.join('.')].join(' ');
  const detail = subject === '' || place.endsWith(subject) ? '' : ` ${subject}`;
  return { sign, what: `${place === '' ? '' : `${place}: `}${rule.replaceAll('-', ' ')}${detail}`, level };
}

/** Each once, with the worst that it means; the worst first. */
function merged(differences: readonly Difference[]): Difference[] {
  const rank = ({ level }: Difference): number => levels.indexOf(level);
  const found = new Map<string, Difference>();
  for (const each of differences.toSorted((a, b) => rank(a) - rank(b))) {
    const key = `${each.sign} ${each.what}`;
    if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}
