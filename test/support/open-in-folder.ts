/** A folder of its own for each test of a file, and what the test opens there. */
import { afterEach, beforeEach } from '@jest/globals';
import { temporaryFolder } from './folder.ts';

export interface OpenInFolder {
  readonly folder: { readonly path: string };
  /** Is closed after the test in the reverse order, before the folder is removed. Empty at the beginning of each test. */
  readonly opened: { close(): unknown }[];
}

/** Call it once, outside the tests. */
export function openInFolder(): OpenInFolder {
  const opened: { close(): unknown }[] = [];
  let current: Awaited<ReturnType<typeof temporaryFolder>> | undefined;
  beforeEach(async () => {
    current = await temporaryFolder();
  });
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
    await current?.dispose();
  });
  const folder = {
    get path(): string {
      if (current === undefined) throw new Error('no test has begun');
      return current.path;
    },
  };
  return { folder, opened };
}
