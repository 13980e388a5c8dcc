/** Opens the operator's interface over the parts of the service. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { mediaFolder } from '../media/media-files.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import type { Store } from '../ports/storage.ts';
import type { OperateParts } from './action.ts';
import { AuditLog, type AuditFile } from './audit-log.ts';
import { Backups } from './backups.ts';
import { RequestHistory } from './request-history.ts';
import { Uploads } from './uploads.ts';

type Opened = 'history' | 'audit' | 'uploads' | 'backups';

/** Opens the audit log, and prepares uploads and backups in the data directory. Rejects with StoreError. */
export async function openOperate(
  { isInDatabase, ...parts }: Omit<OperateParts, Opened> & { readonly isInDatabase: boolean },
  { store, sink, logger }: { readonly store: Store; readonly sink: ImportSink; readonly logger: Logger },
): Promise<OperateParts> {
  const uploads = new Uploads(join(parts.dataDir, 'uploads'), mediaFolder(parts.dataDir), sink, (error) =>
    logger.error(error, 'an import of an uploaded file has failed'),
  );
  await uploads.open();
  return {
    ...parts,
    uploads,
    history: new RequestHistory(),
    audit: new AuditLog(await store.document<AuditFile>('audit', { entries: [] }), (entry) =>
      // What was acted on, and the reason of a refusal, are in audit.json: they can have names of persons.
      logger.info(
        { key: entry.key, action: entry.action, result: entry.result === 'ok' ? 'ok' : 'refused' },
        'an operator has acted',
      ),
    ),
    backups: new Backups(parts.dataDir, isInDatabase),
  };
}
