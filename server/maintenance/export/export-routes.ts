/** The export of a running server, over its control socket. */
import type { StreamRoutes } from '../../admin/control-server.ts';
import type { Export, ExportCounts } from './export.ts';
import type { ExportRequest } from './selected-content.ts';

/** The header before the first line, and the trailer after the last one. */
export interface ExportHead {
  /** The approximate number of records; absent for a partial export. */
  readonly total?: number | undefined;
}
export interface ExportEnd {
  readonly counts: ExportCounts;
}

export const exportRoutes = (open: (request: ExportRequest) => Promise<Export>): StreamRoutes => ({
  export: async (value) => {
    const { total, chunks, counts, close } = await open(value as ExportRequest);
    return { head: { total } satisfies ExportHead, chunks, end: () => ({ counts }) satisfies ExportEnd, close };
  },
});
