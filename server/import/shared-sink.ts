/** An import into an archive that also answers requests. */
import type { ImportSink } from '../ports/import-sink.ts';

/** The archive answers requests between two calls: so many tweets take it one or two milliseconds. */
const maxValues = 40;

/** A sink whose calls are so small that requests to the same process do not wait long. */
export const besideRequests = (sink: ImportSink): ImportSink => ({
  maxValues,
  resume: (fingerprint) => sink.resume(fingerprint),
  apply: (...call) => sink.apply(...call),
  ...(sink.applyPrepared && { applyPrepared: sink.applyPrepared.bind(sink) }),
});
