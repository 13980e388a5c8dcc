/**
 * The personal archive that X gave out until 2019: a folder `js` with the files that describe it, and in its folder `tweets` a file with the
 * tweets of each month. It has no likes and no followed accounts.
 */
import { observedAtOfDetails, ownerOfDetails } from '../formats/personal.ts';
import type { Input, LeftOut } from './input-file.ts';
import { firstOf, type ArchiveFiles } from './personal-archive.ts';

/** The folder of the months, beside the files that describe the archive. */
export const monthFolder = 'tweets';
const monthFile = /^\d{4}_\d\d\.js$/;
const monthPath = new RegExp(`^(?:${monthFolder}/)?\\d{4}_\\d\\d\\.js$`);

export const isMonthFile = (name: string): boolean => monthFile.test(name);
export const isUntil2019 = ({ names }: ArchiveFiles): boolean => [...names].some((name) => monthPath.test(name));

/** Opens the months in their order. Every status names its author; `user_details.js` has the profile. */
export async function openUntil2019(files: ArchiveFiles): Promise<Input[]> {
  const owner = await firstOf(files, 'user_details.js', ownerOfDetails);
  const seenAt = await firstOf(files, 'payload_details.js', observedAtOfDetails);
  const months = [...files.names].filter((name) => monthPath.test(name)).toSorted();
  const reason = 'CSV with the same tweets as the files of the months';
  const leftOut: LeftOut[] = (files.tables ?? []).map((name) => ({ name, reason }));
  const inputs: Input[] = [];
  for (const name of months) {
    const input = await files.open(name);
    inputs.push({
      ...input,
      owner,
      seenAt: seenAt ?? input.seenAt,
      ...(inputs.length === 0 && leftOut.length > 0 ? { leftOut } : {}),
    });
  }
  return inputs;
}
