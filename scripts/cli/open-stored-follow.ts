/** Opens the follow commands on the storage, for a command without a running server. */
import type { Config } from '../../server/config/config.ts';
import { requireDataDirectory } from '../../server/maintenance/data-directory.ts';
import type { HeldArchive } from '../../server/ports/held-records.ts';
import type { LiveSink } from '../../server/ports/live-sink.ts';
import type { Store } from '../../server/ports/storage.ts';
import { systemClock } from '../../server/follow/clock.ts';
import { FollowCoordination } from '../../server/follow/follow-coordination.ts';
import { followRoutes, followStreams, type OpenFollow } from '../../server/follow/follow-routes.ts';
import { FollowService } from '../../server/follow/follow-service.ts';
import { openSource } from '../../server/follow/sources.ts';
import { openTargetStore } from '../../server/follow/target-store.ts';

/** What the follow service of this process reads and writes. */
interface FollowStorage {
  readonly store: Store;
  readonly sink: LiveSink;
  readonly held: HeldArchive;
  close(): Promise<void>;
}

/** Rejects with StoreError. */
async function openStorage(config: Config): Promise<FollowStorage> {
  const { openStoredArchive } = await import('../../server/engines/open-archive.ts');
  return openStoredArchive(config, ({ reason }) => console.error(`a record cannot be applied: ${reason}`));
}

/** Rejects with StoreError. `creates`: whether to make a data directory where there is none. */
export async function openStoredFollow(config: Config, creates: boolean): Promise<OpenFollow> {
  if (!creates && config.databaseUrl === undefined) await requireDataDirectory(config.dataDir);
  const { store, sink, held, close } = await openStorage(config);
  try {
    const clock = { ...systemClock, now: store.now };
    const service = new FollowService({
      settings: config.follow,
      keepsAll: config.retain === 'off',
      store: await openTargetStore(store),
      sink,
      held,
      openSource,
      documents: store,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      announce: () => {},
      clock,
      coordination: store.shared ? await FollowCoordination.open(store, clock, () => false) : undefined,
    });
    const routes = followRoutes(service);
    return {
      call: (route, value) => (routes[route] as (value: unknown) => Promise<never>)(value),
      backfill: async (targets, limit) => {
        const { chunks } = await followStreams(service)['follow/backfill']({ targets, limit });
        return chunks;
      },
      isRunning: async () => (await service.list()).isRunning,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
