/** Formats the stored keys as a text table. */
import type { KeyEntry } from '../ports/keys.ts';

const minute = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`;

/** Formats the keys as a table with times in UTC, to the minute. `now`: milliseconds since 1970. */
export function keyTable(entries: readonly KeyEntry[], now: number): string {
  if (entries.length === 0) return 'no stored keys: `npm run keys -- create --name NAME` creates one';
  const rows = entries.map(
    ({ id, name, scopes, rate, created_at: created, expires_at: expires, last_used_at: used }) => [
      id,
      scopes?.join(',') ?? 'all',
      rate ?? 'usual',
      minute(created),
      expires === undefined ? 'never' : minute(expires) + (Date.parse(expires) <= now ? ' (expired)' : ''),
      used === undefined ? 'never' : minute(used),
      name,
    ],
  );
  const titles = ['id', 'scopes', 'rate', 'created', 'expires', 'last used', 'name'];
  const table = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
