/** The eraser of an open archive. */
import type { ArchiveEngine } from '../../archive/archive-engine.ts';
import type { ArchiveWriter } from '../../archive/writes/sql-archive.ts';
import { damagedFolders, uploadedFiles } from '../data-directory.ts';
import { SqlErasedArchive } from './sql-erased-archive.ts';
import { Eraser, type EraserParts } from './eraser.ts';

interface ErasedArchiveParts {
  readonly engine: Pick<ArchiveEngine, 'erased'>;
  readonly archive: ArchiveWriter;
  /** The records that could not be applied. */
  readonly deadLetters: { readonly count: number };
}

export const createEraser = (
  { engine, archive, deadLetters }: ErasedArchiveParts,
  { dataDir, ...parts }: Pick<EraserParts, 'conversations' | 'purgeWithinMs'> & { readonly dataDir: string },
): Eraser =>
  new Eraser({
    ...parts,
    archive: new SqlErasedArchive({ ...engine.erased, archive, deadLetters: () => deadLetters.count }),
    uploads: () => uploadedFiles(dataDir),
    damaged: () => damagedFolders(dataDir),
  });
