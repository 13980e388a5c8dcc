/** The response headers of a deprecated operation. */

/** The part of an operation that says when it ends. */
export interface Deprecatable {
  readonly deprecated?: boolean;
  /** The first day of the deprecation, as YYYY-MM-DD. */
  readonly 'x-deprecated-since'?: string;
  /** The last day of the operation, as YYYY-MM-DD. */
  readonly 'x-sunset'?: string;
}

/** The start of a day, UTC; undefined for no day. */
function timeOf(day: string | undefined): Date | undefined {
  const time = new Date(`${day}T00:00:00Z`);
  return day === undefined || Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of an operation, names and values in turn; empty where it is not
 * deprecated. Without `x-deprecated-since` the date of `Deprecation` is the start of 1970: it is deprecated already.
 */
export function deprecationHeaders(operation: Deprecatable): readonly string[] {
  if (operation.deprecated !== true) return [];
  const since = timeOf(operation['x-deprecated-since'])?.getTime() ?? 0;
  const sunset = timeOf(operation['x-sunset']);
  return ['Deprecation', `@${since / 1000}`, ...(sunset === undefined ? [] : ['Sunset', sunset.toUTCString()])];
}
