/**
 * Stop requests for long-running programs: signals, or the end of npm when npm started the program. npm runs a script as
 * `sh -c SCRIPT` and forwards SIGINT and SIGTERM only to the shell. Therefore each script in package.json begins with `exec`, which
 * replaces the shell by the program. npm cannot forward its own end by SIGKILL or SIGHUP, so the program checks its parent process.
 */

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The reason of a stop request. */
export type StopReason = (typeof signals)[number] | 'parent ended';

export interface StopRequests {
  /** Replaces the listener. */
  handle(listener: (reason: StopReason) => void): void;
}

export interface StopOptions {
  /** Called for a stop request after the first one. Without it, later requests are ignored. */
  readonly onRepeat?: () => void;
  /** The environment with npm's variables; by default that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Interval of the check whether the parent process still runs, in milliseconds. */
const parentCheckMs = 500;
/**
 * Signals within this time count as one request, in milliseconds: a terminal sends Ctrl-C to npm and to the program,
 * and npm forwards it as well.
 */
const repeatWindowMs = 1_000;

/**
 * Calls `listener` once, at the first stop request. From now on, these signals no longer end the process by default.
 */
export function takeStopRequests(listener: (reason: StopReason) => void, options: StopOptions = {}): StopRequests {
  const { onRepeat = () => {}, env = process.env } = options;
  let handle = listener;
  let requestedAt: number | undefined;
  let parentCheck: NodeJS.Timeout | undefined;

  function requestStop(reason: StopReason): void {
    const now = performance.now();
    if (requestedAt === undefined) {
      requestedAt = now;
      clearInterval(parentCheck);
      handle(reason);
    } else if (now - requestedAt >= repeatWindowMs) onRepeat();
  }

  for (const signal of signals) process.on(signal, requestStop);
  const parent = process.ppid;
  // Only npm: with another parent, such as a shell or a service manager, the end of the parent is not a stop request.
  if (env['npm_lifecycle_event'] !== undefined) {
    parentCheck = setInterval(() => {
      if (process.ppid !== parent) requestStop('parent ended');
    }, parentCheckMs).unref();
  }
  return { handle: (next) => void (handle = next) };
}
