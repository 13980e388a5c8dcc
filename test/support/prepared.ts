/** Folders that are the same for all test files of a run, and that the first one which needs them prepares. */
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What this worker prepares now: its test files do not share their modules. */
const preparing: Map<string, Promise<string>> = ((globalThis as Record<symbol, unknown>)[Symbol.for('prepared')] ??=
  new Map()) as never;

/**
 * The folder of this name, which `fill` has filled; undefined outside of a run of Jest. Two workers may fill one at the same time: the
 * second one removes what it has filled.
 */
export async function preparedFolder(
  name: string,
  fill: (path: string) => Promise<unknown>,
): Promise<string | undefined> {
  const parent = process.env.TEST_RUN_FOLDER;
  if (parent === undefined) return undefined;
  const path = join(parent, name);
  if (existsSync(path)) return path;
  const prepare = async (): Promise<string> => {
    const own = await mkdtemp(join(parent, 'new-'));
    await fill(own);
    await rename(own, path).catch(async (error: Error) => {
      if (!existsSync(path)) throw error;
      await rm(own, { recursive: true });
    });
    return path;
  };
  if (!preparing.has(path))
    preparing.set(
      path,
      prepare().finally(() => preparing.delete(path)),
    );
  return preparing.get(path)!;
}
