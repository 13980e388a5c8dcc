/** Folders that are the same for all test files of a run, and that the first one which needs them prepares. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../server/text/error-text.ts';

/** Whether this caller is the one that prepares the folder: the only one until `claim` is removed. */
const isFirst = (claim: string): Promise<boolean> =>
  mkdir(claim).then(
    () => true,
    (error: Error) => {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    },
  );

/**
 * The folder of this name, which `fill` has filled; undefined outside of a run of Jest. Others that need it meanwhile, also in other
 * workers, wait: to bundle the service takes ten seconds of CPU time.
 */
export async function preparedFolder(
  name: string,
  fill: (path: string) => Promise<unknown>,
): Promise<string | undefined> {
  const parent = process.env.TEST_RUN_FOLDER;
  if (parent === undefined) return undefined;
  const path = join(parent, name);
  const claim = `${path}.claim`;
  while (!existsSync(path)) {
    if (!(await isFirst(claim))) {
      await sleep(20);
      continue;
    }
    try {
      // It may have come between the look and the claim.
      if (existsSync(path)) break;
      const own = await mkdtemp(join(parent, 'new-'));
      await fill(own);
      await rename(own, path);
    } finally {
      await rmdir(claim);
    }
  }
  return path;
}
