/** The follow commands on the control socket. The caller is the operator's command. */
import type { Routes, StreamRoutes } from '../admin/control-server.ts';
import { ProgressLines } from '../admin/progress-lines.ts';
import type { FollowService } from './follow-service.ts';
import type { TargetStatus } from './status.ts';

/** The largest history that a command can ask for, in tweets of each account. */
export const maxBackfill = 100_000;

export const followRoutes = (service: FollowService) =>
  ({
    'follow/add': (targets) => service.add(targets as string[]),
    'follow/resolutions': (targets) => service.resolutions(targets as string[]),
    'follow/remove': (value) => {
      const { targets, erase } = value as { targets: string[]; erase: boolean };
      return service.remove(targets, erase);
    },
    'follow/accounts': async (targets) => Object.fromEntries(await service.userIdsOf(targets as string[])),
    'follow/posts': (targets) => service.postsOf(targets as string[]),
    'follow/list': () => service.list(),
    'follow/token': (value) => {
      const { source, token } = value as { source: string; token: string };
      return service.setToken(source, token);
    },
  }) satisfies Routes;

/** Each chunk is one line with the state of the targets. The command ends when its reader goes away; the reading goes on. */
export const followStreams = (service: FollowService) =>
  ({
    'follow/backfill': async (value) => {
      const { targets, limit } = value as { targets: string[]; limit: number };
      if (!Number.isInteger(limit) || limit < 1 || limit > maxBackfill)
        throw new Error(`expected a number of posts from 1 to ${maxBackfill}`);
      const ended = new AbortController();
      const progress = new ProgressLines<readonly TargetStatus[]>();
      const read = service.backfill(targets, limit, (states) => progress.add(states), ended.signal);
      const finished = read.finally(() => progress.end());
      // The stream below awaits it too.
      finished.catch(() => {});
      return {
        head: null,
        chunks: (async function* () {
          try {
            yield* progress.lines();
            await finished;
          } finally {
            ended.abort();
          }
        })(),
        end: () => null,
      };
    },
  }) satisfies StreamRoutes;

type FollowRoutes = ReturnType<typeof followRoutes>;
type CallRoute = <Route extends keyof FollowRoutes>(
  route: Route,
  value: unknown,
) => Promise<Awaited<ReturnType<FollowRoutes[Route]>>>;

/** The commands, in the running server or on the storage of none. */
export interface OpenFollow {
  readonly call: CallRoute;
  /** Begins to read histories again. Returns lines of JSON with the state of the targets. */
  readonly backfill: (targets: readonly string[], limit: number) => Promise<AsyncIterable<string | Uint8Array>>;
  /** Whether a server follows. */
  readonly isRunning: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}
