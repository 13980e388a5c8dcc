/** Opens the operator's interface over the parts of the service. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ArchiveEngine } from '../archive/archive-engine.ts';
import type { Config } from '../config/config.ts';
import { mediaFolder } from '../storage/media-files.ts';
import { readiness, writability } from '../frame/readiness.ts';
import type { AccountPool } from '../ports/account-pool.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import type { Journal, Store } from '../ports/storage.ts';
import type { DatabaseFileState } from '../storage/database-file.ts';
import type { DatabaseState } from '../storage/database-state.ts';
import type { AccountCommands, OperateParts } from './action.ts';
import { AuditLog, type AuditFile } from './audit-log.ts';
import { Backups } from './backups.ts';
import { RequestHistory } from './request-history.ts';
import { Uploads } from './uploads.ts';

/** The parts of the service. */
export interface OperatedService extends Pick<OperateParts, 'eraser' | 'follow' | 'keys' | 'searches' | 'warnings'> {
  readonly config: Pick<Config, 'assistantHttp' | 'databaseUrl' | 'dataDir'>;
  readonly logger: Logger;
  readonly storage: {
    readonly store: Store & { readonly journals: ReadonlyMap<string, Journal> };
    readonly database: DatabaseState | undefined;
    readonly file?: DatabaseFileState | undefined;
  };
  readonly tables: { readonly engine: Pick<ArchiveEngine, 'counts' | 'explain'>; readonly sink: ImportSink } & {
    readonly writeFaults?: Parameters<typeof writability>[0]['writes'];
  };
  readonly accounts: { readonly pool: AccountPool; readonly routes: AccountCommands };
}

/**
 * Opens the audit log, and prepares uploads and backups in the data directory. `isStopping`: whether the service stops. Rejects with
 * StoreError.
 */
export async function openOperate(service: OperatedService, isStopping: () => boolean): Promise<OperateParts> {
  const { config, logger, storage, tables, accounts, eraser, follow, keys, searches, warnings } = service;
  const { assistantHttp, databaseUrl, dataDir } = config;
  const { store, database, file } = storage;
  const { journals } = store;
  const { engine, sink } = tables;
  const uploads = new Uploads(join(dataDir, 'uploads'), mediaFolder(dataDir), sink, (error) =>
    logger.error(error, 'an import of an uploaded file has failed'),
  );
  await uploads.open();
  return {
    ...{ assistantHttp, dataDir, eraser, file, follow, journals, keys, searches, uploads, warnings },
    ...{ accounts: accounts.routes, pool: accounts.pool },
    ...(engine.explain === undefined ? {} : { explain: engine.explain }),
    counts: () => engine.counts(),
    ready: () => readiness({ stopping: isStopping(), database }),
    writable: () => writability({ journals, database, file, writes: tables.writeFaults }),
    history: new RequestHistory(),
    audit: new AuditLog(await store.document<AuditFile>('audit', { entries: [] }), (entry) =>
      // What was acted on, and the reason of a refusal, are in audit.json: they can have names of persons.
      logger.info(
        { key: entry.key, action: entry.action, result: entry.result === 'ok' ? 'ok' : 'refused' },
        'an operator has acted',
      ),
    ),
    backups: new Backups(dataDir, databaseUrl !== undefined),
  };
}
