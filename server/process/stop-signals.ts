/**
 * How a program that runs on learns that it is to stop: by a signal, or, where npm started it, by the end of npm. npm
 * runs a script as `sh -c SCRIPT` and passes SIGINT and SIGTERM on to the shell only: so each script in package.json
 * begins with `exec`, which puts the program in the place of the shell. What npm cannot pass on, its own death by
 * SIGKILL or SIGHUP, the program notices by itself.
 */

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Why to stop. */
export type StopReason = (typeof signals)[number] | 'parent ended';

export interface StopRequests {
  /** Calls `listener` from now on, in place of the one before. */
  handle(listener: (reason: StopReason) => void): void;
}

export interface StopOptions {
  /** Called for a signal that comes when the program has been asked to stop before; ignored when left out. */
  readonly onRepeat?: () => void;
  /** Where npm's variables are; those of the process when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How often it is looked whether the parent process is still there, in milliseconds. */
const parentCheckMs = 500;
/**
 * Signals within this time are one request, in milliseconds: Ctrl-C in a terminal goes to npm and to the program, and
 * npm passes it on.
 */
const repeatWindowMs = 1_000;

/**
 * Calls `listener` once, when the process is asked to stop. From now on no signal of these ends the process by itself.
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
  // Without npm nothing says that the end of the parent is a request: a shell or a service manager may well end first.
  if (env['npm_lifecycle_event'] !== undefined) {
    parentCheck = setInterval(() => {
      if (process.ppid !== parent) requestStop('parent ended');
    }, parentCheckMs).unref();
  }
  return { handle: (next) => void (handle = next) };
}
