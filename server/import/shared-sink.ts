/** An import into an archive that also answers requests. */
import type { ImportSink } from '../ports/import-sink.ts';

/**
 * The archive applies the values of a call in steps, between which it answers requests. Before the first step, it takes about a
 * millisecond to read a call with so many values.
 */
const maxValues = 200;

/** A sink whose calls are so small that requests to the same process do not wait long. */
export const besideRequests = (sink: ImportSink): ImportSink => ({
  maxValues,
  resume: (fingerprint) => sink.resume(fingerprint),
  apply: (...call) => sink.apply(...call),
});
