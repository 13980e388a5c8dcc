/** Folders for tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of one's own that `dispose` removes. */
export async function temporaryFolder(): Promise<{ path: string; dispose(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'social-data-'));
  return { path, dispose: () => rm(path, { recursive: true, force: true }) };
}
