/** The changelogs of the service and the client, in the form of https://keepachangelog.com. */
import { parser, Release, type Changelog } from 'keep-a-changelog';

export type { Changelog };

/** The changelogs, from the folder of the project. */
export const changelogs = { service: '.github/CHANGELOG.md', client: 'client/CHANGELOG.md' } as const;

/** Reads a changelog. Throws an Error for the user, which names the file and the line, where it has another form. */
export function parseChangelog(name: string, text: string): Changelog {
  // The parser itself fails on an empty text.
  if (text.trim() === '') throw new Error(`${name} is empty or missing`);
  try {
    const changelog = parser(text);
    changelog.format = 'markdownlint';
    return changelog;
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}

/** The day of a version's entry as YYYY-MM-DD; undefined where there is no entry, or an entry without a date. */
export function dateOf(changelog: Changelog, version: string): string | undefined {
  return changelog.findRelease(version)?.date?.toISOString().slice(0, 10);
}

/** Whether something is written under "Unreleased". */
export function hasUnreleased(changelog: Changelog): boolean {
  const release = changelog.findRelease();
  return release !== undefined && !(release.isEmpty() && release.description.trim() === '');
}

/**
 * Moves what stands under "Unreleased" under a version and its day (YYYY-MM-DD), and leaves an empty "Unreleased"
 * section above it. An entry without any change says `otherwise`. Modifies `changelog`; returns the text of the new
 * entry. Throws an Error for the user where the changelog has the version already.
 */
export function releaseChanges(changelog: Changelog, version: string, date: string, otherwise = ''): string {
  if (changelog.findRelease(version)) throw new Error(`the changelog has an entry for ${version} already`);
  const entry = changelog.findRelease() ?? new Release();
  if (!hasUnreleased(changelog)) entry.description = otherwise;
  if (!changelog.releases.includes(entry)) changelog.addRelease(entry);
  entry.setVersion(version);
  entry.setDate(date);
  changelog.addRelease(new Release());
  changelog.sortReleases();
  return entry.toString(changelog);
}
