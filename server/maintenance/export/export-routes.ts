/** The export of a running server, over its control socket. */
import type { StreamRoutes } from '../../admin/control-server.ts';
import { openExport, type ExportCounts } from './export.ts';
import type { ExportRequest, ExportSource } from './selection.ts';

/** The header before the first line, and the trailer after the last one. */
export interface ExportHead {
  /** The approximate number of records; absent for a partial export. */
  readonly total?: number | undefined;
}
export interface ExportEnd {
  readonly counts: ExportCounts;
}

export const exportRoutes = (archive: ExportSource): StreamRoutes => ({
  export: async (value) => {
    const { total, chunks, counts } = await openExport(archive, value as ExportRequest);
    return { head: { total } satisfies ExportHead, chunks, end: () => ({ counts }) satisfies ExportEnd };
  },
});
