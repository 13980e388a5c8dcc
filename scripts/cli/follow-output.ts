/** The lines of `npm run follow -- list` and `status`. */
import type { FollowListing, ListedTarget } from '../../server/follow/follow-service.ts';
import { counted, duration, followed } from '../../server/follow/status.ts';

const nothing = 'nothing is followed: npm run follow -- add TARGET';
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

function describePosts({ isCounted, tweets, oldest, newest }: ListedTarget, now: number): string {
  if (!isCounted) return 'posts are not counted';
  if (oldest === undefined || newest === undefined) return 'no posts';
  return `${counted(tweets, 'post')} from ${day(oldest)}, the newest ${duration(Math.max(0, now - newest))} ago`;
}

const states: Readonly<Record<ListedTarget['state'], string>> = {
  waiting: 'not resolved yet',
  backfilling: 'its history is being read',
  following: 'follows',
  failed: 'failed',
};

/** One line for each target. `now`: milliseconds since the epoch. */
export function describeTargets({ sources, isRunning }: FollowListing, now: number): string {
  const lines = sources.flatMap(({ targets }) =>
    targets.map((target) =>
      [
        target.target,
        target.title === undefined ? '' : `(${target.title})`,
        isRunning ? states[target.state] : 'no server runs',
        describePosts(target, now),
        target.isConfigured ? 'from FOLLOW' : '',
        target.error ?? '',
      ]
        .filter((part) => part !== '')
        .join('  '),
    ),
  );
  return lines.join('\n') || nothing;
}

/** One line for each source. */
export function describeSources({ sources, isRunning }: FollowListing): string {
  if (sources.length === 0) return nothing;
  if (!isRunning)
    return sources
      .map(({ title, targets }) => `${title}: ${counted(targets.length, 'target')}; no server runs`)
      .join('\n');
  return sources
    .map((source) => {
      const { title, connected, host, lagMs, queue, readsLeft, error, targets } = source;
      const failed = targets.filter((target) => target.state === 'failed').length;
      return [
        `${title}: ${connected ? `following ${followed(source)}` : 'not connected'}`,
        host === undefined ? '' : `by ${host}`,
        lagMs === undefined ? '' : `${duration(lagMs)} behind`,
        queue === 0 ? '' : `${counted(queue, 'record')} in the queue`,
        readsLeft === undefined ? '' : `${readsLeft} reads left today`,
        failed === 0 ? '' : `${failed} of ${targets.length} targets failed`,
        error ?? '',
      ]
        .filter((part) => part !== '')
        .join(', ');
    })
    .join('\n');
}
