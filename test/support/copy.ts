/** A copy of the repository that a test may change. */
import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

const root = new URL('../../', import.meta.url).pathname;
/** What is made here, or belongs to this place alone. */
const left = new Set(['.git', 'node_modules', 'data', 'dist']);

/** Copies the repository, but for its history and its data, into a folder of its own; the packages are shared. */
export async function copyRepository(): Promise<{ path: string; dispose(): Promise<void> }> {
  const folder = await temporaryFolder();
  const filter = (source: string): boolean => !left.has(source.split('/').at(-1)!);
  for (const name of await readdir(root))
    if (!left.has(name)) await cp(join(root, name), join(folder.path, name), { recursive: true, filter });
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  return folder;
}
