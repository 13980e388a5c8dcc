/** Opens what follows and fills from live platforms in a service. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { HeldArchive } from '../ports/held-records.ts';
import type { Instances } from '../ports/instances.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import type { Platform } from '../ports/platform.ts';
import type { Store } from '../ports/storage.ts';
import { systemClock, type Clock } from './clock.ts';
import { FollowCoordination } from './follow-coordination.ts';
import { FollowService } from './follow-service.ts';
import type { OpenSource } from './sources.ts';
import { openTargetStore } from './target-store.ts';

/** The archive as live platforms need it, and the rest of the service. */
interface LiveParts {
  readonly config: Pick<Config, 'fill' | 'follow' | 'retain'>;
  readonly storage: { readonly store: Store; readonly instances: Instances };
  readonly sink: LiveSink;
  readonly held: HeldArchive;
  readonly logger: Logger;
}

/** The clock of all processes that share a storage. */
const clockOf = (store: Store): Clock => (store.shared ? { ...systemClock, now: store.now } : systemClock);

/** The followers of live platforms. They do not run yet. Of several processes, the leader follows. Rejects with StoreError. */
export async function openFollowService({
  config,
  storage: { store, instances },
  open: openSource,
  ...parts
}: LiveParts & { readonly open: OpenSource }): Promise<FollowService> {
  const clock = clockOf(store);
  return new FollowService({
    ...{ ...parts, clock, openSource },
    coordination: store.shared ? await FollowCoordination.open(store, clock, () => instances.isLeader) : undefined,
    settings: config.follow,
    keepsAll: config.retain === 'off',
    store: await openTargetStore(store),
    documents: store,
    announce: (line) => console.log(line),
  });
}

/** The archive as the platform; with FILL, it fetches what the archive does not have. */
export async function openPlatform({
  config,
  storage: { store, instances },
  archive,
  ...parts
}: LiveParts & { readonly archive: Platform; readonly follow: FollowService }): Promise<Platform> {
  if (config.fill === undefined) return archive;
  // A service that fetches nothing does not load this module.
  const { openFillingPlatform } = await import('./fill/open.ts');
  return openFillingPlatform({
    ...{ ...parts, archive },
    settings: config.follow,
    clock: clockOf(store),
    processes: () => instances.others + 1,
  });
}
