/** What the service reports of its followers. */

export interface TargetStatus {
  /** The canonical text. */
  readonly target: string;
  /** For output, such as `@alice.example.com`; undefined before the platform knows it. */
  readonly title?: string;
  /**
   * `waiting`: not resolved yet. `backfilling`: its history is being read, or will be. `following`: complete up to the position
   * of the source. `failed`: see `error`; it is tried again.
   */
  readonly state: 'waiting' | 'backfilling' | 'following' | 'failed';
  /** The identifiers of the accounts at the platform; absent for a search and the network. */
  readonly accounts?: readonly string[];
  /** The number of tweets that the current or last reading of its history brought. */
  readonly read: number;
  readonly error?: string;
}

export interface SourceStatus {
  /** The name in the configuration. */
  readonly source: string;
  /** For output. */
  readonly title: string;
  readonly connected: boolean;
  /** The host of the connection. */
  readonly host?: string;
  /** How far the archive is behind the platform, in milliseconds; undefined before the first data. */
  readonly lagMs?: number;
  /** The number of records that wait for the archive. */
  readonly queue: number;
  /** The reads that the budget of the source leaves; undefined without a budget. */
  readonly readsLeft?: number;
  /** Why the source is away. */
  readonly error?: string;
  readonly targets: readonly TargetStatus[];
}

/** The number of followed accounts; undefined where a target is no list of accounts. */
export function accountCount(targets: readonly TargetStatus[]): number | undefined {
  if (targets.some(({ title, accounts }) => title !== undefined && accounts === undefined)) return undefined;
  return new Set(targets.flatMap(({ accounts = [] }) => accounts)).size;
}

/** A number with its noun: `1 post`, `2,000 posts`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** A duration for the operator: `0.4 s`, `12 min`, `3 h`. */
export function duration(ms: number): string {
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 6_000_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** What is followed: `12 accounts on Bluesky`. */
export function followed({ title, targets }: Pick<SourceStatus, 'title' | 'targets'>): string {
  const resolved = targets.filter((target) => target.title !== undefined);
  const accounts = accountCount(resolved);
  return `${accounts === undefined ? counted(resolved.length, 'target') : counted(accounts, 'account')} on ${title}`;
}
