/** The words for what the service follows on live platforms. */

/** An item of `/live/following`. */
export interface FollowedSource {
  /** Such as `12 accounts on Bluesky`. */
  readonly following: string;
  readonly connected: boolean;
  readonly lag_seconds?: number;
}

function durationText(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** One line for all sources; empty where nothing is followed. */
export function followingText(sources: readonly FollowedSource[]): string {
  return sources
    .map(({ following, connected, lag_seconds: lag }) => {
      const behind = lag === undefined ? '' : `, ${durationText(lag)} behind`;
      return `following ${following}${connected ? '' : ' (not connected)'}${behind}`;
    })
    .join(' · ');
}
