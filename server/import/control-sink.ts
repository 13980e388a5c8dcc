/** An import into the archive of a running server, over its control socket. */
import type { ChangeOutcome } from '../domain/records.ts';
import type { Control } from '../admin/control-client.ts';
import type { Routes } from '../admin/control-server.ts';
import type { ImportProgress, ImportSink } from '../ports/import-sink.ts';
import { besideRequests } from './shared-sink.ts';

type ApplyCall = Parameters<ImportSink['apply']>;

/** The routes of the server. The caller is the operator's command, which validates the records. */
export const importRoutes = (sink: ImportSink): Routes => ({
  'import/resume': async (fingerprint) => (await sink.resume(fingerprint as string)) ?? null,
  'import/apply': (call) => sink.apply(...(call as ApplyCall)),
});

/** A sink of the archive of a server. */
export const openControlSink = (control: Control): ImportSink =>
  besideRequests({
    resume: async (fingerprint) =>
      (await control.call<ImportProgress | null>('import/resume', fingerprint)) ?? undefined,
    async apply(fingerprint, progress, records, context) {
      await context?.after;
      return control.call<ChangeOutcome[]>('import/apply', [fingerprint, progress, records]);
    },
  });
