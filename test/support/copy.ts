/** A copy of the repository that a test may change. */
import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fastParent, temporaryFolder } from './folder.ts';

const root = new URL('../../', import.meta.url).pathname;
/** What is made here, or belongs to this place alone, and programs that no test runs in a copy. */
const left = new Set(['.git', 'node_modules', 'data', 'dist', 'bench', 'evals']);

/**
 * The variables of programs in a copy of the repository, or in the repository, that have its packages: they use what Node has compiled of the files
 * in all others. The cache, which is among the packages, knows a file by its place relative to the cache.
 */
export const compiledOf = (path: string): Record<string, string> =>
  process.env.NODE_COMPILE_CACHE === undefined
    ? {}
    : { NODE_COMPILE_CACHE: join(path, 'node_modules/.cache/compiled'), NODE_COMPILE_CACHE_PORTABLE: '1' };

/**
 * Copies the repository, but for its history and its data, into a separate folder; the packages are shared. Of the tests it copies their
 * configuration and only these folders of `test/`: type checks, git and jest in the copy take time for each file.
 */
export async function copyRepository(tests: readonly string[]): Promise<{ path: string; dispose(): Promise<void> }> {
  const folder = await temporaryFolder(fastParent);
  const filter = (source: string): boolean => !left.has(source.split('/').at(-1)!);
  const names = (await readdir(root)).filter((name) => !left.has(name) && name !== 'test');
  for (const name of [...names, 'test/jest.config.js', ...tests.map((name) => `test/${name}`)])
    await cp(join(root, name), join(folder.path, name), { recursive: true, filter });
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  return folder;
}
