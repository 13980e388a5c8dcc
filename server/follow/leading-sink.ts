/** The sink of a process that may write what it follows only while it leads: another one follows at the same position. */
import type { ChangeOutcome } from '../domain/records.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import { StoreError } from '../ports/storage.ts';

export function leadingSink(sink: LiveSink, leads: () => boolean): LiveSink {
  /** A write that is under way when the lease ends may repeat records or a position. Both change nothing. */
  const whileLeading = async (write: () => Promise<ChangeOutcome[]>): Promise<ChangeOutcome[]> => {
    if (!leads()) throw new StoreError('another instance follows now');
    return write();
  };
  return {
    resume: (fingerprint) => sink.resume(fingerprint),
    position: (source) => sink.position(source),
    onPosition: (listener) => sink.onPosition(listener),
    fingerprints: (prefix) => sink.fingerprints(prefix),
    apply: (fingerprint, progress, records) => whileLeading(() => sink.apply(fingerprint, progress, records)),
    follow: (source, position, records) => whileLeading(() => sink.follow(source, position, records)),
  };
}
