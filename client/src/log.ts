/** What the client logs: requests and responses (debug), retries (info), deprecated operations (warn). */

export type LogLevel = 'off' | 'warn' | 'info' | 'debug';
/** The members of the console that the client uses. */
export type Logger = Readonly<Record<'warn' | 'info' | 'debug', (message: string) => void>>;
export type Log = (level: Exclude<LogLevel, 'off'>, message: () => string) => void;

const levels: readonly (string | undefined)[] = ['off', 'warn', 'info', 'debug'];

/** Logs up to the level; unknown levels count as `warn`. Messages contain no key and no body. */
export function logTo(logger: Logger = console, level: string = 'warn'): Log {
  const index = levels.indexOf(level);
  const limit = index < 0 ? 1 : index;
  return (each, message) => {
    if (levels.indexOf(each) <= limit) logger[each](`social-data: ${message()}`);
  };
}
