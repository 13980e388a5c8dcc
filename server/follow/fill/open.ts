/** Creates the platform that fetches unknown data from Bluesky. */
import type { Logger } from 'pino';
import type { ArchivedUser } from '../../domain/records.ts';
import type { FollowSettings } from '../../config/config.ts';
import type { HeldArchive } from '../../ports/held-records.ts';
import type { Platform } from '../../ports/platform.ts';
import type { LiveSink } from '../../ports/live-sink.ts';
import type { SourceObserver } from '../../ports/live-source.ts';
import { createBlueskySource } from '../bluesky/source.ts';
import type { Clock } from '../clock.ts';
import type { FollowService } from '../follow-service.ts';
import { Filler } from './filler.ts';
import { FillingPlatform } from './filling-platform.ts';

/** What the budget of the follower leaves of the documented 3,000 requests in 5 minutes. */
const requestLimit = { requests: 300, periodMs: 300_000, burst: 60 } as const;

export interface OpenFillParts {
  readonly settings: FollowSettings;
  readonly archive: Platform;
  readonly held: HeldArchive;
  readonly sink: LiveSink;
  /** What is followed. The metrics of the requests to Bluesky are common. */
  readonly follow: Pick<FollowService, 'metrics' | 'isFollowed'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The number of processes that fetch. It may change at any time. */
  readonly processes: () => number;
}

/** Opens no connection. */
export function openFillingPlatform(parts: OpenFillParts): FillingPlatform {
  const { settings, archive, held, sink, follow, logger, clock, processes } = parts;
  const requests = follow.metrics.of('bluesky');
  const observer: SourceObserver = {
    connected() {},
    alive() {},
    gap() {},
    requested: (status) => requests.requested(status),
    rejected: (reason) => requests.rejected(reason),
  };
  const { blueskyStreams: streamUrls, blueskyApi: apiUrl, signedInOnly } = settings;
  const options = { streamUrls, apiUrl, signedInOnly, held, observer, clock };
  const { name, title, fills } = createBlueskySource({
    ...options,
    limit: { ...requestLimit, sharedBy: processes },
  });
  const metrics = follow.metrics.fillsOf(name);
  const filler = new Filler({ name, title, source: fills, sink, held, clock, metrics, logger });
  const isFollowed = ({ did }: ArchivedUser): boolean => did !== undefined && follow.isFollowed(name, did);
  return new FillingPlatform({ archive, held, filler, isFollowed });
}
