/** Options: only defined members count, and numbers are checked. */
import { UsageError } from './failure.ts';

/** A copy without the members that are undefined, so that it does not erase defaults. */
export function defined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

/** Throws a UsageError for a value that is no number from 0 on. */
export function checkNumber(name: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0)) throw usageError(`'${name}' must be a number from 0 on`);
}

/** The error for an option. */
export const usageError = (message: string, cause?: unknown): UsageError =>
  new UsageError(message, { operation: 'options', attempts: 0 }, cause);
