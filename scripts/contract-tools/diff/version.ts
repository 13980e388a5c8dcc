/** Checks that the version step matches the differences of the contract (Semantic Versioning 2.0). */
import { diff, gt, inc, parse } from 'semver';
import { largerBump, type Finding } from './finding.ts';
import { child, type Revision } from './document.ts';
import type { Bump } from './rules.ts';

export type VersionCheck = {
  readonly from: string;
  readonly to: string;
  /** How far the version must move at least; null where nothing differs. */
  readonly required: Bump | null;
  /** How far it moved: null where it stands still, `back` where it is lower than before. */
  readonly moved: Bump | 'back' | null;
  readonly ok: boolean;
  readonly message: string;
};

/** How far `info.version` moved. From one pre-release to another it moves as far as the version that they prepare. */
function moveOf(from: string, to: string): Bump | 'back' | null {
  const kind = diff(from, to);
  if (kind === null) return null;
  if (!gt(to, from)) return 'back';
  if (kind === 'prerelease') {
    const { minor, patch } = parse(to)!;
    return patch > 0 ? 'patch' : minor > 0 ? 'minor' : 'major';
  }
  return kind.replace('pre', '') as Bump;
}

/** Holds `info.version` of two revisions against their differences. Throws an Error when one is no semantic version. */
export function checkVersion(before: Revision, after: Revision, findings: readonly Finding[]): VersionCheck {
  const [from, to] = [before, after].map((revision): string => {
    const at = child(revision.root, 'info', 'version');
    // Two numbers are a version too: many contracts leave out the last one.
    const text = typeof at.value === 'string' ? at.value.replace(/^\d+\.\d+$/, '$&.0') : '';
    const version = parse(text);
    if (version) return version.version;
    const { file, line, column } = revision.position(at.pointer);
    throw new Error(
      `${file}:${line}:${column}: info.version ${JSON.stringify(at.value) ?? ''} is no semantic version such as 1.2.3`,
    );
  }) as [string, string];
  const required = findings.reduce<Bump | undefined>((found, { bump }) => largerBump(found, bump), undefined) ?? null;
  const moved = moveOf(from, to);
  const ok = moved !== 'back' && (required === null || (moved !== null && largerBump(required, moved) === moved));
  const steps =
    moved === null
      ? `stayed at ${from}`
      : moved === 'back'
        ? `went back from ${from} to ${to}`
        : `moved from ${from} to ${to} (${moved})`;
  const message =
    required === null
      ? `info.version ${steps}.`
      : ok
        ? `info.version ${steps}; the differences demand at least a ${required} one.`
        : `info.version ${steps}, but the differences demand a ${required} version: at least ${inc(from, required)}.`;
  return { from, to, required, moved, ok, message };
}
