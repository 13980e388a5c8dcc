/** The live source of Bluesky. */
import { SourceError, type HeldRecords, type LiveSource, type SourceObserver } from '../../ports/live-source.ts';

interface BlueskyOptions {
  /** The addresses of event streams, in the order in which they are tried. */
  readonly streamUrls: readonly URL[];
  readonly apiUrl: URL;
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
}

export function createBlueskySource(_options: BlueskyOptions): LiveSource {
  throw new SourceError('this version cannot follow Bluesky', { isPermanent: true });
}
