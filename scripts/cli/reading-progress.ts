/** Shows on standard error how much of the archive a command has read: every few seconds, where no server runs and the archive is large. */
import type { OpenReports } from '../../server/platforms/archive/open-archive.ts';

export const showReading: NonNullable<OpenReports['onProgress']> = ({ records, share }) =>
  console.error(
    `reading the archive: ${records.toLocaleString('en')} records${share === undefined ? '' : `, ${Math.floor(100 * share)} %`}`,
  );
