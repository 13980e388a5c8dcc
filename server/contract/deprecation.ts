/** What callers are told of a deprecated part of the contract. */

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

/** The days of a deprecated part in words, such as `deprecated since 2026-10-01, last day 2027-03-31`; empty where it is not deprecated. */
export function deprecationWords(part: Deprecatable): string {
  if (part.deprecated !== true) return '';
  const { 'x-deprecated-since': since, 'x-sunset': sunset } = part;
  return `deprecated${since === undefined ? '' : ` since ${since}`}${sunset === undefined ? '' : `, last day ${sunset}`}`;
}
