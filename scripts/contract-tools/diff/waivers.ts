/**
 * Waivers of the gate: findings that the team accepts until a date. They stand in spec/waivers.yaml, each with the finding, its
 * place, a reason and the last day. An expired waiver, and one that no finding needs, is a fault.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSeq } from 'yaml';
import { isObject } from '../../../server/contract/values.ts';
import { isDay } from '../day.ts';
import { positionOf } from '../files/pointer.ts';
import { parseYaml } from '../files/yaml.ts';
import type { Finding } from './finding.ts';

/** The file of the waivers, from the folder of the project. */
export const waiversPath = 'spec/waivers.yaml';

/** An accepted finding. */
export interface Waiver {
  /** The rule of the finding, such as `property-removed`. */
  readonly finding: string;
  /** The place of the finding in the words of the report, such as `Tweet › view_count`. */
  readonly place: string;
  /** What exactly differs; undefined: whatever differs there. */
  readonly subject: string | undefined;
  readonly reason: string;
  /** The last day on which it holds, as YYYY-MM-DD. */
  readonly until: string;
  /** Line and column of the waiver in the file. */
  readonly line: number;
  readonly column: number;
}

/** A finding that a waiver covers. */
export interface WaivedFinding {
  readonly finding: Finding;
  readonly waiver: Waiver;
}

/** A waiver that cannot be used. */
export interface WaiverFault {
  readonly rule: 'expired-waiver' | 'unused-waiver';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What the waivers leave of the findings. */
export interface Waived {
  readonly findings: readonly Finding[];
  readonly waived: readonly WaivedFinding[];
  readonly faults: readonly WaiverFault[];
}

const texts = ['finding', 'place', 'reason', 'until'] as const;
const names: readonly string[] = [...texts, 'subject'];

/** Parses the file. Throws an Error with the place of what is wrong. */
export function parseWaivers(text: string): Waiver[] {
  const { document, lines } = parseYaml(text);
  const fail = (pointer: string, message: string): never => {
    const { line, column } = positionOf(document, lines, pointer);
    throw new Error(`${waiversPath}:${line}:${column}: ${message}`);
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new Error(`${waiversPath}:${line}:${col}: ${error.message}`);
  }
  if (document.contents === null) return [];
  if (!isSeq(document.contents)) return fail('', 'expected a list of waivers');
  return (document.toJS() as unknown[]).map((value, index) => {
    const at = `/${index}`;
    if (!isObject(value)) return fail(at, 'expected an object with finding, place, reason and until');
    const unknown = Object.keys(value).find((name) => !names.includes(name));
    if (unknown !== undefined) fail(`${at}/${unknown}`, `'${unknown}' is none of ${names.join(', ')}`);
    for (const name of texts)
      if (typeof value[name] !== 'string' || value[name].trim() === '')
        fail(`${at}/${name}`, `the waiver needs a text in '${name}'`);
    if (!isDay(value.until)) fail(`${at}/until`, `'${String(value.until)}' is no day, such as 2027-01-31`);
    const { finding, place, subject, reason, until } = value;
    return {
      ...{ finding: String(finding), place: String(place), reason: String(reason), until: String(until) },
      subject: subject === undefined ? undefined : String(subject),
      ...positionOf(document, lines, at),
    };
  });
}

const covers = ({ finding, place, subject }: Waiver, { rule, where, subject: what }: Finding): boolean =>
  finding === rule && place === where && (subject === undefined || subject === what);

/** Takes the waived findings out. `today` is the day as YYYY-MM-DD, UTC. Only findings that need a major version can be waived. */
export function applyWaivers(findings: readonly Finding[], waivers: readonly Waiver[], today: string): Waived {
  const valid = waivers.filter(({ until }) => until >= today);
  const waived: WaivedFinding[] = [];
  const left = findings.filter((finding) => {
    const waiver = finding.level === 'safe' ? undefined : valid.find((each) => covers(each, finding));
    if (waiver !== undefined) waived.push({ finding, waiver });
    return waiver === undefined;
  });
  const used = new Set(waived.map(({ waiver }) => waiver));
  const faults = waivers.flatMap((waiver): WaiverFault[] => {
    const { finding, place, until, line, column } = waiver;
    const at = { file: waiversPath, line, column };
    if (until < today)
      return [
        {
          rule: 'expired-waiver',
          ...at,
          message: `the waiver of ${finding} at ${place} ended on ${until}: undo the change, or agree on another day`,
        },
      ];
    if (used.has(waiver)) return [];
    return [{ rule: 'unused-waiver', ...at, message: `there is no ${finding} at ${place}: delete the waiver` }];
  });
  return { findings: left, waived, faults };
}

/** The version step that findings require with their waivers: a waived finding still requires a minor version. */
export const withWaivedSteps = ({ findings, waived }: Waived): Finding[] => [
  ...findings,
  ...waived.map(({ finding }): Finding => ({ ...finding, bump: finding.bump === 'major' ? 'minor' : finding.bump })),
];

/** Takes the waived findings of a project out of the differences from its last release. Throws an Error for an invalid file. */
export async function waivedIn(folder: string, findings: readonly Finding[], today: string): Promise<Waived> {
  const text = await readFile(join(folder, waiversPath), 'utf8').catch(() => undefined);
  return applyWaivers(findings, text === undefined ? [] : parseWaivers(text), today);
}
