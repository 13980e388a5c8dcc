/** An import into the archive of a running server, over its control socket. */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import type { Control } from '../admin/control-client.ts';
import type { Routes } from '../admin/control-server.ts';
import type { ImportProgress, ImportSink } from '../ports/import-sink.ts';
import { besideRequests, jsonApplier } from './shared-sink.ts';

/** The fingerprint, the progress and the records; these as JSON, which the server passes on to the thread that writes. */
type ApplyCall = readonly [string, ImportProgress, string];

/** The routes of the server. The caller is the operator's command, which validates the records. */
export function importRoutes(sink: ImportSink): Routes {
  const apply = jsonApplier(sink);
  return {
    'import/resume': async (fingerprint) => (await sink.resume(fingerprint as string)) ?? null,
    async 'import/apply'(call) {
      const [fingerprint, progress, records] = call as ApplyCall | readonly [string, ImportProgress, ArchiveRecord[]];
      // A command of an earlier version sends the records themselves.
      if (typeof records !== 'string') return sink.apply(fingerprint, progress, records);
      return apply(fingerprint, progress, records);
    },
  };
}

/** A sink of the archive of a server. `maxValues`: the values of a call; by default, so many as a server in this process would read itself. */
export function openControlSink(control: Control, maxValues?: number): ImportSink {
  const apply: NonNullable<ImportSink['applyJson']> = async (fingerprint, progress, json, context) => {
    await context?.after;
    return control.call<ChangeOutcome[]>('import/apply', [fingerprint, progress, json] satisfies ApplyCall);
  };
  const sink: ImportSink = {
    resume: async (fingerprint) =>
      (await control.call<ImportProgress | null>('import/resume', fingerprint)) ?? undefined,
    apply: (fingerprint, progress, records, context) => apply(fingerprint, progress, JSON.stringify(records), context),
  };
  return { ...besideRequests(sink, maxValues), applyJson: apply };
}
