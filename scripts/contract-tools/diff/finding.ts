/** The classification of a difference: its position, the affected callers, and the required version step. */
import { keysOf } from '../files/pointer.ts';
import { exists, isObject, type At, type Revision } from './document.ts';
import type { Reached } from './graph.ts';
import { bumpOf, rules, type Bump, type Level, type RuleId, type Side } from './rules.ts';

/** Who meets what no operation and no message uses. */
export const nobody = 'nobody over the wire';
/** A value at a place of a revision. */
export type Stand = {
  /** The file, with the tag or commit that it is from. */
  readonly file: string;
  readonly pointer: string;
  readonly line: number;
  readonly column: number;
  readonly value: unknown;
};
/** Who meets a difference: operations or messages, on one side of the contract; the side is null where both are meant. */
export type Reach = { readonly side: Side | null; readonly level: Level; readonly callers: readonly string[] };
export type Finding = {
  readonly rule: RuleId;
  /** The most severe level of both sides. */
  readonly level: Level;
  /** The version part that must increase. */
  readonly bump: Bump;
  /** What exactly differs, for example the name of the member; may be empty. */
  readonly subject: string;
  /** Where, in words: `GET /path › responses › 200`. */
  readonly where: string;
  /** Undefined in the revision that has no such place. */
  readonly before: Stand | undefined;
  readonly after: Stand | undefined;
  readonly reach: readonly Reach[];
  readonly advice: string;
};

export const levels: readonly Level[] = ['breaking', 'care', 'safe'];
const bumps: readonly Bump[] = ['major', 'minor', 'patch'];
/** The larger of two version steps; undefined means none. */
export const largerBump = (a: Bump | undefined, b: Bump): Bump =>
  a !== undefined && bumps.indexOf(a) < bumps.indexOf(b) ? a : b;
const worst = (found: readonly Level[]): Level => levels.find((level) => found.includes(level))!;

/** A place in words; the names of schemas' keywords that only lead on are left out. */
function inWords(pointer: string): string {
  const [first, second, third, ...rest] = keysOf(pointer);
  const tail = (keys: readonly string[]): string[] =>
    keys
      .filter((key, index) => !(key === 'properties' && keys[index + 1] !== undefined) && key !== 'schema')
      .map((key, index, all) => (key === 'items' && index < all.length - 1 ? '[]' : key));
  const words =
    first === 'paths' && second && third
      ? [`${third.toUpperCase()} ${second}`, ...tail(rest)]
      : first === 'webhooks' && second && third
        ? [`webhook ${second}`, third, ...tail(rest)]
        : first === 'components' && second === 'schemas' && third
          ? [third, ...tail(rest)]
          : first === 'components' && third
            ? [`${second} ${third}`, ...tail(rest)]
            : keysOf(pointer);
  return words.join(' › ') || 'the document';
}

const stand = (revision: Revision, at: At | undefined): Stand | undefined =>
  at === undefined || !exists(at)
    ? undefined
    : { pointer: at.pointer, value: at.value, ...revision.position(at.pointer) };

/** Classifies a difference; undefined when no caller can observe it. */
export function assessedFinding(
  { difference, sides }: Reached,
  before: Revision,
  after: Revision,
  today?: string,
): Finding | undefined {
  const rule = rules[difference.rule];
  const seen = [...sides].filter(([side]) => side === null || side !== difference.unseenBy);
  if (seen.length === 0) return undefined;
  const reach = seen
    .map(([side, callers]): Reach => ({
      side,
      level: side === null ? worst([rule.request.level, rule.response.level]) : rule[side].level,
      callers: [...callers].sort(),
    }))
    .filter(({ callers }) => seen.length === 1 || callers.join() !== nobody);
  const level = worst(reach.map((entry) => entry.level));
  const side = reach.find((entry) => entry.level === level)!.side;
  const speaker = side ?? (rule.request.level === level ? 'request' : 'response');
  const { before: x, after: y } = difference;
  const sunset = removals.has(difference.rule) && today !== undefined ? sunsetOf(before, x) : undefined;
  const isOver = sunset !== undefined && sunset < (today ?? '');
  const place = y !== undefined && exists(y) ? y : (x ?? y)!;
  return {
    rule: difference.rule,
    level: isOver ? 'safe' : level,
    bump: isOver ? 'minor' : bumpOf(difference.rule, level),
    subject: difference.subject,
    where: inWords(place.pointer),
    before: stand(before, x),
    after: stand(after, y),
    reach: isOver ? reach.map((entry): Reach => ({ ...entry, level: 'safe' })) : reach,
    advice: isOver
      ? `It was deprecated until ${sunset}, so it may be removed.`
      : sunset === undefined
        ? rule[speaker].advice
        : `It may be removed after ${sunset}, its x-sunset. ${rule[speaker].advice}`,
  };
}

/** The removals that a deprecation announces. */
const removals: ReadonlySet<RuleId> = new Set<RuleId>([
  'operation-removed',
  'webhook-removed',
  'property-removed',
  'property-undeclared',
  'parameter-removed',
  'parameter-ignored',
]);

/** The end date of a deprecated part, by itself or where its reference leads; undefined where it has none. */
function sunsetOf(revision: Revision, at: At | undefined): string | undefined {
  if (at === undefined) return undefined;
  for (const { value } of [at, revision.follow(at)]) {
    if (!isObject(value) || value.deprecated !== true) continue;
    if (typeof value['x-sunset'] === 'string') return value['x-sunset'];
  }
  return undefined;
}

/** The worst first. Findings of the same level keep their order. */
export const bySeverity = (a: Finding, b: Finding): number => levels.indexOf(a.level) - levels.indexOf(b.level);

/** The worst first, and in the order of the file; what is gone stands where it stood. */
export function inOrder(a: Finding, b: Finding): number {
  const line = ({ before, after }: Finding): number => (after ?? before)?.line ?? 0;
  return (
    bySeverity(a, b) ||
    line(a) - line(b) ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
    (a.subject < b.subject ? -1 : 1)
  );
}
