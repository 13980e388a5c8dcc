/** Composes what follows and fills from live platforms, and what evicts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/variables.ts';
import type { EndpointParts, Registry } from './endpoints.ts';
import { stopDeadlineMs } from './frame.ts';
import { systemClock, type Clock } from './follow/clock.ts';
import { FollowCoordination } from './follow/follow-coordination.ts';
import { FollowService } from './follow/follow-service.ts';
import type { OpenSource } from './follow/sources.ts';
import { openTargetStore } from './follow/target-store.ts';
import { unboundedTarget, uniqueTargets } from './config/targets.ts';
import { Housekeeping } from './maintenance/retention/housekeeping.ts';
import type { RetainedArchive } from './maintenance/retention/retained-archive.ts';
import type { Conversations } from './ports/conversations.ts';
import type { HeldArchive } from './ports/held-records.ts';
import type { LiveSink } from './ports/live-sink.ts';
import type { Platform } from './ports/platform.ts';
import type { Store } from './ports/storage.ts';
import { parse } from './search/language/parse.ts';
import type { Storage } from './storage/open-storage.ts';
import { messageOf } from './text/error-text.ts';

/** The archive as live platforms need it, and the rest of the service. */
export interface LiveParts {
  readonly config: Config;
  readonly storage: Storage;
  readonly sink: LiveSink;
  readonly held: HeldArchive;
  readonly logger: Logger;
}

/** The configuration of a start with more targets. Throws ConfigError for one that it does not permit, and for an invalid query. */
export function startConfig(config: Config, targets: Config['follow']['targets']): Config {
  const { retain, retainKeep } = config;
  if (retainKeep !== '' && retain !== 'off') checkQuery('RETAIN_KEEP', retainKeep);
  const unbounded = config.retain === 'off' ? unboundedTarget(targets) : undefined;
  if (unbounded !== undefined) throw new ConfigError([`--follow: ${unbounded}`]);
  return { ...config, follow: { ...config.follow, targets: uniqueTargets([...config.follow.targets, ...targets]) } };
}

/** The clock of all processes that share a storage. */
const clockOf = (store: Store): Clock => (store.shared ? { ...systemClock, now: store.now } : systemClock);

/** The followers of live platforms. They do not run yet. Of several processes, the leader follows. */
export async function openFollow({
  config,
  storage: { store, instances },
  sink,
  held,
  logger,
  open,
}: LiveParts & { readonly open: OpenSource }): Promise<FollowService> {
  const clock = clockOf(store);
  return new FollowService({
    clock,
    coordination: store.shared ? await FollowCoordination.open(store, clock, () => instances.isLeader) : undefined,
    settings: config.follow,
    keepsAll: config.retain === 'off',
    store: await openTargetStore(store),
    ...{ sink, held, logger },
    openSource: open,
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
  const { openFillingPlatform } = await import('./follow/fill/open.ts');
  return openFillingPlatform({
    ...{ ...parts, archive },
    settings: config.follow,
    clock: clockOf(store),
    processes: () => instances.others + 1,
  });
}

/** Ends the followers. What is not durable after the time limit of a stop comes again at the next start. */
export const stopFollow = (follow: FollowService): Promise<void> =>
  Promise.race([follow.stop(), sleep(stopDeadlineMs, undefined, { ref: false })]);

/** What evicts tweets beyond the retention. Of several processes, the leader does. */
export function openHousekeeping(
  {
    config: { retain, retainKeep: keep },
    storage: { instances },
    follow,
    logger,
    conversations,
  }: Pick<LiveParts, 'config' | 'storage' | 'logger'> & {
    readonly follow: FollowService;
    readonly conversations: Conversations;
  },
  archive: RetainedArchive,
): Housekeeping {
  return new Housekeeping({
    ...{ archive, conversations, retain, keep, logger },
    strangers: () => follow.strangers(),
    mayRun: () => instances.isLeader,
  });
}

/** Throws ConfigError for a query that cannot be parsed. */
function checkQuery(variable: string, query: string): void {
  try {
    parse(query);
  } catch (error) {
    throw new ConfigError([`${variable}=${query}: ${messageOf(error)}`]);
  }
}

/** What the endpoints show of the followers. */
export const followEndpoints = (follow: FollowService): Required<Pick<EndpointParts, 'following' | 'reading'>> => ({
  following: () => follow.following(),
  reading: () => follow.reading,
});

/** Registers the metrics of what is followed. */
export function measureFollow(follow: FollowService, registry: Registry): void {
  follow.metrics.measure(
    registry,
    () => follow.statuses(),
    () => follow.ownStatuses(),
  );
}
