/** An import into an archive that also answers requests. */
import type { ArchiveRecord } from '../domain/records.ts';
import type { ImportSink } from '../ports/import-sink.ts';

type ApplyJson = NonNullable<ImportSink['applyJson']>;

/** Before an archive applies the values of a call in steps, between which it answers requests, it takes about a millisecond to read so many. */
const readHere = 200;
/** The same time for values that another thread reads. It then applies more of them in a transaction, which costs less for each. */
export const readElsewhere = 2_000;

/** Applies records that come as JSON. */
export const jsonApplier = (sink: ImportSink): ApplyJson =>
  sink.applyJson?.bind(sink) ??
  ((fingerprint, progress, json, context) =>
    sink.apply(fingerprint, progress, JSON.parse(json) as ArchiveRecord[], context));

/** A sink whose calls are so small that requests to the same process do not wait long. */
export const besideRequests = (
  sink: ImportSink,
  maxValues: number = sink.applyJson === undefined ? readHere : readElsewhere,
): ImportSink => ({
  maxValues,
  resume: (fingerprint) => sink.resume(fingerprint),
  apply: (...call) => sink.apply(...call),
  applyJson: jsonApplier(sink),
});
