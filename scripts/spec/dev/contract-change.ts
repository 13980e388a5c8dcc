/** The contract changes of one save, in short lines for the report. */
import {
  compareContracts,
  child,
  type Revision,
  levels,
  nobody,
  type Finding,
  type Reach,
  operationsOf,
  type Level,
  checkVersion,
} from '../../contract-tools/diff/index.ts';
import { releasedRevision } from '../release/released.ts';

/** Added, removed, or different. */
export type Sign = '+' | '-' | '~';

/** One difference and its consequence for callers. */
export interface Difference {
  readonly sign: Sign;
  readonly text: string;
  readonly level: Level;
}

/** All differences of one operation or schema. */
export interface Subject {
  readonly sign: Sign;
  /** An operationId, or the name of a schema or another part. */
  readonly name: string;
  /** The method and path of an operation, or the callers that a schema affects. */
  readonly context: string;
  /** The consequence of a new or removed subject. */
  readonly level: Level;
  /** Empty when the subject itself is new or removed. */
  readonly differences: readonly Difference[];
}

export interface ContractChange {
  /** Compared with the last generated revision; the first time with the last release. */
  readonly subjects: readonly Subject[];
  /** The required version of the contract, given all changes since the last release; undefined when the version is sufficient. */
  readonly version: string | undefined;
}

/**
 * The changes from `before` to `after`. Without `before` (at the start of a session), `after` is compared with the last released
 * contract. Without a release, `version` is undefined.
 */
export async function changeOf(before: Revision | undefined, after: Revision): Promise<ContractChange> {
  const base = await releasedRevision().catch(() => undefined);
  const released = base && compareContracts(base, after);
  const findings = before === undefined ? (released ?? []) : compareContracts(before, after);
  return {
    subjects: subjectsOf(findings, before ?? base ?? after, after),
    version: released && requiredVersion(base, after, released),
  };
}

/** The version step that the differences from the last release require; undefined when the version is sufficient. */
function requiredVersion(base: Revision, after: Revision, findings: readonly Finding[]): string | undefined {
  try {
    const { ok, message } = checkVersion(base, after, findings);
    return ok ? undefined : `since the last release: ${message}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Groups the differences by subject. Keeps their order: the most severe first, then by position in the file. */
export function subjectsOf(findings: readonly Finding[], before: Revision, after: Revision): Subject[] {
  const ids = new Map(
    [before, after].flatMap((revision) =>
      [...operationsOf(revision).values()].map(
        ({ label, at }) => [label, String(child(at, 'operationId').value ?? label)] as const,
      ),
    ),
  );
  const subjects = new Map<string, { subject: Omit<Subject, 'differences'>; differences: Difference[] }>();
  const subject = (sign: Sign, name: string, context: string, level: Level): Difference[] => {
    const entry = subjects.get(`${sign}${name}`) ?? { subject: { sign, name, context, level }, differences: [] };
    subjects.set(`${sign}${name}`, entry);
    return entry.differences;
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
      // A shared parameter or response is named after the operations that use it.
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

/** The number of affected operations, and whether WebSocket messages are affected. */
function counted(callers: readonly string[]): string {
  const operations = callers.filter((caller) => /^[A-Z]+ \//.test(caller)).length;
  return [
    ...(operations > 0 ? [operations === 1 ? '1 operation' : `${operations} operations`] : []),
    ...(callers.some((caller) => caller.startsWith('/ws')) ? ['/ws'] : []),
  ].join(' and ');
}

/** The rules about added and removed fields and parameters. */
const memberRules: Readonly<Record<string, readonly [sign: Sign, kind: string]>> = {
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
  const [sign, kind] = memberRules[rule] ?? ['~'];
  if (kind !== undefined) {
    const name = kind.endsWith('parameter') || path.at(-1) !== subject ? subject : path.join('.');
    return { sign, text: `${kind} ${name}`, level };
  }
  if (rule === 'documentation-changed') return { sign, text: 'documentation', level };
  const location = [...(section === 'parameters' ? ['parameter'] : []), path.join('.')].join(' ');
  const detail = subject === '' || location.endsWith(subject) ? '' : ` ${subject}`;
  return { sign, text: `${location === '' ? '' : `${location}: `}${rule.replaceAll('-', ' ')}${detail}`, level };
}

/** Removes duplicates and keeps the most severe of each; the most severe first. */
function merged(differences: readonly Difference[]): Difference[] {
  const rank = ({ level }: Difference): number => levels.indexOf(level);
  const unique = new Map<string, Difference>();
  for (const entry of differences.toSorted((a, b) => rank(a) - rank(b))) {
    const key = `${entry.sign} ${entry.text}`;
    if (!unique.has(key)) unique.set(key, entry);
  }
  return [...unique.values()];
}
