/** An import into the archive of a running server, over its control socket. */
import type { ChangeOutcome } from '../domain/records.ts';
import type { Control } from '../admin/control-client.ts';
import type { Routes } from '../admin/control-server.ts';
import { codeFingerprint, tableFolders } from '../platforms/archive/code-fingerprint.ts';
import type { ImportProgress, ImportSink } from '../ports/import-sink.ts';
import { PreparedRecords, type RecordBatch } from './prepared-records.ts';
import { besideRequests } from './shared-sink.ts';

type ApplyCall = Parameters<ImportSink['apply']>;
type BatchCall = readonly [fingerprint: string, progress: ImportProgress, batch: RecordBatch];

/** Identifies the code that prepares records and that uses them: both processes must run the same. */
const preparedFormat = (): Promise<string | undefined> => codeFingerprint([...tableFolders, 'import']);

/** The routes of the server. The caller is the operator's command, which validates the records. */
export function importRoutes(sink: ImportSink): Routes {
  /** What the batches of an import refer to, by its connection. */
  const imports = new WeakMap<object, PreparedRecords>();
  const preparedOf = (connection: object, { tweets }: RecordBatch): PreparedRecords => {
    if (tweets.firstAuthor === 0 && tweets.terms.first === 0) imports.set(connection, new PreparedRecords());
    const prepared = imports.get(connection);
    if (prepared === undefined)
      throw new Error('the connection was interrupted: repeat the command, which then continues');
    return prepared;
  };
  return {
    'import/resume': async (fingerprint) => (await sink.resume(fingerprint as string)) ?? null,
    'import/apply': (call) => sink.apply(...(call as ApplyCall)),
    'import/format': async () => (sink.applyPrepared === undefined ? null : ((await preparedFormat()) ?? null)),
    async 'import/batch'(call, connection) {
      const [fingerprint, progress, batch] = call as BatchCall;
      if (sink.applyPrepared === undefined) throw new Error('this archive takes no prepared records');
      return sink.applyPrepared(fingerprint, progress, preparedOf(connection, batch).take(batch));
    },
  };
}

/** A sink of the archive of a server. Prepares the records for a server that runs the same code: it then has less to do beside requests. */
export async function openControlSink(control: Control): Promise<ImportSink> {
  const [format, own] = await Promise.all([
    // A server of an earlier version does not have the command.
    control.call<string | null>('import/format', null).catch(() => null),
    preparedFormat(),
  ]);
  const isSame = format !== null && format === own;
  return besideRequests({
    resume: async (fingerprint) =>
      (await control.call<ImportProgress | null>('import/resume', fingerprint)) ?? undefined,
    async apply(fingerprint, progress, records, context) {
      await context?.after;
      return control.call<ChangeOutcome[]>('import/apply', [fingerprint, progress, records]);
    },
    ...(isSame && {
      async applyBatch(fingerprint, progress, batch, after) {
        await after;
        const call: BatchCall = [fingerprint, progress, batch];
        return control.callBinary<ChangeOutcome[]>('import/batch', call);
      },
    }),
  });
}
