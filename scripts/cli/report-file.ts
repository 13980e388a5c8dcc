/** The file of `--report`, checked before the work: an import can take an hour, and an erasure cannot be repeated. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, messageOf } from '../../server/text/error-text.ts';
import { UsageError } from './failure.ts';

/** Rejects with UsageError where the file cannot be written. Creates nothing. */
export async function checkReportFile(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) throw new UsageError(`--report=${path} is a folder: name a file in it`);
  const folder = dirname(path);
  await access(stats === undefined ? folder : path, constants.W_OK).catch((error: unknown) => {
    const reason = codeOf(error) === 'ENOENT' ? `there is no folder ${folder}` : messageOf(error);
    throw new UsageError(`--report=${path} cannot be written: ${reason}`);
  });
}
